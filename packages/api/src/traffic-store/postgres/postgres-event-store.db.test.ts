import { type RequestRow, requestSortKeys } from '@switchyard/contract/requests';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EventFilter, EventSort, EventStore } from '../event-store.ts';
import { arbitraryEvent, testEpoch } from '../../../test/arbitrary-events.ts';
import { arbitraryFilter, fits } from '../../../test/arbitrary-filters.ts';
import { openTrafficDatabase } from '../../../test/traffic-database.ts';

const { openStore, empty, count, compareRollups } = await openTrafficDatabase();
let store: EventStore;
const everything: EventFilter = { scope: 'all' };
const newestFirst: EventSort = { orderBy: 'concatenated_date', orderDirection: 'desc' };

beforeEach(async () => {
  await empty();
  store = openStore('+02:00');
});

/** Requests with their identity made unique, since two equal ones are one. */
const batch = fc.uniqueArray(arbitraryEvent, { minLength: 1, maxLength: 60, selector: (row) => row.uuid });

/** All pages of a list from its first to its last, by cursor. */
async function walk(
  filter: EventFilter,
  sort: EventSort,
  limit: number,
  between: () => Promise<void> = async () => undefined,
): Promise<RequestRow[][]> {
  const pages: RequestRow[][] = [];
  let cursor: string | undefined;
  do {
    const page = await store.listEventsByCursor({ filter, sort, cursor, limit });
    pages.push(page.rows);
    cursor = page.next ?? undefined;
    await between();
  } while (cursor !== undefined);
  return pages;
}

describe('storing', () => {
  it('[ENT-015, ENT-016] keeps every roll-up equal to a direct count, whatever comes twice, late or together', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 3 }), async (batches) => {
        const before = await count('events');
        const sent = [...batches, ...batches, batches[0] ?? []].map((rows) => rows.map((row) => ({ ...row })));
        const answers = await Promise.all(sent.map((rows) => store.addEvents(rows)));
        const accepted = answers.reduce((sum, answer) => sum + answer.accepted, 0);
        const duplicates = answers.reduce((sum, answer) => sum + answer.duplicates, 0);
        expect(accepted + duplicates).toBe(sent.flat().length);
        expect((await count('events')) - before).toBe(accepted);
        const { expected, stored } = await compareRollups('+02:00');
        expect(stored).toEqual(expected);
      }),
      { numRuns: 12 },
    );
  });

  it('[API-003] counts a row that stands twice in one batch once', async () => {
    const [row] = fc.sample(arbitraryEvent, 1);
    if (!row) throw new Error('no sample');
    expect(await store.addEvents([row, { ...row }])).toEqual({ accepted: 1, duplicates: 1 });
    expect(await store.addEvents([row])).toEqual({ accepted: 0, duplicates: 1 });
  });

  it('holds a microsecond, a mapped client uid and JSON as they came', async () => {
    const [row] = fc.sample(arbitraryEvent, 1);
    if (!row) throw new Error('no sample');
    const given = {
      ...row,
      occurred_at: testEpoch + 345_678,
      body_request: { big: 1.5, nested: ['"', '\u2028', { deep: null }] },
      body_response: 'text',
    };
    await store.addEvents([given]);
    const [kept] = (await store.listEventsByCursor({ filter: everything, sort: newestFirst, cursor: undefined, limit: 10 })).rows;
    expect(kept).toMatchObject({
      concatenated_date: '2026-10-14 12:00:00.345678',
      date: '2026-10-14 12:00:00',
      body_request: given.body_request,
      body_response: 'text',
      has_response: true,
    });
  });
});

describe('listing by cursor', () => {
  it.each([
    ['the rows next in order', { lookAhead: 2000, denseDay: 4 }],
    ['the apps and days that the roll-ups name', { lookAhead: 3, denseDay: 400, rareSearch: 1, mostMatches: 300 }],
    ['both', { lookAhead: 3, denseDay: 0.3, rareSearch: 5, mostMatches: 20 }],
    ['the days that the roll-ups name', { lookAhead: 0, denseDay: 0, rareSearch: 0, mostMatches: 4 }],
    ['ever shorter stretches of time', { lookAhead: 1, denseDay: 4, rareSearch: 1, mostMatches: 1 }],
  ])('[REQ-024, API-083] walks exactly the matching rows, each once, in order, forth and back: from %s', async (_, reading) => {
    store = openStore('+02:00', { reading });
    const rows = fc.sample(arbitraryEvent, { numRuns: 400, seed: 11 });
    for (let sent = 0; sent < rows.length; sent += 80) await store.addEvents(rows.slice(sent, sent + 80));
    const sort = fc.record({
      orderBy: fc.constantFrom(...requestSortKeys),
      orderDirection: fc.constantFrom('asc' as const, 'desc' as const),
    });
    await fc.assert(
      fc.asyncProperty(arbitraryFilter, sort, fc.integer({ min: 1, max: 90 }), async (wanted, order, limit) => {
        const pages = await walk(wanted, order, limit);
        const found = pages.flat();
        expect(new Set(found.map((row) => row.uuid))).toEqual(new Set(rows.filter((row) => fits(row, wanted)).map((row) => row.uuid)));
        expect(found.map((row) => row.id)).toEqual(sorted(found, order).map((row) => row.id));

        let page = await store.listEventsByCursor({ filter: wanted, sort: order, cursor: undefined, limit });
        expect(page.previous).toBeNull();
        while (page.next !== null) page = await store.listEventsByCursor({ filter: wanted, sort: order, cursor: page.next, limit });
        const back: RequestRow[][] = [page.rows];
        while (page.previous !== null) {
          page = await store.listEventsByCursor({ filter: wanted, sort: order, cursor: page.previous, limit });
          back.unshift(page.rows);
        }
        expect(back.flat().map((row) => row.id)).toEqual(found.map((row) => row.id));
      }),
      { numRuns: 40 },
    );
  });

  function sorted(rows: readonly RequestRow[], { orderBy, orderDirection }: EventSort): RequestRow[] {
    const sign = orderDirection === 'asc' ? 1 : -1;
    const key = (row: RequestRow): string => (orderBy === 'id' ? '' : orderBy === 'type' ? row.type : row.concatenated_date);
    return [...rows].sort((a, b) => sign * (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.id - b.id));
  }

  it('[REQ-024] neither repeats nor loses a row while new ones arrive', async () => {
    const [first, later] = [fc.sample(arbitraryEvent, { numRuns: 200, seed: 5 }), fc.sample(arbitraryEvent, { numRuns: 200, seed: 6 })];
    await store.addEvents(first);
    const arrivals = [...later];
    const pages = await walk(everything, newestFirst, 17, async () => {
      await store.addEvents(arrivals.splice(0, 20));
    });
    const seen = pages.flat().map((row) => row.uuid);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(first.map((row) => row.uuid)));
  });
});
