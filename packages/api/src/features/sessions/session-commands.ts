import type * as contract from '@switchyard/contract/own-sessions';
import type { signOut as signOutCall, signOutByGet } from '@switchyard/contract/session';
import type { Databases } from '../../database/connect.ts';
import { notFound, unauthorized } from '../../errors.ts';
import type { Call } from '../../http/bind.ts';
import { recordAudit, recordAudits, transaction, unchanged } from '../../database/transaction.ts';
import { revokeTokensOf } from '../api-tokens/account-tokens-lookup.ts';
import { lockCaller } from '../credentials/caller-lookup.ts';
import { deleteLiveSessions } from './sessions-lookup.ts';
import { deleteSession } from './sessions-store.ts';

type Dependencies = { db: Databases['db']; now: Date; idleSince: Date };

/** Signs out: ends the caller's current session. */
export async function signOut(
  { db }: Pick<Dependencies, 'db'>,
  { caller, request }: Call<typeof signOutCall | typeof signOutByGet>,
): Promise<void> {
  await transaction(db, async (tx) => {
    if (!(await deleteSession(tx, caller.by.sessionId))) return unchanged(undefined);
    const { account: actor, by } = caller;
    return recordAudit(tx, { actor, entity: 'session', action: 'logout', id: by.sessionId, label: actor.email, request });
  });
}

/** Ends one of the caller's live sessions, the current one too; sessions of others are not found. */
export async function endOwnSession(
  deps: Dependencies,
  { params: { id }, caller, request }: Call<typeof contract.endOwnSession>,
): Promise<void> {
  const { account: actor } = caller;
  await transaction(deps.db, async (tx) => {
    const endedIds = await deleteLiveSessions(tx, { ...deps, accountId: actor.id, which: { id } });
    if (endedIds.length === 0) throw notFound();
    return recordAudit(tx, { actor, entity: 'session', action: 'end', id, label: actor.email, request });
  });
}

/**
 * Ends all of the caller's live sessions except the current one, and revokes the caller's API tokens if asked to, each with an
 * audit entry. Throws 401 if the current one has ended meanwhile: otherwise two sessions that end each other at once would both
 * succeed.
 */
export async function endOtherSessions(
  deps: Dependencies,
  { body, caller, request }: Call<typeof contract.endOtherSessions>,
): Promise<void> {
  const { account: actor } = caller;
  const { sessionId } = caller.by;
  await transaction(deps.db, async (tx) => {
    if (!(await lockCaller(tx, caller))) throw unauthorized();
    const endedIds = await deleteLiveSessions(tx, { ...deps, accountId: actor.id, which: { exceptId: sessionId } });
    const common = { actor, entity: 'session', action: 'end', label: actor.email, request } as const;
    const revocations = body.revoke_tokens ? await revokeTokensOf(tx, { ownerId: actor.id, actor, request }) : [];
    return recordAudits(tx, [...endedIds.map((id) => ({ ...common, id })), ...revocations], undefined);
  });
}
