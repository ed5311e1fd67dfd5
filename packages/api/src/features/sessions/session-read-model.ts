import type { Databases } from '../../database/connect.ts';
import type { SessionCaller } from '../../http/bind.ts';
import { callerColumns, heldRoles, mayAct, rightsOf, type CallerRow } from '../credentials/caller-lookup.ts';
import { createCredentialLookup, createUseWriter } from '../credentials/credential-lookup.ts';
import { isSessionToken } from './sessions-lookup.ts';

type SessionRow = CallerRow & { token_hash: Buffer; session_id: number; is_long_unwritten: boolean; authenticated_at: Date };

/** One statement for many requests: the live sessions with the current roles, permissions and apps of their accounts. */
const callerQuery = `
select s.token_hash, s.id as session_id, s.last_used_at <= $4 as is_long_unwritten, s.authenticated_at, ${callerColumns}
from sessions s join accounts a on a.id = s.account_id
${heldRoles}
where s.token_hash = any($1::bytea[]) and s.expires_at > $2 and s.last_used_at > $3 and ${mayAct('$5')}`;

const useStatement = `
update sessions set last_used_at = $2 where id in (
  select id from sessions where id = any($1::bigint[]) and last_used_at <= $3 for update skip locked)`;

/** Instants that decide whether a session is live and whether its use is written. */
type SessionClock = { now: Date; idleSince: Date; writtenBefore: Date };

/**
 * Looks up the callers behind session tokens; null when the session is unknown, ended, expired or idle, or the account may not
 * sign in. Demo accounts are unknown while the demo is off. The use is written when the stored one is older than
 * `writtenBefore`, so most requests write nothing.
 */
export function createSessionLookup(
  pool: Databases['pools']['sessions'],
  clock: () => SessionClock,
  demoIsOn: boolean,
): (token: string) => Promise<SessionCaller | null> {
  const findRow = createCredentialLookup<SessionRow>(pool, {
    name: 'session-callers',
    text: callerQuery,
    values() {
      const { now, idleSince, writtenBefore } = clock();
      return [now, idleSince, writtenBefore, demoIsOn];
    },
  });
  const writeUse = createUseWriter(pool, {
    name: 'sessions-used',
    text: useStatement,
    values(uses) {
      const { now, writtenBefore } = clock();
      return [uses.map(({ id }) => id), now, writtenBefore];
    },
  });

  return async (token) => {
    const row = isSessionToken(token) ? await findRow(token) : undefined;
    if (!row) return null;
    if (row.is_long_unwritten) await writeUse({ id: row.session_id });
    return {
      kind: 'account',
      by: { kind: 'session', sessionId: row.session_id, authenticatedAt: row.authenticated_at },
      ...rightsOf(row),
    };
  };
}
