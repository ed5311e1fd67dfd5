import { z } from 'zod';
import { countryCodes } from './countries.ts';
import { defineEndpoint, trafficServerAccess } from './endpoint.ts';
import { fieldErrorMap } from './envelope.ts';
import { JsonText } from './exact-json.ts';
import { clientUidCharacters, ingestLimits } from './limits.ts';
import { jsonObject, requestTypes } from './requests.ts';
import { bodyBoolean, choice, cleanName, integer, isOneLine, storable } from './text-fields.ts';

/** Messages of ingestion. */
export const ingestMessages = {
  unknownApp: 'Unknown app.',
  appMismatch: 'The app_id and bundle do not match.',
  appMissing: 'The app_id or bundle field is required.',
  id: 'The id must be a UUID.',
  ip: 'The ip must be a valid IPv4 or IPv6 address.',
  seconds: 'The date must be in milliseconds since 1970, not in seconds.',
  tooOld: (days: number) => `Older than the retention of ${days} days.`,
  tooFarAhead: 'More than 24 hours ahead.',
  rowNotObject: 'The row must be an object.',
  invalidJson: 'Invalid JSON.',
  tooLarge: (field: string) => `The ${field} field is too large.`,
  tooDeep: (field: string) => `The ${field} field is nested too deeply.`,
  botLabels: `The bot field must not have more than ${ingestLimits.botLabels} items.`,
  buyerMissing: 'The buyer_id or buyer_email field is required.',
  unknownBuyer: 'Unknown buyer.',
  noRows: 'At least one row is required.',
  allRejected: 'Every row was rejected.',
  moreErrors: 'More errors.',
} as const;

/** A rejected row: its 0-based index in the batch, its id as sent, and its errors by field. */
export const rejectedRow = z.object({ index: z.int(), id: z.unknown(), errors: fieldErrorMap });

/** Result of a batch. accepted + duplicates + rejected always equals the number of rows sent. */
export const ingestResult = z.object({ accepted: z.int(), duplicates: z.int(), rejected: z.array(rejectedRow) });
export type IngestResult = z.output<typeof ingestResult>;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Fields of every row: its id and its app. */
export const ingestIdentity = {
  id: z
    .string()
    .refine((value) => uuid.test(value), { error: ingestMessages.id })
    .transform((value) => value.toLowerCase())
    .optional(),
  app_id: integer().optional(),
  bundle: z.string().max(255).optional(),
};

/** A date-time, parsed by the handler. */
export const ingestTime = z.string().min(1);

/** Optional text of a row. Empty becomes null. */
export function ingestText(max: number) {
  return z.preprocess(emptyAsNull, z.string().max(max).nullable().default(null));
}

/** Converts an empty text to null. */
function emptyAsNull(value: unknown): unknown {
  return value === '' ? null : value;
}

const botLabelList = z
  .array(z.string().regex(/^[A-Z0-9_]{1,16}$/))
  .transform((labels) => [...new Set(labels)])
  .refine((labels) => labels.length <= ingestLimits.botLabels, { error: ingestMessages.botLabels });
const botText = z.string().transform((value) => value.split(/\s+/).filter((label) => label !== ''));

/** The code of ISO 3166-1; one that it does not have counts as not sent. */
function countryOf(code: string): string | null {
  const known = withIsoCode(code.toUpperCase());
  return knownCountries.has(known) ? known : null;
}

/** `UK` is what many call Great Britain, which is `GB`. */
function withIsoCode(code: string): string {
  return code === 'UK' ? 'GB' : code;
}

/** Kosovo has no code of ISO, but one that everybody uses. */
const knownCountries: ReadonlySet<string> = new Set([...countryCodes, 'XK']);

/** A text in JSON that JavaScript does not hold exactly. */
const jsonString = z.custom<JsonText>().superRefine((input, context) => {
  const isString = input instanceof JsonText && input.text.startsWith('"');
  if (!isString) context.addIssue({ code: 'invalid_type', expected: 'string', input, continue: false });
});

/** A row of ingest/events. The handler validates times, the app, the IP and sizes. */
export const ingestedEvent = z.strictObject({
  ...ingestIdentity,
  type: z.string().min(1).pipe(choice(requestTypes)).meta({ type: 'string', enum: requestTypes }),
  date: z.union([z.string().min(1), integer()]).meta({ description: 'Date-time text or milliseconds since 1970' }),
  ip: z.string().min(1),
  client_uid: z.string().max(clientUidCharacters).default(''),
  stream_uid: ingestText(128),
  country: z.preprocess(
    emptyAsNull,
    z
      .string()
      .regex(/^[A-Za-z]{2}$/)
      .transform(countryOf)
      .nullable()
      .default(null),
  ),
  bot: z.union([botText.pipe(botLabelList), botLabelList]).default([]),
  user_agent: z.string().nullable().default(null),
  body_request: z.unknown().default(null),
  body_response: z.unknown().default(null),
  additional_data: z.unknown().default(null),
  error: z
    .union([jsonObject, z.string(), jsonString])
    .meta({ anyOf: [{ type: 'object', propertyNames: { type: 'string' }, additionalProperties: {} }, { type: 'string' }] })
    .nullable()
    .default(null),
  postbacks_domain: z.string().max(255).nullable().default(''),
  is_qa: bodyBoolean.optional(),
});
export type IngestedEvent = z.output<typeof ingestedEvent>;

export const ingestEvents = defineEndpoint({
  number: 90,
  method: 'POST',
  path: 'ingest/events',
  summary: 'Store events: requests of end clients',
  access: trafficServerAccess,
  body: z.strictObject({ events: z.array(ingestedEvent) }),
  bodyForm: 'ingest',
  answer: { kind: 'data', status: 200, schema: ingestResult },
  rejections: [429],
});

/** A row of ingest/pushes. The handler validates times, the app and the message size. */
export const ingestedPush = z.strictObject({
  ...ingestIdentity,
  push_id: z.string().min(1).max(128),
  push_name: z.string().max(255).default(''),
  push_message: z.union([z.string(), jsonObject]).default(''),
  uid: ingestText(128),
  client_uid: ingestText(clientUidCharacters),
  push_campaign_uid: ingestText(128),
  send_at: ingestTime,
  status: z.string().min(1).max(32).default('pending'),
  error: ingestText(4096),
  updated_at: ingestTime.optional(),
});
export type IngestedPush = z.output<typeof ingestedPush>;

export const ingestPushes = defineEndpoint({
  number: 91,
  method: 'POST',
  path: 'ingest/pushes',
  summary: 'Store pushes and their results',
  access: trafficServerAccess,
  body: z.strictObject({ pushes: z.array(ingestedPush) }),
  bodyForm: 'ingest',
  answer: { kind: 'data', status: 200, schema: ingestResult },
  rejections: [429],
});

/** Absolute value below 10^12, with at most 4 decimals but zeros. */
const amount = /^[+-]?0*\d{1,12}(\.\d{1,4}0*)?$/;
/** More decimals, in either notation. */
const manyDecimals = /^[+-]?\d*(\.\d{5,}|(\.\d+)?[eE]-\d+)$/;

/** A number to the letter as decimal text without an exponent, as far as an amount may have one; other values as JavaScript reads them. */
function decimalText(input: JsonText): unknown {
  if (typeof input.value !== 'number') return input.value;
  const [, sign = '', whole = '', fraction = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(input.text) ?? [];
  const shift = Number(exponent);
  if (/^0*$/.test(whole + fraction)) return '0';
  if (exponent === undefined || Math.abs(shift) > 100) return input.text;
  const digits = '0'.repeat(Math.max(0, -shift)) + whole + fraction + '0'.repeat(Math.max(0, shift));
  const point = Math.max(0, -shift) + whole.length + shift;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}0`;
}

/** A payout as decimal text, so that no digit is lost. Zeros that say nothing are left out: the database counts them among its digits. */
const payout = z.preprocess(
  (value) => emptyAsNull(value instanceof JsonText ? decimalText(value) : value),
  z
    .union([z.number(), z.string()])
    .transform(String)
    .refine((text) => amount.test(text), {
      error: ({ input }) =>
        manyDecimals.test(String(input)) ? 'The payout must not have more than 4 decimals.' : 'The selected payout is invalid.',
    })
    .transform((text) => text.replace(/^([+-]?)0+(?=\d)/, '$1').replace(/(?<=\.\d{4})0+$/, ''))
    .nullable()
    .default(null),
);

/** A row of ingest/conversions. The handler validates the time and the app. */
export const ingestedConversion = z.strictObject({
  ...ingestIdentity,
  source: z.string().max(64).default(''),
  client_uid: ingestText(clientUidCharacters),
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
export type IngestedConversion = z.output<typeof ingestedConversion>;

export const ingestConversions = defineEndpoint({
  number: 92,
  method: 'POST',
  path: 'ingest/conversions',
  summary: 'Store conversions of end clients',
  access: trafficServerAccess,
  body: z.strictObject({ conversions: z.array(ingestedConversion) }),
  bodyForm: 'ingest',
  answer: { kind: 'data', status: 200, schema: ingestResult },
  rejections: [429],
});

const country = z
  .string()
  .regex(/^([A-Za-z]{2}|ALL|all)$/)
  .transform((code) => withIsoCode(code.toUpperCase()));

/** A row of ingest/streams. The handler validates times, the app and the buyer. */
export const ingestedStream = z.strictObject({
  ...ingestIdentity,
  uid: z.string().min(1).max(128),
  name: z.string().overwrite(cleanName).min(1).max(255).refine(isOneLine, storable),
  buyer_id: integer().optional(),
  buyer_email: z.string().max(255).optional(),
  rules: z.strictObject({ country: z.array(country).max(300).default([]) }).default({ country: [] }),
  offer: ingestText(2048),
  level_cloaking: ingestText(64),
  created_at: ingestTime,
  updated_at: ingestTime,
  deleted_at: ingestText(64),
});
export type IngestedStream = z.output<typeof ingestedStream>;

export const ingestStreams = defineEndpoint({
  number: 93,
  method: 'POST',
  path: 'ingest/streams',
  summary: 'Store streams of buyers, or replace them with newer ones',
  access: trafficServerAccess,
  body: z.strictObject({ streams: z.array(ingestedStream) }),
  bodyForm: 'ingest',
  answer: { kind: 'data', status: 200, schema: ingestResult },
  rejections: [429],
});
