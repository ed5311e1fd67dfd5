import { z } from 'zod';
import { defineEndpoint, trafficServerAccess } from './endpoint.ts';
import { ingestIdentity, ingestResult, ingestText, ingestTime } from './ingest.ts';
import { integer } from './text-fields.ts';

const country = z
  .string()
  .regex(/^([A-Za-z]{2}|ALL|all)$/)
  .transform((code) => code.toUpperCase());

/** A row of ingest/streams (api [93]); times, the app and the buyer are judged by the server. */
export const streamDelivery = z.strictObject({
  ...ingestIdentity,
  uid: z.string().min(1).max(128),
  name: z.string().min(1).max(255),
  buyer_id: integer().optional(),
  buyer_email: z.string().max(255).optional(),
  rules: z.strictObject({ country: z.array(country).max(300).default([]) }).default({ country: [] }),
  offer: ingestText(2048),
  level_cloaking: ingestText(64),
  created_at: ingestTime,
  updated_at: ingestTime,
  deleted_at: ingestText(64),
});
export type StreamDelivery = z.output<typeof streamDelivery>;

export const ingestStreams = defineEndpoint({
  number: 93,
  method: 'POST',
  path: 'ingest/streams',
  summary: 'Store streams of buyers, or replace them by newer ones',
  access: trafficServerAccess,
  body: z.strictObject({ streams: z.array(streamDelivery) }),
  bodyForm: 'ingest',
  answer: { kind: 'data', status: 200, schema: ingestResult },
  refusals: [429],
});
