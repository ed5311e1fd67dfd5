import type pg from 'pg';
import { migrations } from './migrations/all-migrations.ts';

const undefinedTable = '42P01';

/** Whether every migration of this version ran in the database. */
export async function isMigrated(pool: pg.Pool): Promise<boolean> {
  try {
    const { rows } = await pool.query<{ name: string }>('select name from kysely_migration');
    const done = new Set(rows.map((row) => row.name));
    return Object.keys(migrations).every((name) => done.has(name));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === undefinedTable) return false;
    throw error;
  }
}

/** Whether nobody has made a table in the database yet. */
export async function isEmptyDatabase(pool: pg.Pool): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from pg_tables where schemaname <> 'information_schema' and schemaname not like 'pg\\_%' limit 1`,
  );
  return rowCount === 0;
}
