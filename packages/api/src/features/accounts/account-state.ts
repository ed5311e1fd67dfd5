import type { Writer, Standing } from '../access-rules/account-rules-lookup.ts';
import { holderOf } from '../access-rules/permission-rules-lookup.ts';
import { changesBetween } from '../audit/record-audit-lookup.ts';
import type { StoredAccount, StoredRole } from './accounts-read-model.ts';
import type { AccountState } from './accounts-store.ts';

/** What of a stored account a write can change. */
export function stateOf(stored: StoredAccount): AccountState {
  return {
    name: stored.name,
    email: stored.email,
    hasAccess: stored.has_access,
    isQa: stored.is_qa,
    roleIds: stored.roles.map((role) => role.id),
    apps: stored.all_apps ? 'all' : stored.appIds,
  };
}

/** What the rules know of an account in some state. */
export function standingOf(
  state: AccountState,
  { panel, roles }: { panel: StoredAccount['panel']; roles: readonly StoredRole[] },
): Standing {
  const held = roles.filter((role) => state.roleIds.includes(role.id));
  return { ...holderOf(held), panel, hasAccess: state.hasAccess, roleIds: state.roleIds, apps: state.apps };
}

/** Who writes an account, with his roles. */
export type AccountWriter = Writer & { roleIds: readonly number[] };

/** A signed-in account as the one who writes. */
export function writerOf(stored: StoredAccount): AccountWriter {
  const { apps, roleIds } = stateOf(stored);
  return { ...holderOf(stored.roles), id: stored.id, scope: apps, roleIds };
}

/** What the audit trail tells of a write, by the names on the wire; of a new account everything that it has. */
export function accountChanges(before: AccountState | null, after: AccountState, roles: readonly StoredRole[]) {
  const changes = changesBetween(before === null ? {} : auditFields(before, roles), auditFields(after, roles));
  return before === null ? changes.filter(({ to }) => !(Array.isArray(to) && to.length === 0)) : changes;
}

function auditFields(state: AccountState, roles: readonly StoredRole[]): Record<string, unknown> {
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
