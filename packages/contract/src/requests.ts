import { z } from 'zod';
import { DateError, isPlainDay, parseDateTime, dayRange } from './dates.ts';
import { multiple, queryBoolean, searchText, single } from './listing.ts';
import { plainText } from './text-fields.ts';

/** Types of requests (REQ-034). */
export const requestTypes = ['create', 'receive', 'token', 'track', 'proxy', 'static', 'error'] as const;
export type RequestType = (typeof requestTypes)[number];

/** The types the Event tab offers as filter (EVT-004). */
export const eventTabTypes = ['create', 'receive', 'token', 'track', 'error'] as const satisfies readonly RequestType[];

export type Tone = 'default' | 'success' | 'warning' | 'danger';

/**
 * Blocked-traffic tags with what they mean and how they are coloured (WID-073 to WID-078, AMB-054), and
 * whether a request that carries one counts as a bot's (O29).
 */
export const botLabels: Readonly<Record<string, { description: string; tone: Tone; blocks: boolean }>> = {
  CF: { description: 'CDN pass', tone: 'success', blocks: false },
  BOT: { description: 'Public bot', tone: 'warning', blocks: true },
  L1: { description: 'Hosting, datacenter, proxy or VPN', tone: 'warning', blocks: true },
  L2: { description: 'Hosting, datacenter, proxy or VPN', tone: 'warning', blocks: true },
  HLL: { description: 'Blocked by machine learning', tone: 'danger', blocks: true },
  VLA: { description: 'Blocked by machine learning', tone: 'danger', blocks: true },
  ORG: { description: 'Organisation on the blacklist', tone: 'danger', blocks: true },
};

/** Meaning and colour of one tag; a tag nobody knows is described as 'Неизвестно' and counts as a bot's. */
export function botLabel(tag: string): { description: string; tone: Tone; blocks: boolean } {
  return (Object.hasOwn(botLabels, tag) ? botLabels[tag] : undefined) ?? { description: 'Неизвестно', tone: 'default', blocks: true };
}

/** Any JSON value. */
const jsonValue = z.unknown();

/** One request as lists, streams and exports show it; all keys always present (api 0.13, ENT-026). */
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
  error: z.record(z.string(), z.unknown()).nullable(),
  additional_data: jsonValue,
});
export type RequestRow = z.output<typeof requestRow>;

/**
 * Colour of a row's show button: default for static and proxy, warning for an error of type Notice,
 * danger for any other error, success without error (EVT-033 to EVT-036).
 */
export function bodyTone(row: Pick<RequestRow, 'type' | 'error'>): Tone {
  if (row.type === 'static' || row.type === 'proxy') return 'default';
  if (row.error === null) return 'success';
  return row.error['exception_type'] === 'Notice' ? 'warning' : 'danger';
}

/** A day or a date-time of a filter; refused with the specified text when it is neither (api 0.4). */
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

/** The request filters RF of api 0.13, to be spread into a list's query. */
export const requestFilters = {
  search: searchText(100),
  clientId: single(plainText(128).optional()),
  type: multiple(z.enum(requestTypes)),
  // Of other letters `toUpperCase` makes codes too: ß would be South Sudan.
  geo: multiple(z.string().regex(/^[A-Za-z]{2}$/), (code) => code.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())),
  streamUid: multiple(plainText(128)),
  startDate: filterDate,
  endDate: filterDate,
  emptyPostbacksDomain: queryBoolean(),
};

const filtersObject = z.object(requestFilters);
export type RequestFilters = z.output<typeof filtersObject>;

/** The text for a range that ends before it starts; its key is `startDate` (api 0.4). */
export const startAfterEnd = 'The startDate must not be after endDate.';

export const requestSortKeys = ['concatenated_date', 'id', 'type'] as const;
export type RequestSortKey = (typeof requestSortKeys)[number];
