import { z } from 'zod';
import { conversionRow } from './conversions.ts';
import { csvFormat } from './csv-format.ts';
import { anyPermission, csvFile, defineEndpoint } from './endpoint.ts';
import { asnOfAddress, blockRow } from './request-by-id.ts';
import { canonicalNetwork } from './ip-network.ts';
import { clientUidCharacters, defaultLimits } from './limits.ts';
import { cursor, limit, multiple, single } from './listing.ts';
import { entryLevels } from './log-viewer.ts';
import { placeQuery } from './delivery-place.ts';
import { pushRow } from './pushes.ts';
import { requestRow, requestTypes } from './requests.ts';
import { requiredText } from './text-fields.ts';

/** Maximum number of addresses of a client, or clients of an address, in a summary. */
export const latestOfSubject = 20;

const access = anyPermission('manager_app_all_requests', 'manager_app_requests');

/** A client uid, exactly as it was sent. */
const clientParams = z.object({ uid: requiredText(clientUidCharacters) });

/** Any spelling of an address or a CIDR block, its slash encoded. Anything else is a 404. */
const addressParams = z.object({
  ip: z.string().transform((text, context) => {
    const address = canonicalNetwork(text);
    if (address === null) context.addIssue({ code: 'custom', message: 'No address' });
    return address ?? z.NEVER;
  }),
});

const seenFields = { requests: z.int(), first_seen_at: z.string(), last_seen_at: z.string() };

const summary = {
  requests: z.int(),
  /** Null: no requests are stored. */
  first_seen_at: z.string().nullable(),
  last_seen_at: z.string().nullable(),
  types: z.record(z.enum(requestTypes), z.int()),
  /** Apps in the caller's scope, those with most requests first. */
  apps: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      domain: z.string(),
      deleted_at: z.string().nullable(),
      requests: z.int(),
      last_seen_at: z.string(),
    }),
  ),
  countries: z.array(z.object({ code: z.string().nullable(), requests: z.int() })),
};

/** Sums of the stored requests of a client. */
export const clientSummary = z.object({
  uid: z.string(),
  ...summary,
  /** The latest addresses, last seen first. */
  addresses: z.array(
    z.object({ ip: z.string(), country: z.string().nullable(), ...seenFields, asn: asnOfAddress, blocked_by: z.array(blockRow) }),
  ),
  addresses_total: z.int(),
  /** Null: the caller may not see pushes. */
  pushes: z.int().nullable(),
  /** Null: the caller may not see conversions. */
  conversions: z.int().nullable(),
});
export type ClientSummary = z.output<typeof clientSummary>;

/** Maximum number of black-listed addresses, of networks inside and of banned autonomous systems, that are told of a block. */
export const rulesOfBlock = 20;

/** Sums of the stored requests of an address or a CIDR block. */
export const addressSummary = z.object({
  /** In canonical form: a block as its first address and its prefix length. */
  ip: z.string(),
  ...summary,
  /** Null for a block, too. */
  asn: asnOfAddress,
  /** The rules that block the address; for a block, those on its addresses and on autonomous systems that have some of them. */
  blocked_by: z.array(blockRow),
  /** How many such rules there are beside those in `blocked_by`, too. */
  blocked_total: z.int(),
  /** The latest clients, last seen first. */
  clients: z.array(z.object({ uid: z.string(), ...seenFields })),
  clients_total: z.int(),
  /** Whether the caller may black-list the address. Blocks cannot be black-listed. */
  may_block: z.boolean(),
});
export type AddressSummary = z.output<typeof addressSummary>;

export const getClientSummary = defineEndpoint({
  number: 142,
  method: 'GET',
  path: 'clients/{uid}',
  summary: "A client's apps, countries, addresses and counts",
  access,
  params: clientParams,
  answer: { kind: 'data', status: 200, schema: clientSummary },
});

export const getAddressSummary = defineEndpoint({
  number: 143,
  method: 'GET',
  path: 'addresses/{ip}',
  summary: 'Apps, countries, clients and blocks of an address or a CIDR block',
  access,
  params: addressParams,
  answer: { kind: 'data', status: 200, schema: addressSummary },
});

/** Kinds of entries of a timeline, in the order of entries with the same time. */
export const timelineKinds = ['request', 'push', 'conversion', 'log'] as const;
export type TimelineKind = (typeof timelineKinds)[number];

const app = z.object({ id: z.int(), name: z.string() });

/** An entry of a timeline. `at` is the date of the request, `send_at` of the push, `created_at` of the conversion, or the time of the log entry. */
export const timelineRow = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('request'), at: z.string(), app, request: requestRow }),
  z.object({ kind: z.literal('push'), at: z.string(), app, push: pushRow }),
  z.object({ kind: z.literal('conversion'), at: z.string(), app, conversion: conversionRow }),
  z.object({
    kind: z.literal('log'),
    at: z.string(),
    /** `date` is the day of the app log, `position` the `id` of the entry there, `source` the process that wrote it, if there are several. */
    log: z.object({
      date: z.string(),
      level: z.enum(entryLevels),
      message: z.string(),
      position: z.int(),
      source: z.string().optional(),
    }),
  }),
]);
export type TimelineRow = z.output<typeof timelineRow>;

/** A part of a timeline, newest first. */
export const timelinePage = z.object({
  rows: z.array(timelineRow),
  /** Position of the newest entry, for `after`; null if the caller sees no kind. */
  newest: z.string().nullable(),
  /** With `after`: entries were left out, because there were more than `limit`, or the position is too old. Load the timeline again. */
  has_gap: z.boolean(),
  /** Not null: the search of the app log took too long. Its entries are complete from this day on; the next page continues. */
  logs_searched_to: z.string().nullable(),
});
export type TimelinePage = z.output<typeof timelinePage>;

const kind = multiple(z.enum(timelineKinds));
/** `place`: pushes and conversions have their place. */
export const timelineQuery = z.object({
  kind,
  cursor,
  after: single(z.string().optional()),
  limit: limit(defaultLimits.timeline),
  ...placeQuery,
});
export type TimelineQuery = z.output<typeof timelineQuery>;

export const listClientTimeline = defineEndpoint({
  number: 144,
  method: 'GET',
  path: 'clients/{uid}/timeline',
  summary: 'Requests, pushes, conversions and log entries of a client, newest first',
  access,
  params: clientParams,
  query: timelineQuery,
  answer: { kind: 'paged-data', schema: timelinePage },
});

export const listAddressTimeline = defineEndpoint({
  number: 145,
  method: 'GET',
  path: 'addresses/{ip}/timeline',
  summary: 'Requests of an address or a CIDR block, newest first',
  access,
  params: addressParams,
  query: timelineQuery,
  answer: { kind: 'paged-data', schema: timelinePage },
});

/** Columns of a timeline as a file, in order. */
export const timelineColumns = ['kind', 'at_utc', 'app_id', 'app_name', 'type_or_status', 'ip', 'country', 'detail'] as const;

export const downloadClientTimeline = defineEndpoint({
  number: 146,
  method: 'GET',
  path: 'clients/{uid}/download',
  summary: 'The timeline of a client as CSV',
  access,
  params: clientParams,
  query: z.object({ kind, ...csvFormat, ...placeQuery }),
  answer: csvFile(timelineColumns),
});

export const downloadAddressTimeline = defineEndpoint({
  number: 147,
  method: 'GET',
  path: 'addresses/{ip}/download',
  summary: 'The timeline of an address or a CIDR block as CSV',
  access,
  params: addressParams,
  query: z.object({ kind, ...csvFormat }),
  answer: csvFile(timelineColumns),
});
