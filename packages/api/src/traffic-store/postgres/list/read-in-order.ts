import type pg from 'pg';
import { clippedDay, findDaysByArrival, findDaysByTime, type MatchingDay, slicesOf } from './matching-days.ts';
import { type PartFilter, isCounted, narrows } from '../../event-filter-rules.ts';
import { everyMatch, matchesBetween, matchesInSlices, nearMatches, type Reading } from './event-queries.ts';
import { runQuery } from '../run-query.ts';
import { readSearch, type SearchPlan } from './read-search.ts';
import type { ListedEvent } from '../../event-fields.ts';

/** How a list is read: the offset in which days are cut, and when to leave one way of reading for the next. */
export type ReadingPlan = SearchPlan & {
  /** So many rows next in order are looked through before the roll-ups are asked where the matches lie. */
  lookAhead: number;
  /** A day with more matches than so many times the rows needed is read through, any other one app by app. */
  denseDay: number;
};

/** When matches among the rows next in order promise enough within so many times as many, these are looked through too. */
const secondLook = 8;
/** Matches are not spread evenly, so more of them than needed have to be promised. */
const reserve = 1.2;

/**
 * The first rows of a list past a position, in order. A filter is tried on the rows next in order, which is enough
 * unless matches are rare; then the roll-ups tell where those lie.
 */
export async function readInOrder(pool: pg.Pool, plan: ReadingPlan, reading: Reading): Promise<ListedEvent[]> {
  const near = reading.order === 'time' ? { ...reading, filter: narrowToPosition(reading) } : reading;
  if (!isCounted(near.filter)) return readSearch(pool, plan, near);
  if (!narrows(near.filter)) return (await runQuery(pool, everyMatch(near))).rows;
  const { rows } = await runQuery(pool, nearMatches(near, plan.lookAhead));
  if (rows.length >= near.wanted) return rows;
  // Rows of one type by arrival lie scattered, so that looking through more of them costs more than asking the roll-ups.
  if (near.filter.ownType === undefined && rows.length * secondLook >= near.wanted * reserve) {
    const more = await runQuery(pool, nearMatches(near, plan.lookAhead * secondLook));
    if (more.rows.length >= near.wanted) return more.rows;
  }
  return near.order === 'time' ? readDaysByTime(pool, plan, near) : readDaysByArrival(pool, plan, near);
}

/** In a list by time nothing on the far side of the position can match, which spares whole partitions. */
function narrowToPosition({ filter, position, direction }: Reading): PartFilter {
  if (position === null) return filter;
  const at = position.occurredAt;
  return direction === 'desc'
    ? { ...filter, until: Math.min(filter.until ?? Infinity, at + 1) }
    : { ...filter, from: Math.max(filter.from ?? -Infinity, at) };
}

async function readDaysByTime(pool: pg.Pool, plan: ReadingPlan, reading: Reading): Promise<ListedEvent[]> {
  const { filter, wanted } = reading;
  const calendar = { filter, offset: plan.offset };
  const days = await findDaysByTime(pool, { ...calendar, direction: reading.direction, wanted });
  const rows: ListedEvent[] = [];
  for (const stretch of stretchesOf(days, wanted * plan.denseDay)) {
    if (rows.length >= wanted) break;
    const rest = { ...reading, wanted: wanted - rows.length };
    const query =
      stretch.dense !== null
        ? everyMatch({ ...rest, filter: { ...filter, ...clippedDay(stretch.dense, calendar) } })
        : matchesInSlices(rest, await slicesOf(pool, stretch.days, calendar));
    rows.push(...(await runQuery(pool, query)).rows);
  }
  return rows;
}

type Stretch = { dense: string; days: [] } | { dense: null; days: MatchingDay[] };

/** Dense days by themselves, and the days between them together. */
function stretchesOf(days: readonly MatchingDay[], limit: number): Stretch[] {
  const stretches: Stretch[] = [];
  for (const day of days) {
    const last = stretches.at(-1);
    if (day.requests > limit) stretches.push({ dense: day.day, days: [] });
    else if (last && last.dense === null) last.days.push(day);
    else stretches.push({ dense: null, days: [day] });
  }
  return stretches;
}

async function readDaysByArrival(pool: pg.Pool, plan: ReadingPlan, reading: Reading): Promise<ListedEvent[]> {
  const { filter, wanted, direction, position } = reading;
  const calendar = { filter, offset: plan.offset };
  const { days, firstId, lastId } = await findDaysByArrival(pool, { ...calendar, direction, wanted, pastId: position?.id ?? null });
  if (days.length === 0) return [];
  const isDense = days.some((day) => day.requests > wanted * plan.denseDay);
  const query = isDense
    ? matchesBetween(reading, { first_id: firstId, last_id: lastId })
    : matchesInSlices(reading, await slicesOf(pool, days, calendar));
  return (await runQuery(pool, query, { isKept: !isDense })).rows;
}
