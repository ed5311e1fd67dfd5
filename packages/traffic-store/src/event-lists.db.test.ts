import { formatMicroseconds } from '@switchyard/contract/dates';
import type { RequestRow } from '@switchyard/contract/requests';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { arbitraryEvent, storeInBatches, testEpoch } from '../../api/test/arbitrary-events.ts';
import { arbitraryFilter, arbitrarySort, fits } from '../../api/test/arbitrary-filters.ts';
import { arbitrarySearch, fitsSearch, searchedEvents } from '../../api/test/arbitrary-searches.ts';
import { type EventStoreUnderTest, eventStores } from '../../api/test/event-stores.ts';
import { sampleEvent } from '../../api/test/sample-event.ts';
import { readEventSearch } from './event-search.ts';
import type { EventFilter, EventSort, EventStore } from './event-store.ts';
import { day } from './time-buckets.ts';

/** The order of a numbered list: ties are younger rows first, whatever the direction. */
function inOrder(rows: readonly RequestRow[], { orderBy, orderDirection }: EventSort): RequestRow[] {
  const sign = orderDirection === 'asc' ? 1 : -1;
  const key = (row: RequestRow) => (orderBy === 'type' ? row.type : orderBy === 'id' ? row.id : row.concatenated_date);
  return [...rows].sort((a, b) => (key(a) < key(b) ? -sign : key(a) > key(b) ? sign : b.id - a.id));
}

const newestFirst: EventSort = { orderBy: 'concatenated_date', orderDirection: 'desc' };
/** Fewer of a list's rows on a page would only make more pages. */
const onPage = (least: number, total: number): number => Math.max(least, Math.ceil(total / 25));

describe.each(eventStores)('listing by page on $name', ({ open, runs, offsets }) => {
  let stores: EventStoreUnderTest;
  const rows = searchedEvents;

  beforeAll(async () => {
    stores = await open();
    await storeInBatches(stores.openStore('+02:00'), rows);
  });

  /** All pages of a list; each has the total given. */
  async function readPages(
    store: EventStore,
    query: { filter: EventFilter; sort: EventSort; limit: number },
    total: number,
  ): Promise<RequestRow[]> {
    const readRows: RequestRow[] = [];
    for (let page = 1; ; page += 1) {
      const part = await store.listEventsByPage({ ...query, page });
      expect(part.total).toBe(total);
      expect(part.rows.length).toBe(Math.max(0, Math.min(query.limit, total - (page - 1) * query.limit)));
      readRows.push(...part.rows);
      if (part.rows.length < query.limit) return readRows;
    }
  }

  it.each(offsets)('[API-028, EVT-017, EVT-018, CONST-036] makes up the whole sorted list with its exact total at %s', async (offset) => {
    const store = stores.openStore(offset);
    // On PostgreSQL, the counters by day are rebuilt.
    await store.maintain(testEpoch);
    await fc.assert(
      fc.asyncProperty(arbitraryFilter, arbitrarySort, fc.integer({ min: 1, max: 130 }), async (filter, sort, least) => {
        const matching = rows.filter((row) => fits(row, filter));
        const found0 = await readPages(store, { filter, sort, limit: onPage(least, matching.length) }, matching.length);
        expect(found0.map((row) => row.uuid).toSorted()).toEqual(matching.map((row) => row.uuid).toSorted());
        expect(found0.map((row) => row.id)).toEqual(inOrder(found0, sort).map((row) => row.id));
        expect(await store.countEvents(filter)).toBe(matching.length);
      }),
      { numRuns: runs(40), seed: 20 },
    );
  });

  it('[API-028, EVT-017] finds clients and addresses by any search, also one that leaves nothing out', async () => {
    const store = stores.openStore('+05:45');
    await store.maintain(testEpoch);
    await fc.assert(
      fc.asyncProperty(arbitrarySearch, arbitrarySort, fc.integer({ min: 5, max: 150 }), async ({ text, ...rest }, sort, least) => {
        const filter = { ...rest, search: readEventSearch(text) };
        const matching = rows.filter((row) => fitsSearch(row, { text, ...rest }));
        const found0 = await readPages(store, { filter, sort, limit: onPage(least, matching.length) }, matching.length);
        expect(found0.map((row) => row.uuid).toSorted()).toEqual(matching.map((row) => row.uuid).toSorted());
        expect(found0.map((row) => row.id)).toEqual(inOrder(found0, sort).map((row) => row.id));
        expect(await store.countEvents(filter)).toBe(matching.length);
        const range = { from: rest.from ?? testEpoch - 11 * day, until: rest.until ?? testEpoch + 11 * day };
        const buckets = await store.countByBucket({ filter, ...range, bucketSeconds: 21_600 });
        expect(buckets.reduce((sum, bucket) => sum + bucket.events, 0)).toBe(matching.length);
      }),
      { numRuns: runs(80), seed: 30 },
    );
  });

  it('[API-028, EVT-017, EVT-018] gives the newest requests of an app with their exact total', async () => {
    const store = stores.openStore('+05:45');
    for (const appId of [1, 2, 9]) {
      const newest = rows.filter((row) => row.app_id === appId).toSorted((a, b) => b.occurred_at - a.occurred_at);
      for (const limit of [1, 7, 50]) {
        const page = await store.listEventsByPage({ filter: { scope: [appId] }, sort: newestFirst, page: 1, limit });
        expect(page.total).toBe(newest.length);
        expect(page.rows.map((row) => row.concatenated_date)).toEqual(
          newest.slice(0, limit).map((row) => formatMicroseconds(row.occurred_at)),
        );
        expect(page.rows).toEqual(inOrder(page.rows, newestFirst));
      }
    }
  });

  // The last to run, because it adds rows.
  it('[API-028] gives total and rows of one moment while rows arrive', async () => {
    const store = stores.openStore('+05:45');
    const cases = runs(40);
    const arrivals = fc
      .sample(arbitraryEvent, { numRuns: cases * 10, seed: 23 })
      .map((row) => ({ ...row, occurred_at: testEpoch + (row.occurred_at % day) }));
    async function arrive(): Promise<void> {
      for (let batch = 0; batch < 2; batch += 1) await store.insertEvents(arrivals.splice(0, 5));
    }
    const query = fc.record({ filter: arbitraryFilter, sort: arbitrarySort, limit: fc.integer({ min: 20, max: 200 }) });
    const totals = new Set<number>();
    for (const [index, { filter: some, sort, limit }] of fc.sample(query, { numRuns: cases, seed: 29 }).entries()) {
      const arriving = arrive();
      // Most filters leave so little that nothing of it arrives. The newest of one app are read another way.
      const [filter, order] =
        index % 3 === 0 ? [some, sort] : index % 3 === 1 ? [{ scope: 'all' } as const, sort] : [{ scope: [1] }, newestFirst];
      const all = await store.listEventsByPage({ filter, sort: order, page: 1, limit: 2000 });
      expect(all.rows.length).toBe(all.total);
      const last = await store.listEventsByPage({ filter, sort: order, page: Math.ceil(all.total / limit) || 1, limit });
      expect(last.rows.length).toBeGreaterThanOrEqual(Math.min(last.total, (all.total - 1) % limit));
      totals.add(all.total);
      await arriving;
    }
    expect(arrivals).toEqual([]);
    expect(totals.size).toBeGreaterThan(2);
  });
});

describe.each(eventStores)('a search on $name', ({ open }) => {
  it('[API-028, EVT-017] finds a request once by its address and its client uid', async () => {
    const stores = await open();
    const found: [ip: string, uid: string][] = [
      ['10.1.2.3', '10.1.2.3-a'],
      ['10.1.2.3', 'other'],
      ['192.0.2.1', '10.1.9'],
    ];
    await stores.other.insertEvents(found.map(([ip, uid]) => sampleEvent({ occurred_at: testEpoch, ip, client_uid: uid })));
    for (const rareSearch of [0, 100]) {
      const store = stores.openStore('+00:00', { reading: { rareSearch } });
      for (const scope of ['all', [1]] as const) {
        for (const [text, matches] of [
          ['10.1.', 3],
          ['10.1.2.3', 2],
        ] as const) {
          const filter = { scope, search: readEventSearch(text) };
          const page = await store.listEventsByPage({ filter, sort: newestFirst, page: 1, limit: 10 });
          const cursorPage = await store.listEventsByCursor({ filter, sort: newestFirst, cursor: undefined, limit: 10 });
          const lengths = [page.rows.length, page.total, cursorPage.rows.length, await store.countEvents(filter)];
          expect([text, ...lengths]).toEqual([text, matches, matches, matches, matches]);
        }
      }
    }
  });
});

describe.each(eventStores)('a search in another letter case on $name', ({ open, runs }) => {
  /** Letters of which lower case depends on the store: a sigma at the end of a word, and an I with a dot. */
  const word = fc.string({ unit: fc.constantFrom('Σ', 'σ', 'ς', 'İ', 'I', 'i', 'Ο', 'ẞ', 's', '-', '1'), minLength: 1, maxLength: 4 });
  const folded = (text: string): string =>
    Array.from(text, (letter) => (letter === 'İ' ? 'i' : letter.toLowerCase()).replace('ς', 'σ')).join('');

  it('[API-028, EVT-017] finds every form of a sigma and of an I', async () => {
    const stores = await open();
    const uids = ['İstanbul', 'istanbul', 'ISTANBUL', 'İSTANBULİ', 'ΟΔΟΣ', 'ΟΔΟΣΑ', 'οδος', ...fc.sample(word, { numRuns: 200, seed: 34 })];
    await stores.other.insertEvents(uids.map((client_uid) => sampleEvent({ occurred_at: testEpoch, client_uid })));
    const examples = ['istanbul', 'İstanbul', 'istanbuli', 'ΟΔΟΣ', 'οδο', 'οδοσα', 'iΣ'.repeat(64)].map((text): [string, number] => [
      text,
      100,
    ]);
    await fc.assert(
      fc.asyncProperty(word, fc.constantFrom(0, 100), async (text, rareSearch) => {
        const store = stores.openStore('+00:00', { reading: { rareSearch } });
        const filter: EventFilter = { scope: 'all', search: readEventSearch(text) };
        const { rows } = await store.listEventsByPage({ filter, sort: newestFirst, page: 1, limit: 500 });
        const matches = uids.filter((uid) => folded(uid).startsWith(folded(text)));
        expect(rows.map((row) => row.client_uid).toSorted()).toEqual(matches.toSorted());
        expect(await store.countEvents({ ...filter, scope: [1] })).toBe(matches.length);
      }),
      { numRuns: runs(80) + examples.length, seed: 35, examples },
    );
  });
});

describe.each(eventStores)('listing by cursor on $name', ({ open }) => {
  it('[REQ-024] goes on among events of the first and the last instant of a day', async () => {
    const stores = await open();
    // Every filter is planned by slices of time, not tried on the next rows.
    const store = stores.openStore('+00:00', { reading: { lookAhead: 0, denseDay: 400, rareSearch: 1, mostMatches: 1 } });
    const midnight = Math.floor(testEpoch / day) * day;
    const instants = [midnight - 1, midnight - 1, midnight - 1, midnight, midnight, midnight, midnight + day];
    await store.insertEvents(instants.map((at) => sampleEvent({ occurred_at: at, country: 'DE' })));
    for (const orderDirection of ['asc', 'desc'] as const) {
      const readRows: RequestRow[] = [];
      for (let cursor: string | undefined; ;) {
        const sort = { orderBy: 'concatenated_date', orderDirection } as const;
        const page = await store.listEventsByCursor({ filter: { scope: [1], countries: ['DE'] }, sort, cursor, limit: 1 });
        readRows.push(...page.rows);
        if (page.next === null) break;
        cursor = page.next;
      }
      expect(new Set(readRows.map((row) => row.uuid)).size).toBe(instants.length);
    }
  });
});
