import { z } from 'zod';
import { defineEndpoint, trafficServerAccess } from './endpoint.ts';
import { ingestIdentity, ingestResult, ingestText, ingestTime } from './ingest.ts';
import { bodyBoolean } from './text-fields.ts';

/** Below 10^12 on either side of zero, with at most 4 decimals (api [92]). */
const amount = /^[+-]?0*\d{1,12}(\.\d{1,4})?$/;

/** A payout as decimal text, so that no decimal is lost on the way into the database. */
const payout = z
  .union([z.number(), z.string()])
  .transform(String)
  .refine((text) => amount.test(text), { error: 'The selected payout is invalid.' })
  .nullable()
  .default(null);

/** A row of ingest/conversions (api [92]); its time and its app are judged by the server. */
export const conversionDelivery = z.strictObject({
  ...ingestIdentity,
  source: z.string().max(64).default(''),
  client_uid: ingestText(128),
  stream_uid: ingestText(128),
  click_id: ingestText(255),
  receive_apf_uid: ingestText(255),
  app_instance_id: ingestText(255),
  status_conversion: z.string().min(1).max(64),
  payout,
  status: z.string().min(1).max(32).default('success'),
  error: ingestText(4096),
  is_send: bodyBoolean.default(false),
  created_at: ingestTime,
});
export type ConversionDelivery = z.output<typeof conversionDelivery>;

export const ingestConversions = defineEndpoint({
  number: 92,
  method: 'POST',
  path: 'ingest/conversions',
  summary: 'Store what clients did that is worth something',
  access: trafficServerAccess,
  body: z.strictObject({ conversions: z.array(conversionDelivery) }),
  bodyForm: 'ingest',
  answer: { kind: 'data', status: 200, schema: ingestResult },
  refusals: [429],
});
