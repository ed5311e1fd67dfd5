import type {
  AccountSessions,
  EffectivePermission,
  endAccountSession as endCall,
  listAccountSessions as listCall,
} from '@switchyard/contract/account-activity';
import { permissionCatalogue } from '@switchyard/contract/permissions';
import type { Databases } from '../../database/connect.ts';
import { recordAudits, transaction } from '../../database/transaction.ts';
import { notFound } from '../../errors.ts';
import type { AccountCaller, Call } from '../../http/bind.ts';
import { deleteLiveSessions, listLiveSessions, listOwnersOfLiveSessions } from '../sessions/sessions-lookup.ts';
import { rejectIfDenied, sessionDenial } from './access-rules-lookup.ts';
import { standingOf, stateOf } from './account-mapper.ts';
import { currentWriter, type WriteCall } from './account-target.ts';
import { findLastActivity, listRoles, lockAccountWrites, getAccount } from './accounts-store.ts';

export type SessionDependencies = { db: Databases['db']; now: () => Date; idleMinutes: number };

/** Live sessions and the last activity of an account of either panel. Rejects unknown and deleted accounts with 404. */
export async function listAccountSessions(
  deps: SessionDependencies,
  { params: { id }, caller }: Call<typeof listCall>,
): Promise<AccountSessions> {
  const { db } = deps;
  await getAccount(db, { id });
  const sessions = await listLiveSessions(db, { accountId: id, sessionId: caller.by.sessionId, ...liveNow(deps) });
  return { last_active_at: await findLastActivity(db, id), sessions };
}

/**
 * Ends a live session of an account of either panel. Throws 401 or 403 if the caller lost these rights meanwhile, 404 for an
 * unknown account or an ended session, then the errors of the rules on accounts.
 */
export async function endAccountSession(deps: SessionDependencies, { params, ...call }: Call<typeof endCall>): Promise<void> {
  await endSessions(deps, { ...call, id: params.id, which: { id: params.sessionId } });
}

/**
 * Ends all live sessions of an account, except the one that the caller acts with. Throws as `endAccountSession`, but an account without
 * live sessions stays as it is.
 */
export async function endAccountSessions(deps: SessionDependencies, call: WriteCall & { id: number }): Promise<void> {
  await endSessions(deps, { ...call, which: { exceptId: ownSessionId(call.caller) } });
}

async function endSessions(
  deps: SessionDependencies,
  { id, which, ...call }: WriteCall & { id: number; which: { id: number } | { exceptId: number } },
): Promise<void> {
  await transaction(deps.db, async (tx) => {
    await lockAccountWrites(tx);
    const writer = await currentWriter(tx, call);
    const account = await getAccount(tx, { id });
    // Only the delete itself shows whether the session is still live. A rejection below rolls it back.
    const endedIds = await deleteLiveSessions(tx, { accountId: id, which, ...liveNow(deps) });
    if ('id' in which && endedIds.length === 0) throw notFound();
    const roles = await listRoles(tx, account.panel);
    rejectIfDenied(sessionDenial(writer, standingOf(stateOf(account), { panel: account.panel, roles })));
    const event = { actor: call.caller.account, entity: 'session', action: 'end', label: account.email, request: call.request } as const;
    return recordAudits(
      tx,
      endedIds.map((sessionId) => ({ ...event, id: sessionId })),
      undefined,
    );
  });
}

/** Those of these accounts that have live sessions, without the one that the caller acts with. */
export async function listSignedInIds(deps: SessionDependencies, ids: readonly number[], caller: AccountCaller): Promise<Set<number>> {
  return new Set(await listOwnersOfLiveSessions(deps.db, { accountIds: ids, exceptId: ownSessionId(caller), ...liveNow(deps) }));
}

/** 0 for an API token, which is no session. */
function ownSessionId({ by }: AccountCaller): number {
  return by.kind === 'session' ? by.sessionId : 0;
}

/** The permissions of an account of either panel in order of id, with the labels of the roles that give each. */
export async function listAccountPermissions({ db }: { db: Databases['db'] }, id: number): Promise<EffectivePermission[]> {
  const { roles } = await getAccount(db, { id });
  return permissionCatalogue.flatMap(({ id: permissionId, label, description }) => {
    const from = roles.filter((role) => role.permissionIds.includes(permissionId)).map((role) => role.label);
    return from.length === 0 ? [] : [{ id: permissionId, label, description, roles: from }];
  });
}

/** Sessions that end after `now` and were used since `idleSince` are live. */
function liveNow({ now, idleMinutes }: Omit<SessionDependencies, 'db'>): { now: Date; idleSince: Date } {
  const moment = now();
  return { now: moment, idleSince: new Date(moment.getTime() - idleMinutes * 60_000) };
}
