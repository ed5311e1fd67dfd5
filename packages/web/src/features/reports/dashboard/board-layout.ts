import { grid, type HomeCard, type Place, type TileShape } from '@switchyard/contract/dashboard';

/** The id of a tile, or the name of a card. */
export type ItemId = Place['of'];

export type Direction = 'left' | 'right' | 'up' | 'down';

/** Sizes of tiles and cards that nobody has sized. */
const usualSizes: Readonly<Record<TileShape | HomeCard, { w: number; h: number }>> = {
  figure: { w: 3, h: 4 },
  chart: { w: 6, h: 8 },
  table: { w: 6, h: 7 },
  today: { w: 12, h: 4 },
  incidents: { w: 6, h: 7 },
};

/** The smallest tile that still shows something. */
const least = { w: 2, h: 2 } as const;

/** Places of all items: the stored ones, then the others in rows below them. What is no longer there is left out. */
export function arrange(items: readonly { of: ItemId; kind: TileShape | HomeCard }[], stored: readonly Place[]): Place[] {
  const placed = stored.filter(({ of }) => items.some((item) => item.of === of));
  let [x, y, bottom] = [0, 0, 0];
  for (const { y: top, h } of placed) bottom = Math.max(bottom, top + h);
  y = bottom;
  const added = items.flatMap(({ of, kind }): Place[] => {
    if (placed.some((place) => place.of === of)) return [];
    const { w, h } = usualSizes[kind];
    if (x + w > grid.columns) [x, y] = [0, bottom];
    const place = { of, x, y, w, h, is_hidden: false };
    x += w;
    bottom = Math.max(bottom, y + h);
    return [place];
  });
  return stack([...placed, ...added]);
}

/** The places that are shown, in reading order. */
export function inReadingOrder(places: readonly Place[]): Place[] {
  return places.filter((place) => !place.is_hidden).toSorted((a, b) => a.y - b.y || a.x - b.x);
}

/** Moves an item to a cell. Those that it covers make room below it; one whose lower half it covers stays above it. */
export function moveTo(places: readonly Place[], of: ItemId, to: { x: number; y: number }): Place[] {
  return change(places, of, (place) => atCell(place, to));
}

/** Sizes an item; those that it covers make room below it. */
export function resizeTo(places: readonly Place[], of: ItemId, to: { w: number; h: number }): Place[] {
  return change(places, of, (place) => ({
    ...place,
    w: within(to.w, Math.min(least.w, place.w), grid.columns - place.x),
    h: within(to.h, Math.min(least.h, place.h), grid.tileRows),
  }));
}

/** Moves an item past its neighbour in a direction, or by a column where there is none. At an edge it stays. */
export function step(places: readonly Place[], of: ItemId, direction: Direction): Place[] {
  const shown = inReadingOrder(places);
  const moved = shown.find((place) => place.of === of);
  if (moved === undefined) return [...places];
  const others = shown.filter((place) => place !== moved);
  const inColumns = others.filter((other) => sharesColumns(moved, other));
  if (direction === 'down') {
    const next = inColumns.find((other) => other.y > moved.y);
    if (next === undefined) return [...places];
    return withHidden(places, settle(others.toSpliced(others.indexOf(next) + 1, 0, moved)));
  }
  if (direction === 'up') {
    // All of those that it rests on make room, also one that begins above the others.
    const top = Math.min(...inColumns.filter((other) => other.y + other.h === moved.y).map(({ y }) => y));
    const passed = inColumns.filter((other) => other.y < moved.y && other.y >= top);
    const rest = shown.filter((place) => !passed.includes(place));
    return withHidden(places, settle(rest.toSpliced(rest.indexOf(moved) + 1, 0, ...passed)));
  }
  const isLeft = direction === 'left';
  const neighbour = others.find(
    (other) => sharesRows(moved, other) && (isLeft ? other.x + other.w === moved.x : other.x === moved.x + moved.w),
  );
  if (neighbour === undefined) return moveTo(places, of, { x: moved.x + (isLeft ? -1 : 1), y: moved.y });
  const [first, second] = isLeft ? [moved, neighbour] : [neighbour, moved];
  const x = Math.min(moved.x, neighbour.x);
  const exchanged = shown.map((place) =>
    place === first ? { ...place, x } : place === second ? { ...place, x: x + first.w, y: Math.max(place.y, first.y) } : place,
  );
  return stack(withHidden(places, exchanged));
}

/** Exchanges an item with the one before or after it in reading order. */
export function moveInOrder(places: readonly Place[], of: ItemId, by: -1 | 1): Place[] {
  const shown = inReadingOrder(places);
  const at = shown.findIndex((place) => place.of === of);
  const [moved, other] = [shown[at], shown[at + by]];
  if (moved === undefined || other === undefined) return [...places];
  const exchanged = shown.with(at, atCell(other, moved)).with(at + by, atCell(moved, other));
  return withHidden(places, settle(exchanged));
}

/** Hides an item, or shows it at the end. */
export function setHidden(places: readonly Place[], of: ItemId, isHidden: boolean): Place[] {
  const bottom = Math.max(0, ...inReadingOrder(places).map(({ y, h }) => y + h));
  return stack(places.map((place) => (place.of === of ? { ...place, is_hidden: isHidden, y: isHidden ? place.y : bottom } : place)));
}

/** Where an item is, in words. */
export function placeText({ x, y, w, h }: Place): string {
  const columns = w === 1 ? '1 column' : `${w} columns`;
  return `Column ${x + 1} of ${grid.columns}, row ${y + 1}, ${columns} wide, ${h === 1 ? '1 row' : `${h} rows`} high`;
}

/** An item at a cell, as far as the grid has room for it there. */
function atCell(place: Place, { x, y }: { x: number; y: number }): Place {
  return { ...place, x: within(x, 0, grid.columns - place.w), y: Math.max(0, y) };
}

function within(value: number, low: number, most: number): number {
  return Math.min(Math.max(value, low), most);
}

function sharesColumns(a: Place, b: Place): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w;
}

function sharesRows(a: Place, b: Place): boolean {
  return a.y < b.y + b.h && b.y < a.y + a.h;
}

/** Changes an item and lets the others make room. */
function change(places: readonly Place[], of: ItemId, toPlace: (place: Place) => Place): Place[] {
  const shown = inReadingOrder(places);
  const before = shown.find((place) => place.of === of);
  if (before === undefined) return [...places];
  const changed = toPlace(before);
  const others = shown.filter((place) => place !== before);
  const at = others.findIndex((other) => sharesColumns(changed, other) && changed.y < other.y + other.h / 2);
  return withHidden(places, settle(others.toSpliced(at === -1 ? others.length : at, 0, changed)));
}

function withHidden(places: readonly Place[], shown: readonly Place[]): Place[] {
  return [...shown, ...places.filter((place) => place.is_hidden)];
}

/** Moves all items up as far as those above them allow, so that no row is empty. */
function stack(places: readonly Place[]): Place[] {
  return withHidden(places, settle(inReadingOrder(places)));
}

/** Puts items below those before them, as high as these allow. */
function settle(ordered: readonly Place[]): Place[] {
  const heights: number[] = Array.from({ length: grid.columns }, () => 0);
  return ordered.map((place) => {
    const y = Math.max(...heights.slice(place.x, place.x + place.w));
    heights.fill(y + place.h, place.x, place.x + place.w);
    return { ...place, y };
  });
}
