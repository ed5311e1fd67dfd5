import { boardMessages, readBoardQuery } from '@switchyard/contract/boards';
import * as contract from '@switchyard/contract/dashboard';
import type { BoardQuery } from '@switchyard/contract/reports';
import { setTimeout as wait } from 'node:timers/promises';
import type { Databases } from '../../database/connect.ts';
import { FieldErrors, notFound } from '../../errors.ts';
import type { AccountCaller } from '../../http/bind.ts';
import { personOf } from '../../http/request-context.ts';
import { listVisibleViews } from '../saved-views/saved-views-lookup.ts';
import { listUnseen, listVisibleBoards } from './boards-store.ts';
import { findLayout } from './layouts-store.ts';
import { startBoard } from './start-board.ts';
import { reportOfTile } from './tile-report.ts';
import { createTileResults, type ResultDependencies } from './tile-results.ts';
import { listTiles, listTilesOfBoard, type StoredTile } from './tiles-store.ts';

type Result = Pick<contract.Tile, 'state' | 'report' | 'message'>;
type UncountedTile = Omit<contract.Tile, keyof Result>;

/** Milliseconds after which the call answers with the reports that are ready. */
const answerWithin = 250;

const pending: Result = { state: 'pending', report: null, message: null };
const hiddenResult: Result = { state: 'hidden', report: null, message: null };
const denied: Result = { state: 'denied', report: null, message: null };
const excluded: Result = { state: 'failed', report: null, message: contract.tileMessages.excluded };
const outdated: Result = { state: 'failed', report: null, message: contract.tileMessages.outdated };

/** Which tiles of which board; `filters` instead of its own. */
type Wanted = { ids: readonly string[] | undefined; boardId: number | undefined; filters: string | undefined };
export type ReadDashboard = (caller: AccountCaller, wanted: Wanted) => Promise<contract.Dashboard>;

/**
 * Reads the tiles that a caller sees, or those of them with these ids, with the reports that are ready in a moment. One that is late is
 * counted on, for the next call. Reports are of the apps in the scope of who looks at them.
 */
export function createReadDashboard(deps: ResultDependencies & { db: Databases['db'] }): ReadDashboard {
  const { db, slots } = deps;
  const findResult = createTileResults(deps);

  /**
   * The tiles with the views that the caller sees. On Home a tile of another account vanishes with its view; its owner, and readers of a
   * board, see that there is one. API tokens see no private tiles.
   */
  async function withViews(stored: readonly StoredTile[], caller: AccountCaller): Promise<UncountedTile[]> {
    const ids = [...new Set(stored.flatMap((tile) => tile.view_id ?? []))];
    const views = ids.length === 0 ? [] : await listVisibleViews(db, { caller, lists: ['reports'], ids });
    const viewOf = new Map(views.map(({ id, name, query }) => [id, { id, name, query }]));
    return stored.flatMap(({ view_id: viewId, name, query, board_id: boardId, owner_id: ownerId, owner_name: ownerName, ...tile }) => {
      const isOwn = ownerId === caller.account.id;
      const isPerson = caller.by.kind === 'session';
      const isSeen = viewId !== null || boardId !== null || tile.role_ids.length > 0 || isPerson;
      const view = viewId === null ? { id: null, name, query } : (viewOf.get(viewId) ?? null);
      if (!isSeen || (view === null && boardId === null && !(isOwn && isPerson))) return [];
      return [{ ...tile, owner: { id: ownerId, name: ownerName }, is_own: isOwn, view }];
    });
  }

  /** The layout of the caller. Views as a role or an account, and API tokens, have none. */
  async function layoutOf({ account, by }: AccountCaller, boardId: number | null) {
    return by.kind === 'session' ? findLayout(db, { accountId: account.id, boardId }) : { places: [], version: 0 };
  }

  async function readHome(caller: AccountCaller) {
    const tiles = await withViews(await listTiles(db, caller.account.id), caller);
    const layout = await layoutOf(caller, null);
    const rest = { board: null, unseen: [] };
    if (layout !== undefined || tiles.some((tile) => tile.is_own))
      return { tiles, is_start: false, places: layout?.places ?? [], version: layout?.version ?? 0, ...rest };
    const start = startBoard({ id: caller.account.id, name: caller.account.name });
    return { tiles: [...start.tiles, ...tiles], is_start: true, places: start.places, version: 0, ...rest };
  }

  /** A board by name. Until its reader stores a layout, it is laid out as its owner has it. */
  async function readBoard(caller: AccountCaller, id: number) {
    const [board] = await listVisibleBoards(db, caller, id);
    if (board === undefined) throw notFound();
    const tiles = await withViews(await listTilesOfBoard(db, id), caller);
    const own = await layoutOf(caller, id);
    const layout = own ?? (board.is_own ? undefined : await findLayout(db, { accountId: board.owner.id, boardId: id }));
    const unseen = board.is_own ? await listUnseen(db, id) : [];
    return { tiles, is_start: false, places: layout?.places ?? [], version: own?.version ?? 0, board, unseen };
  }

  async function readResult({ view, ...tile }: UncountedTile, caller: AccountCaller, by: BoardQuery): Promise<Result> {
    if (view === null) return denied;
    const report = reportOfTile(tile, view.query, by);
    if (report === 'excluded') return excluded;
    return report === null ? outdated : findResult({ of: report, scope: caller.scope, accountId: personOf(caller) });
  }

  return async function read(caller: AccountCaller, { ids, boardId, filters }: Wanted): Promise<contract.Dashboard> {
    const timer = new AbortController();
    const late = wait(answerWithin, pending, { signal: timer.signal }).catch(() => pending);
    const listing = async () => (boardId === undefined ? readHome(caller) : readBoard(caller, boardId));
    const { tiles: visible, ...board } = await slots.database.run(listing, personOf(caller));
    const by = readBoardQuery(filters === contract.noFilters ? '' : (filters ?? board.board?.query ?? ''));
    if (by === null) throw new FieldErrors({ filters: [boardMessages.query] });
    const shown = visible.slice(0, contract.tileLimits.perAccount);
    const requestedTiles = ids === undefined ? shown : shown.filter(({ id }) => ids.includes(String(id)));
    const hiddenIds = new Set(board.places.flatMap(({ of, is_hidden: isHidden }) => (isHidden ? [of] : [])));
    const tiles = requestedTiles.map(async (tile) => ({
      ...tile,
      ...(hiddenIds.has(tile.id) ? hiddenResult : await Promise.race([readResult(tile, caller, by), late])),
    }));
    try {
      return { ...board, tiles: await Promise.all(tiles), hidden: visible.length - shown.length };
    } finally {
      timer.abort();
    }
  };
}
