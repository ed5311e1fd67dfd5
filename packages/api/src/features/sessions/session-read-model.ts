import { coalesce } from '../../coalesce.ts';
import type { Databases } from '../../database/connect.ts';
import { isStorageFull } from '../../database/database-errors.ts';
import { unauditedStatement } from '../../database/transaction.ts';
import type { SessionCaller } from '../../http/bind.ts';
import { callerColumns, heldRoles, toSessionUser, type CallerRow } from '../callers/caller-lookup.ts';

type SessionRow = CallerRow & { token_hash: Buffer; session_id: number; is_long_unwritten: boolean; authenticated_at: Date };

/** One statement for many requests: the live sessions with the current roles, permissions and apps of their accounts. */
const callerQuery = `
select s.token_hash, s.id as session_id, s.last_used_at <= $4 as is_long_unwritten, s.authenticated_at, ${callerColumns}
from sessions s join accounts a on a.id = s.account_id
${heldRoles}
where s.token_hash = any($1::bytea[]) and s.expires_at > $2 and s.last_used_at > $3 and a.has_access and a.deleted_at is null
  and ($5 or not a.is_demo)`;

/** Skips rows that another process has locked, so that batches neither wait for each other nor deadlock. */
const useStatement = `
update sessions set last_used_at = $2 where id in (
  select id from sessions where id = any($1::bigint[]) and last_used_at <= $3 for update skip locked)`;

/** Instants that decide whether a session is live and whether its use is written. */
export type SessionClock = { now: Date; idleSince: Date; writtenBefore: Date };

/** The account behind a session token's hash; null when the session is unknown, ended, expired or idle, or the account may not sign in. */
export type FindCaller = (hash: Buffer) => Promise<SessionCaller | null>;

/**
 * Looks up callers. Concurrent lookups share a query, which begins after they were asked for, so an ended session is unknown
 * from the next call on. The time of use is written when the stored one is older than `writtenBefore`, so most requests
 * write nothing, and not at all while the storage is full. Demo accounts are unknown while the demo is off.
 */
export function createCallerLookup(pool: Databases['pools']['sessions'], clock: () => SessionClock, demoIsOn: boolean): FindCaller {
  const instants = () => {
    const { now, idleSince, writtenBefore } = clock();
    return { now: now.toISOString(), idleSince: idleSince.toISOString(), writtenBefore: writtenBefore.toISOString() };
  };
  const lookUp = coalesce(async (hashes: readonly string[]) => {
    const { now, idleSince, writtenBefore } = instants();
    const values = [[...new Set(hashes)].map((hash) => Buffer.from(hash, 'hex')), now, idleSince, writtenBefore, demoIsOn];
    const { rows } = await pool.query<SessionRow>({ name: 'session-callers', text: callerQuery, values });
    return new Map(rows.map((row) => [row.token_hash.toString('hex'), row]));
  });
  const writeUse = coalesce(async (ids: readonly number[]) => {
    const { now, writtenBefore } = instants();
    const write = { name: 'sessions-used', text: useStatement, values: [[...new Set(ids)], now, writtenBefore] };
    await unauditedStatement('the last use of a session is no change by anybody', pool)
      .query(write)
      .catch((error: unknown) => {
        if (!isStorageFull(error)) throw error;
      });
  });

  return async (hash) => {
    const key = hash.toString('hex');
    const row = (await lookUp(key)).get(key);
    if (!row) return null;
    if (row.is_long_unwritten) await writeUse(row.session_id);
    return {
      kind: 'account',
      by: { kind: 'session', sessionId: row.session_id, authenticatedAt: row.authenticated_at },
      mustSetUpFactor: row.must_set_up_factor,
      account: toSessionUser(row),
      scope: row.app_ids ?? 'all',
    };
  };
}
