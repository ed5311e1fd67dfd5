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

/** A table whose rows say which others an entity references: the columns with the id of the entity and with theirs. */
export type ReferenceTable = { readonly name: string; readonly entity: string; readonly reference: string };

/** Makes an entity reference the rows with these ids, an array, and no others; null: none. */
export async function updateReferences(tx: OpenTransaction, table: ReferenceTable, id: number, ids: unknown): Promise<void> {
  const [name, entity, reference] = [sql.table(table.name), sql.ref(table.entity), sql.ref(table.reference)];
  const given = sql`${ids ?? []}::int[]`;
  await sql`delete from ${name} where ${entity} = ${id} and ${reference} <> all(${given})`.execute(tx);
  await sql`insert into ${name} (${entity}, ${reference}) select ${id}, unnest(${given}) on conflict do nothing`.execute(tx);
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
