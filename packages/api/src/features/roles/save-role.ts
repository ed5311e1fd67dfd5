import type { BodyOf } from '@switchyard/contract/endpoint';
import { roleMessages, type Role, type createRole as createEndpoint, type updateRole as updateEndpoint } from '@switchyard/contract/roles';
import type { Databases } from '../../database/connect.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import { brokenUniqueIndex } from '../../database/database-errors.ts';
import { FieldErrors, notFound, stale } from '../../errors.ts';
import type { AccountCaller, Draft, RequestContext } from '../../http/bind.ts';
import { changesBetween, recordAudit } from '../audit/record-audit-lookup.ts';
import { toRole } from './role-mapper.ts';
import {
  badgeOf,
  isSameSet,
  requireFixedSet,
  requireGrantable,
  requireOwnAccess,
  requireRoles,
  requireTouchable,
  takenName,
  unknownPermission,
} from './role-rules.ts';
import { findHeld, findStoredRole, listStoredRoles, type Held, type StoredRole } from './roles-read-model.ts';
import { changeRole, insertRole, writeRoles } from './roles-store.ts';

type Deps = { db: Databases['db']; now: () => Date };
type Call = { caller: AccountCaller; request: RequestContext };
type CreateBody = BodyOf<typeof createEndpoint>;
type UpdateBody = BodyOf<typeof updateEndpoint>;

/** Creates a custom role of permissions that the creator holds (api [38]). Refuses bad fields with 422, others' permissions with 403. */
export async function createRole({ db, now }: Deps, { body, caller, request }: Call & { body: Draft<CreateBody> }): Promise<Role> {
  return writing(db, async (tx) => {
    const { fields } = body;
    const { name, permission_ids: permissionIds, panel } = body.judge(await valueErrors(tx, fields, fields.panel));
    const held = await findHeld(tx, caller.account.id);
    requireRoles(held);
    requireGrantable(held, permissionIds);
    const id = await insertRole(tx, { panel, name, label: name, badge: badgeOf(name), permissionIds, now: now() });
    const stored = await reread(tx, id, held);
    const changes = changesBetween({}, { panel, ...auditFields(stored) });
    await recordAudit(tx, { actor: caller.account, entity: 'role', action: 'create', entityId: id, entityLabel: name, request, changes });
    return toRole(stored, held);
  });
}

/**
 * Changes the name and the permissions of a role (api [40]). Refuses, in the order of api 0.3: 404, a role above the
 * caller with 403, other permissions of role 1 with 409, 412 when `mayOverwrite` does not hold of the stored version, bad
 * values with 422, permissions that the caller lacks with 403, the loss of his own access to roles with 422. What changes
 * nothing keeps the version.
 */
export async function updateRole(
  { db, now }: Deps,
  { id, body, caller, mayOverwrite, request }: Call & { id: number; body: Draft<UpdateBody>; mayOverwrite: (version: number) => boolean },
): Promise<Role> {
  return writing(db, async (tx) => {
    const held = await findHeld(tx, caller.account.id);
    const before = await findStoredRole(tx, { id, scope: held.scope });
    if (!before) throw notFound();
    requireRoles(held);
    requireTouchable(held, before);
    requireFixedSet(before, body.fields.permission_ids);
    if (!mayOverwrite(before.version)) throw stale(toRole(before, held));
    const sent = body.judge(await valueErrors(tx, body.fields, before.panel, before));
    const name = sent.name ?? before.name;
    const permissionIds = sent.permission_ids ?? before.permissionIds;
    requireGrantable(held, permissionIds);
    requireOwnAccess(held.without(id), permissionIds);
    if (name === before.name && isSameSet(permissionIds, before.permissionIds)) return toRole(before, held);
    const names = before.is_system ? { name, label: before.label, badge: before.badge } : { name, label: name, badge: badgeOf(name) };
    await changeRole(tx, { id, ...names, permissionIds, now: now() });
    const nowHeld = await findHeld(tx, caller.account.id);
    const after = await reread(tx, id, nowHeld);
    const changes = changesBetween(auditFields(before), auditFields(after));
    await recordAudit(tx, { actor: caller.account, entity: 'role', action: 'update', entityId: id, entityLabel: name, request, changes });
    return toRole(after, nowHeld);
  });
}

/** The database takes some letters for one that JavaScript tells apart, e.g. İ for i; such a name is taken too. */
async function writing(db: Databases['db'], write: (tx: OpenTransaction) => Promise<Role>): Promise<Role> {
  try {
    return await writeRoles(db, write);
  } catch (error) {
    throw brokenUniqueIndex(error) === 'roles_name_key' ? new FieldErrors({ name: [roleMessages.taken] }) : error;
  }
}

/** What is wrong with the values that were sent, by field; a role does not clash with itself. */
async function valueErrors(
  tx: OpenTransaction,
  sent: Readonly<Partial<UpdateBody>>,
  panel: StoredRole['panel'] | undefined,
  itself?: StoredRole,
): Promise<Record<string, string>> {
  const errors: Record<string, string> = {};
  if (sent.name !== undefined && panel !== undefined) {
    const others = (await listStoredRoles(tx, { panel, scope: 'all' })).filter((role) => role.id !== itself?.id);
    const taken = takenName(sent.name, others);
    if (taken !== null) errors['name'] = taken;
  }
  const unknown = unknownPermission(sent.permission_ids ?? [], panel);
  if (unknown !== null) errors['permission_ids'] = unknown;
  return errors;
}

/** What the audit trail tells of a role, by its names on the wire. */
function auditFields({ name, permissionIds }: StoredRole): Record<string, unknown> {
  return { name, permission_ids: permissionIds };
}

async function reread(tx: OpenTransaction, id: number, { scope }: Held): Promise<StoredRole> {
  const stored = await findStoredRole(tx, { id, scope });
  if (!stored) throw new Error(`Role ${id} vanished inside its own transaction`);
  return stored;
}
