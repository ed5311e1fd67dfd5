import { dayOf, dayRange, type Microseconds } from '@switchyard/contract/dates';
import type { RequestType } from '@switchyard/contract/requests';
import { isCounted, type PartFilter } from '../../event-filter-rules.ts';
import type { TimeRange } from '../../time-range.ts';
import { day, type Span, splitWhole } from '../../time-buckets.ts';
import type { Reading } from '../../list/cursor-pages.ts';
import { edgesOf, findFirst, type ListOrder, type Slice } from '../../list/slices.ts';
import { searchConditions, newParameters, type Parameters, countedConditions, timeConditions } from '../event-conditions.ts';
import { dayRollupFor } from '../rollups.ts';
import { keptName, type Reader } from '../statements.ts';

/** Input of a plan of days: a filter, and the offset in which the server cuts days. */
export type Calendar = { filter: PartFilter; offset: string };

/** A day with matches; it `starts` at its midnight in UTC, whatever the offset: days are only compared with each other. */
export type MatchingDay = Slice & { day: string; type: RequestType | null };

/**
 * Exact matches by day, or by day and type. Whole days come from the roll-ups, so the time depends on the number of days; parts of
 * days at the ends of the range, and searches, are counted from the events.
 * @param options `excludedDays`: the days on which a search excludes something (findExcludedDays); null: any may be.
 */
export async function countByDay(reader: Reader, calendar: Calendar, options: DayCounts = {}): Promise<MatchingDay[]> {
  const parameters = newParameters();
  const text = matchesByDay(calendar, options, parameters);
  // A search is planned for its own values: one address and a wide block want different indexes.
  const name = isCounted(calendar.filter) ? { name: keptName(text) } : {};
  return (await reader.query<MatchingDay>({ ...name, text, values: parameters.values })).rows;
}

type DayCounts = { byType?: boolean; excludedDays?: readonly string[] | null };

/** SQL of what `countByDay` returns, in the order of the days. */
export function matchesByDay(
  { filter, offset }: Calendar,
  { byType = false, excludedDays = null }: DayCounts,
  parameters: Parameters,
): string {
  const fromEvents = (span: TimeRange) => daysOfEvents({ filter, offset }, span, byType, parameters);
  const { whole, edges } = isCounted(filter) || excludedDays !== null ? splitWhole(filter, day, offset) : { whole: null, edges: [filter] };
  const parts: string[] = [];
  if (whole !== null) {
    const excludedNames = excludedDays ?? [];
    const others = excludedNames.length === 0 ? [] : [`day <> all(${parameters.add(excludedNames)}::date[])`];
    parts.push(daysOfRollup(filter, [...wholeDays(filter, whole, offset, parameters), ...others], parameters));
    const searchedDays = excludedNames.map((name) => ({ day: name }));
    edges.push(...spansOf(searchedDays, { filter: { ...filter, ...whole }, offset }));
  }
  parts.push(...edges.map(fromEvents));
  // An empty range has no parts, and no events.
  if (parts.length === 0) parts.push(fromEvents(filter));
  return sumByDay(parts, byType);
}

/** How many days of roll-ups `findDays` reads at first; each further step reads four times as many. */
const firstStep = 2;
const stepFactor = 4;

/** The days that can hold the first matches of a list, in its order, and the ids between which these matches lie. */
export type FirstDays = { days: MatchingDay[]; ids: { first: number; last: number } };

/**
 * Finds the days that can hold the first `limit` matches of a list, from the roll-ups alone. These count whole days, so a day that
 * the filter cuts is included but its matches are not certain. Late rows may be anywhere in a list by arrival, but a day has its
 * first and last id: once enough matches are certain to lie before some id, later days are not even counted. @param query
 * `position`: only matches past it count; null: all.
 */
export async function findDays(
  reader: Reader,
  { filter, offset }: Calendar,
  { order, direction, limit, position }: ListOrder & Pick<Reading, 'limit' | 'position'>,
): Promise<FirstDays> {
  const { near, far } = edgesOf({ order, direction });
  const past = order === 'time' || position === null ? -Infinity : direction === 'asc' ? position.id : -position.id;
  const isCertain = (row: MatchingDay) => near(row) > past && !isCut(row.day, { filter, offset }, order === 'time' ? position : null);
  const waitingDays = (await daysWithEvents(reader, { filter, offset }))
    .filter((row) => far(row) > past)
    .toSorted((a, b) => near(a) - near(b));
  const countedDays: MatchingDay[] = [];
  let days: MatchingDay[] = [];
  let end = Infinity;
  for (let step = firstStep; waitingDays[0] !== undefined && near(waitingDays[0]) <= end; step *= stepFactor) {
    const parameters = newParameters();
    const next = waitingDays.splice(0, step);
    const text = sumByDay([daysOfRollup(filter, [isOnDays(next, parameters)], parameters)], false);
    const { rows } = await reader.query<MatchingDay>({ text, values: parameters.values });
    countedDays.push(...rows.filter((row) => far(row) > past));
    ({ slices: days, end } = findFirst(countedDays, { order, direction, limit, isCertain }));
  }
  const [first, last] = [Math.min(...days.map(near)), Math.min(end, Number.MAX_SAFE_INTEGER)];
  return { days, ids: direction === 'asc' ? { first, last } : { first: -last, last: -first } };
}

/** Neighbouring days together while they hold no more than `most` matches; a day with more is by itself. */
export function groupDays(days: readonly MatchingDay[], most: number): MatchingDay[][] {
  const groups: MatchingDay[][] = [];
  let room = 0;
  for (const next of days) {
    const last = groups.at(-1);
    if (last && next.matches <= room) last.push(next);
    else {
      groups.push([next]);
      room = most;
    }
    room -= next.matches;
  }
  return groups;
}

/** The stretches of time that these days make up, within the filter's range; days that follow each other are one. */
export function spansOf(days: readonly { day: string }[], calendar: Calendar): Span[] {
  const spans: Span[] = [];
  for (const { day: name } of days.toSorted((a, b) => (a.day < b.day ? -1 : 1))) {
    const span = clipDay(name, calendar);
    const last = spans.at(-1);
    if (last?.until === span.from) last.until = span.until;
    else spans.push(span);
  }
  return spans;
}

/** Maximum number of roll-up rows whose events are read by id instead of reading the app's day. */
const mostFollowed = 20;

/**
 * SQL of the events of these days that match, each app's read by its own range of an index. Where a roll-up has few rows for an app
 * and day, and none counts more than two events, their first and last ids are all the matches there are, and are read by id.
 * @param options `onDays`: SQL of the condition on `day`; `columns` of the events; further `conditions`; and the `order` of one app and
 *   day: with a limit, or `offset 0`, which keeps the planner of the database from joining freely.
 */
export function eventsOfDays(
  { filter, offset }: Calendar,
  { onDays, columns = '*', conditions = [], order }: { onDays: string; columns?: string; conditions?: readonly string[]; order: string },
  parameters: Parameters,
): string {
  const shift = `${parameters.add(offset)}::interval`;
  const slices = `select day as slice_day, app_id as slice_app, count(*) <= ${mostFollowed} and max(requests) <= 2 as has_ids,
    array_agg(first_id) || array_agg(last_id) as ids from ${dayRollupFor(filter, ['app_id'])}
    where ${[onDays, ...countedConditions(filter, parameters)].join(' and ')} group by day, app_id`;
  const ofSlice = [
    'app_id = slice_app',
    `occurred_at >= (slice_day::timestamp - ${shift}) at time zone 'UTC'`,
    `occurred_at < (slice_day::timestamp + interval '1 day' - ${shift}) at time zone 'UTC'`,
    ...countedConditions({ ...filter, scope: 'all' }, parameters),
    ...searchConditions(filter, parameters),
    ...timeConditions(filter, parameters),
    ...conditions,
  ].join(' and ');
  return `select found.* from (${slices}) as slice cross join lateral (
      (select one.* from (select distinct unnest(ids) as known_id) as known cross join lateral
        (select ${columns} from events where has_ids and id = known_id and ${ofSlice} limit 1) as one)
      union all (select ${columns} from events where not has_ids and ${ofSlice} ${order})
    ) as found`;
}

/** SQL of the condition on `day` that names these days. */
export function isOnDays(days: readonly MatchingDay[], parameters: Parameters): string {
  return `day = any(${parameters.add(days.map((row) => row.day))}::date[])`;
}

/** From the first to the last of these days, within what the filter asks for. */
export function rangeOf(days: readonly MatchingDay[], calendar: Calendar): Span {
  const ranges = days.map((row) => clipDay(row.day, calendar));
  return { from: Math.min(...ranges.map((range) => range.from)), until: Math.max(...ranges.map((range) => range.until)) };
}

/** Whole days of a range as conditions on a roll-up by day. */
export function wholeDays({ scope }: PartFilter, { from, until }: TimeRange, offset: string, parameters: Parameters): string[] {
  const [min, max] = ['(select min(day) from traffic_day_types)', '(select max(day) from traffic_day_types)'];
  const dayAt = (instant: Microseconds) => `${parameters.add(dayOf(instant, offset))}::date`;
  if (scope === 'all' || scope.length !== 1) {
    // The planner knows how many rows plain dates select.
    const [first, last] = [from === undefined ? min : dayAt(from), until === undefined ? max : dayAt(until - 1)];
    return [`day between ${first} and ${last}`];
  }
  const first = from === undefined ? min : `greatest(${dayAt(from)}, ${min})`;
  const last = until === undefined ? max : `least(${dayAt(until - 1)}, ${max})`;
  // The key begins with the day: naming each day lets an index find one app's rows and skip all others.
  return [`day = any(array(select generate_series(${first}, ${last}, interval '1 day')::date))`];
}

/** The part of a day that the filter asks for. */
function clipDay(name: string, { filter, offset }: Calendar): Span {
  const range = dayRange(name, offset);
  return { from: Math.max(range.from, filter.from ?? range.from), until: Math.min(range.until, filter.until ?? range.until) };
}

/** Whether the range or the position cuts a day; rows of the position's own instant may lie before it. */
function isCut(name: string, calendar: Calendar, position: Reading['position']): boolean {
  const { from, until } = clipDay(name, calendar);
  return until - from < day || (position !== null && from <= position.occurredAt && position.occurredAt < until);
}

/** The days of the filter's range with the ids of all their events, or of all of one type, whatever else the filter asks for. */
async function daysWithEvents(reader: Reader, { filter: { from, until, ownType }, offset }: Calendar): Promise<MatchingDay[]> {
  const parameters = newParameters();
  const days = wholeDays({ scope: 'all' }, { from, until }, offset, parameters);
  const text = sumByDay([daysOfRollup({ scope: 'all', ...(ownType === undefined ? {} : { ownType }) }, days, parameters)], false);
  return (await reader.query<MatchingDay>({ name: keptName(text), text, values: parameters.values })).rows;
}

function sumByDay(parts: readonly string[], byType: boolean): string {
  return `select day::text as day, extract(epoch from day)::bigint as starts, ${byType ? 'type' : 'null as type'}, sum(requests)::bigint as matches, min(first_id) as first_id,
    max(last_id) as last_id from (${parts.join(' union all ')}) as counted group by day${byType ? ', type' : ''} order by day`;
}

function daysOfRollup(filter: PartFilter, days: readonly string[], parameters: Parameters): string {
  const conditions = [...days, ...countedConditions(filter, parameters)];
  return `select day, type, requests, first_id, last_id from ${dayRollupFor(filter)} where ${conditions.join(' and ')}`;
}

/** Events are grouped by the start of their day, which is fast to compute; the date is computed once a group. */
function daysOfEvents({ filter, offset }: Calendar, range: TimeRange, byType: boolean, parameters: Parameters): string {
  const conditions = [
    'true',
    ...countedConditions(filter, parameters),
    ...searchConditions(filter, parameters),
    ...timeConditions(range, parameters),
  ];
  const shift = `${parameters.add(offset)}::interval`;
  const binnedTimes = `select date_bin('1 day', occurred_at, timestamptz 'epoch' - ${shift}) as start, ${byType ? 'type' : 'null::request_type as type'},
    count(*) as requests, min(id) as first_id, max(id) as last_id
    from events where ${conditions.join(' and ')} group by 1, 2`;
  return `select (start at time zone 'UTC' + ${shift})::date as day, type, requests, first_id, last_id from (${binnedTimes}) as binned`;
}
