import { saveAccountBody } from '@switchyard/contract/accounts';
import { buyerHistory, historyRemarks, userHistory } from '@switchyard/contract/history';
import type { Panel } from '@switchyard/contract/permissions';
import { saveUser as saveCall } from '@switchyard/contract/users';
import { withinScope } from '@switchyard/contract/app-scope';
import type { AccountCaller, Bind } from '../../http/bind.ts';
import { composeDraft } from '../../http/parse-input.ts';
import { asRecorded, bindHistory, type HistoryDependencies, type HistorySource, type PresentState } from '../history/history-lookup.ts';
import { listRoleRenames } from '../history/revisions-lookup.ts';
import { saveAccount, type SaveDependencies } from './account-commands.ts';
import { auditFields, stateOf } from './account-mapper.ts';
import { getAccount, listRoles } from './accounts-store.ts';

/** Binds the calls on the history of staff accounts and buyers. */
export function bindAccountHistory(bind: Bind, deps: SaveDependencies & HistoryDependencies): void {
  bindHistory(bind, deps, userHistory, sourceOf(deps, 'user'));
  bindHistory(bind, deps, buyerHistory, sourceOf(deps, 'buyer'));
}

const appFields = ['hasAllApps', 'appIds'] as const;

function sourceOf(deps: SaveDependencies, panel: Panel): HistorySource {
  return {
    entity: panel,
    schema: saveAccountBody,
    units: [appFields],
    findObstacles({ hasAllApps, appIds }) {
      const isWithoutApps = panel === 'user' && hasAllApps === false && Array.isArray(appIds) && appIds.length === 0;
      return isWithoutApps ? Object.fromEntries(appFields.map((field) => [field, historyRemarks.noApps])) : {};
    },
    bodyOf(values, present) {
      const { hasAllApps = present['hasAllApps'], appIds = present['appIds'], ...fields } = values;
      const setsApps = appFields.some((field) => Object.hasOwn(values, field));
      return setsApps ? { ...fields, appIds: hasAllApps === true ? [] : appIds } : fields;
    },
    read: async (db, { id, caller }) => readState(db, { id, panel, caller }),
    save: async ({ body, ...call }) => {
      const { account } = await saveAccount(deps, {
        ...call,
        panel,
        body: composeDraft(saveAccountBody, body),
        needs: saveCall.access.anyOf,
      });
      return { version: account.version };
    },
  };
}

async function readState(
  db: Parameters<HistorySource['read']>[0],
  { id, panel, caller: { scope } }: { id: number; panel: Panel; caller: AccountCaller },
): Promise<PresentState> {
  const account = await getAccount(db, { id, panel });
  const roles = await listRoles(db, panel);
  const renames = await listRoleRenames(db, panel);
  const { apps, ...state } = stateOf(account);
  const labels = new Set<unknown>(roles.flatMap((role) => [role.label, role.name]));
  return {
    version: account.version,
    fields: auditFields({ ...state, apps: apps === 'all' ? apps : withinScope(apps, scope) }, roles),
    adapt(field, recorded) {
      const { entry, value } = recorded;
      if (field === 'appIds' && Array.isArray(value) && scope !== 'all') {
        const visibleIds = withinScope(
          value.filter((appId) => typeof appId === 'number'),
          scope,
        );
        return { value: visibleIds, remark: historyRemarks.visibleApps, isBlocked: false };
      }
      if (field !== 'roles' || !Array.isArray(value)) return asRecorded(field, recorded);
      const currentLabels = value.map((label: unknown) =>
        renames.reduce((name, rename) => (rename.entry > entry && rename.from === name ? rename.to : name), label),
      );
      const isUnknown = currentLabels.some((label) => !labels.has(label));
      return { value: currentLabels, remark: isUnknown ? historyRemarks.unknownRole : null, isBlocked: isUnknown };
    },
  };
}
