import { requestTypes } from '@switchyard/contract/requests';
import type pg from 'pg';
import type { NumberedPage, RequestFilter, RequestSort } from '../../traffic-store.ts';
import { findArrivalWindow } from './arrival-window.ts';
import { countByDay, type CountedDay, totalOf } from './day-counts.ts';
import { daysLeftOut, mayFitAll, withoutSearch } from './match-all-search.ts';
import { spansOf } from './matching-days.ts';
import { isFrequent, type PagePart, partOfPage } from './page-query.ts';
import type { PartFilter } from '../../event-filter-rules.ts';
import { runQuery } from '../run-query.ts';
import { inSnapshot, type Reader } from '../snapshot.ts';
import { type ListedEvent, toStoredRequest } from '../../event-fields.ts';

export type PageQuery = { filter: RequestFilter; sort: RequestSort; page: number; limit: number };

/** A part of the list in which rows are to be skipped and read. */
type Place = { filter: PartFilter; offset: string; skip: number; limit: number };

/**
 * A page of requests with the exact total of the list (api 0.7, [24]). The roll-ups tell how many matches each day holds,
 * so the page is looked for only in the days where it lies: the last page costs what the first one does.
 */
export async function listByPage(pool: pg.Pool, offset: string, query: PageQuery): Promise<NumberedPage> {
  const { sort, page, limit } = query;
  if (query.filter.scope !== 'all' && query.filter.scope.length === 0) return { rows: [], total: 0 };
  return inSnapshot(pool, async (reader) => {
    const { days, filter } = await countDays(reader, { filter: query.filter, offset, byType: sort.orderBy === 'type' });
    const total = totalOf(days);
    const place = { filter, offset, skip: (page - 1) * limit, limit };
    const found = place.skip < total ? await readPage(reader, days, sort, place) : [];
    return { rows: found.map(toStoredRequest), total };
  });
}

/** How many requests match, exactly. */
export async function countMatches(pool: pg.Pool, offset: string, filter: RequestFilter): Promise<number> {
  if (filter.scope !== 'all' && filter.scope.length === 0) return 0;
  const count = async (reader: Reader) => totalOf((await countDays(reader, { filter, offset, byType: false })).days);
  // Without a question before it, the count is one statement, which sees one moment by itself.
  return mayFitAll(filter) ? inSnapshot(pool, count) : count(pool);
}

/** Matches by day, and the filter without a search that leaves nothing out. */
async function countDays(reader: Reader, query: { filter: RequestFilter; offset: string; byType: boolean }) {
  const leftOut = await daysLeftOut(reader, query.filter, query.offset);
  const filter = leftOut?.length === 0 ? withoutSearch(query.filter) : query.filter;
  return { filter, days: await countByDay(reader, { ...query, filter, leftOut }) };
}

async function readPage(reader: Reader, days: readonly CountedDay[], { orderBy, orderDirection }: RequestSort, place: Place) {
  if (orderBy === 'type') return readByType(reader, days, orderDirection, place);
  return orderBy === 'id' ? readByArrival(reader, days, orderDirection, place) : readByTime(reader, days, orderDirection, place);
}

async function readByTime(
  reader: Reader,
  days: readonly CountedDay[],
  direction: 'asc' | 'desc',
  { filter, offset, skip, limit }: Place,
): Promise<ListedEvent[]> {
  const inOrder = direction === 'asc' ? days : days.toReversed();
  let before = 0;
  let reached = 0;
  const held: CountedDay[] = [];
  for (const day of inOrder) {
    reached += day.requests;
    if (reached <= skip) before = reached;
    else held.push(day);
    if (reached >= skip + limit) break;
  }
  return read(reader, { filter, order: 'time', direction, spans: spansOf(held, { filter, offset }), skip: skip - before, limit });
}

async function readByArrival(
  reader: Reader,
  days: readonly CountedDay[],
  direction: 'asc' | 'desc',
  { filter, offset, skip, limit }: Place,
): Promise<ListedEvent[]> {
  const found = findArrivalWindow(days, { skip, limit, direction });
  if (found === null) return [];
  const spans = spansOf(found.days, { filter, offset });
  return read(reader, { filter, order: 'arrival', direction, spans, lastId: found.lastId, skip: found.skip, limit });
}

/** Types in alphabetical order are lists by arrival one after the other, each with the younger rows first (api 0.6). */
async function readByType(
  reader: Reader,
  days: readonly CountedDay[],
  direction: 'asc' | 'desc',
  { skip, limit, ...place }: Place,
): Promise<ListedEvent[]> {
  const types = requestTypes.toSorted();
  if (direction === 'desc') types.reverse();
  const rows: ListedEvent[] = [];
  let left = skip;
  for (const ownType of types) {
    const ofType = days.filter((day) => day.type === ownType);
    const total = totalOf(ofType);
    if (rows.length < limit && left < total) {
      const part = { ...place, filter: { ...place.filter, ownType }, skip: left, limit: limit - rows.length };
      rows.push(...(await readByArrival(reader, ofType, 'desc', part)));
    }
    left = Math.max(0, left - total);
  }
  return rows;
}

async function read(reader: Reader, part: PagePart): Promise<ListedEvent[]> {
  return (await runQuery(reader, partOfPage(part), { isKept: isFrequent(part) })).rows;
}
