import { dayOf, dayRange, type Microseconds } from '@switchyard/contract/dates';
import type { Span } from '../../time-buckets.ts';
import type { PartFilter } from '../../event-filter-rules.ts';
import { newParameters, type Parameters, sharedConditions } from '../event-conditions.ts';
import { dayRollupFor } from '../rollups.ts';
import type { Reader } from '../snapshot.ts';

/** A day with matches: how many, and between which ids its rows arrived. */
export type MatchingDay = { day: string; requests: number; first_id: number; last_id: number };

/** A stretch of time of one app that holds matches. */
export type Slice = { appId: number; from: Microseconds; until: Microseconds };

type DayQuery = {
  filter: PartFilter;
  /** In which the server cuts days. */
  offset: string;
  direction: 'asc' | 'desc';
  /** How many matches are needed. */
  wanted: number;
};

/** Days to look at; `cut` are those of which the filter takes a part only. */
type Bounds = { first: string; last: string; cut: readonly string[] };

/** How many days of roll-ups are read at first; each further step reads four times as many. */
const firstStep = 2;
const stepFactor = 4;

/**
 * The days that hold the first matches of a list by time, in its order, found from the roll-ups alone. They know whole
 * days only, so a day that the filter cuts is named but not counted on.
 */
export async function findDaysByTime(pool: Reader, { filter, offset, direction, wanted }: DayQuery): Promise<MatchingDay[]> {
  const bounds = await calendarBounds(pool, filter, offset);
  if (bounds === null) return [];
  const parameters = newParameters();
  const [from, until] = [parameters.add(null), parameters.add(null)];
  const text = countDays(filter, parameters, [`day between ${from}::date and ${until}::date`], `order by day ${direction}`);
  const days: MatchingDay[] = [];
  let certain = 0;
  let reached = direction === 'desc' ? bounds.last : bounds.first;
  for (let step = firstStep; reached >= bounds.first && reached <= bounds.last && certain < wanted; step *= stepFactor) {
    const edge = shiftDay(reached, direction === 'desc' ? 1 - step : step - 1);
    const [first, last] = direction === 'desc' ? [edge, reached] : [reached, edge];
    const range = [first < bounds.first ? bounds.first : first, last > bounds.last ? bounds.last : last];
    const { rows } = await pool.query<MatchingDay>({ text, values: [...range, ...parameters.values.slice(2)] });
    for (const row of rows) {
      if (certain >= wanted) break;
      if (!bounds.cut.includes(row.day)) certain += row.requests;
      days.push(row);
    }
    reached = shiftDay(edge, direction === 'desc' ? -1 : 1);
  }
  return days;
}

/**
 * The days that can hold the first matches of a list by arrival, and the ids between which these lie. Late rows may
 * stand anywhere in such a list, but a day tells its first and last id: once enough matches are certain to lie past
 * some id, a day that ends before it is out, and is not even asked how many matches it holds.
 * @param query `pastId`: only matches past it count; null: all.
 */
export async function findDaysByArrival(
  pool: Reader,
  { filter, offset, direction, wanted, pastId }: DayQuery & { pastId: number | null },
): Promise<{ days: MatchingDay[]; firstId: number; lastId: number }> {
  const bounds = await calendarBounds(pool, filter, offset);
  if (bounds === null) return { days: [], firstId: 0, lastId: 0 };
  const isDescending = direction === 'desc';
  const past = pastId ?? (isDescending ? Number.MAX_SAFE_INTEGER : 0);
  const isAhead = (row: MatchingDay): boolean => (isDescending ? row.first_id < past : row.last_id > past);
  const isCertain = (row: MatchingDay): boolean =>
    !bounds.cut.includes(row.day) && (isDescending ? row.last_id < past : row.first_id > past);

  const waiting = (await allDays(pool, filter, bounds)).filter(isAhead);
  waiting.sort((a, b) => (isDescending ? b.last_id - a.last_id : a.first_id - b.first_id));
  const ahead: MatchingDay[] = [];
  let limit: number | null = null;
  const mayHold = (row: MatchingDay): boolean => limit === null || (isDescending ? row.last_id >= limit : row.first_id <= limit);
  for (let step = firstStep; waiting[0] !== undefined && mayHold(waiting[0]); step *= stepFactor) {
    const parameters = newParameters();
    const names = parameters.add(waiting.splice(0, step).map((row) => row.day));
    const text = countDays(filter, parameters, [`day = any(${names}::date[])`], '');
    const { rows } = await pool.query<MatchingDay>({ text, values: parameters.values });
    ahead.push(...rows.filter(isAhead));
    limit = idOfEnough(ahead.filter(isCertain), { wanted, isDescending });
  }
  const days = ahead.filter(mayHold);
  const last = limit ?? (isDescending ? 0 : Number.MAX_SAFE_INTEGER);
  return {
    days,
    firstId: isDescending ? last : Math.min(...days.map((row) => row.first_id)),
    lastId: isDescending ? Math.max(...days.map((row) => row.last_id)) : last,
  };
}

/** The id past which these days hold so many matches for certain; null when they have fewer. */
function idOfEnough(days: readonly MatchingDay[], { wanted, isDescending }: { wanted: number; isDescending: boolean }): number | null {
  let certain = 0;
  for (const row of days.toSorted((a, b) => (isDescending ? b.first_id - a.first_id : a.last_id - b.last_id))) {
    certain += row.requests;
    if (certain >= wanted) return isDescending ? row.first_id : row.last_id;
  }
  return null;
}

/** The days of the calendar with the ids of all their requests, or of all of one type, whatever else the filter asks for. */
async function allDays(pool: Reader, { ownType }: PartFilter, { first, last }: Bounds): Promise<MatchingDay[]> {
  const parameters = newParameters();
  const range = `day between ${parameters.add(first)}::date and ${parameters.add(last)}::date`;
  const text = countDays({ scope: 'all', ...(ownType === undefined ? {} : { ownType }) }, parameters, [range], '');
  return (await pool.query<MatchingDay>({ text, values: parameters.values })).rows;
}

function countDays(filter: PartFilter, parameters: Parameters, conditions: readonly string[], order: string): string {
  return `select day::text as day, sum(requests)::bigint as requests, min(first_id) as first_id, max(last_id) as last_id
    from ${dayRollupFor(filter)} where ${[...conditions, ...sharedConditions(filter, parameters)].join(' and ')} group by day ${order}`;
}

/** Which apps the matches of these days belong to, as stretches of time within the filter's range. */
export async function slicesOf(
  pool: Reader,
  days: readonly MatchingDay[],
  { filter, offset }: { filter: PartFilter; offset: string },
): Promise<Slice[]> {
  const parameters = newParameters();
  const conditions = [`day = any(${parameters.add(days.map((row) => row.day))}::date[])`, ...sharedConditions(filter, parameters)];
  const { rows } = await pool.query<{ day: string; app_id: number }>({
    text: `select distinct day::text as day, app_id from ${dayRollupFor(filter, ['app_id'])} where ${conditions.join(' and ')}`,
    values: parameters.values,
  });
  return rows.map((row) => ({ appId: row.app_id, ...clippedDay(row.day, { filter, offset }) }));
}

/** The part of a day that the filter asks for. */
export function clippedDay(
  day: string,
  { filter, offset }: { filter: PartFilter; offset: string },
): { from: Microseconds; until: Microseconds } {
  const range = dayRange(day, offset);
  return { from: Math.max(range.from, filter.from ?? range.from), until: Math.min(range.until, filter.until ?? range.until) };
}

/** The stretches of time that these days make up, within the filter's range; days that follow each other are one. */
export function spansOf(days: readonly { day: string }[], calendar: { filter: PartFilter; offset: string }): Span[] {
  const spans: Span[] = [];
  for (const { day } of days.toSorted((a, b) => (a.day < b.day ? -1 : 1))) {
    const span = clippedDay(day, calendar);
    const last = spans.at(-1);
    if (last?.until === span.from) last.until = span.until;
    else spans.push(span);
  }
  return spans;
}

/** First and last day that can hold a match, or null when no day can. */
async function calendarBounds(pool: Reader, filter: PartFilter, offset: string): Promise<Bounds | null> {
  const { rows } = await pool.query<{ first: string | null; last: string | null }>({
    name: 'traffic-calendar-bounds',
    text: 'select (select min(day) from traffic_day_types)::text as first, (select max(day) from traffic_day_types)::text as last',
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
