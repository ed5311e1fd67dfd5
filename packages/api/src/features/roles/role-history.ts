import { historyRemarks, roleHistory } from '@switchyard/contract/history';
import { permissionCatalogue } from '@switchyard/contract/permissions';
import { updateRole as saveCall } from '@switchyard/contract/roles';
import { notFound } from '../../errors.ts';
import type { Bind } from '../../http/bind.ts';
import { asRecorded, bindHistory, type HistoryDependencies, knownOf, saveCallOf } from '../history/history-lookup.ts';
import { auditFields, updateRole, type RoleDependencies } from './role-commands.ts';
import { findStoredRole } from './roles-store.ts';

/** Binds the calls on the history of roles. */
export function bindRoleHistory(bind: Bind, deps: RoleDependencies & HistoryDependencies): void {
  bindHistory(bind, deps, roleHistory, {
    entity: 'role',
    schema: saveCall.body,
    bodyOf: (values) => ({ ...values }),
    async read(db, { id, caller }) {
      const role = await findStoredRole(db, { id, scope: caller.scope });
      if (!role) throw notFound();
      const permissionIds = new Set<unknown>(permissionCatalogue.filter(({ panel }) => panel === role.panel).map((entry) => entry.id));
      return {
        version: role.version,
        fields: { panel: role.panel, ...auditFields(role) },
        adapt(field, recorded) {
          const { value } = recorded;
          if (field !== 'permission_ids' || !Array.isArray(value)) return asRecorded(field, recorded);
          return knownOf(value, permissionIds, historyRemarks.removedPermissions);
        },
      };
    },
    save: async (input) => updateRole(deps, saveCallOf(input, { schema: saveCall.body, needs: saveCall.access.anyOf })),
  });
}
