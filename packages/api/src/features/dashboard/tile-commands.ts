import * as contract from '@switchyard/contract/dashboard';
import { unknownViewParameters } from '@switchyard/contract/view-queries';
import type { Databases } from '../../database/connect.ts';
import { changesBetween, recordAudit, transaction, unaudited, unchanged, type OpenTransaction } from '../../database/transaction.ts';
import { FieldErrors, notFound, rejectUnknownParameters } from '../../errors.ts';
import type { AccountCaller, Call } from '../../http/bind.ts';
import { listVisibleViews, readShareRoles, type StoredView } from '../saved-views/saved-views-lookup.ts';
import { readViewQuery } from './tile-report.ts';
import { deleteStoredTile, insertTile, lockOwnTiles, lockTile, updatePositions, updateStoredTile, type TileFields } from './tiles-store.ts';

export type CommandDependencies = { db: Databases['db']; now: () => Date };
type WireTile = TileFields & { id: number };

const isPrivate = 'only its owner sees a tile that is not shared';

/** Pins a saved report. Throws 422 for one tile too many, and for a view, a measure and roles that the caller may not choose. */
export async function createTile(
  { db, now }: CommandDependencies,
  { body, caller, request }: Call<typeof contract.createTile>,
): Promise<WireTile> {
  const { account } = caller;
  return transaction(db, async (tx) => {
    const own = await lockOwnTiles(tx, account.id);
    if (own.length >= contract.tileLimits.perAccount) throw new FieldErrors({ view_id: [contract.tileMessages.tooMany] });
    const view = await findView(tx, caller, body.view_id);
    if (view === undefined) throw new FieldErrors({ view_id: [contract.tileMessages.view] });
    rejectUnknownParameters(unknownViewParameters(view));
    const fields = await validFields(tx, { caller, view, fields: body });
    const id = await insertTile(tx, { ...fields, viewId: view.id, ownerId: account.id, now: now() });
    const result = { id, ...fields };
    if (fields.role_ids.length === 0) return unaudited(isPrivate, result);
    const changes = changesBetween({}, { view_id: view.id, ...fields });
    return recordAudit(tx, { ...event({ caller, request }, { id, view }), action: 'create', changes }, result);
  });
}

/** Changes the fields of an own tile that were sent. Throws 404 if there is none or its view is not visible any more, then as `createTile`. */
export async function updateTile(
  { db, now }: CommandDependencies,
  { params: { id }, body, caller, request }: Call<typeof contract.updateTile>,
): Promise<WireTile> {
  return transaction(db, async (tx) => {
    const { shape, measure, role_ids, view_id: viewId } = await lockOwn(tx, caller, id);
    const before: TileFields = { shape, measure, role_ids };
    const view = await findView(tx, caller, viewId);
    if (view === undefined) throw notFound();
    const newForm = { shape: body.shape ?? shape, measure: body.measure === undefined ? measure : body.measure };
    const fields = await validFields(tx, { caller, view, fields: { ...newForm, role_ids: body.role_ids ?? role_ids } });
    const changes = changesBetween(before, fields);
    const result = { id, ...fields };
    if (changes.length === 0) return unchanged(result);
    await updateStoredTile(tx, id, { fields, now: now() });
    if (before.role_ids.length === 0 && fields.role_ids.length === 0) return unaudited(isPrivate, result);
    return recordAudit(tx, { ...event({ caller, request }, { id, view }), action: 'update', changes }, result);
  });
}

/** Removes an own tile. Throws 404 if there is none. */
export async function deleteTile(
  { db }: CommandDependencies,
  { params: { id }, ...call }: Call<typeof contract.deleteTile>,
): Promise<void> {
  await transaction(db, async (tx) => {
    const { view_id: viewId, role_ids: roleIds } = await lockOwn(tx, call.caller, id);
    const view = await findView(tx, call.caller, viewId);
    await deleteStoredTile(tx, id);
    return roleIds.length === 0 ? unaudited(isPrivate, undefined) : recordAudit(tx, { ...event(call, { id, view }), action: 'delete' });
  });
}

/** Puts all own tiles into an order. Throws 422 if the ids are not exactly those of the caller's tiles. */
export async function orderTiles(
  { db }: CommandDependencies,
  { body: { ids }, caller: { account } }: Call<typeof contract.orderTiles>,
): Promise<void> {
  await transaction(db, async (tx) => {
    const own = new Set(await lockOwnTiles(tx, account.id));
    if (ids.length !== own.size || new Set(ids).size !== own.size || ids.some((id) => !own.has(id)))
      throw new FieldErrors({ ids: [contract.tileMessages.order] });
    await updatePositions(tx, ids);
    return unaudited('an order changes neither what a tile shows nor who sees it', undefined);
  });
}

async function lockOwn(tx: OpenTransaction, { account }: AccountCaller, id: number) {
  const tile = await lockTile(tx, { id, ownerId: account.id });
  if (tile === undefined) throw notFound();
  return tile;
}

/** A saved report that the caller sees. */
async function findView(tx: OpenTransaction, caller: AccountCaller, id: number): Promise<StoredView | undefined> {
  const [view] = await listVisibleViews(tx, { caller, lists: ['reports'], ids: [id] });
  return view;
}

/** The fields as they are stored. Roles have to see the view, because a tile shows its name and leads to it. */
async function validFields(
  tx: OpenTransaction,
  { caller, view, fields: { shape, measure, role_ids } }: { caller: AccountCaller; view: StoredView; fields: TileFields },
): Promise<TileFields> {
  const query = readViewQuery(view.query);
  if (query === null) throw new FieldErrors({ view_id: [contract.tileMessages.outdated] });
  if (shape !== 'table' && contract.countsOfColumn(measure ?? '', query) === null)
    throw new FieldErrors({ measure: [contract.tileMessages.measure] });
  const roleIds = await readShareRoles(tx, caller, role_ids);
  if (view.sharing !== 'everyone' && roleIds.some((id) => view.sharing === 'private' || !view.role_ids.includes(id)))
    throw new FieldErrors({ role_ids: [contract.tileMessages.roles] });
  return { shape, measure: shape === 'table' ? null : measure, role_ids: roleIds };
}

function event(
  { caller, request }: Pick<Call<typeof contract.deleteTile>, 'caller' | 'request'>,
  { id, view }: { id: number; view: StoredView | undefined },
) {
  return { actor: caller.account, entity: 'dashboard_tile', id, label: view?.name ?? null, request } as const;
}
