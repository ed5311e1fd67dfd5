import type { Account, AccountApp, AccountRow, Buyer, BuyerRow } from '@switchyard/contract/accounts';
import { wireDate } from '@switchyard/contract/dates';
import { superAdminRoleId } from '@switchyard/contract/permissions';
import type { AppScope } from '../../traffic-store/traffic-store.ts';
import type { StoredAccount } from './accounts-read-model.ts';

/**
 * Ids of the apps that a reader with this scope is shown of an account: of staff all it is tied to, of a buyer only those
 * that the reader sees himself (api 0.11).
 */
export function shownAppIds({ panel, appIds }: StoredAccount, scope: AppScope): number[] {
  if (panel === 'user' || scope === 'all') return appIds;
  const seen = new Set(scope);
  return appIds.filter((id) => seen.has(id));
}

/** An account as lists show it (api 6). */
export function toAccountRow(stored: StoredAccount, scope: AppScope): AccountRow {
  return {
    id: stored.id,
    name: stored.name,
    email: stored.email,
    panel: stored.panel,
    hasAccess: stored.has_access,
    isQa: stored.is_qa,
    roles: stored.roles.map((role) => role.label),
    badges: stored.roles.map((role) => role.badge),
    appIds: shownAppIds(stored, scope),
    hasAllApps: stored.all_apps,
    isSuperAdmin: stored.roles.some((role) => role.id === superAdminRoleId),
    deleted_at: null,
    created_at: wireDate(stored.created_at),
    updated_at: wireDate(stored.updated_at),
    version: stored.version,
  };
}

/** A buyer as lists show him (api 7). */
export function toBuyerRow(stored: StoredAccount, scope: AppScope): BuyerRow {
  const row = toAccountRow(stored, scope);
  return { ...row, app_ids: row.appIds };
}

/** One account as a reader with this scope is shown it, with the apps he is shown of it. */
export type ShownAccount = { stored: StoredAccount; apps: AccountApp[]; scope: AppScope };

/** A staff account with its apps (api 6). */
export function toAccount({ stored, apps, scope }: ShownAccount): Account {
  return { ...toAccountRow(stored, scope), apps };
}

/** A buyer with his apps (api 7). */
export function toBuyer({ stored, apps, scope }: ShownAccount): Buyer {
  return { ...toBuyerRow(stored, scope), apps };
}

/** An account in the form of its panel (AMB-171). */
export function toEither(shown: ShownAccount): Account | Buyer {
  return shown.stored.panel === 'buyer' ? toBuyer(shown) : toAccount(shown);
}
