import { sql } from 'kysely';
import { existing, type OpenTransaction } from '../database/transaction.ts';

/*
 * The SQL that is the same for every entity: one row in one table with the columns `id`, `version`, `created_at` and `updated_at`. The
 * keys of `columns` are names of columns and come from code, never from a call; values are parameters.
 *
 * Reads are not here. Each entity selects its rows in its own store, as SQL text, because joins, order and access differ.
 */

export type Columns = Readonly<Record<string, unknown>>;

/** Inserts a row and gives its id. */
export async function insertRow(tx: OpenTransaction, table: string, columns: Columns, now: Date): Promise<number> {
  const row = Object.entries({ ...columns, created_at: now, updated_at: now });
  const { rows } = await sql<{ id: number }>`
    insert into ${sql.table(table)} (${sql.join(row.map(([name]) => sql.ref(name)))})
    values (${sql.join(row.map(([, value]) => value))}) returning id
  `.execute(tx);
  return existing(rows[0]).id;
}

/** Writes columns of a row and raises its version. */
export async function updateRow(tx: OpenTransaction, table: string, id: number, columns: Columns, now: Date): Promise<void> {
  await updateColumns(tx, table, id, { ...columns, updated_at: now, version: sql`version + 1` });
}

/** Writes columns of a row that was just inserted or updated; its version stays. */
export async function updateColumns(tx: OpenTransaction, table: string, id: number, columns: Columns): Promise<void> {
  const values = Object.entries(columns).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  if (values.length > 0) await sql`update ${sql.table(table)} set ${sql.join(values)} where id = ${id}`.execute(tx);
}

/** Deletes a row. */
export async function deleteRow(tx: OpenTransaction, table: string, id: number): Promise<void> {
  await sql`delete from ${sql.table(table)} where id = ${id}`.execute(tx);
}

/** The number of rows, with `ownerId` of those of an account. Other transactions that count the table wait until this one ends. */
export async function countRows(tx: OpenTransaction, table: string, ownerId: number | null): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext(${table}))`.execute(tx);
  const ofOwner = ownerId === null ? sql`` : sql`where owner_id = ${ownerId}`;
  const { rows } = await sql<{ count: number }>`select count(*) from ${sql.table(table)} ${ofOwner}`.execute(tx);
  return existing(rows[0]).count;
}
