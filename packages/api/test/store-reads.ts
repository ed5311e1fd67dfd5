import { buffer } from 'node:stream/consumers';
import pg from 'pg';
import { vi } from 'vitest';
import { writeTailPosition } from '@switchyard/traffic-store/event-cursor';
import { readEventSearch } from '@switchyard/traffic-store/event-search';
import type { EventFilter, EventSort, GroupKey, TopField, TypeFigure } from '@switchyard/traffic-store/event-store';
import { day, hour } from '@switchyard/traffic-store/time-buckets';
import type { TrafficStore } from '@switchyard/traffic-store/traffic-store';
import { testEpoch } from './arbitrary-events.ts';
import { sampleEvent } from './sample-event.ts';

const event = (n: number) =>
  sampleEvent({
    uuid: `01936b0e-7c1e-7a52-9f0b-${String(n).padStart(12, '0')}`,
    app_id: 1 + (n % 3),
    type: n % 4 === 0 ? 'receive' : 'create',
    occurred_at: testEpoch - (n % 20) * day,
    ip: `203.0.113.${n % 200}`,
    client_uid: `c-${n}`,
    stream_uid: n % 2 === 0 ? 'st_1' : '',
    country: n % 5 === 0 ? 'US' : 'DE',
    body_request: { n },
    error: n % 7 === 0 ? { exception_type: 'Error' } : null,
  });
/** Thresholds so low that `fewEvents` take every way of reading. */
export const everyWay = { lookAhead: 5, denseDay: 1 };

/** Few events of three apps over twenty days. */
export const fewEvents = Array.from({ length: 200 }, (_, index) => event(index));

const sort: EventSort = { orderBy: 'concatenated_date', orderDirection: 'desc' };
const range = { from: testEpoch - 10 * day + 7, until: testEpoch + hour };
const wholeDays = { from: testEpoch - 10 * day - 14 * hour, until: testEpoch - 2 * day - 14 * hour };
const scope = [1, 2];
const countedFilters: Readonly<Record<string, EventFilter>> = {
  everything: { scope: 'all' },
  'one app': { scope: [1] },
  'types, countries and streams': { scope, types: ['create', 'error'], countries: ['US'], streamUids: ['st_1'] },
  'a range that cuts days': { scope: 'all', types: ['receive'], from: testEpoch - 9.5 * day, until: testEpoch - 1.25 * day },
};
const filters: Readonly<Record<string, EventFilter>> = {
  ...countedFilters,
  'an address block': { scope: 'all', search: readEventSearch('203.0.113.0/28') },
  'one client': { scope: 'all', clientUid: 'c-7' },
  'autonomous systems': { scope: 'all', asns: ['13335'] },
  'labels, and all but a country': { scope: 'all', bots: { labels: ['L1'], none: true }, countriesNot: ['DE'] },
};

type ReadStore = (stores: TrafficStore) => Promise<unknown>;
/** Reads of one file by their names. */
export type Reads = Readonly<Record<string, ReadStore>>;

function forEach<One>(some: Readonly<Record<string, One>>, read: (stores: TrafficStore, one: One) => Promise<unknown>): Reads {
  return Object.fromEntries(Object.entries(some).map(([name, filter]) => [name, async (stores) => read(stores, filter)]));
}

const { signal } = new AbortController();
const groupings: readonly (readonly GroupKey[])[] = [
  ['app'],
  ['app', 'day'],
  ['country', 'type'],
  ['stream'],
  ['asn', 'day'],
  ['hour'],
  ['server'],
];
const typeFigures: Readonly<Record<string, readonly TypeFigure[]>> = {
  'creates and receives': [
    { type: 'create', succeeded: true },
    { type: 'receive', succeeded: false },
  ],
  'errors and tokens': [
    { type: 'error', succeeded: false },
    { type: 'token', succeeded: true },
  ],
};
const topFields: readonly TopField[] = ['app', 'country', 'type', 'stream', 'bot', 'asn', 'error-kind'];
const inSpans = { scope, spans: [wholeDays] };

/** Reads of events, by file. */
export const eventReads: Readonly<Record<string, Reads>> = {
  places: {
    'the places of deliveries': ({ events: store }) =>
      store.findPlaces({ deliveries: [{ appId: 1, clientUid: 'c-3', at: testEpoch }], days: 30 }),
  },
  'cursor-list': forEach(filters, ({ events: store }, filter) => store.listEventsByCursor({ filter, sort, cursor: undefined, limit: 20 })),
  'numbered-list': forEach(filters, ({ events: store }, filter) => store.listEventsByPage({ filter, sort, page: 2, limit: 20 })),
  export: forEach(filters, async ({ events: store }, filter) => buffer(await store.exportEvents({ filter, sort, signal }))),
  histogram: forEach(filters, ({ events: store }, filter) => store.countByBucket({ filter, ...range, bucketSeconds: 10_800 })),
  groups: {
    ...Object.fromEntries(
      groupings.map((by) => [
        by.join(' and '),
        ({ events: store }: TrafficStore) => store.countGroups({ filter: { scope, ...wholeDays }, by, limit: 100 }),
      ]),
    ),
    'apps of servers': ({ events: store }) =>
      store.countGroups({ filter: { scope, servers: [3, 4], ...wholeDays }, by: ['app'], limit: 100 }),
    'first apps and days': ({ events: store }) =>
      store.countGroups({
        filter: { scope, ...wholeDays },
        by: ['app', 'day'],
        limit: 100,
        first: { by: 'events', direction: 'desc', count: 5 },
      }),
    ...forEach(typeFigures, ({ events: store }, figures) =>
      store.countGroups({ filter: { scope, ...wholeDays }, by: ['app', 'day'], typeFigures: figures, limit: 100 }),
    ),
  },
  'top-values': Object.fromEntries(
    topFields.flatMap((field) =>
      (['everything', 'an address block'] as const).map((name) => [
        `${field}, ${name}`,
        ({ events: store }: TrafficStore) => store.findTopValues({ filter: filters[name] ?? { scope: 'all' }, field, limit: 10 }),
      ]),
    ),
  ),
  summary: {
    client: ({ events: store }) => store.getEventSummary({ scope, subject: { clientUid: 'c-7' }, limit: 5 }),
    address: ({ events: store }) => store.getEventSummary({ scope: 'all', subject: { address: '203.0.113.9' }, limit: 5 }),
  },
  tail: forEach(filters, ({ events: store }, filter) =>
    store.listEventsAfter({ filter, after: writeTailPosition({ seq: 0, id: 0 }), limit: 20 }),
  ),
  'one-event': {
    event: ({ events: store }) => store.findEvent({ id: 7, scope }),
    oldest: ({ events: store }) => store.findOldestId(),
  },
  counters: {
    'of apps': ({ events: store }) => store.countEventsByApp([1, 2], testEpoch),
    'of spans': ({ events: store }) => store.countEventsBySpan(inSpans),
    'apps by type': ({ events: store }) =>
      store.countGroups({ filter: { scope: 'all', from: testEpoch, until: testEpoch + 3 * hour }, by: ['app', 'type'], limit: 1000 }),
    'values of an app': ({ events: store }) => store.findSeenValues(1),
    'apps with clients': ({ events: store }) => store.findAppsWithClients([1, 2]),
  },
};

const ofApp = { appId: 1, uid: 'u', from: range.from, until: range.until };
const ofClient = { clientUid: 'c-7', scope, limit: 5 };
const byDay = { ...wholeDays, scope, by: ['app', 'day'], limit: 100 } as const;
const deliveryReads: Reads = {
  'list of pushes': ({ deliveries }) =>
    deliveries.listPushes({ filter: { ...ofApp, pushId: '7' }, orderBy: 'keySendAt', orderDirection: 'desc', page: 2, limit: 20 }),
  'pushes of a campaign': ({ deliveries }) =>
    deliveries.listPushes({ filter: { appId: 1, campaignUid: 'pc-7' }, orderBy: 'keyId', orderDirection: 'desc', page: 1, limit: 20 }),
  'list of conversions': ({ deliveries }) =>
    deliveries.listConversions({ filter: { ...ofApp, status: 'sale' }, orderBy: 'keyClient', orderDirection: 'desc', page: 2, limit: 20 }),
  'export of pushes': async ({ deliveries }) =>
    buffer(await deliveries.exportPushes({ filter: ofApp, orderBy: 'keyId', orderDirection: 'asc', signal })),
  'export of conversions': async ({ deliveries }) =>
    buffer(await deliveries.exportConversions({ filter: ofApp, orderBy: 'keyId', orderDirection: 'asc', signal })),
  'timeline of a client': async ({ deliveries }) => {
    await deliveries.listPushesOfClient({ ...ofClient, before: { at: testEpoch, id: 9 } });
    await deliveries.listConversionsOfClient({ ...ofClient, afterId: 9 });
    await deliveries.countDeliveriesOfClient('push', ofClient);
  },
  groups: async ({ deliveries }) => {
    await deliveries.countPushGroups(byDay);
    await deliveries.countConversionGroups({ ...byDay, by: ['stream', 'hour'] });
  },
  spans: async ({ deliveries }) => {
    await deliveries.countPushesBySpan(inSpans);
    await deliveries.countConversionsBySpan({ ...inSpans, scope: 'all' });
    await deliveries.countConversionHours({ ...range, scope: 'all' });
  },
};

const narrowFilter: EventFilter = { scope, search: readEventSearch('203.0.113.9') };

/** Reads of PostgreSQL, by file. */
export const postgresReads: Readonly<Record<string, Reads>> = {
  ...eventReads,
  'one-address': {
    list: ({ events: store }) => store.listEventsByCursor({ filter: narrowFilter, sort, cursor: undefined, limit: 20 }),
    page: ({ events: store }) => store.listEventsByPage({ filter: narrowFilter, sort, page: 1, limit: 20 }),
  },
  deliveries: deliveryReads,
};

/** A statement as it is sent to PostgreSQL. */
export type Statement = { text: string; values: unknown[] };

/** Statements around a read that are the same for all. */
const withoutMeaning = /^(begin|commit|set local|select pg_backend_pid)/;

/** Records the statements that are sent to PostgreSQL from now on; the result takes those since it was last called. */
export function recordStatements(): () => Statement[] {
  const querySpy = vi.spyOn(pg.Client.prototype, 'query');
  return () => {
    const statements = querySpy.mock.calls.map(([query, values]: unknown[]) => toStatement(query, values));
    querySpy.mockClear();
    return statements.filter(({ text }) => !withoutMeaning.test(text));
  };
}

function toStatement(query: unknown, values: unknown): Statement {
  if (typeof query === 'string') return { text: query, values: Array.isArray(values) ? values : [] };
  if (typeof query !== 'object' || query === null || !('text' in query) || typeof query.text !== 'string')
    throw new TypeError('A statement of an unknown form was sent');
  return { text: query.text, values: 'values' in query && Array.isArray(query.values) ? query.values : [] };
}
