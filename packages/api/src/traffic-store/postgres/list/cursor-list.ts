import { type RequestType, requestTypes } from '@switchyard/contract/requests';
import type pg from 'pg';
import { eventFields, type ListedEvent, toRequestRow } from '../../event-fields.ts';
import { isCounted, narrows, type PartFilter } from '../../event-filter-rules.ts';
import { runQuery } from '../event-page.ts';
import { everyMatch, matchesBetween, matchesOfDays, nearMatches, type Reading } from './event-queries.ts';
import { findDays, groupDays, rangeOf, totalOf } from './plan-days.ts';
import { readSearch, type SearchPlan } from './read-search.ts';
import { type Position, readCursor, writeCursor } from '../../event-cursor.ts';
import type { AskedSort, CursorPage, EventFilter } from '../../event-store.ts';

export type CursorQuery = { filter: EventFilter; sort: AskedSort; cursor: string | undefined; limit: number };

/** A page of events before or after a cursor, in the list's order. */
export async function listByCursor(pool: pg.Pool, plan: ReadingPlan, query: CursorQuery): Promise<CursorPage> {
  const { filter } = query;
  if (filter.scope !== 'all' && filter.scope.length === 0) return { rows: [], previous: null, next: null };
  const { sort, position } = readCursor(query.sort, query.cursor);
  const backwards = position?.toward === 'previous';
  const direction = backwards ? opposite(sort.orderDirection) : sort.orderDirection;
  const reading = { filter, direction, position, wanted: query.limit + 1 };
  const found =
    sort.orderBy === 'type'
      ? await readByType(pool, plan, reading)
      : await readInOrder(pool, plan, { ...reading, order: sort.orderBy === 'id' ? 'arrival' : 'time' });
  const hasMore = found.length > query.limit;
  const page = found.slice(0, query.limit);
  if (backwards) page.reverse();

  const [first, last] = [page[0], page.at(-1)];
  const { id, occurred_at: occurredAt, type } = eventFields;
  const cursorAt = (row: ListedEvent, toward: Position['toward']): string =>
    writeCursor(sort, { toward, id: row[id.listedAt], occurredAt: row[occurredAt.listedAt], type: row[type.listedAt] });
  return {
    rows: page.map(toRequestRow),
    previous: first && (backwards ? hasMore : position !== null) ? cursorAt(first, 'previous') : null,
    next: last && (backwards || hasMore) ? cursorAt(last, 'next') : null,
  };
}

function opposite(direction: Reading['direction']): Reading['direction'] {
  return direction === 'asc' ? 'desc' : 'asc';
}

/** A list by type is a list by arrival for each type, in alphabetical order. */
async function readByType(
  pool: pg.Pool,
  plan: ReadingPlan,
  { filter, direction, position, wanted }: Omit<Reading, 'order' | 'position'> & { position: Position | null },
): Promise<ListedEvent[]> {
  const rows: ListedEvent[] = [];
  for (const ownType of typesFrom(position, direction)) {
    if (rows.length >= wanted) break;
    if (!mayHold(filter, ownType)) continue;
    const past = ownType === position?.type ? position : null;
    const part: Reading = { filter: { ...filter, ownType }, order: 'arrival', direction, position: past, wanted: wanted - rows.length };
    rows.push(...(await readInOrder(pool, plan, part)));
  }
  return rows;
}

function typesFrom(position: Position | null, direction: Reading['direction']): RequestType[] {
  const inOrder = requestTypes.toSorted();
  if (direction === 'desc') inOrder.reverse();
  return position === null ? inOrder : inOrder.slice(inOrder.indexOf(position.type));
}

/** Whether a type can match: the type filter `error` also matches rows of other types that have an error. */
function mayHold({ types }: EventFilter, type: RequestType): boolean {
  return types === undefined || types.includes(type) || types.includes('error');
}

/** How a list is read: the offset in which days are cut, and the thresholds between the ways of reading. */
export type ReadingPlan = SearchPlan & {
  /** So many of the next rows are tried before the days are planned. */
  lookAhead: number;
  /** A day with more matches than so many times the needed rows is read in order, other days app by app. */
  denseDay: number;
};

/** If the first rows promise enough matches within so many times as many rows, these are tried too. */
const secondLook = 8;
/** Matches are not distributed evenly, so more than the needed number has to be expected. */
const reserve = 1.2;

/**
 * The first rows of a list past a position, in order. A filter is first tried on the next rows, which is enough unless matches are
 * rare; then the days with matches are planned from the roll-ups.
 */
async function readInOrder(pool: pg.Pool, plan: ReadingPlan, reading: Reading): Promise<ListedEvent[]> {
  const near = reading.order === 'time' ? { ...reading, filter: narrowToPosition(reading) } : reading;
  if (!isCounted(near.filter)) return readSearch(pool, plan, near);
  if (!narrows(near.filter)) return (await runQuery(pool, everyMatch(near))).rows;
  const { rows } = await runQuery(pool, nearMatches(near, plan.lookAhead));
  if (rows.length >= near.wanted) return rows;
  // Rows of one type by arrival are scattered, so that trying more of them takes longer than planning days.
  if (near.filter.ownType === undefined && rows.length * secondLook >= near.wanted * reserve) {
    const more = await runQuery(pool, nearMatches(near, plan.lookAhead * secondLook));
    if (more.rows.length >= near.wanted) return more.rows;
  }
  return near.order === 'time' ? readDaysByTime(pool, plan, near) : readDaysByArrival(pool, plan, near);
}

/** In a list by time nothing before the position can match, which excludes whole partitions. */
function narrowToPosition({ filter, position, direction }: Reading): PartFilter {
  if (position === null) return filter;
  const at = position.occurredAt;
  return direction === 'desc'
    ? { ...filter, until: Math.min(filter.until ?? Infinity, at + 1) }
    : { ...filter, from: Math.max(filter.from ?? -Infinity, at) };
}

async function readDaysByTime(pool: pg.Pool, plan: ReadingPlan, reading: Reading): Promise<ListedEvent[]> {
  const { filter, wanted } = reading;
  const calendar = { filter, offset: plan.offset };
  const { days } = await findDays(pool, calendar, { ...reading, pastId: null });
  const most = wanted * plan.denseDay;
  const rows: ListedEvent[] = [];
  for (const group of groupDays(days, most)) {
    if (rows.length >= wanted) break;
    const rest = { ...reading, wanted: wanted - rows.length };
    const isDense = totalOf(group) > most;
    const query = isDense
      ? everyMatch({ ...rest, filter: { ...filter, ...rangeOf(group, calendar) } })
      : matchesOfDays(rest, plan.offset, group);
    rows.push(...(await runQuery(pool, query)).rows);
  }
  return rows;
}

async function readDaysByArrival(pool: pg.Pool, plan: ReadingPlan, reading: Reading): Promise<ListedEvent[]> {
  const { filter, wanted, position } = reading;
  const { days, ids } = await findDays(pool, { filter, offset: plan.offset }, { ...reading, pastId: position?.id ?? null });
  if (days.length === 0) return [];
  const isDense = days.some((row) => row.matches > wanted * plan.denseDay);
  const query = isDense ? matchesBetween(reading, ids) : matchesOfDays(reading, plan.offset, days);
  return (await runQuery(pool, query, { isKept: !isDense })).rows;
}
