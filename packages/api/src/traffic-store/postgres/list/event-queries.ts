import type { Position } from '../../request-cursor.ts';
import type { MatchingDay, Slice } from './matching-days.ts';
import type { PartFilter } from '../../event-filter-rules.ts';
import {
  indexedConditions,
  newParameters,
  type Parameters,
  searchWays,
  sharedConditions,
  timeConditions,
  timestamp,
} from '../event-conditions.ts';
import { asEventPage } from '../stored-event.ts';

/** A part of a list in one order: by time or by arrival (id). */
export type Reading = {
  filter: PartFilter;
  order: 'time' | 'arrival';
  direction: 'asc' | 'desc';
  /** Only rows past it in the direction; null: from the beginning. */
  position: Pick<Position, 'id' | 'occurredAt'> | null;
  /** How many rows are needed; a few more may come. */
  wanted: number;
};

/** A query that gives one `EventPage`. */
export type Query = { text: string; values: unknown[] };

const orderColumns = { time: ['occurred_at', 'id'], arrival: ['id'] } as const;

/** Matches in order, straight from the events. */
export function everyMatch(reading: Reading): Query {
  const parameters = newParameters();
  return page(parameters, reading, 'select * from events', [
    ...sharedConditions(reading.filter, parameters),
    ...indexedConditions(reading.filter, parameters),
    ...timeConditions(reading.filter, parameters),
    ...pastPosition(reading, parameters),
  ]);
}

/**
 * Matches among the `lookAhead` rows next in order, so that it costs the same whatever the filter. One app by time, or
 * one type by arrival, has an index of its own to walk.
 */
export function nearMatches(reading: Reading, lookAhead: number): Query {
  const { scope, ownType, from, until, ...rest } = reading.filter;
  const parameters = newParameters();
  const isOneApp = reading.order === 'time' && scope !== 'all' && scope.length === 1;
  const walked: PartFilter = { scope: isOneApp ? scope : 'all', ...(ownType === undefined ? {} : { ownType }) };
  const conditions = [
    ...sharedConditions(walked, parameters),
    ...timeConditions({ from, until }, parameters),
    ...pastPosition(reading, parameters),
  ];
  const near = `select * from events ${where(conditions)} order by ${orderBy(reading)} limit ${lookAhead}`;
  const left = [
    ...sharedConditions({ ...rest, scope: isOneApp ? 'all' : scope }, parameters),
    ...indexedConditions(reading.filter, parameters),
  ];
  return page(parameters, reading, `select * from (${near}) as near`, left);
}

/**
 * Matches of a search, of which at most `most` are read by each of its ways, whatever their order: `matches` tells how
 * many were. Below `most` the page is whole; from there on it may lack rows. No statistics can mislead this into walking
 * through time for matches that lie elsewhere.
 */
export function searchMatches(reading: Reading, most: number): Query {
  const parameters = newParameters();
  const time = timeConditions(reading.filter, parameters);
  const ways = searchWays(reading.filter, parameters).map((way) => `(select * from events ${where([way, ...time])} limit ${most})`);
  const selection = `select * from matched ${where([
    ...sharedConditions(reading.filter, parameters),
    ...indexedConditions(reading.filter, parameters),
    ...pastPosition(reading, parameters),
  ])} order by ${orderBy(reading)} limit ${rowCount(reading)}`;
  const text = `with matched as materialized (${ways.join(' union all ')})
    select page, (select count(*)::integer from matched) as matches from (${asEventPage(selection)}) as found`;
  return { text, values: parameters.values };
}

/** Matches in stretches of time of single apps, each read by its own range of an index. */
export function matchesInSlices(reading: Reading, slices: readonly Slice[]): Query {
  const parameters = newParameters();
  const source = `unnest(${parameters.add(slices.map((slice) => slice.appId))}::integer[],
    ${parameters.add(slices.map((slice) => timestamp(slice.from)))}::timestamptz[],
    ${parameters.add(slices.map((slice) => timestamp(slice.until)))}::timestamptz[]) as slice (slice_app, slice_from, slice_until)`;
  const conditions = [
    'app_id = slice_app',
    'occurred_at >= slice_from',
    'occurred_at < slice_until',
    ...sharedConditions({ ...reading.filter, scope: 'all' }, parameters),
    ...indexedConditions(reading.filter, parameters),
    ...pastPosition(reading, parameters),
  ];
  const inSlice = `select events.* from events ${where(conditions)} order by ${orderBy(reading)} limit ${rowCount(reading)}`;
  return page(parameters, reading, `select found.* from ${source} cross join lateral (${inSlice}) as found`, []);
}

/** Matches by arrival between two ids. */
export function matchesBetween(reading: Reading, ids: Pick<MatchingDay, 'first_id' | 'last_id'>): Query {
  const parameters = newParameters();
  return page(parameters, reading, 'select * from events', [
    `id between ${parameters.add(ids.first_id)} and ${parameters.add(ids.last_id)}`,
    ...sharedConditions(reading.filter, parameters),
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
  return { text: asEventPage(text), values: parameters.values };
}

/** Page sizes for which statements are kept, each with the row that tells whether more follows. */
const keptSizes = [21, 51, 101, 201] as const;

/**
 * Stands in the text, because a plan for any number of rows is made for a tenth of the table; and as one of few sizes,
 * so that few statements are kept.
 */
function rowCount({ wanted }: Reading): number {
  return keptSizes.find((size) => size >= wanted) ?? Math.trunc(wanted);
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
