import { wireDate } from '@switchyard/contract/dates';
import { permissionCatalogue, type Panel, type Permission } from '@switchyard/contract/permissions';
import type { Databases } from '../../database/connect.ts';
import { forbidden, notFound, unauthorized } from '../../errors.ts';
import type { AccountCaller, RequestContext } from '../../http/bind.ts';
import type { AppScope } from '../../traffic-store/traffic-store.ts';
import { changeDenial, targetDenial, type Standing } from '../access-rules/account-rules-lookup.ts';
import { without, type AppsCall } from '../access-rules/app-rules-lookup.ts';
import { refuse } from '../access-rules/denial-lookup.ts';
import { recordAudit, secretChange } from '../audit/record-audit-lookup.ts';
import { shownAppIds, type ShownAccount } from './account-mapper.ts';
import { accountChanges, standingOf, stateOf, writerOf, type AccountWriter } from './account-state.ts';
import { findAccount, listAppsOfAccount, listRoles, type StoredAccount, type StoredRole } from './accounts-read-model.ts';
import * as store from './accounts-store.ts';

export type WriteDependencies = { db: Databases['db']; now: () => Date };

/**
 * Who calls, with which of the call's permissions; both are looked at again once it is the write's turn. `needs` null:
 * everybody may make the call.
 */
export type WriteCall = { caller: AccountCaller; request: RequestContext; needs: readonly Permission[] | null };

/** What a write knows once it is its turn. */
export type Turn = {
  tx: store.Tx;
  writer: AccountWriter;
  /** Roles of the account's panel. */
  roles: readonly StoredRole[];
  /** Those of the named apps that exist. */
  knownApps: ReadonlySet<number>;
};

/** What is to become of an account; `after` null deletes it. */
type Wanted = { after: store.AccountState | null; passwordHash?: string | null };

type Action = 'update' | 'delete' | 'switch_access' | 'attach_apps' | 'detach_app' | 'sync_apps';

/** Somebody else changed the buyer's apps before the account was locked, so apps would change that are not. */
class AppsMoved extends Error {}
const attempts = 5;

/**
 * Changes an account of the given panel, or of either, in one transaction with its audit entry and the end of its
 * sessions. Refuses, in the order of api 0.3: 401 and 403 when the caller lost his rights meanwhile, 404, 403 when the
 * account stands above the caller, then what `decide` refuses, then 409 and 403 by the rules of api 0.12. What changes
 * nothing keeps the version and leaves no trace.
 */
export async function changeAccount(
  deps: WriteDependencies,
  call: WriteCall & { id: number; panel?: Panel; apps: AppsCall; action: Action },
  decide: (turn: Turn & { stored: StoredAccount; before: store.AccountState }) => Promise<Wanted> | Wanted,
): Promise<ShownAccount | null> {
  const { id, panel, apps, caller } = call;
  const write = async (tx: store.Tx): Promise<ShownAccount | null> => {
    await store.takeTurn(tx);
    const writer = await currentWriter(tx, call);
    const seen = await findAccount(tx, { id, panel });
    if (!seen) throw notFound();
    const mayLeaveAny = apps?.kind === 'set' || call.action === 'delete';
    const touched = [...(apps?.ids ?? []), ...(seen.panel === 'buyer' && mayLeaveAny ? seen.appIds : [])];
    const knownApps = await store.lockApps(tx, touched, seen.panel);
    const stored = (await store.lockAccount(tx, id)) ? await findAccount(tx, { id }) : undefined;
    if (!stored) throw notFound();

    const roles = await listRoles(tx, stored.panel);
    const before = stateOf(stored);
    const standing = (state: store.AccountState): Standing => standingOf(state, { panel: stored.panel, roles });
    refuse(targetDenial(writer, standing(before)));
    const { after, passwordHash = null } = await decide({ tx, writer, roles, knownApps, stored, before });
    const others = await store.countOtherSuperAdmins(tx, id);
    const newCredentials = after !== null && (passwordHash !== null || before.email !== after.email);
    refuse(changeDenial(writer, { id, before: standing(before), after: after && standing(after), apps, others, newCredentials }));

    const now = deps.now();
    const names = { actor: caller.account, entity: stored.panel, entityId: id, request: call.request };
    const moved = stored.panel === 'buyer' ? difference(before.apps, after?.apps ?? []) : [];
    if (moved.some((app) => !knownApps.has(app))) throw new AppsMoved();
    if (after === null) {
      await store.markDeleted(tx, id, now);
      await store.raiseAppVersions(tx, moved, now);
      await store.endSessions(tx, id, null);
      const changes = [{ field: 'deleted_at', from: null, to: wireDate(now) }];
      await recordAudit(tx, { ...names, action: 'delete', entityLabel: before.name, changes });
      return null;
    }
    const changes = [...accountChanges(before, after, roles), ...(passwordHash === null ? [] : [secretChange('password')])];
    if (changes.length === 0) return show(tx, stored, writer.scope);
    const isOtherAddress = before.email.toLowerCase() !== after.email.toLowerCase();
    await store.updateAccount(tx, { id, state: after, passwordHash, forgetsGoogle: isOtherAddress, now });
    await store.setRoles(tx, { id, panel: stored.panel, roleIds: after.roleIds });
    await store.setApps(tx, { id, panel: stored.panel, apps: after.apps });
    await store.raiseAppVersions(tx, moved, now);
    // With another address not even the caller's own session goes on: it may be a stolen one (O39).
    if (!after.hasAccess || isOtherAddress) await store.endSessions(tx, id, null);
    else if (passwordHash !== null) await store.endSessions(tx, id, id === caller.account.id ? caller.sessionId : null);
    await recordAudit(tx, { ...names, action: call.action, entityLabel: after.name, changes });
    return show(tx, await reread(tx, id), writer.scope);
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(deps.db, write);
    } catch (error) {
      if (!(error instanceof AppsMoved) || attempt === attempts) throw error;
    }
  }
}

/**
 * Adds an account in one transaction with its audit entry. Refuses with 401 and 403 when the caller lost his rights
 * meanwhile, then what `decide` refuses, then with 403 by the rules of api 0.12.
 */
export async function addAccount(
  deps: WriteDependencies,
  call: WriteCall & { panel: Panel; apps: AppsCall },
  decide: (turn: Turn) => Promise<{ after: store.AccountState; passwordHash: string }>,
): Promise<ShownAccount> {
  const { panel, apps } = call;
  return inTransaction(deps.db, async (tx) => {
    await store.takeTurn(tx);
    const writer = await currentWriter(tx, call);
    const knownApps = await store.lockApps(tx, apps?.ids ?? [], panel);
    const roles = await listRoles(tx, panel);
    const { after, passwordHash } = await decide({ tx, writer, roles, knownApps });
    const standing = standingOf(after, { panel, roles });
    refuse(
      changeDenial(writer, { id: null, before: null, after: standing, apps, others: { enabled: 0, withAllApps: 0 }, newCredentials: true }),
    );

    const now = deps.now();
    const id = await store.insertAccount(tx, { panel, state: after, passwordHash, now });
    await store.setRoles(tx, { id, panel, roleIds: after.roleIds });
    await store.setApps(tx, { id, panel, apps: after.apps });
    if (panel === 'buyer') await store.raiseAppVersions(tx, difference([], after.apps), now);
    const changes = [...accountChanges(null, after, roles), secretChange('password')];
    const names = { actor: call.caller.account, entity: panel, entityId: id, entityLabel: after.name, request: call.request };
    await recordAudit(tx, { ...names, action: 'create', changes });
    return show(tx, await reread(tx, id), writer.scope);
  });
}

/** An account as somebody with this scope is shown it. */
export async function show(db: Databases['db'], stored: StoredAccount, scope: AppScope): Promise<ShownAccount> {
  return { stored, apps: await listAppsOfAccount(db, shownAppIds(stored, scope)), scope };
}

/** Runs a write in one transaction. */
export async function inTransaction<T>(db: Databases['db'], write: (tx: store.Tx) => Promise<T>): Promise<T> {
  return db.transaction().execute(write);
}

/** The caller as he is when it is his turn: another write may have taken his access, his roles or his apps. */
export async function currentWriter(tx: store.Tx, { caller, needs }: WriteCall): Promise<AccountWriter> {
  const stored = await findAccount(tx, { id: caller.account.id });
  if (!stored?.has_access) throw unauthorized();
  const writer = writerOf(stored);
  const mayCall = needs === null || permissionCatalogue.some(({ id, label }) => needs.includes(label) && writer.permissionIds.has(id));
  if (!mayCall) throw forbidden();
  return writer;
}

async function reread(tx: store.Tx, id: number): Promise<StoredAccount> {
  const stored = await findAccount(tx, { id });
  if (!stored) throw new Error(`Account ${id} vanished inside its own transaction`);
  return stored;
}

/** Apps in one of two sets only. */
function difference(before: AppScope, after: AppScope): number[] {
  const [one, other] = [before === 'all' ? [] : before, after === 'all' ? [] : after];
  return [...without(one, other), ...without(other, one)];
}
