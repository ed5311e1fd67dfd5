import type { BodyOf } from '@switchyard/contract/endpoint';
import { roleMessages, type Role, type createRole as createCall, type updateRole as updateCall } from '@switchyard/contract/roles';
import type { Databases } from '../../database/connect.ts';
import { brokenUniqueIndex } from '@switchyard/traffic-store/database-errors';
import { FieldErrors, notFound, stale } from '../../errors.ts';
import type { Call } from '../../http/bind.ts';
import { changesBetween, existing, recordAudit, transaction, unchanged, type OpenTransaction } from '../../database/transaction.ts';
import { isSameSet, limitedToCaller } from '../accounts/access-rules-lookup.ts';
import { toRole } from './role-mapper.ts';
import {
  badgeOf,
  requireFixedSet,
  requireGrantable,
  requireOwnAccess,
  requireRoles,
  requireTouchable,
  takenName,
  unknownPermission,
} from './role-rules.ts';
import { updateStoredRole, findHeld, findStoredRole, insertRole, listStoredRoles, lockRoles, type StoredRole } from './roles-store.ts';

export type RoleDependencies = { db: Databases['db']; now: () => Date };

/**
 * Creates a custom role with permissions that the creator holds. Rejects invalid fields with 422, then permissions that
 * the creator lacks with 403.
 */
export async function createRole({ db, now }: RoleDependencies, { body, caller, request }: Call<typeof createCall>): Promise<Role> {
  return transaction(db, async (tx) => {
    await lockRoles(tx);
    const { fields } = body;
    const { name, permission_ids: permissionIds, panel } = body.validate(await valueErrors(tx, fields, fields.panel));
    const holder = limitedToCaller(caller, await findHeld(tx, caller.account.id));
    requireRoles(holder);
    requireGrantable(holder, permissionIds);

    const id = await insertRole(tx, { panel, name, label: name, badge: badgeOf(name), permissionIds, now: now() });
    const role = existing(await findStoredRole(tx, { id, scope: holder.scope }));
    const changes = changesBetween({}, { panel, ...auditFields(role) });
    const event = { actor: caller.account, entity: 'role', action: 'create', id, label: name, request, changes } as const;
    return recordAudit(tx, event, toRole(role, holder));
  }).catch(rejectTakenName);
}

/**
 * Changes the name and the permissions of a role. Rejects, in this order: an unknown role with 404, a role above the
 * caller with 403, other permissions of the Super Admin role with 409, a version that `matchesIfMatch` does not allow with
 * 412, invalid values with 422, permissions that the caller lacks with 403, the loss of the caller's own access to roles
 * with 422. A call that changes nothing keeps the version.
 */
export async function updateRole(
  { db, now }: RoleDependencies,
  { params: { id }, body, caller, matchesIfMatch, request }: Call<typeof updateCall>,
): Promise<Role> {
  return transaction(db, async (tx) => {
    await lockRoles(tx);
    const holder = limitedToCaller(caller, await findHeld(tx, caller.account.id));
    const before = await findStoredRole(tx, { id, scope: holder.scope });
    if (!before) throw notFound();
    requireRoles(holder);
    requireTouchable(holder, before);
    requireFixedSet(before, body.fields.permission_ids);
    if (!matchesIfMatch(before.version)) throw stale(toRole(before, holder));
    const fields = body.validate(await valueErrors(tx, body.fields, before.panel, before));
    const name = fields.name ?? before.name;
    const permissionIds = fields.permission_ids ?? before.permissionIds;
    requireGrantable(holder, permissionIds);
    requireOwnAccess(holder.without(id), permissionIds);
    if (name === before.name && isSameSet(permissionIds, before.permissionIds)) return unchanged(toRole(before, holder));

    const names = before.is_system ? { name, label: before.label, badge: before.badge } : { name, label: name, badge: badgeOf(name) };
    await updateStoredRole(tx, { id, ...names, permissionIds, now: now() });
    // The caller may hold this role, so their rights may have changed with it.
    const heldAfter = limitedToCaller(caller, await findHeld(tx, caller.account.id));
    const after = existing(await findStoredRole(tx, { id, scope: heldAfter.scope }));
    const changes = changesBetween(auditFields(before), auditFields(after));
    const event = { actor: caller.account, entity: 'role', action: 'update', id, label: name, request, changes } as const;
    return recordAudit(tx, event, toRole(after, heldAfter));
  }).catch(rejectTakenName);
}

/** PostgreSQL lowers some letters that JavaScript keeps apart, e.g. İ to i, so its index may reject a name that seemed free. */
function rejectTakenName(error: unknown): never {
  throw brokenUniqueIndex(error) === 'roles_name_key' ? new FieldErrors({ name: [roleMessages.taken] }) : error;
}

/** Errors of the values that were sent, by field; `itself` is left out of the comparison of names. */
async function valueErrors(
  tx: OpenTransaction,
  fields: Readonly<Partial<BodyOf<typeof updateCall>>>,
  panel: StoredRole['panel'] | undefined,
  itself?: StoredRole,
): Promise<Record<string, string>> {
  const errors: Record<string, string> = {};
  if (fields.name !== undefined && panel !== undefined) {
    const others = (await listStoredRoles(tx, { panel, scope: 'all' })).filter((role) => role.id !== itself?.id);
    const takenField = takenName(fields.name, others);
    if (takenField !== null) errors['name'] = takenField;
  }
  const unknown = unknownPermission(fields.permission_ids ?? [], panel);
  if (unknown !== null) errors['permission_ids'] = unknown;
  return errors;
}

/** The fields of a role in the audit trail, by their names on the wire. */
export function auditFields({ name, permissionIds }: StoredRole): Record<string, unknown> {
  return { name, permission_ids: permissionIds };
}
