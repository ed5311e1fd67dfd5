import { beforeEach, describe, expect, it } from 'vitest';
import * as countedPages from '../../../../api/src/database/migrations/0007-counted-pages.ts';
import * as daysOfAllApps from '../../../../api/src/database/migrations/0014-days-of-all-apps.ts';
import * as daysOfApps from '../../../../api/src/database/migrations/0015-days-of-apps.ts';
import type { Tables } from '../../../../api/src/database/tables.ts';
import { asksForNewestOfApp } from './numbered-list.ts';
import { storeArbitraryEvents, testEpoch } from '../../../../api/test/arbitrary-events.ts';
import { postgres } from '../../../../api/test/event-stores.ts';

const { databases, openStore, empty } = await postgres.open();

beforeEach(empty);

describe('the migrations', () => {
  it.each([
    ['traffic_day_types', 'day, app_id, type', countedPages, 50],
    ['traffic_all_days', 'day, type', daysOfAllApps, 20],
    ['traffic_all_hours', 'hour, type', daysOfAllApps, 50],
  ] as const)('count what was stored before in %s, and may run again', async (table, key, migration, least) => {
    await storeArbitraryEvents(openStore('+02:00'), 26);
    // Outcomes came with later migrations, which count them themselves.
    const countsQuery = `select to_jsonb(counted) - '{successes,bots,errors}'::text[] as row from ${table} as counted order by ${key}`;
    const readCounts = async (): Promise<unknown[]> => (await databases.pools.ops.query(countsQuery)).rows;
    const before = await readCounts();
    expect(before.length).toBeGreaterThan(least);
    await databases.pools.ops.query(`truncate ${table}`);
    for (let times = 0; times < 2; times += 1) {
      await migration.up(databases.opsDb);
      expect(await readCounts()).toEqual(before);
    }
  });

  it('count the days of apps, quarters, values and totals of what was stored before', async () => {
    const store = openStore('+05:45');
    await store.maintain(testEpoch);
    await storeArbitraryEvents(store, 27);
    const tables = {
      traffic_app_days: 'day, app_id',
      traffic_seen: 'app_id, country, stream_uid',
      traffic_all_quarters: 'quarter, type',
      traffic_totals: 'app_id, is_qa',
    };
    const readCounts = async (): Promise<unknown[]> => {
      const counts: unknown[] = [];
      for (const [table, key] of Object.entries(tables)) {
        const { rows } = await databases.pools.ops.query(
          `select to_jsonb(counted) - 'successes' as row from ${table} as counted order by ${key}`,
        );
        expect(rows.length).toBeGreaterThan(5);
        counts.push(...rows);
      }
      return counts;
    };
    const before = await readCounts();
    await databases.pools.ops.query(`drop table ${Object.keys(tables).join(', ')};
      create table traffic_totals (app_id integer, type request_type, flags smallint, requests bigint, primary key (app_id, type, flags));
      insert into traffic_totals select app_id, type, flags, count(*) from events group by 1, 2, 3`);
    await databases.opsDb.transaction().execute(async (transaction) => daysOfApps.up<Tables>(transaction));
    expect(await readCounts()).toEqual(before);
    await databases.pools.ops.query('alter table traffic_app_days add column successes bigint not null default 0');
  });
});

describe('the newest events of an app', () => {
  const firstPage = (appId: number, limit: number) =>
    ({ filter: { scope: [appId] }, sort: { orderBy: 'concatenated_date', orderDirection: 'desc' }, page: 1, limit }) as const;

  it('[API-028] is asked for by the first page of one app without a filter, and by no other', () => {
    const query = firstPage(1, 50);
    expect(asksForNewestOfApp({ ...query, filter: { ...query.filter, types: undefined, search: undefined } })).toBe(true);
    const others = [
      { page: 2 },
      { sort: { orderBy: 'concatenated_date', orderDirection: 'asc' } },
      { sort: { orderBy: 'id', orderDirection: 'desc' } },
      { filter: { scope: 'all' } },
      { filter: { scope: [1, 2] } },
      { filter: { scope: [1], types: ['create'] } },
      { filter: { scope: [1], search: [] } },
      { filter: { scope: [1], from: 0 } },
    ] as const;
    for (const other of others) expect(asksForNewestOfApp({ ...query, ...other })).toBe(false);
  });
});
