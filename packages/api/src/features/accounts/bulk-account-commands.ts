import { bulkRuleOf } from '@switchyard/contract/bulk';
import { byNumber, numbersOf, type BulkEntity } from '../../bulk-rows.ts';
import type { Databases } from '../../database/connect.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import { FieldErrors } from '../../errors.ts';
import type { AccountCall } from '../../http/bind.ts';
import { changeAccountApps, switchAccess } from './account-commands.ts';
import { listIdsWithAllApps, listVersions, lockAccountWrites } from './accounts-store.ts';

/** Bulk changes of accounts of either panel: each row is changed by the command of a single account. */
export function createBulkAccounts({ now }: { now: () => Date }): BulkEntity {
  return {
    name: 'account',
    async listKeys() {
      throw new FieldErrors({ 'target.filter': ['Accounts are chosen one by one.'] });
    },
    compareKeys: byNumber,
    async lockRows(tx, { keys }) {
      await lockAccountWrites(tx);
      const accounts = await listVersions(tx, numbersOf(keys));
      return new Map(
        accounts.map(({ id, panel, name, version, has_access: hasAccess }) => [
          String(id),
          {
            label: name,
            state: `v${version}`,
            async apply(db, change, call) {
              if (change.action !== 'account.set_access') throw new Error(`Bulk run: no change of accounts (${change.action})`);
              if (change.params.hasAccess === hasAccess) return;
              const { needs } = bulkRuleOf(change.action);
              await switchAccess({ db, now }, { ...call, id, panel, needs, hasAccess: change.params.hasAccess });
            },
            inverseOf: () => ({ action: 'account.set_access', params: { hasAccess } }),
          },
        ]),
      );
    },
  };
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
