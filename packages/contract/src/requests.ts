import { z } from 'zod';
import { asnRow } from './asns.ts';
import { DateError, isPlainDay, parseDateTime, dayRange } from './dates.ts';
import { JsonText } from './exact-json.ts';
import { isAddressOrBlock } from './ip-address.ts';
import { multiple, queryBoolean, searchText, single } from './listing.ts';
import { plainText } from './text-fields.ts';

/** Types of requests. */
export const requestTypes = ['create', 'receive', 'token', 'track', 'proxy', 'static', 'error'] as const;
export type RequestType = (typeof requestTypes)[number];

/** A type where requests are counted by their own type. A filter by error finds more: every request with an error. */
export function ownTypeName(type: RequestType): string {
  return type === 'error' ? 'type error' : type;
}

/** Types that the Event tab offers as filter. */
export const eventTabTypes = ['create', 'receive', 'token', 'track', 'error'] as const satisfies readonly RequestType[];

export type Tone = 'default' | 'success' | 'warning' | 'danger';

/** Bot labels with their description, colour, and whether they mark a request as a bot's. */
export const botLabels: Readonly<Record<string, { description: string; tone: Tone; blocks: boolean }>> = {
  CF: { description: 'CDN pass', tone: 'success', blocks: false },
  BOT: { description: 'Public bot', tone: 'warning', blocks: true },
  L1: { description: 'Hosting, datacenter, proxy or VPN', tone: 'warning', blocks: true },
  L2: { description: 'Hosting, datacenter, proxy or VPN', tone: 'warning', blocks: true },
  HLL: { description: 'Blocked by machine learning', tone: 'danger', blocks: true },
  VLA: { description: 'Blocked by machine learning', tone: 'danger', blocks: true },
  ORG: { description: 'Organisation on the blacklist', tone: 'danger', blocks: true },
};

/** Description and colour of a bot label. An unknown label is described as 'Неизвестно' and marks a bot. */
export function botLabel(tag: string): { description: string; tone: Tone; blocks: boolean } {
  return (Object.hasOwn(botLabels, tag) ? botLabels[tag] : undefined) ?? { description: 'Неизвестно', tone: 'default', blocks: true };
}

/** Any JSON value, as the sender wrote it. */
const jsonValue = z.unknown();

/** An object of a sender; a `JsonText` where JavaScript does not hold it exactly. */
export type JsonObject = Readonly<Record<string, unknown>> | JsonText;

/** Objects of a sender. Keys such as `__proto__` are data, which a record of zod would drop. */
export const jsonObject = z
  .custom<JsonObject>()
  .superRefine((input, context) => {
    if (!isJsonObject(input)) context.addIssue({ code: 'invalid_type', expected: 'object', input, continue: false });
  })
  .meta({ type: 'object', propertyNames: { type: 'string' }, additionalProperties: {} });

function isJsonObject(value: unknown): value is JsonObject {
  if (value instanceof JsonText) return value.text.startsWith('{');
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a member of an object of a sender; of repeated ones the last counts. */
export function memberOf(object: JsonObject, key: string): unknown {
  const value: unknown = object instanceof JsonText ? object.value : object;
  return isJsonObject(value) && !(value instanceof JsonText) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Where a request came from, as lists and streams show it if `origin` is asked for. */
export const requestOrigin = z.object({
  /** Autonomous system of the address as the registry and the bans say now; null if the registry has none. */
  asn: asnRow.nullable(),
  /** The traffic server that delivered the request, also a deleted one; null if it was not stored. */
  server: z.object({ id: z.int(), name: z.string() }).nullable(),
});
export type RequestOrigin = z.output<typeof requestOrigin>;

/** Asks for the origin of each row. */
export const originQuery = { origin: queryBoolean() };

/** A request as lists, streams and exports show it. All keys but those of the origin are always present. */
export const requestRow = z.object({
  id: z.int(),
  uuid: z.string(),
  app_id: z.int(),
  app_bundle: z.string(),
  stream: z.object({ uid: z.string(), name: z.string().nullable() }).nullable(),
  client_uid: z.string(),
  ip: z.string(),
  country: z.string().nullable(),
  bot: z.string(),
  date: z.string(),
  concatenated_date: z.string(),
  type: z.enum(requestTypes),
  postbacks_domain: z.string(),
  has_body: z.boolean(),
  has_response: z.boolean(),
  has_error: z.boolean(),
  has_additional_data: z.boolean(),
  has_user_agent: z.boolean(),
  user_agent: z.string().nullable(),
  body_request: jsonValue,
  body_response: jsonValue,
  error: jsonObject.nullable(),
  additional_data: jsonValue,
  ...requestOrigin.partial().shape,
});
export type RequestRow = z.output<typeof requestRow>;

/** Columns of a request export, in order. */
export const requestExportColumns = [
  'id',
  'uuid',
  'app_id',
  'app_bundle',
  'stream_uid',
  'stream_name',
  'client_uid',
  'ip',
  'country',
  'bot',
  'type',
  'date_utc',
  'postbacks_domain',
  'user_agent',
  'body_request',
  'body_response',
  'error',
  'additional_data',
] as const;

/**
 * Colour of a row's show button: default for static and proxy, warning for an error of type Notice, danger for any
 * other error, success without error.
 */
export function bodyTone(row: Pick<RequestRow, 'type' | 'error'>): Tone {
  if (row.type === 'static' || row.type === 'proxy') return 'default';
  if (row.error === null) return 'success';
  return memberOf(row.error, 'exception_type') === 'Notice' ? 'warning' : 'danger';
}

/** A day or date-time of a filter. */
export const filterDate = single(z.string().refine(isFilterDate, { error: 'Invalid date string format' }).optional());

function isFilterDate(text: string): boolean {
  try {
    if (isPlainDay(text)) dayRange(text, '+00:00');
    else parseDateTime(text);
    return true;
  } catch (error) {
    if (error instanceof DateError) return false;
    throw error;
  }
}

/** The value by which filters, top values and reports mean requests without a country, stream or label, or whose system is not known (O54). */
export const noValue = 'none';

const countryCode = z.string().regex(/^(?:[A-Za-z]{2}|none)$/);
/** `toUpperCase` also changes other letters: ß would become South Sudan. */
const upperCase = (code: string): string => (code === noValue ? code : code.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase()));

/** The value by which filters mean requests with any label that marks a bot, among them unknown ones. */
export const anyBot = 'blocking';

/** The value by which a filter by autonomous system means addresses of none. */
export const noAsn = '0';

const asnCode = z.string().regex(/^(?:\d{1,10}|none)$/);
const withoutZeros = (code: string): string => code.replace(/^0+(?=\d)/, '');

/** Filters of all request lists, spread into their queries. Those beyond the specification have a description. */
export const requestFilters = {
  search: searchText(100),
  clientId: single(plainText(128).optional()),
  type: multiple(z.enum(requestTypes)),
  typeNot: multiple(z.enum(requestTypes)).describe('Requests that `type` would not find'),
  geo: multiple(countryCode, { normalise: upperCase }).describe(
    'Requests from any of these countries; `none` stands for requests without one',
  ),
  geoNot: multiple(countryCode, { normalise: upperCase }).describe('Requests that `geo` would not find'),
  streamUid: multiple(plainText(128)).describe(
    'Requests of any of these streams; `none` stands for requests without one. `streamUid[]=` takes commas and outer spaces as they are',
  ),
  streamUidNot: multiple(plainText(128)).describe('Requests that `streamUid` would not find'),
  bot: multiple(plainText(32)).describe(
    'Requests with any of these labels; `none` stands for requests without a label, `blocking` for those with any label that marks a bot',
  ),
  botNot: multiple(plainText(32)).describe('Requests that `bot` would not find'),
  ipNot: multiple(z.string().refine(isAddressOrBlock, { error: 'Must be an IP address or a network' })).describe(
    'Requests from none of these addresses and networks; 422 for anything else',
  ),
  asn: multiple(asnCode, { normalise: withoutZeros }).describe(
    'Requests whose addresses were in any of these autonomous systems when they arrived; `0` stands for addresses of none, `none` for requests whose system is not known',
  ),
  asnNot: multiple(asnCode, { normalise: withoutZeros }).describe('Requests that `asn` would not find'),
  startDate: filterDate,
  endDate: filterDate,
  emptyPostbacksDomain: queryBoolean(),
};

const filtersObject = z.object(requestFilters);
export type RequestFilters = z.output<typeof filtersObject>;

/** Filters of lists of more than one app. */
export const allRequestFilters = {
  ...requestFilters,
  appId: multiple(z.string().regex(/^[1-9]\d{0,8}$/)).describe('Requests of these apps. Apps outside the scope are ignored'),
};
const allFiltersObject = z.object(allRequestFilters);
export type AllRequestFilters = z.output<typeof allFiltersObject>;

/** Message for a range that ends before it starts, under `startDate`. */
export const startAfterEnd = 'The startDate must not be after endDate.';

export const requestSortKeys = ['concatenated_date', 'id', 'type'] as const;
export type RequestSortKey = (typeof requestSortKeys)[number];

/** Possible bucket lengths in seconds: a minute to a week. */
export const bucketLengths = [60, 300, 900, 3600, 10_800, 21_600, 86_400, 604_800] as const;
/** Maximum number of buckets. The smallest length within it is used. */
export const maximumBuckets = 120;

/**
 * `list`: a histogram covers exactly what the list with the same filters shows. Without a start it begins with the oldest stored
 * event, and it includes events whose date is ahead of the clock. Without the parameter it covers 24 hours.
 */
export const histogramRange = single(z.enum(['list']).optional());

/**
 * Requests over time by type, oldest bucket first, empty ones included. `from` and `to` are the counted range in UTC.
 * The first and last bucket may extend beyond the range; they count only rows inside it.
 */
export const requestHistogram = z.object({
  bucketSeconds: z.int(),
  from: z.string(),
  to: z.string(),
  buckets: z.array(z.object({ at: z.string(), counts: z.record(z.enum(requestTypes), z.int()) })),
});
export type RequestHistogram = z.output<typeof requestHistogram>;
