import { accountFilters, matchesFilters, saveAccountBody } from '@switchyard/contract/accounts';
import { bulkRuleOf, type BulkChange } from '@switchyard/contract/bulk';
import { single } from '@switchyard/contract/listing';
import { panels } from '@switchyard/contract/permissions';
import { z } from 'zod';
import { numberKeys, numbersOf, parseFilter, type BulkEntity, type LockedRow } from '../../bulk-rows.ts';
import type { Databases } from '../../database/connect.ts';
import { lockAccounts } from '../../database/lock-account.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import type { AccountCall } from '../../http/bind.ts';
import { composeDraft } from '../../http/parse-input.ts';
import { common, without } from './access-rules-lookup.ts';
import { changeAccountApps, saveAccount, switchAccess, type SaveDependencies } from './account-commands.ts';
import { toAccountRow } from './account-mapper.ts';
import { endAccountSessions, listSignedInIds } from './account-session-commands.ts';
import { countBelongings } from './belongings-store.ts';
import { listChangeableIds } from './changeable-accounts-lookup.ts';
import { listAccounts, listIdsWithAllApps, lockAccountWrites, lockApps, type StoredAccount } from './accounts-store.ts';

type Dependencies = SaveDependencies & { idleMinutes: number };

/** The filters of a list and its panel. Who has second factors is only known to those who may reset them, so it chooses no rows. */
const accountsTarget = accountFilters.extend({
  panel: single(z.enum(panels)),
  secondFactor: single(
    z
      .string()
      .optional()
      .refine((value) => value === undefined, { error: 'Accounts cannot be chosen by their second factor.' }),
  ),
});

/** Bulk changes of accounts of either panel: each row is changed by the command of a single account. */
export function createBulkAccounts(deps: Dependencies): BulkEntity {
  return {
    name: 'account',
    async listKeys(db, target, { scope }) {
      const { panel, secondFactor: _none, ...filters } = parseFilter(accountsTarget, target);
      const accounts = await listAccounts(db, { panel });
      return accounts.filter((account) => matchesFilters(toAccountRow(account, scope), filters)).map(({ id }) => String(id));
    },
    ...numberKeys,
    async lockRows(tx, { keys, changes, caller }) {
      const ids = numbersOf(keys);
      await lockAccountWrites(tx);
      // In the order of the commands, and before any account: the rows of an undo can have different apps.
      await lockApps(tx, changes.flatMap(appIdsOf), 'buyer');
      await lockAccounts(tx, ids);
      const accounts = await listAccounts(tx, { ids });
      const endsSessions = changes.some(({ action }) => action === 'account.end_sessions');
      const signedInIds = endsSessions ? await listSignedInIds({ ...deps, db: tx }, ids, caller) : new Set<number>();
      return new Map(accounts.map((account) => [String(account.id), toLockedRow(deps, account, signedInIds)]));
    },
    async summarizeBelongings(keys, caller) {
      const ownerIds = await listChangeableIds(deps.db, caller, numbersOf(keys));
      return countBelongings(deps.db, { ownerIds, showsNames: caller.scope === 'all', now: deps.now() });
    },
  };
}

function appIdsOf(change: BulkChange): number[] {
  return change.action === 'account.add_apps' || change.action === 'account.remove_apps' ? change.params.ids : [];
}

function toLockedRow(deps: Dependencies, account: StoredAccount, signedInIds: ReadonlySet<number>): LockedRow {
  return {
    label: account.name,
    state: `v${account.version}${signedInIds.has(account.id) ? '; signed in' : ''}`,
    apply: async (tx, change, call) => applyToAccount({ ...deps, db: tx }, { account, change, call }),
    inverseOf: (change) => inverseOf(account, change),
  };
}

async function applyToAccount(
  deps: Dependencies & { db: OpenTransaction },
  { account, change, call: callOfRun }: { account: StoredAccount; change: BulkChange; call: AccountCall },
): Promise<void> {
  const { id, panel } = account;
  const call = { ...callOfRun, id, needs: bulkRuleOf(change.action).needs };
  const saveRoles = async (roles: readonly number[]) =>
    saveAccount(deps, { ...call, panel, body: composeDraft(saveAccountBody, { roles }), matchesIfMatch: () => true });
  const roleIds = account.roles.map((role) => role.id);
  switch (change.action) {
    case 'account.set_access':
      if (change.params.hasAccess !== account.has_access) await switchAccess(deps, { ...call, panel, ...change.params });
      return;
    case 'account.add_roles':
      await saveRoles([...roleIds, ...change.params.ids]);
      return;
    case 'account.remove_roles':
      await saveRoles(without(roleIds, change.params.ids));
      return;
    case 'account.add_apps':
      // To an account that sees all apps, adding some would take the others away.
      if (!account.all_apps) await changeAccountApps(deps, { ...call, kind: 'add', ids: change.params.ids });
      return;
    case 'account.remove_apps':
      await changeAccountApps(deps, { ...call, kind: 'remove', ids: change.params.ids });
      return;
    case 'account.end_sessions':
      return endAccountSessions(deps, call);
    default:
      throw new Error(`Bulk run: no change of accounts (${change.action})`);
  }
}

function inverseOf(account: StoredAccount, change: BulkChange): BulkChange | null {
  const roleIds = account.roles.map((role) => role.id);
  switch (change.action) {
    case 'account.set_access':
      return { action: 'account.set_access', params: { hasAccess: account.has_access } };
    case 'account.add_roles':
      return { action: 'account.remove_roles', params: { ids: without(change.params.ids, roleIds) } };
    case 'account.remove_roles':
      return { action: 'account.add_roles', params: { ids: common(change.params.ids, roleIds) } };
    case 'account.add_apps':
      return { action: 'account.remove_apps', params: { ids: without(change.params.ids, account.appIds) } };
    case 'account.remove_apps':
      return { action: 'account.add_apps', params: { ids: common(change.params.ids, account.appIds) } };
    default:
      return null;
  }
}

/** Changes of the staff of an app, for bulk changes of apps. */
export function createStaffCommands({ now }: { now: () => Date }) {
  return {
    async lock(tx: OpenTransaction, accountIds: readonly number[]): Promise<ReadonlySet<number>> {
      await lockAccountWrites(tx);
      return new Set(await listIdsWithAllApps(tx, accountIds));
    },
    async change(
      db: Databases['db'],
      { appId, id, kind, ...call }: AccountCall & { id: number; kind: 'add' | 'remove'; appId: number },
    ): Promise<void> {
      await changeAccountApps({ db, now }, { ...call, id, kind, ids: [appId], needs: bulkRuleOf('app.add_staff').needs });
    },
  };
}
