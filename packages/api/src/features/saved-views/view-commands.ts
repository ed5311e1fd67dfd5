import { wireDate } from '@switchyard/contract/dates';
import * as contract from '@switchyard/contract/saved-views';
import { unknownIdMessage } from '@switchyard/contract/text-fields';
import { unknownViewParameters } from '@switchyard/contract/view-queries';
import type { Databases } from '../../database/connect.ts';
import { brokenUniqueIndex } from '@switchyard/traffic-store/database-errors';
import { lockName } from '../../database/lock-name.ts';
import {
  changesBetween,
  recordAudit,
  recordAudits,
  transaction,
  unaudited,
  unchanged,
  type AuditEvent,
  type OpenTransaction,
} from '../../database/transaction.ts';
import { FieldErrors, forbidden, notFound, peopleOnly, rejectUnknownParameters } from '../../errors.ts';
import type { AccountCall, AccountCaller, Call } from '../../http/bind.ts';
import { countOwnViews, deleteStoredView, insertView, lockView, updateDefaultView, updateStoredView } from './saved-views-store.ts';
import {
  isNameTaken,
  listVisibleViews,
  lockDependents,
  openLists,
  readShareRoles,
  type StoredView,
  type ViewFields,
} from './saved-views-lookup.ts';

export type ViewDependencies = { db: Databases['db']; now: () => Date };

/** Adds a view for the caller. Throws 403 if they may not open its list, and 422 for one too many, roles that they may not share with, and a used name. */
export async function createView(
  { db, now }: ViewDependencies,
  { caller, request, body }: Call<typeof contract.createView>,
): Promise<contract.SavedView> {
  const { account } = caller;
  requireList(account, body.list);
  rejectUnknownParameters(unknownViewParameters(body));
  return transaction(db, async (tx) => {
    if ((await countOwnViews(tx, account.id)) >= contract.viewLimits.perAccount)
      throw new FieldErrors({ name: [contract.viewMessages.tooMany] });
    const fields = await validSharing(tx, caller, { fields: body, stored: [] });
    await requireFreeName(tx, { ownerId: account.id, list: body.list, name: fields.name });
    const id = await insertView(tx, { ...fields, list: body.list, ownerId: account.id, now: now() });
    const view = await find(tx, caller, id);
    const result = toSavedView(view, account.id);
    if (view.sharing === 'private') return unaudited('only its owner sees a private view', result);
    const changes = changesBetween({}, { list: view.list, ...auditFields(view) });
    return recordAudit(tx, { ...event({ caller, request }, view), action: 'create', changes }, result);
  }).catch(rejectTakenName);
}

/** Changes the fields of a view that were sent. Throws 404 if the caller does not see it, 403 if they may not change it, then as `createView`. */
export async function updateView(
  { db, now }: ViewDependencies,
  { params: { id }, caller, request, body }: Call<typeof contract.updateView>,
): Promise<contract.SavedView> {
  const { account } = caller;
  return transaction(db, async (tx) => {
    await lockView(tx, id);
    const before = await findOwn(tx, caller, id);
    const query = body.query ?? before.query;
    // A view that was stored before they were rejected may still be renamed and shared.
    if (query !== before.query) rejectUnknownParameters(unknownViewParameters({ list: before.list, query }));
    const wanted = {
      name: body.name ?? before.name,
      query,
      columns: body.columns ?? before.columns,
      sharing: body.sharing ?? before.sharing,
      role_ids: body.role_ids ?? before.role_ids,
    };
    const fields = await validSharing(tx, caller, { fields: wanted, stored: before.role_ids });
    if (changesBetween(before, fields).length === 0) return unchanged(toSavedView(before, account.id));
    if (fields.name !== before.name)
      await requireFreeName(tx, { ownerId: before.owner_id, list: before.list, name: fields.name, exceptId: id });
    await updateStoredView(tx, id, fields, now());
    const after = await find(tx, caller, id);
    const result = toSavedView(after, account.id);
    if (before.sharing === 'private' && after.sharing === 'private') return unaudited('only its owner sees a private view', result);
    const changes = changesBetween(auditFields(before), auditFields(after));
    // The name that a view gets when it becomes private belongs to its owner alone.
    const named = after.sharing === 'private' ? before : after;
    return recordAudit(tx, { ...event({ caller, request }, named), action: 'update', changes }, result);
  }).catch(rejectTakenName);
}

/** Deletes a view, and with it the schedules and tiles of all accounts that show it. Throws as `updateView` does. */
export async function deleteView({ db }: ViewDependencies, { params: { id }, ...call }: Call<typeof contract.deleteView>): Promise<void> {
  await transaction(db, async (tx) => {
    const before = await findOwn(tx, call.caller, id);
    const dependents = await lockDependents(tx, { viewIds: [id], exceptOwnerId: null });
    await deleteStoredView(tx, id);
    const by = { actor: call.caller.account, request: call.request, action: 'delete' } as const;
    const events: AuditEvent[] = dependents.map(({ name, ...dependent }) => ({ ...by, ...dependent, label: name }));
    if (before.sharing !== 'private') events.unshift({ ...event(call, before), action: 'delete' });
    if (events.length === 0) return unaudited('only its owner sees a private view', undefined);
    return recordAudits(tx, events, undefined);
  });
}

/** Sets the view that a list opens with for the caller; null for none. */
export async function chooseDefaultView(
  { db }: ViewDependencies,
  { caller, body: { list, id } }: Call<typeof contract.chooseDefaultView>,
): Promise<void> {
  const { account } = caller;
  requireList(account, list);
  if (id !== null) {
    const [view] = await listVisibleViews(db, { caller, lists: [list], ids: [id] });
    if (view === undefined) throw new FieldErrors({ id: [unknownIdMessage('id', id)] });
  }
  await transaction(db, async (tx) => {
    await updateDefaultView(tx, { accountId: account.id, list, viewId: id });
    return unaudited('how a list opens concerns its reader alone', undefined);
  });
}

function requireList(account: AccountCaller['account'], list: contract.ViewList): void {
  if (!openLists(account).includes(list)) throw forbidden();
}

/** A view that the caller can see, 404 otherwise. */
async function find(tx: OpenTransaction, caller: AccountCaller, id: number): Promise<StoredView> {
  const [view] = await listVisibleViews(tx, { caller, lists: openLists(caller.account), ids: [id] });
  if (view === undefined) throw notFound();
  return view;
}

/** A view that the caller may change: an own one, and for a Super Admin any shared one. */
async function findOwn(tx: OpenTransaction, caller: AccountCaller, id: number): Promise<StoredView> {
  const { account } = caller;
  const view = await find(tx, caller, id);
  if (view.owner_id !== account.id && !account.isSuperAdmin) throw forbidden();
  return view;
}

/** The fields with roles only if they count. Rejects private views of API tokens with 403, no roles at all, and roles that the caller may not share with. */
async function validSharing(
  tx: OpenTransaction,
  caller: AccountCaller,
  { fields, stored }: { fields: ViewFields; stored: readonly number[] },
): Promise<ViewFields> {
  const { name, query, columns, sharing } = fields;
  if (sharing === 'private' && caller.by.kind === 'token') throw peopleOnly();
  if (sharing !== 'roles') return { name, query, columns, sharing, role_ids: [] };
  if (fields.role_ids.length === 0) throw new FieldErrors({ role_ids: [contract.viewMessages.missingRoles] });
  return { name, query, columns, sharing, role_ids: await readShareRoles(tx, caller, { roleIds: fields.role_ids, stored }) };
}

/**
 * Fields for the audit trail. Those of a private view belong to its owner alone, so the entry that shares a view records all
 * of them, because no earlier entry did.
 */
function auditFields({ name, query, columns, sharing, role_ids: roleIds }: ViewFields): Partial<ViewFields> {
  return sharing === 'private' ? { sharing, role_ids: roleIds } : { name, query, columns, sharing, role_ids: roleIds };
}

function event({ caller, request }: AccountCall, view: StoredView) {
  return { actor: caller.account, entity: 'saved_view', id: view.id, label: view.name, request } as const;
}

/** The wire form of a view. */
export function toSavedView(view: StoredView, readerId: number): contract.SavedView {
  const { owner_id: ownerId, owner_name: ownerName, updated_at: updatedAt, ...rest } = view;
  return { ...rest, owner: { id: ownerId, name: ownerName }, is_own: ownerId === readerId, updated_at: wireDate(updatedAt) };
}

async function requireFreeName(tx: OpenTransaction, view: Parameters<typeof isNameTaken>[1]): Promise<void> {
  await lockName(tx, `saved_views.${view.ownerId}`, view.name);
  if (await isNameTaken(tx, view)) throw new FieldErrors({ name: [contract.viewMessages.taken] });
}

function rejectTakenName(error: unknown): never {
  throw brokenUniqueIndex(error) === 'saved_views_name_key' ? new FieldErrors({ name: [contract.viewMessages.taken] }) : error;
}
