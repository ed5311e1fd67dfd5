import { z } from 'zod';
import { defineEndpoint, trafficServerAccess } from './endpoint.ts';
import { fieldErrorMap } from './envelope.ts';
import { ingestLimits } from './limits.ts';
import { requestTypes } from './requests.ts';
import { bodyBoolean, choice, integer } from './text-fields.ts';

/** Texts of ingestion beside the general ones (api 13). */
export const ingestMessages = {
  unknownApp: 'Unknown app.',
  appMismatch: 'The app_id and bundle do not match.',
  appMissing: 'The app_id or bundle field is required.',
  id: 'The id must be a UUID.',
  ip: 'The ip must be a valid IPv4 or IPv6 address.',
  tooOld: (days: number) => `Older than the retention of ${days} days.`,
  tooFarAhead: 'More than 24 hours ahead.',
  rowNotObject: 'The row must be an object.',
  invalidJson: 'Invalid JSON.',
  tooLarge: (field: string) => `The ${field} field is too large.`,
  botLabels: `The bot field must not have more than ${ingestLimits.botLabels} items.`,
  buyerMissing: 'The buyer_id or buyer_email field is required.',
  unknownBuyer: 'Unknown buyer.',
  noRows: 'At least one row is required.',
  allRejected: 'Every row was rejected.',
} as const;

/** One bad row: its 0-based place in the batch, its id as sent, and its errors by field. */
export const rejectedRow = z.object({ index: z.int(), id: z.unknown(), errors: fieldErrorMap });

/** What became of a batch: accepted + duplicates + rejected = rows sent, always (api 13). */
export const ingestResult = z.object({ accepted: z.int(), duplicates: z.int(), rejected: z.array(rejectedRow) });
export type IngestResult = z.output<typeof ingestResult>;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Keys that every kind of row has: its id and the app it belongs to (api 13). */
export const ingestIdentity = {
  id: z
    .string()
    .refine((value) => uuid.test(value), { error: ingestMessages.id })
    .transform((value) => value.toLowerCase())
    .optional(),
  app_id: integer().optional(),
  bundle: z.string().max(255).optional(),
};

/** A date-time in one of the accepted forms (api 0.5), which the server reads. */
export const ingestTime = z.string().min(1);

/** Optional text of a row; an empty one is none (api 0.4). */
export function ingestText(max: number) {
  return z.preprocess(emptyAsNull, z.string().max(max).nullable().default(null));
}

/** An empty optional text counts as none (api 0.4). */
function emptyAsNull(value: unknown): unknown {
  return value === '' ? null : value;
}

const botLabelList = z
  .array(z.string().regex(/^[A-Z0-9_]{1,16}$/))
  .transform((labels) => [...new Set(labels)])
  .refine((labels) => labels.length <= ingestLimits.botLabels, { error: ingestMessages.botLabels });
const botText = z.string().transform((value) => value.split(/\s+/).filter((label) => label !== ''));

/** A row of ingest/events (api [90]); times, the app, the IP and sizes are judged by the server. */
export const eventRow = z.strictObject({
  ...ingestIdentity,
  type: z.string().min(1).pipe(choice(requestTypes)).meta({ type: 'string', enum: requestTypes }),
  date: z.union([z.string().min(1), integer()]).meta({ description: 'Date-time text or milliseconds since 1970' }),
  ip: z.string().min(1),
  client_uid: z.string().max(128).default(''),
  stream_uid: ingestText(128),
  country: z.preprocess(
    emptyAsNull,
    z
      .string()
      .regex(/^[A-Za-z]{2}$/)
      .transform((code) => code.toUpperCase())
      .nullable()
      .default(null),
  ),
  bot: z.union([botText.pipe(botLabelList), botLabelList]).default([]),
  user_agent: z.string().nullable().default(null),
  body_request: z.unknown().default(null),
  body_response: z.unknown().default(null),
  additional_data: z.unknown().default(null),
  error: z
    .union([z.record(z.string(), z.unknown()), z.string()])
    .nullable()
    .default(null),
  postbacks_domain: z.string().max(255).nullable().default(''),
  is_qa: bodyBoolean.optional(),
});
export type EventRow = z.output<typeof eventRow>;

export const ingestEvents = defineEndpoint({
  number: 90,
  method: 'POST',
  path: 'ingest/events',
  summary: 'Store what happened: requests of end clients',
  access: trafficServerAccess,
  body: z.strictObject({ events: z.array(eventRow) }),
  bodyForm: 'ingest',
  answer: { kind: 'data', status: 200, schema: ingestResult },
  refusals: [429],
});
