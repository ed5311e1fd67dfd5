import { type Kysely, type Selectable, sql } from 'kysely';
import { keyId } from '../adapters/secret-box.ts';
import { announcedKeys } from '../database/announced-keys.ts';
import type { SecretKeysTable, Tables } from '../database/tables.ts';
import { existing, unauditedStatement, type OpenTransaction } from '../database/transaction.ts';

/** A key that encrypts or encrypted this database. */
export type StoredKey = Selectable<SecretKeysTable>;

/** A column with encrypted texts; the id of a text's row is part of what it is bound to. */
export type SealedColumn = { table: string; column: string };

/** Every column with texts that a secret key encrypted. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'apps', column: 'api_secret_sealed' },
  { table: 'apps', column: 'push_file_sealed' },
  { table: 'traffic_servers', column: 'main_hash_sealed' },
  { table: 'traffic_servers', column: 'hash_sealed' },
  { table: 'second_factors', column: 'secret_sealed' },
  { table: 'sign_in_challenges', column: 'secret_sealed' },
  { table: 'channels', column: 'target_sealed' },
  { table: 'channels', column: 'signing_secret_sealed' },
  { table: 'channels', column: 'old_signing_secret_sealed' },
  { table: 'secret_keys', column: 'derived_sealed' },
];

/** Evidence of the key that encrypted a database without a stored fingerprint. */
export type KeyTraces = {
  /** Ids of the keys that encrypted its secrets. */
  secrets: readonly string[];
  /** Id of the key that made the newest seal of the audit trail. */
  seal: string | null;
};

/** The keys of a database, oldest first, and without any the traces of one. */
export type KeyState = { storedKeys: readonly StoredKey[]; traces: KeyTraces };

/** The one key in such a state; undefined if there is none. */
export function keyInState(storedKeys: readonly StoredKey[], wanted: 'current' | 'previous'): StoredKey | undefined {
  return storedKeys.find(({ state }) => state === wanted);
}

/** Whether a key encrypted something in a database. */
export function hasTraces({ storedKeys, traces }: KeyState): boolean {
  return storedKeys.length > 0 || traces.secrets.length > 0 || traces.seal !== null;
}

/** Reads the keys of a database, which may be one without tables, or of an earlier version. */
export async function findKeyState(db: Kysely<Tables>): Promise<KeyState> {
  const { rows } = await sql<SealedColumn>`
    select table_name as table, column_name as column from information_schema.columns where table_schema = current_schema()
  `.execute(db);
  const has = (searched: SealedColumn) => rows.some(({ table, column }) => table === searched.table && column === searched.column);
  const storedKeys = has({ table: 'secret_keys', column: 'fingerprint' }) ? await listKeys(db) : [];
  if (storedKeys.length > 0) return { storedKeys, traces: { secrets: [], seal: null } };
  const secrets = await listSecretKeyIds(db, sealedColumns.filter(has));
  return { storedKeys, traces: { secrets, seal: has({ table: 'audit_seals', column: 'key_id' }) ? await findSealKeyId(db) : null } };
}

/** The keys of a database, oldest first. */
export async function listKeys(db: Kysely<Tables>): Promise<StoredKey[]> {
  const { rows } = await sql<StoredKey>`select * from secret_keys order by id`.execute(db);
  return rows;
}

/** Texts without a key id are none of ours. */
async function listSecretKeyIds(db: Kysely<Tables>, columns: readonly SealedColumn[]): Promise<string[]> {
  const ids = columns.map(
    ({ table, column }) => sql`select substring(${sql.ref(column)} from '^v1\\.([0-9a-f]{8})\\.') as id from ${sql.table(table)}`,
  );
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select id from (${sql.join(ids, sql` union `)}) as found where id is not null order by id
  `.execute(db);
  return rows.map(({ id }) => id);
}

async function findSealKeyId(db: Kysely<Tables>): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`select key_id as id from audit_seals order by audit_seals.id desc limit 1`.execute(db);
  return rows[0]?.id ?? null;
}

/** Fingerprint of the key that encrypts. It stays that until the transaction ends. */
export async function lockCurrentKey(tx: OpenTransaction): Promise<string> {
  await sql`lock table secret_keys in share mode`.execute(tx);
  const { rows } = await sql<{ fingerprint: string }>`select fingerprint from secret_keys where state = 'current'`.execute(tx);
  if (rows[0] === undefined) throw new Error('Secret keys: the database has none yet');
  return rows[0].fingerprint;
}

/** Waits for every transaction that encrypts, and has others wait until this one ends. */
export async function lockKeys(tx: OpenTransaction): Promise<void> {
  await sql`lock table secret_keys in exclusive mode`.execute(tx);
}

/** Stores the key that encrypts from now on. */
export async function insertCurrentKey(tx: OpenTransaction, fingerprint: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into secret_keys (fingerprint, state) values (${fingerprint}, 'current') returning id
  `.execute(tx);
  return existing(rows[0]).id;
}

/** Changes a key that is not the current one any more. */
export async function updateKey(
  tx: OpenTransaction,
  id: number,
  changes: { state: 'previous' | 'replaced'; derived_sealed?: string | null },
): Promise<void> {
  const replacedAt = changes.state === 'replaced' ? { replaced_at: sql<Date>`coalesce(replaced_at, now())` } : {};
  await tx
    .updateTable('secret_keys')
    .set({ ...changes, ...replacedAt })
    .where('id', '=', id)
    .execute();
}

/** Marks the key that is being replaced as replaced. */
export async function updatePreviousKeys(tx: OpenTransaction): Promise<void> {
  await sql`update secret_keys set state = 'replaced', replaced_at = now() where state = 'previous'`.execute(tx);
}

/** Texts of a column after a row that another key than this one encrypted, in the order of their rows. */
export async function listSealed(
  db: Kysely<Tables>,
  { table, column }: SealedColumn,
  { after, otherThan, limit }: { after: number; otherThan: string; limit: number },
): Promise<{ id: number; sealed: string }[]> {
  const { rows } = await sql<{ id: number; sealed: string }>`
    select id, ${sql.ref(column)} as sealed from ${sql.table(table)}
    where id > ${after} and ${sql.ref(column)} is not null and split_part(${sql.ref(column)}, '.', 2) <> ${keyId(otherThan)}
    order by id limit ${limit}
  `.execute(db);
  return rows;
}

/** Replaces a text unless it changed meanwhile: whoever changed it encrypted with the current key. */
export async function updateSealed(
  db: Kysely<Tables>,
  { table, column }: SealedColumn,
  { id, from, to }: { id: number; from: string; to: string },
): Promise<void> {
  const unaudited = unauditedStatement('what is stored stays the same, encrypted with another key', db);
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${to} where id = ${id} and ${sql.ref(column)} = ${from}`.execute(unaudited);
}

/** Number of the advisory lock of the process that replaces a key. */
const replacementLock = 7300221;

/** Runs work that one process does at a time. `onWait` is called if another one does it now. */
export async function replaceAlone<T>(
  db: Kysely<Tables>,
  { onWait, work }: { onWait: () => void; work: (connection: Kysely<Tables>) => Promise<T> },
): Promise<T> {
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ isFree: boolean }>`select pg_try_advisory_lock(${replacementLock}) as "isFree"`.execute(connection);
    if (rows[0]?.isFree !== true) {
      onWait();
      await sql`select pg_advisory_lock(${replacementLock})`.execute(connection);
    }
    try {
      return await work(connection);
    } finally {
      await sql`select pg_advisory_unlock(${replacementLock})`.execute(connection);
    }
  });
}

/** Addresses of the consoles that run without a key, as PostgreSQL sees them. */
export async function listConsolesWithout(db: Kysely<Tables>, fingerprint: string): Promise<string[]> {
  const { kind, place } = announcedKeys(fingerprint);
  const { rows } = await sql<{ address: string }>`
    select coalesce(host(client_addr), 'local') as address from pg_stat_activity
    where datname = current_database() and application_name = 'switchyard process' and not exists (
      select from pg_locks where pg_locks.pid = pg_stat_activity.pid and locktype = 'advisory' and granted and objsubid = 2
        and classid = ${kind}::int::oid and objid = ${place}::int::oid
    ) order by backend_start
  `.execute(db);
  return rows.map(({ address }) => address);
}
