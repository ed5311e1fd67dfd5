import { beforeAll, describe, expect, it } from 'vitest';
import { storeInBatches, testEpoch } from '../../../../test/arbitrary-events.ts';
import { searchedEvents as rows } from '../../../../test/arbitrary-searches.ts';
import { createTestEngine, isClickHouseAvailable } from '../../../../test/clickhouse-database.ts';
import { createTestDatabase } from '../../../../test/test-database.ts';
import { readEventSearch } from '../../event-search.ts';
import type { EventFilter, EventStore } from '../../event-store.ts';
import { week } from '../../time-buckets.ts';
import { createTrafficStore } from '../../traffic-store.ts';
import type { EngineClient } from '../engine-client.ts';
import { countCounted } from './list-by-page.ts';
import { findsAll } from './match-all-search.ts';
import { readWindow } from './read-window.ts';

describe.runIf(isClickHouseAvailable())('a search that leaves nothing out of the events in ClickHouse', () => {
  let engine: EngineClient;
  let store: EventStore;
  const statements: string[] = [];
  const search = (text: string, filter: EventFilter): EventFilter => ({ ...filter, search: readEventSearch(text) });

  beforeAll(async () => {
    const [{ databases }, opened] = await Promise.all([createTestDatabase(), createTestEngine()]);
    ({ engine } = opened);
    const recordingEngine: EngineClient = {
      ...engine,
      lines: async (statement) => {
        statements.push(statement.text);
        return engine.lines(statement);
      },
    };
    const clickhouse = { engine: recordingEngine, cluster: null };
    store = createTrafficStore({ pools: databases.pools, serverOffset: '+05:45', retentionDays: 90, clickhouse }).events;
    await storeInBatches(store, rows);
  });

  it.each([
    ['c', [1], true],
    ['Client-1', [1, 2], true],
    ['client-1a', [1], false],
    ['0.0.0.0/0', [1], true],
    ['10.0.0.0/13', [1], true],
    ['10.0.0.0/14', [1], false],
    ['10.', [1, 2], false],
    ['::/0', [1], false],
    ['::/0', [2], false],
    ['c', [3], false],
    ['c', [77], true],
  ] as const)('[API-028] distinguishes %s in the apps %s from one that does: %s', async (text, scope, isAll) => {
    expect(await findsAll(engine, search(text, { scope }))).toBe(isAll);
  });

  it('[API-028] is detected for the weeks of a range', async () => {
    const isAll = async (range: Partial<EventFilter>) => findsAll(engine, search('10.', { scope: [2], ...range }));
    const others = rows.filter((row) => row.app_id === 2 && row.ip !== '10.9.0.1').map((row) => row.occurred_at);
    expect(await isAll({ from: Math.max(...others) + week })).toBe(true);
    expect(await isAll({ from: Math.max(...others) })).toBe(false);
    expect(await isAll({ until: testEpoch })).toBe(false);
  });

  it('[API-028] is checked again at the moment of a page and of a total', async () => {
    const readPage = async (filter: EventFilter) => {
      const { rows: pageRows, total } = await readWindow(engine, { ...page, filter, search: readEventSearch('c') });
      return { rows: pageRows.length, total, counted: await countCounted(engine, search('c', filter)) };
    };
    const page = { order: { order: 'time', direction: 'desc' }, skip: 0, limit: 5 } as const;
    const ofApp1 = rows.filter((row) => row.app_id === 1).length;
    expect(await readPage({ scope: [1] })).toEqual({ rows: 5, total: ofApp1, counted: ofApp1 });
    expect(await readPage({ scope: [3] })).toEqual({ rows: 0, total: -1, counted: -1 });
  });

  it('[API-028] is one no more with the first request that it leaves out, which is counted from then on', async () => {
    const other = rows.find((row) => row.app_id === 1);
    if (!other) throw new Error('no sample');
    const before = rows.filter((row) => row.app_id === 1).length;
    const page = async (text: string) => {
      statements.length = 0;
      const sort = { orderBy: 'concatenated_date', orderDirection: 'desc' } as const;
      const { total } = await store.listEventsByPage({ filter: search(text, { scope: [1] }), sort, page: 1, limit: 5 });
      return { total, isRead: statements.some((statement) => statement.includes(`'of_ip'`) || statement.includes(`'of_client'`)) };
    };
    expect(await page('0.0.0.0/0')).toEqual({ total: before, isRead: false });
    await store.insertEvents([{ ...other, uuid: '01936b0e-7c1e-7a52-9f0b-000000000001', ip: '2001:db8::1', client_uid: 'other' }]);
    expect(await page('0.0.0.0/0')).toEqual({ total: before, isRead: true });
    expect(await page('o')).toEqual({ total: 1, isRead: true });
  });
});
