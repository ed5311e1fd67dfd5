import type { Microseconds } from '@switchyard/contract/dates';
import { isCounted, isSearched } from '../../event-filter-rules.ts';
import { narrowToPosition, type Reading } from '../../list/cursor-list.ts';
import { edgesOf, findFirst } from '../../list/slices.ts';
import { hour } from '../../time-buckets.ts';
import type { EngineClient } from '../engine-client.ts';
import { allConditions, instant } from '../event-conditions.ts';
import type { UnnamedEvent } from '../../event-fields.ts';
import { newParameters, type Parameters, using } from '../statement.ts';
import { countByHour, findFirstHours, type HourSlice } from './hours.ts';
import { orderSql, type Place, placeColumns, readPlaces, readRows } from './read-rows.ts';
import { searchWays, sourceOf } from './search.ts';

/** Thresholds between the ways of reading; measured defaults, which tests set low so that every way is taken. */
export type EngineReading = {
  /** A search with more matches than this in one of its alternatives is read by time. */
  rareSearch: number;
};

/** The first rows of a list past a position, in order. */
export async function readInOrder(engine: EngineClient, plan: EngineReading, reading: Reading): Promise<UnnamedEvent[]> {
  const near = { ...reading, filter: narrowToPosition(reading) };
  if (isCounted(near.filter)) return readHours(engine, near);
  return isSearched(near.filter) || near.order === 'arrival' ? readSearch(engine, plan, near) : readByTime(engine, near);
}

/** The projections lead to the hours that hold the first rows, and only these are read. */
async function readHours(engine: EngineClient, reading: Reading): Promise<UnnamedEvent[]> {
  const { filter, wanted, direction, order, position } = reading;
  // Each hour has a match or more. Both ends of the range may cut one whose matches are not certain.
  const found =
    order === 'time' ? await findFirstHours(engine, filter, { direction, most: wanted + 2 }) : await countByHour(engine, filter);
  const { near, far } = edgesOf(reading);
  const past = order === 'time' || position === null ? -Infinity : direction === 'asc' ? position.id : -position.id;
  const { slices, end } = findFirst(
    found.filter((slice) => far(slice) > past),
    { ...reading, isCertain: (slice) => near(slice) > past && (order === 'arrival' || !isCut(slice, reading)) },
  );
  if (slices.length === 0) return [];
  const parameters = newParameters();
  const conditions = [...allConditions(filter, parameters), ...inHours(slices, parameters), ...pastPosition(reading, parameters)];
  if (order === 'arrival' && Number.isFinite(end)) {
    conditions.push(direction === 'asc' ? `id <= ${parameters.add(end, 'UInt64')}` : `id >= ${parameters.add(-end, 'UInt64')}`);
  }
  const { rows } = await readRows(engine, { source: sourceOf(filter), conditions, order: orderSql(reading), limit: wanted, parameters });
  return rows;
}

/** Whether the range or the position cuts an hour; rows of the position's own instant may lie before it. */
function isCut({ starts }: HourSlice, { filter: { from = -Infinity, until = Infinity }, position }: Reading): boolean {
  const ends = starts + hour;
  return starts < from || ends > until || (position !== null && starts <= position.occurredAt && position.occurredAt < ends);
}

/** Conditions that leave only these hours: the range by which parts are excluded, and within it each hour. */
export function inHours(slices: readonly HourSlice[], parameters: Parameters): string[] {
  const starts = slices.map((slice) => slice.starts);
  const bounds: [Microseconds, Microseconds] = [Math.min(...starts), Math.max(...starts) + hour];
  const range = [`occurred_at >= ${instant(bounds[0], parameters)}`, `occurred_at < ${instant(bounds[1], parameters)}`];
  const isWhole = new Set(starts).size * hour === bounds[1] - bounds[0];
  if (isWhole) return range;
  const hours = parameters.add(
    [...new Set(starts)].map((start) => start / 1_000_000),
    `Array(DateTime('UTC'))`,
  );
  return [...range, `toStartOfHour(occurred_at) in ${hours}`];
}

function pastPosition({ order, direction, position }: Reading, parameters: Parameters): string[] {
  if (position === null) return [];
  const sign = direction === 'desc' ? '<' : '>';
  const id = parameters.add(position.id, 'UInt64');
  if (order === 'arrival') return [`id ${sign} ${id}`];
  return [`(occurred_at, id) ${sign} (${instant(position.occurredAt, parameters)}, ${id})`];
}

/**
 * A search with few matches is read as a whole from the projection of each alternative. One with many has its first rows near the
 * position, so the events are read in the order of time until there are enough.
 */
async function readSearch(engine: EngineClient, { rareSearch }: EngineReading, reading: Reading): Promise<UnnamedEvent[]> {
  const { filter, wanted, order, direction } = reading;
  const sign = direction === 'asc' ? 1 : -1;
  // In a list by arrival the first of each alternative are enough.
  const most = order === 'arrival' ? wanted : rareSearch;
  const found = await Promise.all(
    searchWays(filter).map(async (way) => {
      const parameters = newParameters();
      const conditions = [...allConditions(way.filter, parameters), ...pastPosition(reading, parameters)];
      const first = order === 'arrival' ? `order by ${orderSql(reading)}` : '';
      const text = `select ${placeColumns} from events where ${conditions.join(' and ')} ${first} limit ${Math.trunc(most)} ${using(way.projection)}`;
      return engine.rows<Place>({ text, parameters });
    }),
  );
  if (order === 'time' && found.some((places) => places.length >= most)) return readByTime(engine, reading);
  const places = [...new Map(found.flat().map((place) => [place.id, place])).values()];
  const sorted = places.toSorted((a, b) => sign * (order === 'time' && a.at !== b.at ? a.at - b.at : a.id - b.id));
  return readPlaces(engine, sorted.slice(0, wanted));
}

async function readByTime(engine: EngineClient, reading: Reading): Promise<UnnamedEvent[]> {
  const parameters = newParameters();
  const conditions = [...allConditions(reading.filter, parameters), ...pastPosition(reading, parameters)];
  // The hour begins the key, so the engine stops reading as soon as there are enough.
  const order = `toStartOfHour(occurred_at) ${reading.direction}, ${orderSql(reading)}`;
  return (await readRows(engine, { source: 'events', conditions, order, limit: reading.wanted, parameters })).rows;
}
