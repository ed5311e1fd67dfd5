import { wireDate } from '@switchyard/contract/dates';
import type { BodyOf } from '@switchyard/contract/endpoint';
import { holdsAny } from '@switchyard/contract/permissions';
import * as contract from '@switchyard/contract/saved-views';
import { unknownIdMessage } from '@switchyard/contract/text-fields';
import type { Databases } from '../../database/connect.ts';
import { brokenUniqueIndex } from '../../database/database-errors.ts';
import { changesBetween, recordAudit, transaction, unaudited, unchanged } from '../../database/transaction.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import { FieldErrors, forbidden, notFound, peopleOnly } from '../../errors.ts';
import type { AccountCaller, Feature, RequestContext } from '../../http/bind.ts';
import { changeView, countOwnViews, insertView, listShareRoles, putDefaultView, removeView } from './saved-views-store.ts';
import { listVisibleViews, type StoredView, type ViewFields } from './saved-views-lookup.ts';

type Call = { caller: AccountCaller; request: RequestContext };

/** Calls on saved views. A view is text: opening it runs the list with the rights of its reader. */
export function createSavedViews({ db, now }: { db: Databases['db']; now: () => Date }): Feature {
  async function list(caller: AccountCaller, asked: contract.ViewList | undefined) {
    const { account } = caller;
    const lists = contract.viewListNames.filter((name) => mayOpen(account, name) && (asked === undefined || asked === name));
    const views = await listVisibleViews(db, { caller, lists });
    const roles = await listShareRoles(db, { accountId: account.id, all: account.isSuperAdmin });
    return { views: views.map((view) => toSavedView(view, account.id)), roles };
  }

  async function create({ caller, request, ...fields }: Call & ViewFields & { list: contract.ViewList }) {
    const { account } = caller;
    requireList(account, fields.list);
    return transaction(db, async (tx) => {
      if ((await countOwnViews(tx, account.id)) >= contract.viewLimits.perAccount)
        throw new FieldErrors({ name: [contract.viewMessages.tooMany] });
      const sent = await validSharing(tx, caller, fields);
      const id = await insertView(tx, { ...sent, list: fields.list, ownerId: account.id, now: now() });
      const stored = await find(tx, caller, id);
      const result = toSavedView(stored, account.id);
      if (stored.sharing === 'private') return unaudited('only its owner sees a private view', result);
      const changes = changesBetween({}, { list: stored.list, ...auditFields(stored) });
      return recordAudit(tx, { ...event({ caller, request }, stored), action: 'create', changes }, result);
    }).catch(rejectTakenName);
  }

  async function update({ caller, request, id, fields }: Call & { id: number; fields: BodyOf<typeof contract.updateView> }) {
    const { account } = caller;
    return transaction(db, async (tx) => {
      const before = await findOwn(tx, caller, id);
      const sent = await validSharing(tx, caller, {
        name: fields.name ?? before.name,
        query: fields.query ?? before.query,
        columns: fields.columns ?? before.columns,
        sharing: fields.sharing ?? before.sharing,
        role_ids: fields.role_ids ?? before.role_ids,
      });
      if (changesBetween(before, sent).length === 0) return unchanged(toSavedView(before, account.id));
      await changeView(tx, id, sent, now());
      const after = await find(tx, caller, id);
      const result = toSavedView(after, account.id);
      if (before.sharing === 'private' && after.sharing === 'private') return unaudited('only its owner sees a private view', result);
      const changes = changesBetween(auditFields(before), auditFields(after));
      return recordAudit(tx, { ...event({ caller, request }, after), action: 'update', changes }, result);
    }).catch(rejectTakenName);
  }

  async function remove({ caller, request, id }: Call & { id: number }): Promise<void> {
    await transaction(db, async (tx) => {
      const before = await findOwn(tx, caller, id);
      await removeView(tx, id);
      if (before.sharing === 'private') return unaudited('only its owner sees a private view', undefined);
      return recordAudit(tx, { ...event({ caller, request }, before), action: 'delete' });
    });
  }

  async function chooseDefault(caller: AccountCaller, { list: name, id }: { list: contract.ViewList; id: number | null }) {
    const { account } = caller;
    requireList(account, name);
    if (id !== null) {
      const [view] = await listVisibleViews(db, { caller, lists: [name], id });
      if (view === undefined) throw new FieldErrors({ id: [unknownIdMessage('id', id)] });
    }
    await transaction(db, async (tx) => {
      await putDefaultView(tx, { accountId: account.id, list: name, viewId: id });
      return unaudited('how a list opens concerns its reader alone', undefined);
    });
  }

  return {
    bindRoutes(bind) {
      bind(contract.listViews, async ({ caller, query }) => list(caller, query.list));
      bind(contract.createView, async ({ body, caller, request }) => create({ ...body, caller, request }));
      bind(contract.updateView, async ({ params, body, caller, request }) => update({ id: params.id, fields: body, caller, request }));
      bind(contract.deleteView, async ({ params, caller, request }) => remove({ id: params.id, caller, request }));
      bind(contract.chooseDefaultView, async ({ body, caller }) => chooseDefault(caller, body));
    },
  };
}

function mayOpen(account: AccountCaller['account'], list: contract.ViewList): boolean {
  return holdsAny(account.permissions, contract.viewLists[list]);
}

function requireList(account: AccountCaller['account'], list: contract.ViewList): void {
  if (!mayOpen(account, list)) throw forbidden();
}

/** A view that the caller can see, 404 otherwise. */
async function find(tx: OpenTransaction, caller: AccountCaller, id: number): Promise<StoredView> {
  const lists = contract.viewListNames.filter((name) => mayOpen(caller.account, name));
  const [view] = await listVisibleViews(tx, { caller, lists, id });
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
async function validSharing(tx: OpenTransaction, { account, by }: AccountCaller, fields: ViewFields): Promise<ViewFields> {
  const { name, query, columns, sharing } = fields;
  if (sharing === 'private' && by.kind === 'token') throw peopleOnly();
  if (sharing !== 'roles') return { name, query, columns, sharing, role_ids: [] };
  const roleIds = [...new Set(fields.role_ids)].toSorted((a, b) => a - b);
  if (roleIds.length === 0) throw new FieldErrors({ role_ids: [contract.viewMessages.missingRoles] });
  const known = await listShareRoles(tx, { accountId: account.id, all: account.isSuperAdmin });
  if (roleIds.some((id) => !known.some((role) => role.id === id))) throw new FieldErrors({ role_ids: [contract.viewMessages.foreignRole] });
  return { name, query, columns, sharing, role_ids: roleIds };
}

/**
 * Fields for the audit trail. Those of a private view belong to its owner alone, so the entry that shares a view records all
 * of them, because no earlier entry did.
 */
function auditFields({ name, query, columns, sharing, role_ids: roleIds }: ViewFields): Partial<ViewFields> {
  return sharing === 'private' ? { sharing, role_ids: roleIds } : { name, query, columns, sharing, role_ids: roleIds };
}

function event({ caller, request }: { caller: Pick<AccountCaller, 'account'>; request: RequestContext }, view: StoredView) {
  return { actor: caller.account, entity: 'saved_view', entityId: view.id, entityLabel: view.name, request } as const;
}

function toSavedView(view: StoredView, readerId: number): contract.SavedView {
  const { owner_id: ownerId, owner_name: ownerName, updated_at: updatedAt, ...rest } = view;
  return { ...rest, owner: { id: ownerId, name: ownerName }, is_own: ownerId === readerId, updated_at: wireDate(updatedAt) };
}

function rejectTakenName(error: unknown): never {
  throw brokenUniqueIndex(error) === 'saved_views_name_key' ? new FieldErrors({ name: [contract.viewMessages.taken] }) : error;
}
