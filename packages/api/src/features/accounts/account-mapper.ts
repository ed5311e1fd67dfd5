import type { Account, AccountRow, Buyer, BuyerRow } from '@switchyard/contract/accounts';
import { superAdminRoleId } from '@switchyard/contract/permissions';
import type { AppScope } from '@switchyard/contract/app-scope';
import { changesBetween } from '../../database/transaction.ts';
import { holderOf, type Standing, type Writer } from './access-rules-lookup.ts';
import { shownAppIds, type AccountState, type ShownAccount, type StoredAccount, type StoredRole } from './accounts-store.ts';

/** A staff account as a row of a list. */
export function toAccountRow(account: StoredAccount, scope: AppScope): AccountRow {
  return {
    id: account.id,
    name: account.name,
    email: account.email,
    panel: account.panel,
    hasAccess: account.has_access,
    isQa: account.is_qa,
    roles: account.roles.map((role) => role.label),
    badges: account.roles.map((role) => role.badge),
    appIds: shownAppIds(account, scope),
    hasAllApps: account.all_apps,
    isSuperAdmin: account.roles.some((role) => role.id === superAdminRoleId),
    deleted_at: null,
    created_at: account.created_at,
    updated_at: account.updated_at,
    version: account.version,
  };
}

/** A buyer as a row of a list. */
export function toBuyerRow(buyer: StoredAccount, scope: AppScope): BuyerRow {
  const row = toAccountRow(buyer, scope);
  return { ...row, app_ids: row.appIds };
}

/** The Account of the wire. */
export function toAccount({ account, apps, scope }: ShownAccount): Account {
  return { ...toAccountRow(account, scope), apps };
}

/** The Buyer of the wire. */
export function toBuyer({ account, apps, scope }: ShownAccount): Buyer {
  return { ...toBuyerRow(account, scope), apps };
}

/** The Account or the Buyer of the wire, by the panel of the account. */
export function toEither(shown: ShownAccount): Account | Buyer {
  return shown.account.panel === 'buyer' ? toBuyer(shown) : toAccount(shown);
}

/** The fields of a stored account that a command can change. */
export function stateOf(account: StoredAccount): AccountState {
  return {
    name: account.name,
    email: account.email,
    hasAccess: account.has_access,
    isQa: account.is_qa,
    roleIds: account.roles.map((role) => role.id),
    apps: account.all_apps ? 'all' : account.appIds,
  };
}

/** An account in some state, as the rules see it. */
export function standingOf(
  state: AccountState,
  { panel, roles }: { panel: StoredAccount['panel']; roles: readonly StoredRole[] },
): Standing {
  const heldRoles = roles.filter((role) => state.roleIds.includes(role.id));
  return { ...holderOf(heldRoles), panel, hasAccess: state.hasAccess, isQa: state.isQa, roleIds: state.roleIds, apps: state.apps };
}

/** The caller of a command on accounts, with their roles. */
export type AccountWriter = Writer & { roleIds: readonly number[] };

/** A stored account as the caller of a command. */
export function writerOf(account: StoredAccount): AccountWriter {
  const { apps, roleIds } = stateOf(account);
  return { ...holderOf(account.roles), id: account.id, scope: apps, roleIds };
}

/** The changes of an audit entry, by the names on the wire; of a new account (`before` null) all fields that are set. */
export function accountChanges(before: AccountState | null, after: AccountState, roles: readonly StoredRole[]) {
  const changes = changesBetween(before === null ? {} : auditFields(before, roles), auditFields(after, roles));
  return before === null ? changes.filter(({ to }) => !(Array.isArray(to) && to.length === 0)) : changes;
}

/** The fields of an account in the audit trail, by their names on the wire. */
export function auditFields(state: AccountState, roles: readonly StoredRole[]): Record<string, unknown> {
  return {
    name: state.name,
    email: state.email,
    hasAccess: state.hasAccess,
    roles: roles.filter((role) => state.roleIds.includes(role.id)).map((role) => role.label),
    isQa: state.isQa,
    hasAllApps: state.apps === 'all',
    appIds: state.apps === 'all' ? [] : state.apps,
  };
}
