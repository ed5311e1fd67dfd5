import type { Microseconds } from '@switchyard/contract/dates';
import { pageSizes } from '@switchyard/contract/limits';
import { isCounted, type PartFilter } from '../../event-filter-rules.ts';
import {
  searchConditions,
  allConditions,
  hideValues,
  newParameters,
  type Parameters,
  searchWays,
  countedConditions,
  timeConditions,
  timestamp,
} from '../event-conditions.ts';
import { asEventPage, asEventRows } from '../event-page.ts';
import { type Calendar, eventsOfDays, type FirstDays, isOnDays, matchesByDay, type MatchingDay } from './plan-days.ts';
import type { Reading } from '../../list/cursor-pages.ts';
import type { ListOrder } from '../../list/slices.ts';
import type { Query } from '../statements.ts';
import type { Span } from '../../time-buckets.ts';

const orderColumns = { time: ['occurred_at', 'id'], arrival: ['id'] } as const;

/** Matches in order, straight from the events. */
export function everyMatch(reading: Reading): Query {
  const parameters = newParameters();
  return page(parameters, reading, 'select * from events', [
    ...allConditions(reading.filter, parameters),
    ...pastPosition(reading, parameters),
  ]);
}

/**
 * Matches among the next `lookAhead` rows, which takes the same time for every filter. One app by time, and one type by arrival, have
 * an index of their own.
 */
export function nearMatches(reading: Reading, lookAhead: number): Query {
  const { scope, ownType, from, until, ...rest } = reading.filter;
  const parameters = newParameters();
  const isOneApp = reading.order === 'time' && scope !== 'all' && scope.length === 1;
  const walkedFilter: PartFilter = { scope: isOneApp ? scope : 'all', ...(ownType === undefined ? {} : { ownType }) };
  const conditions = [
    ...countedConditions(walkedFilter, parameters),
    ...timeConditions({ from, until }, parameters),
    ...pastPosition(reading, parameters),
  ];
  const near = `select * from events ${where(conditions)} order by ${orderBy(reading)} limit ${lookAhead}`;
  const hiddenValues = hideValues(parameters);
  const remainingConditions = [
    ...countedConditions({ ...rest, scope: isOneApp ? 'all' : scope }, hiddenValues),
    ...searchConditions(reading.filter, hiddenValues),
  ];
  return page(parameters, reading, `select * from (${near}) as near`, remainingConditions);
}

/**
 * Matches of a search, at most `most` for each of its alternatives, in any order; `matches` is their number. Below `most` the page is
 * complete, otherwise it may lack rows. Wrong statistics cannot turn this into a scan through time.
 */
export function searchMatches(reading: Reading, most: number): Query {
  const parameters = newParameters();
  const time = timeConditions(reading.filter, parameters);
  const ways = searchWays(reading.filter, parameters).map((way) => `(select * from events ${where([way, ...time])} limit ${most})`);
  const selection = `select * from matched ${where([
    ...countedConditions(reading.filter, parameters),
    ...searchConditions(reading.filter, parameters),
    ...pastPosition(reading, parameters),
  ])} order by ${orderBy(reading)} limit ${rowCount(reading)}`;
  const text = `with matched as materialized (${ways.join(' union all ')})
    select page, (select count(*)::integer from matched) as matches from (${asEventPage(selection)}) as found`;
  return { text, values: parameters.values };
}

/** Matches of these days, each app's read by its own range of an index. */
export function matchesOfDays(reading: Reading, offset: string, days: readonly MatchingDay[]): Query {
  const parameters = newParameters();
  const conditions = pastPosition(reading, parameters);
  const order = `order by ${orderBy(reading)} limit ${rowCount(reading)}`;
  const options = { onDays: isOnDays(days, parameters), conditions, order };
  return page(parameters, reading, eventsOfDays({ filter: reading.filter, offset }, options, parameters), []);
}

/** Matches by arrival between two ids. */
export function matchesBetween(reading: Reading, ids: FirstDays['ids']): Query {
  const parameters = newParameters();
  return page(parameters, reading, 'select * from events', [
    `id between ${parameters.add(ids.first)} and ${parameters.add(ids.last)}`,
    ...countedConditions(reading.filter, parameters),
    ...timeConditions(reading.filter, parameters),
    ...pastPosition(reading, parameters),
  ]);
}

/** The oldest and the newest event within the filter's range of time, in microseconds. */
export function firstAndLast(filter: PartFilter): Query {
  const parameters = newParameters();
  const end = (direction: string) =>
    `(select (extract(epoch from occurred_at) * 1000000)::bigint from events ${where(timeConditions(filter, parameters))}
      order by occurred_at ${direction} limit 1)`;
  return { text: `select ${end('asc')} as first, ${end('desc')} as last`, values: parameters.values };
}

function page(parameters: Parameters, reading: Reading, select: string, conditions: readonly string[]): Query {
  const text = `${select} ${where(conditions)} order by ${orderBy(reading)} limit ${rowCount(reading)}`;
  return { text: asEventRows(text), values: parameters.values };
}

/** Page sizes with prepared statements, each with the row that shows whether more follow. */
const keptSizes = [21, 51, 101, 201] as const;

/**
 * Written into the text, because a plan for an unknown number of rows assumes a tenth of the table; rounded up to one of few sizes,
 * so that few statements are prepared.
 */
function rowCount({ limit }: Reading): number {
  return keptSizes.find((size) => size >= limit) ?? Math.trunc(limit);
}

function where(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
}

function orderBy({ order, direction }: Reading): string {
  return orderColumns[order].map((column) => `${column} ${direction}`).join(', ');
}

function pastPosition({ order, direction, position }: Reading, parameters: Parameters): string[] {
  if (position === null) return [];
  const sign = direction === 'desc' ? '<' : '>';
  const id = `${parameters.add(position.id)}::bigint`;
  if (order === 'arrival') return [`id ${sign} ${id}`];
  return [`(occurred_at, id) ${sign} (${parameters.add(timestamp(position.occurredAt))}::timestamptz, ${id})`];
}

/** Rows `skip` to `skip + limit` of a part of a list. */
export type PagePart = ListOrder & {
  filter: PartFilter;
  /** Stretches of time that hold all of these rows; nothing outside them is counted. */
  spans: readonly Span[];
  /** The last id that may belong to the part, in its direction. */
  lastId?: number;
  skip: number;
  limit: number;
};

/** Maximum number of skipped rows that are read in full instead of by key. */
const cheapSkip = 50;

/**
 * The query for the part. Rows before it are skipped in the index alone, which contains what lists filter by; only the rows of the
 * page are read in full. Ties in time are ordered newest first.
 */
export function partOfPage(part: PagePart): Query {
  const parameters = newParameters();
  const isDeep = part.skip > cheapSkip || !isCounted(part.filter);
  const columns = isDeep ? 'events.occurred_at, events.app_id, events.id' : 'events.*';
  const selection = `${inSpans(part, columns, parameters)} order by ${orderOf(part)} limit ${part.limit} offset ${part.skip}`;
  const text = isDeep ? withRows(selection, part) : selection;
  return { text: asEventRows(text), values: parameters.values };
}

/**
 * Whether the statement has few variants and may be prepared: its text contains the position of the page. A search is planned for its
 * own values.
 */
export function isFrequent({ filter, skip, limit }: PagePart): boolean {
  return isCounted(filter) && skip === 0 && pageSizes.some((size) => size === limit);
}

/**
 * The rows `skip` to `skip + limit` of a list by time with its total, `total`, in one statement: the matches of each day and their
 * running sum lead to the days of the page. For filters that roll-ups count. The position is a parameter, so that one prepared
 * statement serves every page of a size.
 */
export function pageWithTotal(calendar: Calendar, { direction, skip, limit }: Pick<PagePart, 'direction' | 'skip' | 'limit'>): Query {
  const parameters = newParameters();
  const order = { order: 'time', direction } as const;
  const days = matchesByDay(calendar, {}, parameters);
  const before = `${parameters.add(skip)}::bigint`;
  const skippedCount = `${before} - (select min(reached - matches) from held)`;
  const size = Math.trunc(limit);
  const options = {
    onDays: 'day = any(array(select day from held))',
    columns: 'occurred_at, app_id, id',
    order: `order by ${orderOf(order)} limit ${skippedCount} + ${size}`,
  };
  const keys = `select * from (${eventsOfDays(calendar, options, parameters)}) as events order by ${orderOf(order)} limit ${size} offset ${skippedCount}`;
  const text = `with days as materialized (${days}),
    placed as (select day::date as day, matches, sum(matches) over (order by day ${direction}) as reached from days),
    held as materialized (select * from placed where reached > ${before} and reached - matches < ${before} + ${size})
    select page, (select coalesce(sum(matches), 0)::bigint from days) as total from (${asEventPage(withRows(keys, order))}) as found`;
  return { text, values: parameters.values };
}

function inSpans(part: PagePart, columns: string, parameters: Parameters): string {
  const [only, ...more] = part.spans;
  const conditions = [
    ...countedConditions(part.filter, parameters),
    ...searchConditions(part.filter, parameters),
    ...upTo(part, parameters),
  ];
  if (more.length === 0) {
    const time = only === undefined ? ['false'] : timeConditions(only, parameters);
    return `select ${columns} from events where ${[...conditions, ...time].join(' and ')}`;
  }
  const inSpan = ['occurred_at >= span_from', 'occurred_at < span_until', ...conditions].join(' and ');
  const times = (side: (span: Span) => Microseconds) => `${parameters.add(part.spans.map((span) => timestamp(side(span))))}::timestamptz[]`;
  return `select events.* from unnest(${times((span) => span.from)}, ${times((span) => span.until)}) as span (span_from, span_until)
    cross join lateral (select ${columns} from events where ${inSpan} order by ${orderOf(part)} limit ${part.skip + part.limit}) as events`;
}

function upTo({ lastId, direction }: PagePart, parameters: Parameters): string[] {
  return lastId === undefined ? [] : [`id ${direction === 'desc' ? '>=' : '<='} ${parameters.add(lastId)}::bigint`];
}

/** The rows of these keys, each by its own lookup: in a free join the database might scan whole partitions. */
function withRows(keys: string, part: ListOrder): string {
  return `select events.* from (${keys}) as keys cross join lateral (select * from events where events.occurred_at = keys.occurred_at
    and events.app_id = keys.app_id and events.id = keys.id limit 1) as events order by ${orderOf(part)}`;
}

function orderOf({ order, direction }: ListOrder): string {
  return order === 'time' ? `events.occurred_at ${direction}, events.id desc` : `events.id ${direction}`;
}
