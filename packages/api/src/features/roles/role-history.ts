import { historyRemarks, roleHistory } from '@switchyard/contract/history';
import { permissionCatalogue } from '@switchyard/contract/permissions';
import { updateRole as saveCall } from '@switchyard/contract/roles';
import { notFound } from '../../errors.ts';
import type { Bind } from '../../http/bind.ts';
import { composeDraft } from '../../http/parse-input.ts';
import { bindHistory } from '../audit/history-lookup.ts';
import { auditFields, updateRole, type RoleDependencies } from './role-commands.ts';
import { findStoredRole } from './roles-store.ts';

/** Binds the calls on the history of roles. */
export function bindRoleHistory(bind: Bind, deps: RoleDependencies): void {
  bindHistory(bind, deps.db, roleHistory, {
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
        adapt(field, { value }) {
          if (field !== 'permission_ids' || !Array.isArray(value)) return { value, remark: null, isBlocked: false };
          const left = value.filter((permissionId: unknown) => permissionIds.has(permissionId));
          return { value: left, remark: left.length === value.length ? null : historyRemarks.removedPermissions, isBlocked: false };
        },
      };
    },
    save: async ({ id, body, ...call }) =>
      updateRole(deps, {
        ...call,
        params: { id },
        query: undefined,
        body: composeDraft(saveCall.body, body),
        needs: saveCall.access.anyOf,
        holds: () => false,
      }),
  });
}
