import { dimensionsOf, isCounted, type PartFilter } from '../../event-filter-rules.ts';
import { parseListed, type UnnamedEvent } from '../../event-fields.ts';
import { narrowToPosition, type Reading } from '../../list/cursor-pages.ts';
import { hour, week } from '../../time-buckets.ts';
import type { EngineClient } from '../engine-client.ts';
import { allConditions, instant, where } from '../event-conditions.ts';
import { newParameters, type Parameters, using } from '../statement.ts';
import { beginningOf, hourConditions, startOf } from './hours.ts';
import { orderSql, readWindow } from './read-window.ts';
import { type EngineReading, planSearch, readWays } from './search.ts';

const nextHours = 6 * hour;

/** The first rows of a list past a position, in order. */
export async function readInOrder(engine: EngineClient, plan: EngineReading, reading: Reading): Promise<UnnamedEvent[]> {
  const near = { ...reading, filter: narrowToPosition(reading) };
  if (isCounted(near.filter)) return readHours(engine, near);
  const past = (parameters: Parameters) => pastPosition(reading, parameters);
  const searchPlan = await planSearch(engine, plan, near.filter);
  return (await readWays(engine, searchPlan, { order: near, ties: near.direction, past, limit: near.limit })).rows;
}

/**
 * Most lists by time have their first rows in the week in which they begin, where counting takes less time. Those of all events or of apps
 * mostly begin with the next rows of the table, in few hours, because the engine opens each part of a range.
 */
async function readHours(engine: EngineClient, reading: Reading): Promise<UnnamedEvent[]> {
  const isOfApps = [...dimensionsOf(reading.filter)].every((dimension) => dimension === 'app_id');
  const filter = reading.order === 'time' ? beginningOf(reading.filter, reading.direction, isOfApps ? nextHours : week) : null;
  const firstRows = filter === null ? [] : await (isOfApps ? readNext : readPast)(engine, { ...reading, filter });
  return firstRows.length >= reading.limit ? firstRows : readPast(engine, reading);
}

async function readNext(engine: EngineClient, reading: Reading): Promise<UnnamedEvent[]> {
  const parameters = newParameters();
  // The key of the table begins with the hour. By the instants alone the engine looks for these few hours in the whole week.
  const hours = hourConditions(wholeHours(reading.filter), parameters);
  const conditions = where([...hours, ...allConditions(reading.filter, parameters), ...pastPosition(reading, parameters)]);
  const text = `select row from events ${conditions} order by ${orderSql(reading, reading.direction)} limit ${Math.trunc(reading.limit)} ${using(null)}`;
  return parseListed(await engine.lines({ text, parameters }));
}

async function readPast(engine: EngineClient, reading: Reading): Promise<UnnamedEvent[]> {
  const { filter, order, limit, position } = reading;
  const conditions = (parameters: Parameters) => pastPosition(reading, parameters);
  const past =
    order === 'time'
      ? { conditions, counted: wholeHours(filter), certain: certainRange(reading), id: null }
      : { conditions, counted: filter, certain: null, id: position?.id ?? null };
  const { rows } = await readWindow(engine, { filter, order: reading, skip: 0, limit, past });
  return rows;
}

/** The filter with the hours that its range cuts as a whole, which projections count. */
function wholeHours(filter: PartFilter): PartFilter {
  const { from, until } = filter;
  return {
    ...filter,
    from: from === undefined ? undefined : startOf(from),
    until: until === undefined ? undefined : startOf(until - 1) + hour,
  };
}

/** The range in which each whole hour holds only rows of the list, past its position. Rows of the position's own instant may lie before it. */
function certainRange({ filter: { from, until }, direction, position }: Reading) {
  if (position === null) return { from, until };
  const at = position.occurredAt;
  return direction === 'asc' ? { from: Math.max(from ?? at, at + 1), until } : { from, until: Math.min(until ?? at, at) };
}

function pastPosition({ order, direction, position }: Reading, parameters: Parameters): string[] {
  if (position === null) return [];
  const sign = direction === 'desc' ? '<' : '>';
  const id = parameters.add(position.id, 'UInt64');
  if (order === 'arrival') return [`id ${sign} ${id}`];
  return [`(occurred_at, id) ${sign} (${instant(position.occurredAt, parameters)}, ${id})`];
}
