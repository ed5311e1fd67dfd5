import {
  createTile,
  deleteTile,
  getDashboard,
  type Place,
  startDashboard,
  updateLayout,
  updateTile,
  type Dashboard,
  type Tile,
} from '@switchyard/contract/dashboard';
import * as boards from '@switchyard/contract/boards';
import type { BodyInputOf } from '@switchyard/contract/endpoint';
import { queryOptions } from '@tanstack/react-query';
import { CallError } from '../../../shared/api/call-error.ts';
import { call, failingInPlace, inBackground } from '../../../shared/api/call.ts';
import { queryClient } from '../../../shared/api/query-client.ts';
import { sessionStore } from '../../../shared/session/session-store.ts';

/** Milliseconds after which tiles are read again while their tab is shown, and those whose reports are still counted. */
const refreshEvery = { ready: 60_000, pending: 1_000 } as const;

/**
 * Places, and the version of the stored layout that they were made from, which may be older than what the page shows by now. `order`: that
 * in which an edited layout keeps its items in the document.
 */
export type Layout = { places: readonly Place[]; version: number; order?: readonly Place['of'][] | undefined };

/** A board by name, or Home; `filters` instead of those of the board. */
export type BoardAddress = { boardId: number | null; filters: string | null };

/** Each account and each view as another one has tiles of its own. */
function allKeys() {
  return ['dashboard', sessionStore.get()?.user.id] as const;
}

function tilesKey({ boardId, filters }: BoardAddress) {
  return [...allKeys(), boardId, filters] as const;
}

function isPending({ state }: Tile): boolean {
  return state === 'pending';
}

/** The tiles of a board. While some are pending, only these are asked for again. */
export function tilesQuery(at: BoardAddress) {
  const queryKey = tilesKey(at);
  const address = { board: at.boardId ?? undefined, filters: at.filters ?? undefined };
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<Dashboard> => {
      const known = queryClient.getQueryData<Dashboard>(queryKey);
      const late = known?.tiles.filter(isPending) ?? [];
      const id = late.length === 0 ? undefined : late.map((tile) => String(tile.id));
      const { data } = await call(getDashboard, { query: { id, ...address }, signal, ...inBackground });
      if (known === undefined || id === undefined) return data;
      return {
        ...data,
        tiles: known.tiles.flatMap((tile) => (isPending(tile) ? data.tiles.filter((one) => one.id === tile.id) : [tile])),
      };
    },
    refetchInterval: ({ state: { data } }) => (data?.tiles.some(isPending) === true ? refreshEvery.pending : refreshEvery.ready),
    refetchOnWindowFocus: 'always',
  });
}

/** Counts the report of a tile again. */
export function countAgain(at: BoardAddress, { id }: Tile): void {
  askAgain(at, id, {});
}

/** Pins a report. */
export async function pin(body: BodyInputOf<typeof createTile>): Promise<void> {
  await call(createTile, { body, ...failingInPlace });
  queryClient.removeQueries({ queryKey: allKeys() });
}

/** Changes what a tile shows, and who sees it. */
export async function saveTile(
  at: BoardAddress,
  { id, view }: Pick<Tile, 'id' | 'view'>,
  body: BodyInputOf<typeof updateTile>,
): Promise<void> {
  const ownId = (await makeOwn(at)).idOf(id);
  const { data } = await call(updateTile, { params: { id: ownId }, body, ...failingInPlace });
  askAgain(at, ownId, { ...data, view: view && { ...view, name: body.name ?? view.name } });
}

/** Removes a tile; one that is removed already counts as removed. */
export async function removeTile(at: BoardAddress, { id }: Tile): Promise<void> {
  const ownId = (await makeOwn(at)).idOf(id);
  try {
    await call(deleteTile, { params: { id: ownId }, ...failingInPlace });
  } catch (error) {
    if (!(error instanceof CallError) || error.status !== 404) throw error;
  }
  change(at, (data) => ({ ...data, tiles: data.tiles.filter((tile) => tile.id !== ownId) }));
  // Home without a layout has one from now on.
  void queryClient.invalidateQueries({ queryKey: tilesKey(at) });
}

/** A layout of tiles that are the reader's own, which the starting ones become before. */
export async function ownLayout<L extends Layout>(at: BoardAddress, layout: L): Promise<L> {
  const { idOf, startedVersion } = await makeOwn(at);
  if (startedVersion === null) return layout;
  const places = layout.places.map((place) => ({ ...place, of: idOf(place.of) }));
  return { ...layout, order: layout.order?.map(idOf), places, version: startedVersion };
}

/** Stores a layout of the reader. */
export async function saveLayout(at: BoardAddress, layout: Layout): Promise<void> {
  const { places, version } = await ownLayout(at, layout);
  const body = { places: [...places], read_version: version, board_id: at.boardId };
  const { data } = await call(updateLayout, { body, ...failingInPlace });
  change(at, (known) => ({ ...known, places: body.places, version: data.version }));
  // What was hidden so far has not been counted.
  void queryClient.invalidateQueries({ queryKey: tilesKey(at) });
}

let lastChange: Promise<unknown> = Promise.resolve();

/** Stores the places that a change makes of the present ones: those that the changes before it have left, also while one is being stored. */
export async function changePlaces(at: BoardAddress, placesOf: (known: Dashboard) => readonly Place[]): Promise<void> {
  const former = lastChange;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  lastChange = promise;
  await former;
  try {
    const known = queryClient.getQueryData<Dashboard>(tilesKey(at));
    if (known !== undefined) await saveLayout(at, { places: placesOf(known), version: known.version });
  } finally {
    resolve(undefined);
  }
}

/** Before the first change the starting tiles become the reader's own. Gives the ids of tiles from then on, and the version of the first layout. */
async function makeOwn(
  at: BoardAddress,
): Promise<{ idOf: <Id extends Place['of']>(id: Id) => Id | number; startedVersion: number | null }> {
  const key = tilesKey(at);
  if (queryClient.getQueryData<Dashboard>(key)?.is_start !== true) return { idOf: (id) => id, startedVersion: null };
  const { data } = await call(startDashboard, failingInPlace);
  const idOf = <Id extends Place['of']>(id: Id): Id | number => (typeof id === 'number' && id < 0 ? (data.ids[-1 - id] ?? id) : id);
  change(at, (known) => ({
    ...known,
    is_start: false,
    version: data.version,
    tiles: known.tiles.map((tile) => ({ ...tile, id: idOf(tile.id) })),
    places: known.places.map((place) => ({ ...place, of: idOf(place.of) })),
  }));
  return { idOf, startedVersion: data.version };
}

const missingTexts = {
  tile: 'This tile was removed, or its report is no longer shared with you.',
  board: 'This board was deleted, or is no longer shared with you.',
} as const;

/** Why a write to a tile or a board failed, in words. */
export function failureOf(written: keyof typeof missingTexts, error: unknown): string {
  if (!(error instanceof CallError)) throw error;
  if (error.status === 404) return missingTexts[written];
  if (error.status === 409) reloadBoards();
  const texts = Object.values(error.fields).flat();
  return texts.length === 0 ? error.message : texts.join(' ');
}

/** Shows a tile as pending and asks for it. */
function askAgain(at: BoardAddress, id: number, fields: Partial<Tile>): void {
  change(at, (data) => ({
    ...data,
    tiles: data.tiles.map((tile) => (tile.id === id ? { ...tile, ...fields, state: 'pending', report: null, message: null } : tile)),
  }));
  void queryClient.invalidateQueries({ queryKey: tilesKey(at) });
}

function change(at: BoardAddress, toData: (data: Dashboard) => Dashboard): void {
  queryClient.setQueryData<Dashboard>(tilesKey(at), (data) => data && toData(data));
}

const boardsKey = ['boards'] as const;

/** The boards by name that the reader sees. */
export function boardsQuery() {
  return queryOptions({
    queryKey: [...boardsKey, sessionStore.get()?.user.id],
    queryFn: async ({ signal }) => (await call(boards.listBoards, { signal, ...inBackground })).data,
  });
}

function reloadBoards(): void {
  void queryClient.invalidateQueries({ queryKey: allKeys() });
  void queryClient.invalidateQueries({ queryKey: boardsKey });
}

type BoardBody = BodyInputOf<typeof boards.createBoard>;

/** Creates a board. Gives it, and which of its readers do not see which tiles. */
export async function createBoard(body: BoardBody) {
  const { data } = await call(boards.createBoard, { body, ...failingInPlace });
  reloadBoards();
  return data;
}

/** Changes fields of a board. Gives it as `createBoard` does. */
export async function changeBoard({ id, version }: boards.Board, body: Partial<BoardBody>) {
  const { data } = await call(boards.updateBoard, { params: { id }, body: { ...body, read_version: version }, ...failingInPlace });
  reloadBoards();
  return data;
}

/** Deletes a board with its tiles. */
export async function removeBoard({ id }: boards.Board): Promise<void> {
  await call(boards.deleteBoard, { params: { id }, ...failingInPlace });
  reloadBoards();
}
