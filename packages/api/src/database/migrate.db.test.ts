import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { describe, expect, it } from 'vitest';
import { createTestDatabase, timeoutFactor } from '../../test/test-database.ts';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { type Databases, openDatabases } from './connect.ts';
import { isDatabaseUnavailable } from '@switchyard/traffic-store/database-errors';
import { isMigrated, migrate } from './migrate.ts';
import { migrations } from './all-migrations.ts';

const creates = (table: string): Migration => ({
  up: async (db) => {
    await sql`create table ${sql.table(table)} (id integer)`.execute(db);
  },
});

async function tables({ pools }: Databases): Promise<string[]> {
  const { rows } = await pools.ui.query<{ name: string }>(
    `select tablename as name from pg_tables where tablename like 'step_%' order by 1`,
  );
  return rows.map((row) => row.name);
}

describe('migrations', () => {
  it('run once, in order, and not again', async () => {
    const { databases } = await createTestDatabase();
    const next = { ...migrations, '9001-one': creates('step_one'), '9002-two': creates('step_two') };
    expect(await migrate(databases.opsDb)).toEqual([]);
    expect(await migrate(databases.opsDb, next)).toEqual(['9001-one', '9002-two']);
    expect(await migrate(databases.opsDb, next)).toEqual([]);
    expect(await tables(databases)).toEqual(['step_one', 'step_two']);
  });

  it('keep what came before a failing one, leave nothing of it, and go on from there', async () => {
    const { databases } = await createTestDatabase();
    const brokenMigration: Migration = {
      up: async (db) => {
        await creates('step_half').up(db);
        await sql`select 1 / 0`.execute(db);
      },
    };
    const before = { ...migrations, '9001-one': creates('step_one') };
    await expect(migrate(databases.opsDb, { ...before, '9002-two': brokenMigration })).rejects.toThrow('division by zero');
    expect(await tables(databases)).toEqual(['step_one']);
    expect(await migrate(databases.opsDb, { ...before, '9002-two': creates('step_two') })).toEqual(['9002-two']);
  });

  it('leave nothing half done when their connection is killed midway', async () => {
    const { url, databases } = await createTestDatabase();
    const killedMigration: Migration = {
      up: async (db) => {
        await creates('step_half').up(db);
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
        await databases.pools.ui.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
        await sql`select 1`.execute(db);
      },
    };
    const other = openDatabases({ url, onError: () => undefined, timeoutFactor });
    await expect(migrate(other.opsDb, { ...migrations, '9001-one': killedMigration })).rejects.toSatisfy(isDatabaseUnavailable);
    await other.close();
    expect(await tables(databases)).toEqual([]);
    expect(await migrate(databases.opsDb, { ...migrations, '9001-one': creates('step_one') })).toEqual(['9001-one']);
  });

  it('of three processes that start together are done by one', async () => {
    const { url } = await createTestDatabase();
    const next = { ...migrations, '9001-one': creates('step_one'), '9002-two': creates('step_two') };
    const processes = [1, 2, 3].map(() => openDatabases({ url, onError: () => undefined, timeoutFactor }));
    const appliedNames = await Promise.all(processes.map((databases) => migrate(databases.opsDb, next)));
    expect(appliedNames.toSorted((one, other) => one.length - other.length)).toEqual([[], [], ['9001-one', '9002-two']]);
    await Promise.all(processes.map((databases) => databases.close()));
  });

  it('[OPS-040] say that those of another process go on, and leave them to it when they are to stop', async () => {
    const { databases } = await createTestDatabase();
    const other = await databases.pools.exports.connect();
    await other.query('select pg_advisory_lock(6120032)');
    const [waits, ending] = [Promise.withResolvers<void>(), new AbortController()];
    const next = { ...migrations, '9001-one': creates('step_one') };
    const waiting = migrate(databases.opsDb, next, { signal: ending.signal, onLongWait: waits.resolve });
    await waits.promise;
    ending.abort();
    await expect(waiting).rejects.toThrow('aborted');
    other.release(true);
    expect(await migrate(databases.opsDb, next)).toEqual(['9001-one']);
  });

  it('[R14] build an index concurrently while others wait for their turn, again after one that failed', async () => {
    const { url, databases } = await createTestDatabase();
    const { ops } = databases.pools;
    await ops.query('create table step_one as select 1 as id from generate_series(1, 2)');
    const indexMigration: Migration = {
      up: async (db) => {
        await sql`drop index concurrently if exists step_one_id`.execute(db);
        await sql`create unique index concurrently step_one_id on step_one (id)`.execute(db);
      },
    };
    const next = { ...migrations, '9001-one-concurrently': indexMigration };
    await expect(migrate(databases.opsDb, next)).rejects.toThrow('could not create unique index');
    await ops.query('update step_one set id = 2 where ctid in (select max(ctid) from step_one)');
    const processes = [1, 2, 3].map(() => openDatabases({ url, onError: () => undefined, timeoutFactor }));
    const appliedNames = await Promise.all(processes.map((one) => migrate(one.opsDb, next)));
    expect(appliedNames.flat()).toEqual(['9001-one-concurrently']);
    const { rows } = await ops.query(`select indisvalid from pg_index where indexrelid = 'step_one_id'::regclass`);
    expect(rows).toEqual([{ indisvalid: true }]);
    await Promise.all(processes.map((one) => one.close()));
  });

  it('[R28] of a newer version that only add leave a database as it is, and an older version runs on it', async () => {
    const { databases } = await createTestDatabase();
    await migrate(databases.opsDb, { ...migrations, '9001-one': creates('step_one') });
    expect(await migrate(databases.opsDb)).toEqual([]);
    expect(await isMigrated(databases.pools.ops)).toBe(true);
  });

  it('[R28] that need a newer version stop older ones in one line, at startup and by their readiness', async () => {
    const { databases } = await createTestDatabase();
    const first = { ...migrations, '9001-one': creates('step_one') };
    const second = { ...first, '9002-two': creates('step_two') };
    await migrate(databases.opsDb, { ...second, '9003-three-needs-9002': creates('step_three') });
    for (const [older, newest] of [
      [migrations, Object.keys(migrations).toSorted().at(-1)],
      [first, '9001-one'],
    ] as const) {
      const refusal = migrate(databases.opsDb, older);
      await expect(refusal).rejects.toBeInstanceOf(StartupError);
      await expect(refusal).rejects.toThrow(
        `Database: needs a newer Switchyard (9003-three-needs-9002 ran, this version knows up to ${newest})`,
      );
      expect(await isMigrated(databases.pools.ops, older)).toBe(false);
    }
    expect(await migrate(databases.opsDb, second)).toEqual([]);
    expect(await isMigrated(databases.pools.ops, second)).toBe(true);
  });

  it('[R28] distinguishes two lines of versions', async () => {
    const { databases } = await createTestDatabase();
    await migrate(databases.opsDb, { ...migrations, '9001-one': creates('step_one') });
    const refusal = migrate(databases.opsDb, { ...migrations, '9001-other': creates('step_other') });
    await expect(refusal).rejects.toThrow('Database: belongs to another Switchyard (9001-one ran, 9001-other did not)');
  });
});
