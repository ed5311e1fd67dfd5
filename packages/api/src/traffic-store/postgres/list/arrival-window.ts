import type { CountedDay } from './day-counts.ts';

/** Where a page of a list by arrival lies. */
export type ArrivalWindow = {
  /** Days that may hold rows of the page. */
  days: CountedDay[];
  /** Rows of these days that come before the page. */
  skip: number;
  /** The last id, in the list's direction, that may belong to the page. */
  lastId: number;
};

/**
 * Finds the days that hold the rows `skip` to `skip + limit` of a list by arrival. Late rows may stand anywhere in it,
 * but a day tells its first and its last id: whole days before the page are skipped without being read, and days after
 * it are left out. Null when the list ends before the page.
 */
export function findArrivalWindow(
  days: readonly CountedDay[],
  { skip, limit, direction }: { skip: number; limit: number; direction: 'asc' | 'desc' },
): ArrivalWindow | null {
  // Ids count down in a descending list; from here on every list ascends.
  const [first, last] =
    direction === 'asc'
      ? [(row: CountedDay) => row.first_id, (row: CountedDay) => row.last_id]
      : [(row: CountedDay) => -row.last_id, (row: CountedDay) => -row.first_id];
  const opening = reach(
    days.toSorted((a, b) => first(a) - first(b)),
    skip + 1,
  );
  if (opening === null) return null;
  const start = first(opening);
  // Past the last id of this day there are certainly more rows than the page ends with.
  const closing = reach(
    days.toSorted((a, b) => last(a) - last(b)),
    skip + limit,
  );
  const end = closing === null ? Math.max(...days.map(last)) : last(closing);
  const before = days.filter((row) => last(row) < start).reduce((sum, row) => sum + row.requests, 0);
  return { days: days.filter((row) => first(row) <= end && last(row) >= start), skip: skip - before, lastId: Math.abs(end) };
}

/** The day with which so many rows are reached, or null when there are fewer. */
function reach(days: readonly CountedDay[], rows: number): CountedDay | null {
  let reached = 0;
  for (const row of days) {
    reached += row.requests;
    if (reached >= rows) return row;
  }
  return null;
}
