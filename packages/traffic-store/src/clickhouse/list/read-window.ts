import type { Dimension, PartFilter } from '../../event-filter-rules.ts';
import { parseListed, type UnnamedEvent } from '../../event-fields.ts';
import type { EventFilter } from '../../event-store.ts';
import type { ListOrder } from '../../list/slices.ts';
import type { TimeRange } from '../../time-range.ts';
import type { EngineClient } from '../engine-client.ts';
import { allConditions, instant } from '../event-conditions.ts';
import { newParameters, type Parameters, using } from '../statement.ts';
import { hourSelections, projectionFor } from './hours.ts';
import { appsNotMatched } from './match-all-search.ts';

/** The orders of lists. By type, events of the same type are by arrival, newest first. */
export type WindowOrder = ListOrder | { order: 'type'; direction: 'asc' | 'desc' };

/** Which rows of a list to read; its filter is one that projections count. */
export type WindowQuery = {
  filter: PartFilter;
  /** A search on which the rest of the filter depends: unless it matches everything, nothing is read. */
  search?: EventFilter['search'];
  order: WindowOrder;
  skip: number;
  limit: number;
  /** Rows past a position only. */
  past?: {
    /** SQL of the condition. */
    conditions: (parameters: Parameters) => readonly string[];
    /** The filter by which hours are counted; it may hold more than the filter, but whole hours. */
    counted: PartFilter;
    /** Hours that hold nothing but rows of the list that are past the position. Null: by arrival, see `id`. */
    certain: TimeRange | null;
    /** By arrival: the id of the position. */
    id: number | null;
  };
};

/** Rows in their order, and the total of what was counted; -1 if the search of a window leaves something out. */
export type Window = { rows: UnnamedEvent[]; total: number };

/**
 * Reads the rows `skip` to `skip + limit` of a list, and its total, in one statement, so both are of one moment. The projections give the
 * matches of each hour. From these the engine computes which hours hold the rows, and reads only those.
 */
export async function readWindow(engine: EngineClient, query: WindowQuery): Promise<Window> {
  const { filter, search, order, limit, past } = query;
  const parameters = newParameters();
  const keys = keysOf(filter, order);
  const selections = hourSelections(past?.counted ?? filter, keys, parameters);
  if (selections.length === 0) return { rows: [], total: 0 };
  const key = tupleOf(['toStartOfHour(occurred_at)', ...keys]);
  const conditions = [...allConditions(filter, parameters), ...(past?.conditions(parameters) ?? []), `${key} in page.3`];
  if (order.order === 'arrival') conditions.push(order.direction === 'asc' ? 'id <= page.4' : 'id >= -page.4');
  if (search !== undefined) conditions.push('not_matched = 0');
  const check = search === undefined ? '' : `(${appsNotMatched({ ...filter, search }, parameters)}) as not_matched, `;
  const total = search === undefined ? 'page.1' : 'if(not_matched = 0, toInt64(page.1), -1)';
  const text = `with ${check}(${pageSql(query, selections, parameters)}) as page
    select row from events where ${conditions.join(' and ')} order by ${orderSql(order, past === undefined ? 'desc' : order.direction)}
      limit ${Math.trunc(limit)} offset page.2
    union all select toString(${total}) ${using(projectionFor(filter, keys))}`;
  return splitTotal(await engine.lines({ text, parameters }));
}

/** The rows of an answer, each a JSON array, and the number that comes before, among or after them. */
export function splitTotal(lines: readonly string[]): Window {
  return { rows: parseListed(lines.filter(isRow)), total: Number(lines.find((line) => !isRow(line)) ?? 0) };
}

function isRow(line: string): boolean {
  return line.startsWith('[');
}

/** Columns that divide an hour into stretches. An app's stream is rare among all apps, so its app is needed to find its rows by the key of the table. */
function keysOf(filter: PartFilter, { order }: WindowOrder): Dimension[] {
  const isOfStreams = projectionFor(filter) === 'by_stream_hour';
  return [...(isOfStreams ? ['app_id' as const] : []), ...(order === 'type' ? ['type' as const] : [])];
}

function tupleOf(columns: readonly string[]): string {
  return columns.length === 1 ? columns.join() : `(${columns.join(', ')})`;
}

/**
 * Selects the total, the rows to skip in the stretches of the page, these stretches and where they end. `near` and `far`, where a stretch
 * begins and ends in the list, ascend in its direction. Stretches by time or type do not overlap, but those by arrival may.
 */
function pageSql({ filter, order, skip, limit, past }: WindowQuery, selections: readonly string[], parameters: Parameters): string {
  const { near, far } = edgesSql(order);
  const first = Math.trunc(skip);
  const isFull = `reached_far >= ${Math.trunc(skip + limit)}`;
  const isPast = past === undefined || past.id === null ? null : parameters.add(order.direction === 'asc' ? past.id : -past.id, 'Int64');
  const certain = past === undefined ? 'true' : isPast === null ? certainSql(past.certain, parameters) : `near > ${isPast}`;
  return `select (sum(matches), ${first} - sumIf(matches, far < start), groupArrayIf(key, near <= end and far >= start and total > ${first}), any(end)) from (
      select *, sum(matches) over () as total, minIf(near, reached_near > ${first}) over () as start,
        if(countIf(${isFull}) over () > 0, minIf(far, ${isFull}) over (), max(far) over ()) as end
      from (
        select *, sum(matches) over (order by near rows unbounded preceding) as reached_near,
          sum(if(${certain}, matches, 0)) over (order by far rows unbounded preceding) as reached_far
        from (select ${tupleOf(['hour', ...keysOf(filter, order)])} as key, hour, matches, ${near} as near, ${far} as far
          from (${selections.join(' union all ')})${isPast === null ? '' : ` where far > ${isPast}`})))`;
}

const secondOf = 'toInt64(toUnixTimestamp(hour))';

function edgesSql({ order, direction }: WindowOrder): { near: string; far: string } {
  const sign = direction === 'asc' ? '' : '-';
  if (order === 'time') return { near: `${sign}${secondOf}`, far: `${sign}${secondOf}` };
  if (order === 'type') return { near: `(${sign}toInt64(type), -toInt64(last_id))`, far: `(${sign}toInt64(type), -toInt64(first_id))` };
  return direction === 'asc'
    ? { near: 'toInt64(first_id)', far: 'toInt64(last_id)' }
    : { near: '-toInt64(last_id)', far: '-toInt64(first_id)' };
}

function certainSql(certain: TimeRange | null, parameters: Parameters): string {
  const { from, until } = certain ?? {};
  return [
    'true',
    ...(from === undefined ? [] : [`hour >= ${instant(from, parameters)}`]),
    ...(until === undefined ? [] : [`hour + toIntervalHour(1) <= ${instant(until, parameters)}`]),
  ].join(' and ');
}

/**
 * SQL of the order of a list; `ties` in time go the list's way, or newest first. The hour begins the key of the table, so the engine stops
 * reading after the first rows instead of sorting all.
 */
export function orderSql({ order, direction }: WindowOrder, ties: 'asc' | 'desc'): string {
  if (order === 'type') return `type ${direction}, id desc`;
  return order === 'arrival' ? `id ${direction}` : `toStartOfHour(occurred_at) ${direction}, occurred_at ${direction}, id ${ties}`;
}
