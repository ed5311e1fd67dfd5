import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, signInAsServer } from '../../../test/sign-in-as.ts';
import { soon } from '../../../test/soon.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import type { Databases } from '../../database/connect.ts';

const startsAt = new Date('2026-11-20T12:00:00Z');
let databases: Databases;
let api: TestApi;
let servers: Record<string, string>[];

beforeAll(async () => {
  ({ databases } = await createTestDatabase());
  api = await buildTestApi({ databases, startsAt });
  await api.maintain();
  // Each may have eight batches under way.
  servers = await Promise.all(Array.from({ length: 5 }, async () => (await signInAsServer(databases)).headers));
});

/** Connections of a purpose on which a statement waits for a lock. */
async function countBusy(pool: 'ui' | 'ingest'): Promise<number> {
  const { rows } = await databases.pools.ops.query<{ held: number }>(
    `select count(*)::int as held from pg_stat_activity
     where datname = current_database() and application_name = $1 and wait_event_type = 'Lock'`,
    [`switchyard ${pool}`],
  );
  return rows[0]?.held ?? 0;
}

/** Makes every statement that reads or writes the table wait. */
async function lock(table: 'apps' | 'streams'): Promise<() => Promise<void>> {
  const client = await databases.pools.exports.connect();
  await client.query(`begin; lock table ${table} in access exclusive mode`);
  return async () => {
    await client.query('rollback');
    client.release();
  };
}

const flood = (kind: string, row: (index: number) => object) =>
  servers.flatMap((headers, server) =>
    Array.from({ length: 8 }, (_, index) =>
      api.call('POST', `/api/ingest/${kind}`, { headers, body: { [kind]: [row(server * 8 + index)] } }),
    ),
  );

/** Takes all connections that people wait for at once, and gives them back. */
async function takeAllOfPeople(): Promise<void> {
  const { ui } = databases.pools;
  const clients = await Promise.all(Array.from({ length: ui.options.max }, () => ui.connect()));
  for (const client of clients) client.release();
}

describe('a flood of batches', () => {
  it('[R4] takes no connection that people wait for, and one to find what all of them name, however slow that is', async () => {
    const apps = await Promise.all([createApp(databases, { bundle: 'com.Flood.one' }), createApp(databases, { bundle: 'com.flood.two' })]);
    const free = await lock('apps');
    const batches = flood('events', (index) => ({
      ...(index % 2 === 0 ? { app_id: apps[0].id } : { bundle: `COM.flood.${index % 4 === 1 ? 'two' : 'none'}` }),
      type: 'create',
      date: '2026-11-20T10:11:12Z',
      ip: '203.0.113.9',
    }));
    await expect.poll(() => countBusy('ingest'), soon).toBe(1);
    await takeAllOfPeople();
    expect([await countBusy('ingest'), await countBusy('ui')]).toEqual([1, 0]);
    await free();
    // Each gets the answer to its own question, whichever batch it was part of.
    const statuses = (await Promise.all(batches)).map(({ status }) => status);
    expect(statuses).toEqual(Array.from({ length: 40 }, (_, index) => (index % 4 === 3 ? 422 : 200)));
  });

  it('[R4] takes none while it stores streams', async () => {
    const { id } = await createApp(databases);
    const buyer = await signInAs(databases, { panel: 'buyer', role: 'Buyer' });
    const free = await lock('streams');
    const batches = flood('streams', (index) => ({
      uid: `flood_${index}`,
      app_id: id,
      buyer_id: buyer.accountId,
      name: 'Flood',
      created_at: '2026-11-20T10:11:12Z',
      updated_at: '2026-11-20T10:11:12Z',
    }));
    await expect.poll(() => countBusy('ingest'), soon).toBe(4);
    await takeAllOfPeople();
    expect(await countBusy('ui')).toBe(0);
    await free();
    for (const { status } of await Promise.all(batches)) expect(status).toBe(200);
  });
});
