import {
  endAccountSession as endAccountSessionCall,
  type AccountSessions,
  type EffectivePermission,
} from '@switchyard/contract/account-activity';
import { permissionCatalogue } from '@switchyard/contract/permissions';
import type { Databases } from '../../database/connect.ts';
import { notFound } from '../../errors.ts';
import type { AccountCaller, RequestContext } from '../../http/bind.ts';
import { sessionDenial } from '../access-rules/account-rules-lookup.ts';
import { refuse } from '../access-rules/denial-lookup.ts';
import { recordAudit } from '../audit/record-audit-lookup.ts';
import { deleteLiveSessions, listLiveSessions } from '../session/live-sessions-lookup.ts';
import { standingOf, stateOf } from './account-state.ts';
import { findAccount, listRoles, type StoredAccount } from './accounts-read-model.ts';
import { takeTurn } from './accounts-store.ts';
import { findLastActivity } from './activity-read-model.ts';
import { currentWriter, inTransaction } from './write-account.ts';

type SessionDependencies = { db: Databases['db']; now: () => Date; idleMinutes: number };

/** Where an account of either panel is signed in, and when it did anything last. Refuses unknown and deleted ones with 404. */
export async function listAccountSessions(
  deps: SessionDependencies,
  { id, caller }: { id: number; caller: AccountCaller },
): Promise<AccountSessions> {
  const { db } = deps;
  await existing(db, id);
  const sessions = await listLiveSessions(db, { accountId: id, sessionId: caller.sessionId, ...liveNow(deps) });
  return { last_active_at: await findLastActivity(db, id), sessions };
}

/**
 * Ends a live session of an account of either panel in one transaction with its audit entry. Refuses with 401 and 403 when
 * the caller lost his rights meanwhile, with 404 when the account or its session is gone, then by the rules of api 0.12.
 */
export async function endAccountSession(
  deps: SessionDependencies,
  { id, sessionId, caller, request }: { id: number; sessionId: number; caller: AccountCaller; request: RequestContext },
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await takeTurn(tx);
    const writer = await currentWriter(tx, { caller, request, needs: endAccountSessionCall.access.anyOf });
    const stored = await existing(tx, id);
    // A refusal takes the end back; only the delete itself can tell that the session is still live.
    const ended = await deleteLiveSessions(tx, { accountId: id, which: { id: sessionId }, ...liveNow(deps) });
    if (ended.length === 0) throw notFound();
    const roles = await listRoles(tx, stored.panel);
    refuse(sessionDenial(writer, standingOf(stateOf(stored), { panel: stored.panel, roles })));
    await recordAudit(tx, {
      actor: caller.account,
      entity: 'session',
      action: 'end',
      entityId: sessionId,
      entityLabel: stored.email,
      request,
    });
  });
}

/** What an account of either panel may do, by permission id, and the labels of the roles each permission comes from. */
export async function listAccountPermissions({ db }: { db: Databases['db'] }, id: number): Promise<EffectivePermission[]> {
  const { roles } = await existing(db, id);
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

async function existing(db: Databases['db'], id: number): Promise<StoredAccount> {
  const stored = await findAccount(db, { id });
  if (!stored) throw notFound();
  return stored;
}
