import { type Kysely, sql } from 'kysely';
import type { Databases } from '../../database/connect.ts';
import type { Tables } from '../../database/tables.ts';
import type { OpenTransaction } from '../../database/transaction.ts';

/** A stored seal. Ids of entries are decimal texts: they are 64-bit numbers, and texts are what is signed. */
export type AuditSeal = {
  /** From 1 on without a gap, except after an acknowledged loss. */
  id: bigint;
  sealedAt: string;
  toId: string;
  keyId: string;
  ids: string[];
  digests: Buffer;
  mac: Buffer;
  /** Set after missing seals that an administrator acknowledged: the number of the seal before these, 0 for none. */
  resumesAfter: bigint | null;
};

/** An entry as it is signed: its id, and all of its columns as text. */
export type SignedEntry = { id: string; text: string };

/** Number of the advisory lock of the process that seals. */
const sealLock = 7300220;

/** Takes the right to seal until the transaction ends; false at once if another process has it. */
export async function lockSeals(tx: OpenTransaction): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${sealLock}) as free`.execute(tx);
  return rows[0]?.free === true;
}

/** Waits for the right to seal, and keeps it until the transaction ends. */
export async function lockSealing(tx: OpenTransaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sealLock})`.execute(tx);
}

type StoredSeal = Omit<AuditSeal, 'id' | 'resumesAfter'> & { id: string; resumesAfter: string | null };

/** The number is text here, so an order by `id` alone would be that of texts: 1, 10, 2. */
const sealColumns = sql`id::text, to_char(sealed_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') as "sealedAt", to_id::text as "toId",
  key_id as "keyId", ids::text[], digests, mac, resumes_after::text as "resumesAfter"`;

function toSeal(seal: StoredSeal): AuditSeal {
  return { ...seal, id: BigInt(seal.id), resumesAfter: seal.resumesAfter === null ? null : BigInt(seal.resumesAfter) };
}

/** Seals after one, in order. `acknowledging`: only those after missing ones. */
export async function listSeals(
  db: Kysely<Tables>,
  { after, limit, acknowledging = false }: { after: bigint; limit: number; acknowledging?: boolean },
): Promise<AuditSeal[]> {
  const { rows } = await sql<StoredSeal>`
    select ${sealColumns} from audit_seals
    where id > ${String(after)}::bigint ${acknowledging ? sql`and resumes_after is not null` : sql``}
    order by audit_seals.id limit ${limit}::bigint
  `.execute(db);
  return rows.map(toSeal);
}

/** A seal by its number. */
export async function findSeal(db: Kysely<Tables>, id: bigint): Promise<AuditSeal | undefined> {
  const { rows } = await sql<StoredSeal>`select ${sealColumns} from audit_seals where id = ${String(id)}::bigint`.execute(db);
  return rows.map(toSeal)[0];
}

/** The newest seal. A number that the console cannot reach is not one of its seals, and would leave no number for the next. */
export async function findLastSeal(db: Kysely<Tables>): Promise<AuditSeal | undefined> {
  const { rows } = await sql<StoredSeal>`
    select ${sealColumns} from audit_seals where id < 4611686018427387904 order by audit_seals.id desc limit 1
  `.execute(db);
  return rows.map(toSeal)[0];
}

/** Stores a seal. */
export async function insertSeal(tx: OpenTransaction, seal: AuditSeal): Promise<void> {
  const { id, sealedAt, toId, keyId, ids, digests, mac, resumesAfter } = seal;
  await sql`
    insert into audit_seals (id, sealed_at, to_id, key_id, ids, digests, mac, resumes_after)
    values (${String(id)}::bigint, ${`${sealedAt}Z`}::timestamptz, ${toId}::bigint, ${keyId}, ${ids}::bigint[], ${digests}, ${mac},
      ${resumesAfter === null ? null : String(resumesAfter)}::bigint)
  `.execute(tx);
}

/**
 * Entries after an id, in order, up to another. All columns take part, each in a form that depends neither on the time zone nor on
 * the locale of the session. The text of jsonb is the same for the same value.
 */
export async function listSignedEntries(
  db: Kysely<Tables>,
  { after, until, limit }: { after: string | null; until: string; limit: number },
): Promise<SignedEntry[]> {
  const { rows } = await sql<SignedEntry>`
    select id::text, jsonb_build_array(id, (extract(epoch from at) * 1000000)::bigint, actor_id, action, entity, entity_id, entity_label,
      app_id, host(ip), masklen(ip), request_id, changes)::text as text
    from audit_entries where ${isAfter(after)} and audit_entries.id <= ${until}::bigint
    order by audit_entries.id limit ${limit}::bigint
  `.execute(db);
  return rows;
}

function isAfter(id: string | null) {
  return id === null ? sql`true` : sql`audit_entries.id > ${id}::bigint`;
}

/** Counts the entries after an id. */
export async function countEntriesAfter(db: Kysely<Tables>, after: string | null): Promise<number> {
  const { rows } = await sql<{ entries: number }>`select count(*) as entries from audit_entries where ${isAfter(after)}`.execute(db);
  return rows[0]?.entries ?? 0;
}

/** The newest id that the sequence gave. Read once, after the snapshot of its statement, so no committed entry is ahead of it. */
const lastGivenId = sql`(select coalesce(pg_sequence_last_value(pg_get_serial_sequence('audit_entries', 'id')::regclass), 0))`;

/** The newest id that is committed and that the sequence gave; null: there is no such entry. */
export async function findNewestId(db: Kysely<Tables>): Promise<string | null> {
  const { rows } = await sql<{ newest: string | null }>`
    select max(id)::text as newest from audit_entries where id <= ${lastGivenId}
  `.execute(db);
  return rows[0]?.newest ?? null;
}

/** Entries with ids that the sequence has not given yet, so that the console cannot have written them. */
export async function listIdsAhead(db: Kysely<Tables>, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id::text from audit_entries where id > ${lastGivenId} order by audit_entries.id limit ${limit}::bigint
  `.execute(db);
  return rows.map(({ id }) => id);
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
