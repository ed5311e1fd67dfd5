import { type Kysely, sql } from 'kysely';
import type { Databases } from '../../database/connect.ts';
import type { Tables } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';

/** A stored seal. Ids are decimal texts in what is signed. */
export type AuditSeal = { id: number; sealedAt: string; toId: number; keyId: string; ids: number[]; digests: Buffer; mac: Buffer };

/** An entry as it is signed: its id, and all of its columns as text. */
export type SignedEntry = { id: number; text: string };

/** Number of the advisory lock of the process that seals. */
const sealLock = 7300220;

/** Takes the right to seal until the transaction ends; false if another process has it. */
export async function lockSeals(tx: OpenTransaction): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${sealLock}) as free`.execute(tx);
  return rows[0]?.free === true;
}

const sealColumns = sql`id, to_char(sealed_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') as "sealedAt", to_id as "toId", key_id as "keyId", ids, digests, mac`;

/** Seals after one, in order. */
export async function readSeals(db: Kysely<Tables>, after: number, limit: number): Promise<AuditSeal[]> {
  const { rows } = await sql<AuditSeal>`
    select ${sealColumns} from audit_seals where id > ${after}::bigint order by id limit ${limit}::bigint
  `.execute(db);
  return rows;
}

/** The newest seal; null: nothing is sealed. */
export async function readLastSeal(db: Kysely<Tables>): Promise<AuditSeal | null> {
  const { rows } = await sql<AuditSeal>`select ${sealColumns} from audit_seals order by id desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Stores a seal. */
export async function addSeal(tx: OpenTransaction, seal: AuditSeal): Promise<void> {
  await sql`
    insert into audit_seals (id, sealed_at, to_id, key_id, ids, digests, mac)
    values (${seal.id}, ${`${seal.sealedAt}Z`}::timestamptz, ${seal.toId}, ${seal.keyId}, ${seal.ids}::bigint[], ${seal.digests}, ${seal.mac})
  `.execute(tx);
}

/**
 * Entries after an id, in order, up to another. All columns take part, each in a form that depends neither on the time zone nor on
 * the locale of the session. The text of jsonb is the same for the same value.
 */
export async function readSignedEntries(
  db: Kysely<Tables>,
  { after, until, limit }: { after: number | null; until: number; limit: number },
): Promise<SignedEntry[]> {
  const { rows } = await sql<SignedEntry>`
    select id, jsonb_build_array(id, (extract(epoch from at) * 1000000)::bigint, actor_id, action, entity, entity_id, entity_label, app_id,
      host(ip), masklen(ip), request_id, changes)::text as text
    from audit_entries where ${after === null ? sql`true` : sql`id > ${after}::bigint`} and id <= ${until}::bigint
    order by id limit ${limit}::bigint
  `.execute(db);
  return rows;
}

/** How many entries come after an id. */
export async function countEntriesAfter(db: Kysely<Tables>, after: number | null): Promise<number> {
  const { rows } = await sql<{ entries: number }>`
    select count(*) as entries from audit_entries where ${after === null ? sql`true` : sql`id > ${after}::bigint`}
  `.execute(db);
  return rows[0]?.entries ?? 0;
}

/** The newest id that is committed; null: there is no entry. */
export async function readNewestId(db: Kysely<Tables>): Promise<number | null> {
  const { rows } = await sql<{ newest: number | null }>`select max(id) as newest from audit_entries`.execute(db);
  return rows[0]?.newest ?? null;
}

/**
 * The transactions that may have taken an id of the trail and are not over. An insert holds this lock from before it takes an id
 * until its transaction is over, and what was committed is visible before the lock is given back.
 */
export async function listWriters({ ops }: Databases['pools']): Promise<string[]> {
  const { rows } = await ops.query<{ virtualtransaction: string }>(`
    select distinct virtualtransaction from pg_locks
    where locktype = 'relation' and relation = 'audit_entries'::regclass and granted
      and database = (select oid from pg_database where datname = current_database())
      and mode not in ('AccessShareLock', 'RowShareLock')`);
  return rows.map((row) => row.virtualtransaction);
}
