import { dayOf, dayRange, type Microseconds } from '@switchyard/contract/dates';
import type pg from 'pg';
import { newParameters, type Parameters, sharedConditions, type Wanted } from './request-conditions.ts';

/** A stretch of time that holds matches, of one app or of all. */
export type Slice = { appId: number | null; from: Microseconds; until: Microseconds };

/** Where the first matches of a list lie: slices in no order, and between which ids (both included). */
export type Slices = { slices: Slice[]; firstId: number; lastId: number };

export type SliceQuery = {
  filter: Wanted;
  offset: string;
  /** By time, or by arrival, that is by id. */
  order: 'time' | 'arrival';
  direction: 'asc' | 'desc';
  /** In a list by arrival: only matches past this id count. */
  pastId: number | null;
  /** How many matches are needed. */
  wanted: number;
  /** With more slices by app than this, slices of whole days are given. */
  mostSlices: number;
};

type DayCount = { day: string; requests: number; first_id: number; last_id: number };
/** Days to look at; `cut` are those of which the filter takes a part only. */
type Bounds = { first: string; last: string; cut: readonly string[] };

/** How many days of roll-ups are read at first; each further step reads four times as many. */
const firstStep = 2;
const stepFactor = 4;

/**
 * Finds from the roll-ups alone where the first `wanted` matches of a list lie, so that rare ones are read without
 * the events between them. What it costs grows with the number of days, apps and combinations, not of events.
 */
export async function findSlices(pool: pg.Pool, query: SliceQuery): Promise<Slices> {
  const bounds = await calendarBounds(pool, query);
  if (bounds === null) return { slices: [], firstId: 0, lastId: 0 };
  const { days, firstId, lastId } =
    query.order === 'time' ? await daysByTime(pool, query, bounds) : await daysByArrival(pool, query, bounds);
  const pairs = days.length === 0 ? [] : await appsOfDays(pool, query, { days, firstId, lastId });
  const slices = pairs.length > query.mostSlices ? days.map((day) => ({ day, app_id: null })) : pairs;
  return {
    firstId,
    lastId,
    slices: slices.map(({ day, app_id: appId }) => ({ appId, ...clip(dayRange(day, query.offset), query.filter) })),
  };
}

function clip(range: { from: Microseconds; until: Microseconds }, { from, until }: Wanted): { from: Microseconds; until: Microseconds } {
  return { from: Math.max(range.from, from ?? range.from), until: Math.min(range.until, until ?? range.until) };
}

/** The light roll-up where it can answer, else the one of all dimensions. */
function rollup(filter: Wanted): string {
  return filter.countries === undefined && filter.streamUids === undefined ? 'traffic_days' : 'traffic_breakdown';
}

type Days = { days: string[]; firstId: number; lastId: number };

/**
 * Walks the days in the list's order until enough matches are certain. Roll-ups know whole days only, so a day that
 * the filter cuts is looked at but not counted on.
 */
async function daysByTime(pool: pg.Pool, { filter, direction, wanted }: SliceQuery, bounds: Bounds): Promise<Days> {
  const parameters = newParameters();
  const [from, until] = [parameters.add(null), parameters.add(null)];
  const text = countDays(filter, parameters, [`day between ${from}::date and ${until}::date`], `order by day ${direction}`);
  const days: string[] = [];
  let certain = 0;
  let reached = direction === 'desc' ? bounds.last : bounds.first;
  for (let step = firstStep; reached >= bounds.first && reached <= bounds.last && certain < wanted; step *= stepFactor) {
    const edge = shiftDay(reached, direction === 'desc' ? 1 - step : step - 1);
    const [first, last] = direction === 'desc' ? [edge, reached] : [reached, edge];
    const range = [first < bounds.first ? bounds.first : first, last > bounds.last ? bounds.last : last];
    const { rows } = await pool.query<DayCount>({ text, values: [...range, ...parameters.values.slice(2)] });
    for (const row of rows) {
      if (certain >= wanted) break;
      if (!bounds.cut.includes(row.day)) certain += row.requests;
      days.push(row.day);
    }
    reached = shiftDay(edge, direction === 'desc' ? -1 : 1);
  }
  return { days, firstId: 0, lastId: Number.MAX_SAFE_INTEGER };
}

/**
 * Late rows may stand anywhere in a list by arrival, but a day tells its first and last id: once enough matches are
 * certain to lie past some id, days that end before it cannot hold any of the first.
 */
async function daysByArrival(pool: pg.Pool, { filter, direction, wanted, pastId }: SliceQuery, bounds: Bounds): Promise<Days> {
  const parameters = newParameters();
  const range = `day between ${parameters.add(bounds.first)}::date and ${parameters.add(bounds.last)}::date`;
  const { rows } = await pool.query<DayCount>({ text: countDays(filter, parameters, [range], ''), values: parameters.values });
  const isDescending = direction === 'desc';
  const past = pastId ?? (isDescending ? Number.MAX_SAFE_INTEGER : 0);
  const isAhead = (row: DayCount) => (isDescending ? row.first_id < past : row.last_id > past);
  const isCertain = (row: DayCount) => !bounds.cut.includes(row.day) && (isDescending ? row.last_id < past : row.first_id > past);
  const ahead = rows.filter(isAhead);

  let certain = 0;
  let limit = isDescending ? 0 : Number.MAX_SAFE_INTEGER;
  for (const row of ahead.filter(isCertain).toSorted((a, b) => (isDescending ? b.first_id - a.first_id : a.last_id - b.last_id))) {
    certain += row.requests;
    if (certain < wanted) continue;
    limit = isDescending ? row.first_id : row.last_id;
    break;
  }
  const kept = ahead.filter((row) => (isDescending ? row.last_id >= limit : row.first_id <= limit));
  return {
    days: kept.map((row) => row.day),
    firstId: isDescending ? limit : Math.min(...kept.map((row) => row.first_id)),
    lastId: isDescending ? Math.max(...kept.map((row) => row.last_id)) : limit,
  };
}

function countDays(filter: Wanted, parameters: Parameters, conditions: readonly string[], order: string): string {
  return `select day::text as day, sum(requests)::bigint as requests, min(first_id) as first_id, max(last_id) as last_id
    from ${rollup(filter)} where ${[...conditions, ...sharedConditions(filter, parameters)].join(' and ')} group by day ${order}`;
}

/** Which apps the matches of these days belong to; one row more than `mostSlices` says that there are too many. */
async function appsOfDays(
  pool: pg.Pool,
  { filter, mostSlices }: SliceQuery,
  { days, firstId, lastId }: Days,
): Promise<{ day: string; app_id: number | null }[]> {
  const parameters = newParameters();
  const conditions = [
    `day = any(${parameters.add(days)}::date[])`,
    `last_id >= ${parameters.add(firstId)}`,
    `first_id <= ${parameters.add(lastId)}`,
    ...sharedConditions(filter, parameters),
  ];
  const text = `select day::text as day, app_id from ${rollup(filter)} where ${conditions.join(' and ')}
    group by day, app_id limit ${mostSlices + 1}`;
  return (await pool.query<{ day: string; app_id: number }>({ text, values: parameters.values })).rows;
}

/** First and last day that can hold a match, or null when no day can. */
async function calendarBounds(pool: pg.Pool, { filter, offset }: SliceQuery): Promise<Bounds | null> {
  const { rows } = await pool.query<{ first: string | null; last: string | null }>({
    name: 'traffic-calendar-bounds',
    text: 'select (select min(day) from traffic_days)::text as first, (select max(day) from traffic_days)::text as last',
  });
  const first = rows[0]?.first ?? null;
  const last = rows[0]?.last ?? null;
  if (first === null || last === null) return null;
  const from = filter.from === undefined ? null : dayOf(filter.from, offset);
  const until = filter.until === undefined ? null : dayOf(filter.until - 1, offset);
  const bounds = { first: from !== null && from > first ? from : first, last: until !== null && until < last ? until : last };
  return bounds.first > bounds.last ? null : { ...bounds, cut: [from, until].filter((day) => day !== null) };
}

function shiftDay(day: string, days: number): string {
  return dayOf(dayRange(day, '+00:00').from + days * 86_400_000_000, '+00:00');
}
