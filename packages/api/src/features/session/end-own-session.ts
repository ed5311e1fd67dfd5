import type { Databases } from '../../database/connect.ts';
import { notFound } from '../../errors.ts';
import type { AccountCaller, RequestContext } from '../../http/bind.ts';
import { recordAudit } from '../audit/record-audit-lookup.ts';
import { deleteOwnSession } from './own-sessions-store.ts';
import { inTransaction } from './session-store.ts';

/** Ends one of the caller's live sessions, the current one too (api [6]); anybody else's is not found. */
export async function endOwnSession(
  deps: { db: Databases['db']; now: Date; idleSince: Date },
  { id, caller, request }: { id: number; caller: AccountCaller; request: RequestContext },
): Promise<void> {
  const { account: actor } = caller;
  await inTransaction(deps.db, async (tx) => {
    if (!(await deleteOwnSession(tx, { ...deps, id, accountId: actor.id }))) throw notFound();
    await recordAudit(tx, { actor, entity: 'session', action: 'end', entityId: id, entityLabel: actor.email, request });
  });
}
