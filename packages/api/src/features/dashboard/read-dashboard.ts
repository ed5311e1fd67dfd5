import * as contract from '@switchyard/contract/dashboard';
import { setTimeout as wait } from 'node:timers/promises';
import type { Databases } from '../../database/connect.ts';
import type { AccountCaller } from '../../http/bind.ts';
import { personOf } from '../../http/request-context.ts';
import { listVisibleViews } from '../saved-views/saved-views-lookup.ts';
import { reportOfTile } from './tile-report.ts';
import { createTileResults, type ResultDependencies } from './tile-results.ts';
import { listTiles } from './tiles-store.ts';

type Result = Pick<contract.Tile, 'state' | 'report' | 'message'>;
type UncountedTile = Omit<contract.Tile, keyof Result>;

/** Milliseconds after which the call answers with the reports that are ready. */
const answerWithin = 250;

const pending: Result = { state: 'pending', report: null, message: null };
const denied: Result = { state: 'denied', report: null, message: null };
const outdated: Result = { state: 'failed', report: null, message: contract.tileMessages.outdated };

export type ReadDashboard = (caller: AccountCaller, ids: readonly string[] | undefined) => Promise<contract.Dashboard>;

/**
 * Reads the tiles that a caller sees, or those of them with these ids, with the reports that are ready in a moment. One that is late is
 * counted on, for the next call. Reports are of the apps in the scope of who looks at them.
 */
export function createReadDashboard(deps: ResultDependencies & { db: Databases['db'] }): ReadDashboard {
  const { db, slots } = deps;
  const findResult = createTileResults(deps);

  /** The tiles that the caller sees. Of a view that is not visible any more, its owner sees that there was a tile. */
  async function list(caller: AccountCaller): Promise<UncountedTile[]> {
    const stored = await listTiles(db, caller.account.id);
    const ids = [...new Set(stored.map((tile) => tile.view_id))];
    const views = ids.length === 0 ? [] : await listVisibleViews(db, { caller, lists: ['reports'], ids });
    const viewOf = new Map(views.map(({ id, name, query }) => [id, { id, name, query }]));
    return stored.flatMap(({ view_id: viewId, owner_id: ownerId, owner_name: ownerName, ...tile }) => {
      const isOwn = ownerId === caller.account.id;
      const view = viewOf.get(viewId) ?? null;
      if (view === null && !(isOwn && caller.by.kind === 'session')) return [];
      return [{ ...tile, owner: { id: ownerId, name: ownerName }, is_own: isOwn, view }];
    });
  }

  async function readResult({ view, ...tile }: UncountedTile, caller: AccountCaller): Promise<Result> {
    if (view === null) return denied;
    const report = reportOfTile(tile, view.query);
    return report === null ? outdated : findResult({ of: report, scope: caller.scope, accountId: personOf(caller) });
  }

  return async function read(caller: AccountCaller, ids: readonly string[] | undefined): Promise<contract.Dashboard> {
    const timer = new AbortController();
    const late = wait(answerWithin, pending, { signal: timer.signal }).catch(() => pending);
    const visible = await slots.database.run(async () => list(caller), personOf(caller));
    const shown = visible.slice(0, contract.tileLimits.perAccount);
    const requestedTiles = ids === undefined ? shown : shown.filter(({ id }) => ids.includes(String(id)));
    const tiles = requestedTiles.map(async (tile) => ({ ...tile, ...(await Promise.race([readResult(tile, caller), late])) }));
    try {
      return { tiles: await Promise.all(tiles), hidden: visible.length - shown.length };
    } finally {
      timer.abort();
    }
  };
}
