import type pg from 'pg';
import type { ListedEvent } from '../../event-fields.ts';
import { isCounted, isSearched, narrows } from '../../event-filter-rules.ts';
import { narrowToPosition, type Reading } from '../../list/cursor-pages.ts';
import { totalOf } from '../../list/slices.ts';
import { readRows } from '../event-page.ts';
import { everyMatch, matchesBetween, matchesOfDays, nearMatches } from './event-queries.ts';
import { findDays, groupDays, rangeOf } from './plan-days.ts';
import { readSearch, type SearchPlan } from './read-search.ts';

/** How a list is read: the offset in which days are cut, and the thresholds between the ways of reading. */
export type ReadingPlan = SearchPlan & {
  /** So many of the next rows are tried before the days are planned. */
  lookAhead: number;
  /** A day whose matches exceed the needed rows by this factor is read in order, other days app by app. */
  denseDay: number;
};

/** Factor of further rows that are read if the first rows promise enough matches within them. */
const secondLook = 8;
/** Matches are not distributed evenly, so more than the needed number has to be expected. */
const reserve = 1.2;

/**
 * The first rows of a list past a position, in order. A filter is first tried on the next rows, which is enough unless matches are
 * rare; then the days with matches are planned from the roll-ups.
 */
export async function readInOrder(pool: pg.Pool, plan: ReadingPlan, reading: Reading): Promise<ListedEvent[]> {
  const near = { ...reading, filter: narrowToPosition(reading) };
  if (isSearched(near.filter)) return readSearch(pool, plan, near);
  if (!isCounted(near.filter)) return readScattered(pool, plan, near);
  if (!narrows(near.filter)) return readRows(pool, everyMatch(near));
  const rows = await readRows(pool, nearMatches(near, plan.lookAhead));
  if (rows.length >= near.limit) return rows;
  // Rows of one type by arrival are scattered, so that trying more of them takes longer than planning days.
  if (near.filter.ownType === undefined && rows.length * secondLook >= near.limit * reserve) {
    const more = await readRows(pool, nearMatches(near, plan.lookAhead * secondLook));
    if (more.length >= near.limit) return more;
  }
  return near.order === 'time' ? readDaysByTime(pool, plan, near) : readDaysByArrival(pool, plan, near);
}

/** Matches that nothing leads to: the next rows are tried, then all in order. */
async function readScattered(pool: pg.Pool, plan: ReadingPlan, reading: Reading): Promise<ListedEvent[]> {
  const rows = await readRows(pool, nearMatches(reading, plan.lookAhead));
  return rows.length >= reading.limit ? rows : readRows(pool, everyMatch(reading));
}

async function readDaysByTime(pool: pg.Pool, plan: ReadingPlan, reading: Reading): Promise<ListedEvent[]> {
  const { filter, limit } = reading;
  const calendar = { filter, offset: plan.offset };
  const { days } = await findDays(pool, calendar, reading);
  const most = limit * plan.denseDay;
  const rows: ListedEvent[] = [];
  for (const group of groupDays(days, most)) {
    if (rows.length >= limit) break;
    const rest = { ...reading, limit: limit - rows.length };
    const isDense = totalOf(group) > most;
    const query = isDense
      ? everyMatch({ ...rest, filter: { ...filter, ...rangeOf(group, calendar) } })
      : matchesOfDays(rest, plan.offset, group);
    rows.push(...(await readRows(pool, query)));
  }
  return rows;
}

async function readDaysByArrival(pool: pg.Pool, plan: ReadingPlan, reading: Reading): Promise<ListedEvent[]> {
  const { filter, limit } = reading;
  const { days, ids } = await findDays(pool, { filter, offset: plan.offset }, reading);
  if (days.length === 0) return [];
  const isDense = days.some((row) => row.matches > limit * plan.denseDay);
  const query = isDense ? matchesBetween(reading, ids) : matchesOfDays(reading, plan.offset, days);
  return readRows(pool, query, { isKept: !isDense });
}
