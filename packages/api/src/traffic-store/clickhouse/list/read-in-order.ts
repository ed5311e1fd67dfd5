import { fromDate, type Microseconds } from '@switchyard/contract/dates';
import { isCounted, type PartFilter } from '../../event-filter-rules.ts';
import { narrowToPosition, type Reading } from '../../list/cursor-list.ts';
import { edgesOf, findFirst } from '../../list/slices.ts';
import { day, hour } from '../../time-buckets.ts';
import type { EngineClient } from '../engine-client.ts';
import { allConditions, instant } from '../event-conditions.ts';
import type { UnnamedEvent } from '../../event-fields.ts';
import { newParameters, type Parameters, using } from '../statement.ts';
import { countByHour, findFirstHours, type HourSlice, startOf } from './hours.ts';
import { orderSql, type Place, placeColumns, readPlaces, readRows } from './read-rows.ts';
import { type EngineReading, findWays, sourceOf } from './search.ts';

const week = 7 * day;

/** The first rows of a list past a position, in order. */
export async function readInOrder(engine: EngineClient, plan: EngineReading, reading: Reading): Promise<UnnamedEvent[]> {
  const near = { ...reading, filter: narrowToPosition(reading) };
  return isCounted(near.filter) ? readHours(engine, near) : readSearch(engine, plan, near);
}

/** The projections lead to the hours that hold the first rows, and only these are read. */
async function readHours(engine: EngineClient, reading: Reading): Promise<UnnamedEvent[]> {
  const { filter, limit } = reading;
  const { slices, end } = await findHours(engine, reading);
  if (slices.length === 0) return [];
  const parameters = newParameters();
  const conditions = [...allConditions(filter, parameters), ...inHours(slices, parameters), ...pastPosition(reading, parameters)];
  if (reading.order === 'arrival' && Number.isFinite(end)) {
    conditions.push(reading.direction === 'asc' ? `id <= ${parameters.add(end, 'UInt64')}` : `id >= ${parameters.add(-end, 'UInt64')}`);
  }
  const source = sourceOf(filter, slices.length);
  return (await readRows(engine, { source, conditions, order: orderSql(reading), limit: limit, parameters })).rows;
}

/** The hours that can hold the first rows. */
async function findHours(engine: EngineClient, reading: Reading): Promise<{ slices: HourSlice[]; end: number }> {
  const { filter, limit, direction, order, position } = reading;
  const { near, far } = edgesOf(reading);
  const past = order === 'time' || position === null ? -Infinity : direction === 'asc' ? position.id : -position.id;
  const choose = (slices: readonly HourSlice[]) =>
    findFirst(
      slices.filter((slice) => far(slice) > past),
      { ...reading, isCertain: (slice) => near(slice) > past && (order === 'arrival' || !isCut(slice, reading)) },
    );
  if (order === 'arrival') return choose(await countByHour(engine, filter));
  // Each hour has a match or more. Both ends of the range may cut one whose matches are not certain.
  const query = { direction, most: limit + 2 };
  const beginning = beginningOf(reading);
  const first = beginning && choose(await findFirstHours(engine, beginning, query));
  return first !== null && Number.isFinite(first.end) ? first : choose(await findFirstHours(engine, filter, query));
}

/** The week in which a list by time begins, where most have their first rows; null where the filter leaves no more than that. */
function beginningOf({ filter, direction }: Reading): PartFilter | null {
  const { from = -Infinity, until = Infinity } = filter;
  if (direction === 'asc') return Number.isFinite(from) && from + week < until ? { ...filter, until: startOf(from + week) } : null;
  const start = startOf(Math.min(until, fromDate(new Date())) - week);
  return start > from ? { ...filter, from: start } : null;
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

/** The places of the first matches of each alternative, and then the events there. */
async function readSearch(engine: EngineClient, plan: EngineReading, reading: Reading): Promise<UnnamedEvent[]> {
  const { filter, limit, order, direction } = reading;
  const sign = direction === 'asc' ? 1 : -1;
  const ways = await findWays(engine, plan, filter);
  const parts = await Promise.all(
    ways.map(async (way) => {
      const parameters = newParameters();
      const conditions = [...allConditions(way.filter, parameters), ...pastPosition(reading, parameters)];
      const text = `select ${placeColumns} from events where ${conditions.join(' and ')}
        order by ${orderSql(reading)} limit ${Math.trunc(limit)} ${using(way.projection)}`;
      return engine.rows<Place>({ text, parameters });
    }),
  );
  const places = [...new Map(parts.flat().map((place) => [place.id, place])).values()];
  const sortedPlaces = places.toSorted((a, b) => sign * (order === 'time' && a.at !== b.at ? a.at - b.at : a.id - b.id));
  return readPlaces(engine, sortedPlaces.slice(0, limit));
}
