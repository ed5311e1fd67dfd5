import { beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase } from '../../../../api/test/test-database.ts';
import type { Databases } from '../../../../api/src/database/connect.ts';
import { newParameters } from '../event-conditions.ts';
import { firstRowPage, readRowPage, type RowPage } from './row-page.ts';

let databases: Databases;
beforeAll(async () => {
  ({ databases } = await createTestDatabase());
});

const push = (sql: string, isNullable = false) => ({ table: 'pushes' as const, sortKey: { sql: `${sql} collate "C"`, isNullable } });
const conversion = (sql: string, isNullable = false) => ({ ...push(sql, isNullable), table: 'conversions' as const });

/** The plan of a page in a list too long to be sorted, at its beginning or further from either end, by a planner that avoids sorting. */
async function planOf(page: Pick<RowPage, 'table' | 'sortKey' | 'direction'>, place: 'first' | 'early' | 'late'): Promise<string> {
  const client = await databases.pools.ops.connect();
  const texts: { text: string; values: unknown[] }[] = [];
  const parameters = newParameters();
  try {
    const conditions = [`app_id = ${parameters.add(1)}::integer`];
    const rest = { conditions, parameters, appId: 1, columns: 'kept.id', limit: 50, total: 1_000_000 };
    const reader = new Proxy(client, {
      get: (target, key) =>
        key === 'query'
          ? async (query: { text: string; values: unknown[] }) => {
              texts.push(query);
              return { rows: [] };
            }
          : Reflect.get(target, key),
    });
    if (place === 'first') texts.push(firstRowPage({ ...page, ...rest }));
    else await readRowPage(reader, { ...page, ...rest, page: place === 'late' ? 19_999 : 2 });
    await client.query('set enable_sort = off; set enable_incremental_sort = off; set enable_seqscan = off');
    const [query] = texts;
    const { rows } = await client.query<{ 'QUERY PLAN': string }>({ text: `explain ${query?.text}`, values: query?.values ?? [] });
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } finally {
    await client.query('reset all');
    client.release();
  }
}

describe('a page of a long list', () => {
  it.each([
    ['pushes_arrival', { table: 'pushes', sortKey: null }, 'asc'],
    ['pushes_arrival', { table: 'pushes', sortKey: null }, 'desc'],
    ['pushes_status_up', push('status'), 'asc'],
    ['pushes_status_down', push('status'), 'desc'],
    ['pushes_campaign_up', push('push_campaign_uid', true), 'asc'],
    ['pushes_campaign_down', push('push_campaign_uid', true), 'desc'],
    ['pushes_time', { table: 'pushes', sortKey: { sql: 'send_at', isNullable: false } }, 'desc'],
    ['conversions_arrival', { table: 'conversions', sortKey: null }, 'desc'],
    ['conversions_status_up', conversion('status'), 'asc'],
    ['conversions_status_down', conversion('status'), 'desc'],
    ['conversions_client_up', conversion('client_uid', true), 'asc'],
    ['conversions_client_down', conversion('client_uid', true), 'desc'],
  ] as const)('is paged by %s, from either end', async (index, page, direction) => {
    for (const place of ['first', 'early', 'late'] as const) expect(await planOf({ ...page, direction }, place)).toContain(` ${index} on `);
  });
});
