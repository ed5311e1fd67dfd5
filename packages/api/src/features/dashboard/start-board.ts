import { type Place, type Tile, tileLimits } from '@switchyard/contract/dashboard';
import type { OpenTransaction } from '../../database/transaction.ts';
import { updateStoredLayout } from './layouts-store.ts';
import { insertTile, type TileFields } from './tiles-store.ts';

type StartTile = TileFields & { name: string; query: string; place: Omit<Place, 'of' | 'is_hidden'> };

const fields: Pick<TileFields, 'measure' | 'rows' | 'role_ids'> = { measure: null, rows: tileLimits.rows, role_ids: [] };

/** The tiles of a Home that nobody has changed. All of them are counted from roll-ups. */
const startTiles: readonly StartTile[] = [
  {
    ...fields,
    shape: 'chart',
    measure: 'requests',
    name: 'Requests by type, 14 days',
    query: 'groupBy=day,type&measure=requests&days=14&mode=stacked',
    place: { x: 0, y: 4, w: 8, h: 7 },
  },
  {
    ...fields,
    shape: 'table',
    name: 'Top apps, 7 days',
    query: 'groupBy=app&measure=requests,conversions,payout&top=5',
    rows: 6,
    place: { x: 0, y: 11, w: 6, h: 7 },
  },
  {
    ...fields,
    shape: 'table',
    name: 'Top countries, 7 days',
    query: 'groupBy=country&measure=requests,success_share,conversions&top=5',
    rows: 6,
    place: { x: 6, y: 11, w: 6, h: 7 },
  },
];

const cards: readonly Place[] = [
  { of: 'today', x: 0, y: 0, w: 12, h: 4, is_hidden: false },
  { of: 'incidents', x: 8, y: 4, w: 4, h: 7, is_hidden: false },
];

/** The layout of the starting tiles with these ids. */
function startPlaces(ids: readonly number[]): Place[] {
  return [...cards, ...startTiles.flatMap(({ place }, at) => (ids[at] === undefined ? [] : [{ ...place, of: ids[at], is_hidden: false }]))];
}

/** What an account sees that has changed nothing yet: the starting tiles with ids below zero, and their layout. Nothing is stored. */
export function startBoard(owner: Tile['owner']) {
  const tiles = startTiles.map(({ name, query, place: _place, ...tile }, at) => ({
    ...tile,
    id: -1 - at,
    owner,
    is_own: true,
    view: { id: null, name, query },
  }));
  return { tiles, places: startPlaces(tiles.map(({ id }) => id)) };
}

/** Makes the starting tiles those of an account, and gives their ids. */
export async function insertStartBoard(tx: OpenTransaction, { ownerId, now }: { ownerId: number; now: Date }): Promise<number[]> {
  const ids: number[] = [];
  for (const { place: _place, ...tile } of startTiles)
    ids.push(await insertTile(tx, { ...tile, view_id: null, boardId: null, ownerId, now }));
  await updateStoredLayout(tx, { accountId: ownerId, boardId: null }, startPlaces(ids));
  return ids;
}
