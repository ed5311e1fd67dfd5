import type { Databases } from '../../database/connect.ts';
import { notFound, unauthorized } from '../../errors.ts';
import type { AccountCaller, RequestContext } from '../../http/bind.ts';
import { recordAudit } from '../audit/record-audit-lookup.ts';
import { deleteLiveSessions } from './live-sessions-lookup.ts';
import { inTransaction, lockSession } from './session-store.ts';

type Dependencies = { db: Databases['db']; now: Date; idleSince: Date };
type Call = { caller: AccountCaller; request: RequestContext };

/** Ends one of the caller's live sessions, the current one too (api [6]); anybody else's is not found. */
export async function endOwnSession(deps: Dependencies, { id, caller, request }: Call & { id: number }): Promise<void> {
  const { account: actor } = caller;
  await inTransaction(deps.db, async (tx) => {
    const ended = await deleteLiveSessions(tx, { ...deps, accountId: actor.id, which: { id } });
    if (ended.length === 0) throw notFound();
    await recordAudit(tx, { actor, entity: 'session', action: 'end', entityId: id, entityLabel: actor.email, request });
  });
}

/**
 * Ends all of the caller's live sessions but the current one ([113]), each with an audit entry. Rejects with 401 when the
 * current one was ended meanwhile: otherwise two sessions that end each other at once would both succeed.
 */
export async function endOtherSessions(deps: Dependencies, { caller, request }: Call): Promise<void> {
  const { account: actor, sessionId } = caller;
  await inTransaction(deps.db, async (tx) => {
    if (!(await lockSession(tx, { accountId: actor.id, id: sessionId }))) throw unauthorized();
    for (const entityId of await deleteLiveSessions(tx, { ...deps, accountId: actor.id, which: { exceptId: sessionId } }))
      await recordAudit(tx, { actor, entity: 'session', action: 'end', entityId, entityLabel: actor.email, request });
  });
}
