import { sql } from 'kysely';
import type { OpenTransaction } from '../../database/transaction.ts';
import type { SessionCaller } from '../../http/bind.ts';
import { callerColumns, heldRoles, mayAct, rightsOf, type CallerRow } from '../credentials/caller-lookup.ts';

/**
 * The caller of a session with its current rights, for what goes on after its call; undefined if the session has ended or its
 * account may not sign in any more. Nobody waits for such work, so an idle session counts as live.
 */
export async function findSessionCaller(
  tx: OpenTransaction,
  { sessionId, now, demoIsOn }: { sessionId: number; now: Date; demoIsOn: boolean },
): Promise<SessionCaller | undefined> {
  // The columns of a caller expect the current instant as the second parameter.
  const { rows } = await sql<CallerRow & { authenticated_at: Date }>`
    with asked as (select ${sessionId}::bigint as id, ${now}::timestamptz as now, ${demoIsOn}::boolean as demo_is_on)
    select s.authenticated_at, ${sql.raw(callerColumns)}
    from asked join sessions s on s.id = asked.id and s.expires_at > asked.now join accounts a on a.id = s.account_id
    ${sql.raw(heldRoles)}
    where ${sql.raw(mayAct('asked.demo_is_on'))}
  `.execute(tx);
  const [row] = rows;
  if (!row) return undefined;
  return {
    kind: 'account',
    by: { kind: 'session', sessionId, authenticatedAt: row.authenticated_at },
    ...rightsOf(row),
  };
}
