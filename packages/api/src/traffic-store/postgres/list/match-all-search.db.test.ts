import { requestSortKeys } from '@switchyard/contract/requests';
import { dayOf } from '@switchyard/contract/dates';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { arbitraryEvent, testEpoch } from '../../../../test/arbitrary-events.ts';
import { createTestDatabase } from '../../../../test/test-database.ts';
import type { Databases } from '../../../database/connect.ts';
import { readEventSearch } from '../../event-search.ts';
import type { NewEvent } from '../../event-fields.ts';
import type { EventFilter, EventStore } from '../../event-store.ts';
import { createTrafficStore } from '../../traffic-store.ts';
import { findExcludedDays } from './match-all-search.ts';

let databases: Databases;
let store: EventStore;
const offset = '+05:45';
const day = 86_400_000_000;

/** What the clients of each app have in common: of app 3 nothing, and one day of app 2 differs. */
function placed(row: NewEvent, index: number): NewEvent {
  const uid = ['client-1', 'Client-1a', 'CLIENT-1b'][index % 3] ?? '';
  if (row.app_id === 1) return { ...row, client_uid: uid, ip: `10.${index % 8}.255.${index % 256}` };
  if (row.app_id === 2) return { ...row, client_uid: uid, ip: row.occurred_at > testEpoch + 5 * day ? '10.9.0.1' : '2001:db8::7' };
  return row;
}

const rows = fc.sample(arbitraryEvent, { numRuns: 400, seed: 31 }).map(placed);

/** Searches, and which requests fit them. */
const searches: Readonly<Record<string, (row: NewEvent) => boolean>> = {
  c: (row) => /^c/i.test(row.client_uid),
  'CLIENT-1': (row) => /^client-1/i.test(row.client_uid),
  'client-1a': (row) => /^client-1a/i.test(row.client_uid),
  'client-1ab': () => false,
  '0.0.0.0/0': (row) => !row.ip.includes(':'),
  '::/0': (row) => row.ip.includes(':'),
  '10.': (row) => row.ip.startsWith('10.'),
  '10.0.0.0/13': (row) => /^10\.[0-7]\./.test(row.ip),
  '10.0.0.0/14': (row) => /^10\.[0-3]\./.test(row.ip),
  '10.1.0.0/16': (row) => row.ip.startsWith('10.1.'),
  '2001:db8::/32': (row) => row.ip.startsWith('2001:db8:'),
};

type Asked = Omit<EventFilter, 'search'> & { text: string };
/** Ranges with no, few and many days that a search may leave something out of. */
const asked: fc.Arbitrary<Asked> = fc.record({
  text: fc.constantFrom(...Object.keys(searches)),
  scope: fc.constantFrom<EventFilter['scope']>([1], [1], [2], [1, 2], [3], 'all'),
  types: fc.constantFrom<EventFilter['types']>(undefined, ['create', 'track'], ['error']),
  countries: fc.constantFrom<EventFilter['countries']>(undefined, ['DE']),
  clientUid: fc.constantFrom(undefined, undefined, 'client-1'),
  from: fc.constantFrom(undefined, testEpoch - 3 * day, testEpoch + 2 * day, testEpoch + 4 * day, testEpoch + 5 * day + 1),
  until: fc.constantFrom(undefined, testEpoch + 1, testEpoch + 3 * day, testEpoch + 8 * day),
});

function fits(row: NewEvent, { text, scope, types, countries, clientUid, from, until }: Asked): boolean {
  const isError = row.type === 'error' || row.error !== null;
  return (
    searches[text]?.(row) === true &&
    (scope === 'all' || scope.includes(row.app_id)) &&
    (types === undefined || types.includes(row.type) || (types.includes('error') && isError)) &&
    (countries === undefined || countries.includes(row.country)) &&
    (clientUid === undefined || row.client_uid === clientUid) &&
    row.occurred_at >= (from ?? -Infinity) &&
    row.occurred_at < (until ?? Infinity)
  );
}

function search(text: string, filter: EventFilter): EventFilter {
  return { ...filter, search: readEventSearch(text) };
}

beforeAll(async () => {
  ({ databases } = await createTestDatabase());
  store = createTrafficStore({ pools: databases.pools, serverOffset: offset, retentionDays: 90 }).events;
  for (let sent = 0; sent < rows.length; sent += 80) await store.addEvents(rows.slice(sent, sent + 80));
});

describe('a search that leaves nothing out', () => {
  it.each([
    ['c', [1], true],
    ['Client-1', [1, 2], true],
    ['client-1a', [1], false],
    ['0.0.0.0/0', [1], true],
    ['10.0.0.0/13', [1], true],
    ['10.0.0.0/14', [1], false],
    ['10.', [1, 2], false],
    ['c', [3], false],
    ['c', [77], true],
  ] as const)('[API-028] %s in the apps %s is told from one that does: %s', async (text, scope, isIdle) => {
    expect(await findExcludedDays(databases.pools.ui, search(text, { scope }), offset)).toEqual(isIdle ? [] : null);
  });

  it('[API-028] is told by the days that are asked for, cut ones among them', async () => {
    const ofApp2 = (range: Partial<EventFilter>) => findExcludedDays(databases.pools.ui, search('10.', { scope: [2], ...range }), offset);
    const dayAt = (instant: number) => dayOf(instant, offset);
    const lastWithOthers = rows.filter((row) => row.app_id === 2 && row.ip !== '10.9.0.1').map((row) => row.occurred_at);
    const after = Math.max(...lastWithOthers) + day;
    expect(await ofApp2({ from: after })).toEqual([]);
    const from = Math.max(...lastWithOthers) - 2 * day;
    const expected = new Set(lastWithOthers.filter((at) => dayAt(at) >= dayAt(from)).map(dayAt));
    expect(new Set(await ofApp2({ from }))).toEqual(expected);
    expect(await ofApp2({ until: after })).toBeNull();
  });

  it('[API-028, EVT-017] has the same totals, pages and histogram as any other', async () => {
    const page = fc.record({
      orderBy: fc.constantFrom(...requestSortKeys),
      orderDirection: fc.constantFrom('asc' as const, 'desc' as const),
      limit: fc.integer({ min: 5, max: 150 }),
    });
    await fc.assert(
      fc.asyncProperty(asked, page, async ({ text, ...rest }, { limit, ...sort }) => {
        const filter = search(text, rest);
        const wanted = rows.filter((row) => fits(row, { text, ...rest }));
        const found: string[] = [];
        for (let number = 1; ; number += 1) {
          const part = await store.listEventsByPage({ filter, sort, page: number, limit });
          expect(part.total).toBe(wanted.length);
          found.push(...part.rows.map((row) => row.uuid));
          if (part.rows.length < limit) break;
        }
        expect(found.toSorted()).toEqual(wanted.map((row) => row.uuid).toSorted());
        expect(await store.countEvents(filter)).toBe(wanted.length);
        const range = { from: rest.from ?? testEpoch - 11 * day, until: rest.until ?? testEpoch + 11 * day };
        const buckets = await store.countByBucket({ filter, ...range, bucketSeconds: 21_600 });
        expect(buckets.reduce((sum, bucket) => sum + bucket.events, 0)).toBe(wanted.length);
      }),
      { numRuns: 80 },
    );
  });

  it('[API-028] is one no more with the first request that it leaves out', async () => {
    const other = rows.find((row) => row.app_id === 1 && row.occurred_at < testEpoch);
    if (!other) throw new Error('no sample');
    const before = rows.filter((row) => row.app_id === 1).length;
    const total = async (text: string) => store.countEvents(search(text, { scope: [1] }));
    expect(await total('0.0.0.0/0')).toBe(before);
    await store.addEvents([{ ...other, uuid: '01936b0e-7c1e-7a52-9f0b-000000000001', ip: '2001:db8::1', client_uid: 'other' }]);
    expect([await total('0.0.0.0/0'), await total('c'), await total('o')]).toEqual([before, before, 1]);
  });
});
