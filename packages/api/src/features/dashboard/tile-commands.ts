import * as contract from '@switchyard/contract/dashboard';
import { unknownViewParameters } from '@switchyard/contract/view-queries';
import type { Databases } from '../../database/connect.ts';
import { lockAccount } from '../../database/lock-account.ts';
import { changesBetween, recordAudit, transaction, unaudited, unchanged, type OpenTransaction } from '../../database/transaction.ts';
import { conflict, FieldErrors, notFound, rejectUnknownParameters } from '../../errors.ts';
import type { AccountCaller, Call } from '../../http/bind.ts';
import { listVisibleViews, readShareRoles, type StoredView } from '../saved-views/saved-views-lookup.ts';
import { hasReaders, listVisibleBoards, lockBoard } from './boards-store.ts';
import { findLayout, updateStoredLayout } from './layouts-store.ts';
import { insertStartBoard } from './start-board.ts';
import { readViewQuery } from './tile-report.ts';
import { deleteStoredTile, insertTile, lockOwnTiles, lockTile, updateStoredTile, type TileFields, type TileSource } from './tiles-store.ts';

export type CommandDependencies = { db: Databases['db']; now: () => Date };
type WireTile = TileFields & { id: number };

const isPrivate = 'only its owner sees a tile that is not shared';

/** Pins a report. Throws 422 for one tile too many, and for a view, a query, a measure and roles that the caller may not choose. */
export async function createTile(
  { db, now }: CommandDependencies,
  { body, caller, request }: Call<typeof contract.createTile>,
): Promise<WireTile> {
  const { account } = caller;
  return transaction(db, async (tx) => {
    const key = { accountId: account.id, boardId: body.board_id };
    const own = await lockOwnTiles(tx, key);
    if (key.boardId !== null && !(await lockBoard(tx, { id: key.boardId, ownerId: account.id })))
      throw new FieldErrors({ board_id: [contract.tileMessages.board] });
    // What an account sees before its first change stays beside its first tile.
    if (key.boardId === null && own.length === 0 && (await findLayout(tx, key)) === undefined)
      await insertStartBoard(tx, { ownerId: account.id, now: now() });
    if (own.length >= contract.tileLimits.perAccount) throw new FieldErrors({ view_id: [contract.tileMessages.tooMany] });
    const source = readSource(body);
    const shown = await findReport(tx, caller, source);
    if (shown === undefined) throw new FieldErrors({ view_id: [contract.tileMessages.view] });
    rejectUnknownParameters(unknownViewParameters({ list: 'reports', query: shown.query }));
    const fields = await validFields(tx, { caller, shown, fields: body, stored: [], boardId: key.boardId });
    const id = await insertTile(tx, { ...fields, ...source, ...key, ownerId: account.id, now: now() });
    const result = { id, ...fields };
    if (!(await isShared(tx, fields, key.boardId))) return unaudited(isPrivate, result);
    const changes = changesBetween({}, { ...source, ...fields, board_id: key.boardId });
    return recordAudit(tx, { ...event({ caller, request }, { id, shown }), action: 'create', changes }, result);
  });
}

/**
 * Changes the fields of an own tile that were sent. Throws 404 if there is none or its view is not visible any more, 422 for a name and a
 * query of a tile with a view, then as `createTile`.
 */
export async function updateTile(
  { db, now }: CommandDependencies,
  { params: { id }, body, caller, request }: Call<typeof contract.updateTile>,
): Promise<WireTile> {
  return transaction(db, async (tx) => {
    const { shape, measure, rows, role_ids, ...stored } = await lockOwn(tx, caller, id);
    const source = changedSource(stored, body);
    const shown = await findReport(tx, caller, source);
    if (shown === undefined) throw notFound();
    const { name, query } = source;
    if (query !== null && query !== stored.query) rejectUnknownParameters(unknownViewParameters({ list: 'reports', query }));
    const before = { shape, measure, rows, role_ids, name: stored.name, query: stored.query };
    const fields = await validFields(tx, {
      caller,
      shown,
      stored: role_ids,
      boardId: stored.board_id,
      fields: {
        shape: body.shape ?? shape,
        measure: body.measure === undefined ? measure : body.measure,
        rows: body.rows ?? rows,
        role_ids: body.role_ids ?? role_ids,
      },
    });
    const changes = changesBetween(before, { ...fields, name, query });
    const result = { id, ...fields };
    if (changes.length === 0) return unchanged(result);
    await updateStoredTile(tx, id, { fields: { ...fields, name, query }, now: now() });
    if (before.role_ids.length === 0 && !(await isShared(tx, fields, stored.board_id))) return unaudited(isPrivate, result);
    return recordAudit(tx, { ...event({ caller, request }, { id, shown }), action: 'update', changes }, result);
  });
}

/** Removes an own tile. Throws 404 if there is none. */
export async function deleteTile(
  { db }: CommandDependencies,
  { params: { id }, ...call }: Call<typeof contract.deleteTile>,
): Promise<void> {
  await transaction(db, async (tx) => {
    const tile = await lockOwn(tx, call.caller, id);
    const shown = await findReport(tx, call.caller, tile);
    await deleteStoredTile(tx, id);
    // Without its last tile, Home is empty and does not start again.
    const key = { accountId: call.caller.account.id, boardId: tile.board_id };
    if (key.boardId === null && (await findLayout(tx, key)) === undefined) await updateStoredLayout(tx, key, []);
    return (await isShared(tx, tile, key.boardId))
      ? recordAudit(tx, { ...event(call, { id, shown }), action: 'delete' })
      : unaudited(isPrivate, undefined);
  });
}

/**
 * Stores where the caller sees tiles and cards. Throws 404 for a board that the caller does not see, 409 if the
 * layout is no longer the one that the caller read.
 */
export async function updateLayout(
  { db }: CommandDependencies,
  { body: { places, read_version: version, board_id: boardId }, caller }: Call<typeof contract.updateLayout>,
): Promise<{ version: number }> {
  return transaction(db, async (tx) => {
    const key = { accountId: caller.account.id, boardId };
    await lockAccount(tx, key.accountId);
    if (boardId !== null && (await listVisibleBoards(tx, caller, boardId)).length === 0) throw notFound();
    const stored = await findLayout(tx, key);
    if ((stored?.version ?? 0) !== version) throw conflict(contract.tileMessages.changed);
    const result = { version: await updateStoredLayout(tx, key, places) };
    return unaudited('a layout changes neither what a tile shows nor who sees it', result);
  });
}

/** Makes the starting tiles those of the caller. Throws 409 if they are that already, or the caller has others. */
export async function startDashboard(
  { db, now }: CommandDependencies,
  { caller: { account } }: Call<typeof contract.startDashboard>,
): Promise<{ ids: number[]; version: number }> {
  return transaction(db, async (tx) => {
    const key = { accountId: account.id, boardId: null };
    const own = await lockOwnTiles(tx, key);
    if (own.length > 0 || (await findLayout(tx, key)) !== undefined) throw conflict(contract.tileMessages.changed);
    const ids = await insertStartBoard(tx, { ownerId: account.id, now: now() });
    return unaudited(isPrivate, { ids, version: 1 });
  });
}

async function lockOwn(tx: OpenTransaction, { account }: AccountCaller, id: number) {
  const tile = await lockTile(tx, { id, ownerId: account.id });
  if (tile === undefined) throw notFound();
  return tile;
}

/** The report of a new tile. Throws 422 for anything but a view, or a name and a query. */
function readSource({ view_id: viewId, name, query }: Call<typeof contract.createTile>['body']): TileSource {
  if (viewId !== null && name === undefined && query === undefined) return { view_id: viewId, name: null, query: null };
  if (viewId === null && name !== undefined && query !== undefined) return { view_id: null, name, query };
  throw new FieldErrors({ view_id: [contract.tileMessages.source] });
}

/** The report of a tile after a change. Throws 422 for a name or a query of a tile with a view. */
function changedSource(stored: TileSource, { name, query }: Call<typeof contract.updateTile>['body']): TileSource {
  if (stored.view_id === null) return { view_id: null, name: name ?? stored.name, query: query ?? stored.query };
  if (name !== undefined || query !== undefined)
    throw new FieldErrors({ [name === undefined ? 'query' : 'name']: [contract.tileMessages.ofView] });
  return stored;
}

/** A report that the caller sees, and who may see it beside its owner. */
type ShownReport = Pick<StoredView, 'name' | 'query' | 'sharing' | 'role_ids'>;

/** The report of a tile. One that the tile keeps itself is seen by all that see the tile; undefined for a view that the caller does not see. */
async function findReport(tx: OpenTransaction, caller: AccountCaller, source: TileSource): Promise<ShownReport | undefined> {
  if (source.view_id === null) return { name: source.name, query: source.query, sharing: 'everyone', role_ids: [] };
  const [view] = await listVisibleViews(tx, { caller, lists: ['reports'], ids: [source.view_id] });
  return view;
}

/** The fields as they are stored. Roles have to see the report, because a tile shows its name and leads to it. */
async function validFields(
  tx: OpenTransaction,
  {
    caller,
    shown,
    fields,
    stored,
    boardId,
  }: { caller: AccountCaller; shown: ShownReport; fields: TileFields; stored: readonly number[]; boardId: number | null },
): Promise<TileFields> {
  const { shape, measure, rows, role_ids } = fields;
  if (boardId !== null && role_ids.length > 0) throw new FieldErrors({ role_ids: [contract.tileMessages.boardRoles] });
  const query = readViewQuery(shown.query);
  if (query === null) throw new FieldErrors({ view_id: [contract.tileMessages.outdated] });
  if (shape !== 'table' && contract.countsOfColumn(measure ?? '', query) === null)
    throw new FieldErrors({ measure: [contract.tileMessages.measure] });
  const roleIds = await readShareRoles(tx, caller, { roleIds: role_ids, stored });
  if (shown.sharing !== 'everyone' && roleIds.some((id) => shown.sharing === 'private' || !shown.role_ids.includes(id)))
    throw new FieldErrors({ role_ids: [contract.tileMessages.roles] });
  return { shape, measure: shape === 'table' ? null : measure, rows, role_ids: roleIds };
}

/** Whether anybody but its owner sees a tile: by its roles, or with its board. */
async function isShared(tx: OpenTransaction, { role_ids }: Pick<TileFields, 'role_ids'>, boardId: number | null): Promise<boolean> {
  return role_ids.length > 0 || (boardId !== null && (await hasReaders(tx, boardId)));
}

function event(
  { caller, request }: Pick<Call<typeof contract.deleteTile>, 'caller' | 'request'>,
  { id, shown }: { id: number; shown: ShownReport | undefined },
) {
  // The name of a private view belongs to its owner alone.
  const label = shown === undefined || shown.sharing === 'private' ? null : shown.name;
  return { actor: caller.account, entity: 'dashboard_tile', id, label, request } as const;
}
