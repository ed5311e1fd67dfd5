import { z } from 'zod';
import { defineEndpoint, trafficServerAccess } from './endpoint.ts';
import { ingestIdentity, ingestResult, ingestText, ingestTime } from './ingest.ts';

/** A row of ingest/pushes (api [91]); times, the app and the size of the message are judged by the server. */
export const pushDelivery = z.strictObject({
  ...ingestIdentity,
  push_id: z.string().min(1).max(128),
  push_name: z.string().max(255).default(''),
  push_message: z.union([z.string(), z.record(z.string(), z.unknown())]).default(''),
  uid: ingestText(128),
  client_uid: ingestText(128),
  push_campaign_uid: ingestText(128),
  send_at: ingestTime,
  status: z.string().min(1).max(32).default('pending'),
  error: ingestText(4096),
  updated_at: ingestTime.optional(),
});
export type PushDelivery = z.output<typeof pushDelivery>;

export const ingestPushes = defineEndpoint({
  number: 91,
  method: 'POST',
  path: 'ingest/pushes',
  summary: 'Store pushes and what became of them',
  access: trafficServerAccess,
  body: z.strictObject({ pushes: z.array(pushDelivery) }),
  bodyForm: 'ingest',
  answer: { kind: 'data', status: 200, schema: ingestResult },
  refusals: [429],
});
