/** The order of a list: by time, or by arrival (id). */
export type ListOrder = { order: 'time' | 'arrival'; direction: 'asc' | 'desc' };

/** A stretch of time with matches: when it begins, how many there are, and between which ids they arrived. */
export type Slice = { starts: number; matches: number; first_id: number; last_id: number };

/** How many rows match, from the counts by slice. */
export function totalOf(slices: readonly { matches: number }[]): number {
  return slices.reduce((sum, { matches }) => sum + matches, 0);
}

/** Where a slice begins and ends in a list, as numbers that ascend in the list's direction. */
export function edgesOf({ order, direction }: ListOrder): { near: (slice: Slice) => number; far: (slice: Slice) => number } {
  const first = (slice: Slice) => (order === 'time' ? slice.starts : slice.first_id);
  const last = (slice: Slice) => (order === 'time' ? slice.starts : slice.last_id);
  return direction === 'asc' ? { near: first, far: last } : { near: (slice) => -last(slice), far: (slice) => -first(slice) };
}

/** The slice that reaches this number of rows, or null if there are fewer. */
function reach<One extends Slice>(slices: readonly One[], rows: number): One | null {
  let reachedCount = 0;
  for (const next of slices) {
    reachedCount += next.matches;
    if (reachedCount >= rows) return next;
  }
  return null;
}

/** Where a page of a list lies: the slices that may hold its rows, how many of their rows come before it, and the last id that may belong to it. */
export type PageWindow<One> = { slices: One[]; skip: number; lastId?: number };

/**
 * Finds the slices that hold the rows `skip` to `skip + limit` of a list. Slices before the page are skipped without being read, and
 * those after it are excluded. Null when the list ends before the page.
 */
export function findPage<One extends Slice>(
  slices: readonly One[],
  { order, direction, skip, limit }: ListOrder & { skip: number; limit: number },
): PageWindow<One> | null {
  const { near, far } = edgesOf({ order, direction });
  const opening = reach(
    slices.toSorted((a, b) => near(a) - near(b)),
    skip + 1,
  );
  if (opening === null) return null;
  const start = near(opening);
  // Past the far edge of this slice there are certainly more rows than the page ends with.
  const closing = reach(
    slices.toSorted((a, b) => far(a) - far(b)),
    skip + limit,
  );
  const end = closing === null ? Math.max(...slices.map(far)) : far(closing);
  return {
    slices: slices.filter((slice) => near(slice) <= end && far(slice) >= start),
    skip: skip - totalOf(slices.filter((slice) => far(slice) < start)),
    ...(order === 'arrival' && { lastId: Math.abs(end) }),
  };
}

/**
 * Finds the slices that can hold the first `limit` matches of a list. `end` is the edge, in the list's direction, before which
 * they certainly lie; infinite when there may be fewer.
 * @param query `isCertain`: whether all that a slice counts lies in the list, past the position to read from.
 */
export function findFirst<One extends Slice>(
  slices: readonly One[],
  { order, direction, limit, isCertain }: ListOrder & { limit: number; isCertain: (slice: One) => boolean },
): { slices: One[]; end: number } {
  const { near, far } = edgesOf({ order, direction });
  const closing = reach(
    slices.filter(isCertain).toSorted((a, b) => far(a) - far(b)),
    limit,
  );
  const end = closing === null ? Infinity : far(closing);
  return { slices: slices.filter((slice) => near(slice) <= end).toSorted((a, b) => near(a) - near(b)), end };
}
