import { permissionCatalogue, type Panel, type Permission } from '@switchyard/contract/permissions';
import type { Databases } from '../../database/connect.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import { forbidden, notFound, unauthorized } from '../../errors.ts';
import type { AccountCall } from '../../http/bind.ts';
import { limitedToCaller, rejectIfDenied, targetDenial, without, type AppsCall } from './access-rules-lookup.ts';
import { standingOf, stateOf, writerOf, type AccountWriter } from './account-mapper.ts';
import * as store from './accounts-store.ts';

export type WriteDependencies = { db: Databases['db']; now: () => Date };

/**
 * Who calls, with which of the call's permissions. Both are checked again once the transaction holds the lock. `needs`
 * null: everybody may make the call.
 */
export type WriteCall = AccountCall & { needs: readonly Permission[] | null };

/** A locked account, and what the rules on its change depend on. */
export type Target = {
  writer: AccountWriter;
  account: store.StoredAccount;
  before: store.AccountState;
  /** Roles of the account's panel. */
  roles: readonly store.StoredRole[];
  /** The locked apps: those that the call names and, with `mayUnlinkAny`, those of a buyer. Unknown ids are left out. */
  knownApps: ReadonlySet<number>;
};

/**
 * Locks an account of the given panel, or of either, and the apps that its change touches. Throws, in this order: 401 or 403 if the
 * caller lost these rights meanwhile, 404 for an unknown account, 403 if the account ranks above the caller.
 */
export async function lockTarget(
  tx: OpenTransaction,
  call: WriteCall & { id: number; panel?: Panel; apps: AppsCall; mayUnlinkAny: boolean },
): Promise<Target> {
  const { id, panel, apps } = call;
  await store.lockAccountWrites(tx);
  const writer = await currentWriter(tx, call);
  const unlockedAccount = await store.findAccount(tx, { id, panel });
  if (!unlockedAccount) throw notFound();
  const appIds = [...(apps?.ids ?? []), ...(unlockedAccount.panel === 'buyer' && call.mayUnlinkAny ? unlockedAccount.appIds : [])];
  const knownApps = await store.lockApps(tx, appIds, unlockedAccount.panel);
  const account = (await store.lockAccount(tx, id)) ? await store.findAccount(tx, { id }) : undefined;
  if (!account) throw notFound();
  const roles = await store.listRoles(tx, account.panel);
  const before = stateOf(account);
  rejectIfDenied(targetDenial(writer, standingOf(before, { panel: account.panel, roles })));
  return { writer, account, before, roles, knownApps };
}

/** The caller as the transaction sees them: another write may have taken their access, roles or apps. */
export async function currentWriter(tx: OpenTransaction, { caller, needs }: WriteCall): Promise<AccountWriter> {
  const account = await store.findAccount(tx, { id: caller.account.id });
  if (!account?.has_access) throw unauthorized();
  const writer = limitedToCaller(caller, writerOf(account));
  const mayCall = needs === null || permissionCatalogue.some(({ id, label }) => needs.includes(label) && writer.permissionIds.has(id));
  if (!mayCall) throw forbidden();
  return writer;
}

/** Another command changed the buyer's apps before the account was locked, so this one would change apps without their lock. */
class AppsMoved extends Error {}
const attempts = 5;

/** The apps of a buyer that the change links or unlinks, whose versions it raises. Throws for one that is not locked. */
export function movedApps({ account, before, knownApps }: Target, after: store.AccountState['apps']): number[] {
  const movedIds = account.panel === 'buyer' ? difference(before.apps, after) : [];
  if (movedIds.some((app) => !knownApps.has(app))) throw new AppsMoved();
  return movedIds;
}

/** Runs a command again when apps moved before they were locked. */
export async function retryOnMovedApps<T>(command: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await command();
    } catch (error) {
      if (!(error instanceof AppsMoved) || attempt === attempts) throw error;
    }
  }
}

/** Apps in one of two sets only. */
export function difference(before: store.AccountState['apps'], after: store.AccountState['apps']): number[] {
  const [one, other] = [before === 'all' ? [] : before, after === 'all' ? [] : after];
  return [...without(one, other), ...without(other, one)];
}
