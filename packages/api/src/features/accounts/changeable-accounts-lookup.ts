import { permissionIdsOf } from '@switchyard/contract/permissions';
import type { Kysely } from 'kysely';
import type { Tables } from '../../database/tables.ts';
import { unauthorized } from '../../errors.ts';
import type { AccountCaller, SessionCaller } from '../../http/bind.ts';
import { limitedToCaller, rejectIfDenied, sessionDenial, type Denial } from './access-rules-lookup.ts';
import { standingOf, stateOf, writerOf } from './account-mapper.ts';
import { listAccounts, listRoles, type StoredAccount } from './accounts-store.ts';

/** The accounts of both panels whose sessions, tokens, factors and schedules the caller may end: those that do not rank above the caller. */
export async function listChangeableAccounts(db: Kysely<Tables>, { account }: Pick<SessionCaller, 'account'>): Promise<StoredAccount[]> {
  const accounts = await listAccounts(db);
  const self = accounts.find(({ id }) => id === account.id);
  if (!self) throw unauthorized();
  const writer = writerOf(self);
  const roles = { user: await listRoles(db, 'user'), buyer: await listRoles(db, 'buyer') };
  return accounts.filter((one) => sessionDenial(writer, standingOf(stateOf(one), { panel: one.panel, roles: roles[one.panel] })) === null);
}

/** Throws 403 if an account ranks above the caller, also if they view the console as somebody else. */
export async function requireChangeable(db: Kysely<Tables>, caller: AccountCaller, account: StoredAccount): Promise<void> {
  rejectIfDenied((await loadRankRule(db, caller))(account));
}

/** Ids of those of the accounts that do not rank above the caller. */
export async function listChangeableIds(db: Kysely<Tables>, caller: AccountCaller, ids: readonly number[]): Promise<number[]> {
  return changeableIdsOf(db, caller, await listAccounts(db, { ids }));
}

/** `listChangeableIds` for accounts that were read already. */
export async function changeableIdsOf(db: Kysely<Tables>, caller: AccountCaller, accounts: readonly StoredAccount[]): Promise<number[]> {
  const denialOf = await loadRankRule(db, caller);
  return accounts.filter((account) => denialOf(account) === null).map(({ id }) => id);
}

async function loadRankRule(db: Kysely<Tables>, caller: AccountCaller): Promise<(account: StoredAccount) => Denial | null> {
  const { id, permissions, isSuperAdmin } = caller.account;
  const writer = limitedToCaller(caller, { id, scope: caller.scope, permissionIds: permissionIdsOf(permissions), isSuperAdmin });
  const roles = await listRoles(db);
  return (account) => sessionDenial(writer, standingOf(stateOf(account), { panel: account.panel, roles }));
}
