import { beforeAll, describe, expect, it } from 'vitest';
import { storeInBatches, testEpoch } from '../../../../api/test/arbitrary-events.ts';
import { searchedEvents as rows } from '../../../../api/test/arbitrary-searches.ts';
import { createTestEngine, isClickHouseAvailable } from '../../../../api/test/clickhouse-database.ts';
import { createTestDatabase } from '../../../../api/test/test-database.ts';
import { type NewEvent, positions } from '../../event-fields.ts';
import { readEventSearch } from '../../event-search.ts';
import type { EventFilter, EventStore } from '../../event-store.ts';
import { day, week } from '../../time-buckets.ts';
import { createTrafficStore } from '../../open-traffic-store.ts';
import type { EngineClient } from '../engine-client.ts';
import { countCounted, listByPage } from './list-by-page.ts';
import { findsAll } from './match-all-search.ts';
import { readWindow } from './read-window.ts';

const newestFirst = { orderBy: 'concatenated_date', orderDirection: 'desc' } as const;

describe.runIf(isClickHouseAvailable())('a search that leaves nothing out of the events in ClickHouse', () => {
  let engine: EngineClient;
  let store: EventStore;
  let engineOfStatements: EngineClient;
  const statements: string[] = [];
  const search = (text: string, filter: EventFilter): EventFilter => ({ ...filter, search: readEventSearch(text) });

  beforeAll(async () => {
    const [{ databases }, opened] = await Promise.all([createTestDatabase(), createTestEngine()]);
    ({ engine } = opened);
    engineOfStatements = {
      ...engine,
      lines: async (statement) => {
        statements.push(statement.text);
        return engine.lines(statement);
      },
    };
    const clickhouse = { engine: engineOfStatements, cluster: null };
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

  it('[API-028] of a client or an address alone reads the projection of what has matches only', async () => {
    const readNames = async (text: string) => {
      statements.length = 0;
      const filter = search(text, { scope: [1, 2, 3] });
      const { total } = await store.listEventsByPage({ filter, sort: newestFirst, page: 1, limit: 5 });
      const [last = ''] = statements.slice(-1);
      return { total, statements: statements.length, projections: ['of_ip', 'of_client'].filter((name) => last.includes(`'${name}'`)) };
    };
    const matches = (isMatch: (row: NewEvent) => boolean) => rows.filter((row) => row.app_id <= 3 && isMatch(row)).length;
    const ofBlock = matches((row) => row.ip.startsWith('10.1.'));
    const ofText = matches((row) => row.ip.startsWith('10.') || row.client_uid.startsWith('10.'));
    expect(await readNames('10.1.0.0/16')).toEqual({ total: ofBlock, statements: 4, projections: ['of_ip'] });
    expect(await readNames('10.')).toEqual({ total: ofText, statements: 4, projections: ['of_ip', 'of_client'] });
    expect(await readNames('198.51.100.77')).toEqual({ total: 0, statements: 2, projections: ['of_client'] });
  });

  it('[API-028] of many matches reads the first week of the list, and all weeks if that has too few', async () => {
    const reads = async (limit: number) => {
      statements.length = 0;
      const filter = search('10.0.0.0/14', { scope: [1], until: testEpoch + 5 * day });
      const page = await listByPage(engineOfStatements, { rareSearch: 0 }, { filter, sort: newestFirst, page: 1, limit });
      const ids = page.rows.map((row) => row[positions.occurred_at]);
      return { ids, total: page.total, pages: statements.filter((text) => text.startsWith('select row')).length };
    };
    const matches = rows
      .filter((row) => row.app_id === 1 && row.occurred_at < testEpoch + 5 * day && /^10\.[0-3]\./.test(row.ip))
      .map((row) => row.occurred_at)
      .toSorted((one, other) => other - one);
    const inFirstWeek = matches.filter((at) => at >= testEpoch - 2 * day).length;
    expect(inFirstWeek).toBeGreaterThan(0);
    expect(matches.length).toBeGreaterThan(inFirstWeek);
    for (const limit of [inFirstWeek, matches.length])
      expect(await reads(limit)).toEqual({ ids: matches.slice(0, limit), total: matches.length, pages: limit === inFirstWeek ? 1 : 2 });
  });

  it('[API-028] is one no more with the first request that it leaves out, which is counted from then on', async () => {
    const other = rows.find((row) => row.app_id === 1);
    if (!other) throw new Error('no sample');
    const before = rows.filter((row) => row.app_id === 1).length;
    const page = async (text: string) => {
      statements.length = 0;
      const { total } = await store.listEventsByPage({ filter: search(text, { scope: [1] }), sort: newestFirst, page: 1, limit: 5 });
      return { total, isRead: statements.some((statement) => statement.includes(`'of_ip'`) || statement.includes(`'of_client'`)) };
    };
    expect(await page('0.0.0.0/0')).toEqual({ total: before, isRead: false });
    await store.insertEvents([{ ...other, uuid: '01936b0e-7c1e-7a52-9f0b-000000000001', ip: '2001:db8::1', client_uid: 'other' }]);
    expect(await page('0.0.0.0/0')).toEqual({ total: before, isRead: true });
    expect(await page('o')).toEqual({ total: 1, isRead: true });
  });
});
