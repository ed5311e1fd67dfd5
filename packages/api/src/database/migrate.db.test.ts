import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { describe, expect, it } from 'vitest';
import { createTestDatabase, patience } from '../../test/test-database.ts';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { type Databases, openDatabases } from './connect.ts';
import { isDatabaseUnavailable } from './database-errors.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/all-migrations.ts';

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
    const broken: Migration = {
      up: async (db) => {
        await creates('step_half').up(db);
        await sql`select 1 / 0`.execute(db);
      },
    };
    const before = { ...migrations, '9001-one': creates('step_one') };
    await expect(migrate(databases.opsDb, { ...before, '9002-two': broken })).rejects.toThrow('division by zero');
    expect(await tables(databases)).toEqual(['step_one']);
    expect(await migrate(databases.opsDb, { ...before, '9002-two': creates('step_two') })).toEqual(['9002-two']);
  });

  it('leave nothing half done when their connection is killed midway', async () => {
    const { url, databases } = await createTestDatabase();
    const killed: Migration = {
      up: async (db) => {
        await creates('step_half').up(db);
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
        await databases.pools.ui.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
        await sql`select 1`.execute(db);
      },
    };
    const other = openDatabases({ url, onError: () => undefined, patience });
    await expect(migrate(other.opsDb, { ...migrations, '9001-one': killed })).rejects.toSatisfy(isDatabaseUnavailable);
    await other.close();
    expect(await tables(databases)).toEqual([]);
    expect(await migrate(databases.opsDb, { ...migrations, '9001-one': creates('step_one') })).toEqual(['9001-one']);
  });

  it('of three processes that start together are done by one', async () => {
    const { url } = await createTestDatabase();
    const next = { ...migrations, '9001-one': creates('step_one'), '9002-two': creates('step_two') };
    const processes = [1, 2, 3].map(() => openDatabases({ url, onError: () => undefined, patience }));
    const done = await Promise.all(processes.map((databases) => migrate(databases.opsDb, next)));
    expect(done.flat().toSorted()).toEqual(['9001-one', '9002-two']);
    await Promise.all(processes.map((databases) => databases.close()));
  });

  it('refuse a database of a newer version in one line that names what is unknown', async () => {
    const { databases } = await createTestDatabase();
    await migrate(databases.opsDb, { ...migrations, '9001-one': creates('step_one') });
    const refusal = migrate(databases.opsDb);
    await expect(refusal).rejects.toBeInstanceOf(StartupError);
    await expect(refusal).rejects.toThrow('9001-one');
  });
});
