import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Position } from '../request-cursor.ts';
import { findSlices, type Slices } from './matching-slices.ts';
import {
  indexedConditions,
  isCounted,
  narrows,
  newParameters,
  type Parameters,
  sharedConditions,
  timeConditions,
  timestamp,
  type Wanted,
} from './request-conditions.ts';
import { type EventRecord, eventColumns } from './stored-request.ts';

/** A part of a list in one order: by time or by arrival (id). */
export type Reading = {
  filter: Wanted;
  order: 'time' | 'arrival';
  direction: 'asc' | 'desc';
  /** Only rows past it in the direction; null: from the beginning. */
  position: Pick<Position, 'id' | 'occurredAt'> | null;
  /** How many rows are needed at most. */
  wanted: number;
};

/** How a list is read: the offset in which days are cut, and when to leave one way of reading for the next. */
export type ReadingPlan = {
  offset: string;
  /** So many rows next in order are looked through before the roll-ups are asked where the matches lie. */
  lookAhead: number;
  /** With more slices by app than this, whole days are read. */
  mostSlices: number;
};

const orderColumns = { time: ['occurred_at', 'id'], arrival: ['id'] } as const;

type Query = { text: string; values: unknown[] };

/**
 * The first rows of a list past a position, in order. A search is left to the indexes. A filter is tried on the rows
 * next in order, which is enough unless matches are rare; then the roll-ups tell where those lie.
 */
export async function readInOrder(pool: pg.Pool, plan: ReadingPlan, reading: Reading): Promise<EventRecord[]> {
  const { order, direction, position, wanted } = reading;
  const filter = order === 'time' ? narrowToPosition(reading) : reading.filter;
  if (!isCounted(filter)) return run(pool, everyMatch({ ...reading, filter }), 'planned for its values');
  if (!narrows(filter)) return run(pool, everyMatch({ ...reading, filter }));

  const near = await run(pool, nearMatches({ ...reading, filter }, plan.lookAhead));
  if (near.length >= wanted) return near;
  const pastId = order === 'arrival' ? (position?.id ?? null) : null;
  const found = await findSlices(pool, { filter, order, direction, wanted, pastId, ...plan });
  if (found.slices.length === 0) return [];
  const byApp = found.slices.every((slice) => slice.appId !== null);
  if (!byApp && order === 'arrival') return run(pool, matchesBetween({ ...reading, filter }, found), 'planned for its values');
  return run(pool, matchesInSlices({ ...reading, filter }, found, byApp));
}

/** In a list by time nothing on the far side of the position can match, which spares whole partitions. */
function narrowToPosition({ filter, position, direction }: Reading): Wanted {
  if (position === null) return filter;
  const at = position.occurredAt;
  return direction === 'desc'
    ? { ...filter, until: Math.min(filter.until ?? Infinity, at + 1) }
    : { ...filter, from: Math.max(filter.from ?? -Infinity, at) };
}

function everyMatch(reading: Reading): Query {
  const parameters = newParameters();
  return page(parameters, reading, `select ${eventColumns} from events`, [
    ...sharedConditions(reading.filter, parameters),
    ...indexedConditions(reading.filter, parameters),
    ...timeConditions(reading.filter, parameters),
    ...pastPosition(reading, parameters),
  ]);
}

/** Matches among the rows next in order. One app, or one type by arrival, has an index of its own to walk. */
function nearMatches(reading: Reading, lookAhead: number): Query {
  const { scope, ownType, ...rest } = reading.filter;
  const parameters = newParameters();
  const isOneApp = reading.order === 'time' && scope !== 'all' && scope.length === 1;
  const walked: Wanted = { scope: isOneApp ? scope : 'all', ...(ownType === undefined ? {} : { ownType }) };
  const conditions = [...sharedConditions(walked, parameters), ...timeConditions(rest, parameters), ...pastPosition(reading, parameters)];
  const near = `select * from events ${where(conditions)} order by ${orderBy(reading)} limit ${lookAhead}`;
  const left = sharedConditions({ ...rest, scope: isOneApp ? 'all' : scope }, parameters);
  return page(parameters, reading, `select ${eventColumns} from (${near}) as near`, left);
}

/** Matches in slices of time, each read by its own range of an index. */
function matchesInSlices(reading: Reading, { slices }: Slices, byApp: boolean): Query {
  const parameters = newParameters();
  const from = parameters.add(slices.map((slice) => timestamp(slice.from)));
  const until = parameters.add(slices.map((slice) => timestamp(slice.until)));
  const app = byApp ? parameters.add(slices.map((slice) => slice.appId)) : null;
  const conditions = [
    ...(app === null ? [] : ['app_id = slice_app']),
    'occurred_at >= slice_from',
    'occurred_at < slice_until',
    ...sharedConditions(reading.filter, parameters),
    ...pastPosition(reading, parameters),
  ];
  const source = `unnest(${from}::timestamptz[], ${until}::timestamptz[]${app === null ? '' : `, ${app}::integer[]`})
    as slice (slice_from, slice_until${app === null ? '' : ', slice_app'})`;
  const inSlice = `select events.* from events ${where(conditions)} order by ${orderBy(reading)} limit ${parameters.add(reading.wanted)}`;
  return page(parameters, reading, `select ${eventColumns} from ${source} cross join lateral (${inSlice}) as found`, []);
}

/** Matches by arrival between two ids, in the days of the slices only. */
function matchesBetween(reading: Reading, { slices, firstId, lastId }: Slices): Query {
  const parameters = newParameters();
  return page(parameters, reading, `select ${eventColumns} from events`, [
    `id between ${parameters.add(firstId)} and ${parameters.add(lastId)}`,
    `occurred_at >= ${parameters.add(timestamp(Math.min(...slices.map((slice) => slice.from))))}`,
    `occurred_at < ${parameters.add(timestamp(Math.max(...slices.map((slice) => slice.until))))}`,
    ...sharedConditions(reading.filter, parameters),
    ...timeConditions(reading.filter, parameters),
    ...pastPosition(reading, parameters),
  ]);
}

function page(parameters: Parameters, reading: Reading, select: string, conditions: readonly string[]): Query {
  const text = `${select} ${where(conditions)} order by ${orderBy(reading)} limit ${parameters.add(reading.wanted)}`;
  return { text, values: parameters.values };
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

/**
 * Planning over the partitions costs more than reading a page, so statements are kept prepared; but a rare address
 * and a wide block want different indexes, so a search is planned for its own values.
 */
async function run(pool: pg.Pool, query: Query, plan: 'kept' | 'planned for its values' = 'kept'): Promise<EventRecord[]> {
  const name = plan === 'kept' ? { name: createHash('sha256').update(query.text).digest('hex').slice(0, 40) } : {};
  const { rows } = await pool.query<EventRecord>({ ...name, ...query });
  return rows;
}
