import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type BreakableProxy, openBreakableProxy } from '../../test/breakable-proxy.ts';
import { emptyPort } from '../../test/empty-port.ts';
import { livedMilliseconds } from '../../test/lived-time.ts';
import { soon } from '../../test/soon.ts';
import { createTestDatabase, timeoutFactor } from '../../test/test-database.ts';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { answers, assertDurability, type Databases, describeClockOffset, openDatabases } from './connect.ts';
import { isDatabaseUnavailable, isPoolTimeout, isStatementTimeout } from '@switchyard/traffic-store/database-errors';

let url = '';
let direct: Databases;
let busy: { url: string; databases: Databases };
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  ({ url, databases: direct } = await createTestDatabase());
  busy = await createTestDatabase();
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function behindProxy(): Promise<{ databases: Databases; proxy: BreakableProxy; errors: Error[] }> {
  const to = new URL(url);
  const proxy = await openBreakableProxy(Number(to.port));
  to.port = String(proxy.port);
  const errors: Error[] = [];
  const databases = openDatabases({ url: to.href, onError: (error) => errors.push(error) });
  closers.push(async () => {
    proxy.cut();
    await databases.close();
    await proxy.close();
  });
  return { databases, proxy, errors };
}

/** Connections to a port where nobody listens. */
function openNowhere(): Databases {
  const nowhere = new URL(url);
  nowhere.port = String(emptyPort);
  const databases = openDatabases({ url: nowhere.href, onError: () => undefined });
  closers.push(databases.close);
  return databases;
}

/**
 * Waits of two seconds would be over by then only once; the figures asked for are tested without load
 * (tools/faults/database-away.test.ts).
 */
const onceMilliseconds = 3900;

async function failure(work: Promise<unknown>): Promise<{ error: unknown; milliseconds: number }> {
  const rejection = work.then(
    () => null,
    (error: unknown) => error,
  );
  return { milliseconds: await livedMilliseconds(() => rejection), error: await rejection };
}

async function expectAnswers(databases: Databases): Promise<void> {
  await vi.waitFor(async () => expect(await answers(databases)).toBe(true), soon);
}

describe('connections to the database', () => {
  it('are 20 a process at most, however much it has to do (R8)', async () => {
    const { pools, listen } = busy.databases;
    let isListening = false;
    const stop = listen('switchyard_requests', () => {
      isListening = true;
    });
    const all = Object.values(pools);
    const clients = await Promise.all(all.flatMap((pool) => Array.from({ length: pool.options.max }, async () => pool.connect())));
    const waiting = all.map(async (pool) => pool.query('select 1'));
    await expect.poll(() => isListening, soon).toBe(true);
    const { rows } = await direct.pools.ops.query<{ open: number }>(
      // An autovacuum worker counts as a connection, too.
      `select count(*)::int as open from pg_stat_activity where datname = $1 and backend_type = 'client backend'`,
      [new URL(busy.url).pathname.slice(1)],
    );
    for (const client of clients) client.release();
    await Promise.all(waiting);
    stop();
    expect(rows).toEqual([{ open: 20 }]);
  });

  it('gives bigint and arrays of integers as numbers, days as texts and moments as dates', async () => {
    const { rows } = await direct.pools.ui.query(
      `select 9007199254740991::int8 as big, array[1, null, 3]::int8[] as many, array[]::int8[] as none,
              array[-1, null]::int4[] as fours, '{}'::int4[] as empty, array[7]::int2[] as twos, '[2:3]={7,8}'::int4[] as shifted, array[[1, 2], [3, 4]] as nested,
              date '2026-10-25' as day, timestamptz '2026-10-25 00:30+03' as moment, '{"a": [1]}'::jsonb as json, inet '10.0.0.0/8' as block`,
    );
    expect(rows).toEqual([
      {
        big: 9_007_199_254_740_991,
        many: [1, null, 3],
        none: [],
        fours: [-1, null],
        empty: [],
        twos: [7],
        shifted: [7, 8],
        nested: [
          [1, 2],
          [3, 4],
        ],
        day: '2026-10-25',
        moment: new Date('2026-10-24T21:30:00Z'),
        json: { a: [1] },
        block: '10.0.0.0/8',
      },
    ]);
  });

  it('[OPS-014] plans alike, whatever the server is set to; the address of the database wins', async () => {
    const planned = await createTestDatabase();
    const name = new URL(planned.url).pathname.slice(1);
    await planned.databases.pools.ops.query(`alter database ${name} set jit = on; alter database ${name} set random_page_cost = 4`);
    const given = new URL(planned.url);
    given.searchParams.set('options', '-c random_page_cost=2');
    const settingsBehind = async (address: string) => {
      const opened = openDatabases({ url: address, onError: () => undefined });
      closers.push(opened.close);
      const { rows } = await opened.pools.ui.query(`select current_setting('jit') as jit, current_setting('random_page_cost') as cost`);
      return rows;
    };
    expect(await settingsBehind(planned.url)).toEqual([{ jit: 'off', cost: '1.1' }]);
    expect(await settingsBehind(given.href)).toEqual([{ jit: 'on', cost: '2' }]);
  });

  it('keeps each purpose to its own connections and names them to the server', async () => {
    const blockedQueries = Array.from({ length: 3 }, () => direct.pools.exports.query('select pg_sleep(0.3)'));
    const { rows } = await direct.pools.ui.query<{ name: string }>('select current_setting($1) as name', ['application_name']);
    expect(rows).toEqual([{ name: 'switchyard ui' }]);
    expect(direct.pools.exports.totalCount).toBe(3);
    await Promise.all(blockedQueries);
  });

  it.each([
    [-90_000, 'Clock: 90 s behind the clock of PostgreSQL (synchronize both)'],
    [-500, null],
    [500, null],
    [7_200_000, 'Clock: 7200 s ahead of the clock of PostgreSQL (synchronize both)'],
  ])('reports a clock that is off by %d ms', async (offset, line) => {
    expect(await describeClockOffset(direct, () => new Date(Date.now() + offset))).toBe(line);
  });

  it('lets the server give up a statement that a person would wait too long for', async () => {
    const usual = openDatabases({ url, onError: () => undefined });
    closers.push(usual.close);
    for (const [name, limit] of [
      ['ui', '5s'],
      ['ingest', '7s'],
      ['exports', '0'],
    ] as const)
      await vi.waitFor(async () => {
        const { rows } = await usual.pools[name].query('show statement_timeout');
        expect([name, rows]).toEqual([name, [{ statement_timeout: limit }]]);
      }, soon);
    const { error } = await failure(direct.pools.ops.query('begin; set local statement_timeout = 50; select pg_sleep(10)'));
    expect(isStatementTimeout(error)).toBe(true);
    expect(isDatabaseUnavailable(error)).toBe(false);
    await direct.pools.ops.query('rollback');
  });

  it('[API-010] outlives every connection being cut, and works again at once', async () => {
    const { databases, proxy, errors } = await behindProxy();
    await expectAnswers(databases);
    proxy.cut();
    await vi.waitFor(() => expect(errors.length).toBeGreaterThan(0), soon);
    expect(errors.every(isDatabaseUnavailable)).toBe(true);
    await expectAnswers(databases);
  });

  it('fails only the call whose connection is lost in the middle of a transaction', async () => {
    const { databases, proxy } = await behindProxy();
    const work = databases.db.transaction().execute(async (trx) => {
      await trx.selectFrom('roles').select('id').execute();
      proxy.cut();
      await expectAnswers(databases);
      return trx.selectFrom('roles').select('id').execute();
    });
    await expect(work).rejects.toSatisfy(isDatabaseUnavailable);
    await expectAnswers(databases);
  });

  it('[O41] distinguishes a pool whose connections are all taken from a server that does not answer', async () => {
    const { databases, proxy } = await behindProxy();
    const { ui } = databases.pools;
    const clients = await Promise.all(Array.from({ length: ui.options.max }, () => ui.connect()));
    const takenPool = await failure(ui.query('select 1'));
    expect([isPoolTimeout(takenPool.error), await databases.isReachable()]).toEqual([true, true]);
    proxy.hang();
    expect(await databases.isReachable()).toBe(false);
    proxy.resume();
    for (const client of clients) client.release();
    const nowhere = await failure(openNowhere().pools.ui.query('select 1'));
    expect([isPoolTimeout(nowhere.error), isDatabaseUnavailable(nowhere.error)]).toEqual([false, true]);
    expect(await openNowhere().isReachable()).toBe(false);
  });

  it('says within 2.5 seconds that nobody listens any more', async () => {
    const { error, milliseconds } = await failure(openNowhere().pools.ui.query('select 1'));
    expect(isDatabaseUnavailable(error)).toBe(true);
    expect(milliseconds).toBeLessThan(onceMilliseconds);
  });

  it('lets no call wait for a hung server over ten seconds, and recovers with it', async () => {
    const { databases, proxy } = await behindProxy();
    await expectAnswers(databases);
    proxy.hang();
    const [knownFailure, fresh, probe, transaction] = await Promise.all([
      failure(databases.pools.ui.query('select 1')),
      failure(databases.pools.ingest.query('select 1')),
      failure(answers(databases).then((answer) => Promise.reject(new Error(String(answer))))),
      failure(databases.db.transaction().execute((trx) => trx.selectFrom('roles').selectAll().execute())),
    ]);
    for (const { error, milliseconds } of [knownFailure, fresh, transaction]) {
      expect(isDatabaseUnavailable(error)).toBe(true);
      expect(milliseconds).toBeLessThan(2 * 8500);
    }
    expect(probe.error).toEqual(new Error('false'));
    expect(probe.milliseconds).toBeLessThan(onceMilliseconds);
    proxy.resume();
    await expectAnswers(databases);
    expect(await databases.db.selectFrom('roles').selectAll().execute()).not.toEqual([]);
  });

  it('rejects a server that would lose acknowledged writes', async () => {
    // The server of the tests runs without durability for speed, which is exactly what must be rejected.
    await expect(assertDurability(direct)).rejects.toThrow(StartupError);
    await expect(assertDurability(direct)).rejects.toThrow(/fsync|full_page_writes|synchronous_commit/);
  });

  it('rejects a server that is too old, and names the oldest supported version', async () => {
    await direct.pools.ops.query(`create schema old; create view old.pg_settings as
      select name, case name when 'server_version_num' then '140012' else 'on' end as setting from pg_catalog.pg_settings`);
    const old = new URL(url);
    old.searchParams.set('options', '-c search_path=old,pg_catalog');
    const databases = openDatabases({ url: old.href, onError: () => undefined, timeoutFactor });
    closers.push(databases.close);
    const refusal = assertDurability(databases);
    await expect(refusal).rejects.toThrow(StartupError);
    await expect(refusal).rejects.toThrow('Database: PostgreSQL 14 is too old (version 15 or newer is required)');
  });
});
