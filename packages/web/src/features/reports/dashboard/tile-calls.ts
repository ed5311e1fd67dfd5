import {
  createTile,
  deleteTile,
  getDashboard,
  orderTiles,
  tileMessages,
  updateTile,
  type Dashboard,
  type Tile,
} from '@switchyard/contract/dashboard';
import type { BodyInputOf } from '@switchyard/contract/endpoint';
import { queryOptions } from '@tanstack/react-query';
import { CallError } from '../../../shared/api/call-error.ts';
import { call, failingInPlace, inBackground } from '../../../shared/api/call.ts';
import { queryClient } from '../../../shared/api/query-client.ts';
import { sessionStore } from '../../../shared/session/session-store.ts';

/** Milliseconds after which tiles are read again while their tab is shown, and those whose reports are still counted. */
const refreshEvery = { ready: 60_000, pending: 1_000 } as const;

/** Each account and each view as another one has tiles of its own. */
function tilesKey() {
  return ['dashboard', sessionStore.get()?.user.id] as const;
}

function isPending({ state }: Tile): boolean {
  return state === 'pending';
}

/** The tiles of Home. While some are pending, only these are asked for again. */
export function tilesQuery() {
  const queryKey = tilesKey();
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<Dashboard> => {
      const known = queryClient.getQueryData<Dashboard>(queryKey);
      const late = known?.tiles.filter(isPending) ?? [];
      const id = late.length === 0 ? undefined : late.map((tile) => String(tile.id));
      const { data } = await call(getDashboard, { query: { id }, signal, ...inBackground });
      if (known === undefined || id === undefined) return data;
      return {
        ...known,
        tiles: known.tiles.flatMap((tile) => (isPending(tile) ? data.tiles.filter((one) => one.id === tile.id) : [tile])),
      };
    },
    refetchInterval: ({ state: { data } }) => (data?.tiles.some(isPending) === true ? refreshEvery.pending : refreshEvery.ready),
    refetchOnWindowFocus: 'always',
  });
}

/** Counts the report of a tile again. */
export function countAgain({ id }: Tile): void {
  askAgain(id, {});
}

/** Pins a saved report. */
export async function pin(body: BodyInputOf<typeof createTile>): Promise<void> {
  await call(createTile, { body, ...failingInPlace });
  queryClient.removeQueries({ queryKey: tilesKey() });
}

/** Changes what a tile shows, and who sees it. */
export async function saveTile(id: number, body: BodyInputOf<typeof updateTile>): Promise<void> {
  const { data } = await call(updateTile, { params: { id }, body, ...failingInPlace });
  askAgain(id, data);
}

/** Removes a tile; one that is removed already counts as removed. */
export async function removeTile({ id }: Tile): Promise<void> {
  try {
    await call(deleteTile, { params: { id }, ...failingInPlace });
  } catch (error) {
    if (!(error instanceof CallError) || error.status !== 404) throw error;
  }
  change((tiles) => tiles.filter((tile) => tile.id !== id));
}

/** Moves an own tile one place earlier or later. */
export async function moveTile(tile: Tile, by: -1 | 1): Promise<void> {
  const own = queryClient.getQueryData<Dashboard>(tilesKey())?.tiles.filter((one) => one.is_own) ?? [];
  const at = own.findIndex(({ id }) => id === tile.id);
  const other = own[at + by];
  if (at === -1 || other === undefined) return;
  const moved = own.with(at, other).with(at + by, tile);
  await call(orderTiles, { body: { ids: moved.map(({ id }) => id) }, ...failingInPlace });
  change((tiles) => [...moved, ...tiles.filter((one) => !one.is_own)]);
}

/** Why a write failed, in words. */
export function tileFailure(error: unknown): string {
  if (!(error instanceof CallError)) throw error;
  if (error.status === 404) return 'This tile was removed, or its report is no longer shared with you.';
  const texts = Object.values(error.fields).flat();
  if (texts.includes(tileMessages.order)) void queryClient.invalidateQueries({ queryKey: tilesKey() });
  return texts.length === 0 ? error.message : texts.join(' ');
}

/** Shows a tile as pending and asks for it. */
function askAgain(id: number, fields: Partial<Tile>): void {
  change((tiles) => tiles.map((tile) => (tile.id === id ? { ...tile, ...fields, state: 'pending', report: null, message: null } : tile)));
  void queryClient.invalidateQueries({ queryKey: tilesKey() });
}

function change(toTiles: (tiles: Tile[]) => Tile[]): void {
  queryClient.setQueryData<Dashboard>(tilesKey(), (data) => data && { ...data, tiles: toTiles(data.tiles) });
}
