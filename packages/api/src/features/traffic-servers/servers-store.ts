import { sql, type Kysely, type Updateable } from 'kysely';
import type { Tables, TrafficServersTable } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import { findServer, type StoredServer } from './servers-read-model.ts';

/** Columns of a server that a write may set. */
export type ServerColumns = Pick<
  Updateable<TrafficServersTable>,
  | 'name'
  | 'url'
  | 'region'
  | 'ip'
  | 'token_hash'
  | 'ingest_enabled'
  | 'main_hash_sealed'
  | 'hash_sealed'
  | 'token_set_at'
  | 'main_hash_set_at'
  | 'hash_set_at'
>;

/** Runs a write in one transaction. */
export async function inTransaction<T>(db: Kysely<Tables>, write: (tx: OpenTransaction) => Promise<T>): Promise<T> {
  return db.transaction().execute(write);
}

/** Whether a server that was not deleted, other than `exceptId`, has this token. */
export async function isTokenUsed(tx: OpenTransaction, tokenHash: Buffer, exceptId: number | null): Promise<boolean> {
  const row = await tx
    .selectFrom('traffic_servers')
    .select('id')
    .where('token_hash', '=', tokenHash)
    .where('deleted_at', 'is', null)
    .$if(exceptId !== null, (query) => query.where('id', '!=', exceptId ?? 0))
    .executeTakeFirst();
  return row !== undefined;
}

/** Adds a server without secrets and gives its id, which their sealing needs. */
export async function insertServer(
  tx: OpenTransaction,
  server: { name: string; url: string; region: string | null; ip: string | null; now: Date },
): Promise<number> {
  const { now, ...columns } = server;
  const { id } = await tx
    .insertInto('traffic_servers')
    .values({ ...columns, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Sets secrets of a server that was just added; that is no change of it. */
export async function setSecrets(tx: OpenTransaction, id: number, columns: ServerColumns): Promise<void> {
  if (Object.keys(columns).length === 0) return;
  await tx.updateTable('traffic_servers').set(columns).where('id', '=', id).execute();
}

/** The server, locked until the transaction ends; undefined when it does not exist or was deleted. */
export async function lockServer(tx: OpenTransaction, id: number): Promise<StoredServer | undefined> {
  await sql`select from traffic_servers where id = ${id} for update`.execute(tx);
  return findServer(tx, id);
}

/** Writes columns of a server and raises its version. */
export async function updateServer(tx: OpenTransaction, { id, columns, now }: { id: number; columns: ServerColumns; now: Date }) {
  await tx
    .updateTable('traffic_servers')
    .set((eb) => ({ ...columns, updated_at: now, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** Marks a server as deleted and takes its links away; gives their ids. Jobs under way for them find nothing to do. */
export async function removeServer(tx: OpenTransaction, id: number, now: Date): Promise<number[]> {
  await tx
    .updateTable('traffic_servers')
    .set((eb) => ({ deleted_at: now, updated_at: now, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
  const links = await tx.deleteFrom('check_domains').where('server_id', '=', id).returning('id').execute();
  return links.map((link) => link.id).toSorted((a, b) => a - b);
}
