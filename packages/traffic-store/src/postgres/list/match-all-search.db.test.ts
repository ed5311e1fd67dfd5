import { dayOf } from '@switchyard/contract/dates';
import { beforeAll, describe, expect, it } from 'vitest';
import { testEpoch } from '../../../../api/test/arbitrary-events.ts';
import { searchedEvents as rows } from '../../../../api/test/arbitrary-searches.ts';
import { createTestDatabase } from '../../../../api/test/test-database.ts';
import type { Databases } from '../../../../api/src/database/connect.ts';
import { readEventSearch } from '../../event-search.ts';
import type { EventFilter, EventStore } from '../../event-store.ts';
import { createTrafficStore } from '../../open-traffic-store.ts';
import { findExcludedDays } from './match-all-search.ts';

let databases: Databases;
let store: EventStore;
const offset = '+05:45';
const day = 86_400_000_000;

function search(text: string, filter: EventFilter): EventFilter {
  return { ...filter, search: readEventSearch(text) };
}

beforeAll(async () => {
  ({ databases } = await createTestDatabase());
  store = createTrafficStore({ pools: databases.pools, serverOffset: offset, retentionDays: 90 }).events;
  for (let start = 0; start < rows.length; start += 80) await store.insertEvents(rows.slice(start, start + 80));
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
  ] as const)('[API-028] distinguishes %s in the apps %s from one that does: %s', async (text, scope, isIdle) => {
    expect(await findExcludedDays(databases.pools.ui, search(text, { scope }), offset)).toEqual(isIdle ? [] : null);
  });

  it('[API-028] is detected for the requested days, partial ones among them', async () => {
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

  it('[API-028] is one no more with the first request that it leaves out', async () => {
    const other = rows.find((row) => row.app_id === 1 && row.occurred_at < testEpoch);
    if (!other) throw new Error('no sample');
    const before = rows.filter((row) => row.app_id === 1).length;
    const total = async (text: string) => store.countEvents(search(text, { scope: [1] }));
    expect(await total('0.0.0.0/0')).toBe(before);
    await store.insertEvents([{ ...other, uuid: '01936b0e-7c1e-7a52-9f0b-000000000001', ip: '2001:db8::1', client_uid: 'other' }]);
    expect([await total('0.0.0.0/0'), await total('c'), await total('o')]).toEqual([before, before, 1]);
  });
});
