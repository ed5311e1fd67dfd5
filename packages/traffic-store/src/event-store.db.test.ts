import type { RequestRow } from '@switchyard/contract/requests';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { arbitraryEvent, storeArbitraryEvents, testEpoch } from '../../api/test/arbitrary-events.ts';
import { arbitraryFilter, arbitrarySort, fits } from '../../api/test/arbitrary-filters.ts';
import { type EventStoreUnderTest, eventStores } from '../../api/test/event-stores.ts';
import { sampleEvent } from '../../api/test/sample-event.ts';
import type { NewEvent } from './event-fields.ts';
import type { CursorPage, EventFilter, EventSort, EventStore } from './event-store.ts';

const everything: EventFilter = { scope: 'all' };
const newestFirst: EventSort = { orderBy: 'concatenated_date', orderDirection: 'desc' };

/** Requests with their identity made unique, since two equal ones are one. */
const batch = fc.uniqueArray(arbitraryEvent, { minLength: 1, maxLength: 60, selector: (row) => row.uuid });

describe.each(eventStores)('storing on $name', ({ open, runs }) => {
  let stores: EventStoreUnderTest;
  let store: EventStore;

  beforeAll(async () => {
    stores = await open();
    store = stores.openStore('+02:00');
  });
  beforeEach(async () => stores.empty());

  it('[ENT-016, API-003] stores and counts each row once, whatever comes twice, late or together, through two processes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 3 }), async (batches) => {
        const before = await stores.count();
        const overlapping = batches.flat().filter((_, index) => index % 2 === 0);
        const sentBatches = [...batches, ...batches, overlapping].map((rows) => rows.map((row) => ({ ...row })));
        const answers = await Promise.all(
          sentBatches.map(async (rows, index) => (index % 2 === 0 ? store : stores.other).insertEvents(rows)),
        );
        const acceptedCount = answers.reduce((sum, answer) => sum + answer.accepted, 0);
        const duplicates = answers.reduce((sum, answer) => sum + answer.duplicates, 0);
        expect(acceptedCount + duplicates).toBe(sentBatches.flat().length);
        expect(acceptedCount).toBe(batches.flat().length);
        expect((await stores.count()) - before).toBe(acceptedCount);
        expect(await store.countEvents(everything)).toBe(before + acceptedCount);
      }),
      { numRuns: runs(12), seed: 13 },
    );
  });

  it('[API-003] counts a row that occurs twice in one batch once', async () => {
    const row = sampleEvent({ occurred_at: testEpoch });
    expect(await store.insertEvents([row, { ...row }])).toEqual({ accepted: 1, duplicates: 1 });
    expect(await store.insertEvents([row])).toEqual({ accepted: 0, duplicates: 1 });
  });

  it('[ENT-016] holds a microsecond, a client uid and JSON as they came', async () => {
    const event = sampleEvent({
      occurred_at: testEpoch + 345_678,
      client_uid: 'Ünicode\t"\\c',
      body_request: { big: 1.5, nested: ['"', '\u2028', { deep: null }] },
      body_response: 'text',
    });
    await store.insertEvents([event]);
    const [storedEvent] = (await store.listEventsByCursor({ filter: everything, sort: newestFirst, cursor: undefined, limit: 10 })).rows;
    expect(storedEvent).toMatchObject({
      concatenated_date: '2026-10-14 12:00:00.345678',
      date: '2026-10-14 12:00:00',
      client_uid: event.client_uid,
      body_request: event.body_request,
      body_response: 'text',
      has_response: true,
    });
  });
});

/** All pages of a list from the first on, by cursor. */
async function walk(
  read: (cursor: string | undefined) => Promise<CursorPage>,
  between: () => Promise<void> = async () => undefined,
): Promise<CursorPage[]> {
  const pages = [await read(undefined)];
  for (let next = pages[0]?.next; next !== null && next !== undefined; next = pages.at(-1)?.next) {
    await between();
    pages.push(await read(next));
  }
  return pages;
}

function sortRows(rows: readonly RequestRow[], { orderBy, orderDirection }: EventSort): RequestRow[] {
  const sign = orderDirection === 'asc' ? 1 : -1;
  const key = (row: RequestRow): string => (orderBy === 'id' ? '' : orderBy === 'type' ? row.type : row.concatenated_date);
  return [...rows].sort((a, b) => sign * (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.id - b.id));
}

describe.each(eventStores)('listing by cursor on $name', ({ open, runs, readings }) => {
  let stores: EventStoreUnderTest;
  let rows: NewEvent[];

  beforeAll(async () => {
    stores = await open();
    rows = await storeArbitraryEvents(stores.openStore('+02:00'), 11);
  });

  it.each(readings)(
    '[REQ-024, API-083] returns exactly the matching rows, each once, in order, forwards and backwards: from %s',
    async (_, reading) => {
      const store = stores.openStore('+02:00', { reading });
      await fc.assert(
        fc.asyncProperty(arbitraryFilter, arbitrarySort, fc.integer({ min: 1, max: 90 }), async (filter, sort, least) => {
          const matching = rows.filter((row) => fits(row, filter));
          // Single rows are for lists that are short.
          const limit = Math.max(least, Math.ceil(matching.length / 25));
          const read = async (cursor: string | undefined) => store.listEventsByCursor({ filter, sort, cursor, limit });
          const pages = await walk(read);
          const foundRows = pages.flatMap((page) => page.rows);
          expect(foundRows.map((row) => row.uuid).toSorted()).toEqual(matching.map((row) => row.uuid).toSorted());
          expect(foundRows.map((row) => row.id)).toEqual(sortRows(foundRows, sort).map((row) => row.id));
          expect(pages[0]?.previous).toBeNull();

          const back = pages.slice(-1);
          for (let previous = back[0]?.previous; previous !== null && previous !== undefined; previous = back[0]?.previous) {
            back.unshift(await read(previous));
          }
          expect(back.flatMap((page) => page.rows.map((row) => row.id))).toEqual(foundRows.map((row) => row.id));
        }),
        // Many share the first and the last instant of an hour.
        {
          numRuns: runs(40),
          seed: 12,
          examples: [
            [everything, { ...newestFirst, orderDirection: 'asc' }, 17],
            [everything, newestFirst, 17],
          ],
        },
      );
    },
  );

  it('[INV-004, INV-006] finds by id what a list holds, within the scope alone', async () => {
    const store = stores.openStore('+02:00');
    const list = { filter: everything, sort: newestFirst, cursor: undefined, limit: 1000, origin: true };
    const storedRows = (await store.listEventsByCursor(list)).rows;
    const servers = new Map(rows.map((row) => [row.uuid, row.server_id]));
    expect(new Map(storedRows.map((row) => [row.uuid, row.server_id]))).toEqual(servers);
    expect(await store.findOldestId()).toBe(Math.min(...storedRows.map((row) => row.id)));
    const anyId = fc.oneof(fc.constantFrom(...storedRows.map((row) => row.id)), fc.integer({ min: 1, max: 2_000_000_000 }));
    await fc.assert(
      fc.asyncProperty(anyId, fc.constantFrom<EventFilter['scope']>('all', [1], [1, 3], []), async (id, scope) => {
        const expectedRow = storedRows.find((row) => row.id === id && (scope === 'all' || scope.includes(row.app_id)));
        expect(await store.findEvent({ id, scope })).toEqual(expectedRow ?? null);
      }),
      { numRuns: runs(100), seed: 14 },
    );
  });

  // The last to run, because it adds rows.
  it('[REQ-024] neither repeats nor loses a row while new ones arrive', async () => {
    const store = stores.openStore('+02:00');
    const arrivals = fc
      .sample(arbitraryEvent, { numRuns: 200, seed: 6 })
      .map((row) => ({ ...row, occurred_at: row.occurred_at % 2 === 0 ? testEpoch : testEpoch - 1 }));
    const pages = await walk(
      async (cursor) => store.listEventsByCursor({ filter: everything, sort: newestFirst, cursor, limit: 37 }),
      async () => {
        await store.insertEvents(arrivals.splice(0, 20));
      },
    );
    expect(arrivals).toEqual([]);
    const uuids = pages.flatMap((page) => page.rows.map((row) => row.uuid));
    expect(new Set(uuids).size).toBe(uuids.length);
    expect(uuids).toEqual(expect.arrayContaining(rows.map((row) => row.uuid)));
  });
});
