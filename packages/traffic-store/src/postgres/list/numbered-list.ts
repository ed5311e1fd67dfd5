import { pageSizes } from '@switchyard/contract/limits';
import type pg from 'pg';
import { type ListedEvent, toRequestRows } from '../../event-fields.ts';
import { isCounted, type PartFilter } from '../../event-filter-rules.ts';
import { newParameters, countedConditions } from '../event-conditions.ts';
import { asEventPage, type EventPage, eventsOf, readRows } from '../event-page.ts';
import { isFrequent, pageWithTotal, partOfPage } from './event-queries.ts';
import { findExcludedDays } from './match-all-search.ts';
import { mayMatchAll, withoutSearch } from '../../list/match-all.ts';
import { type PageQuery, readByType } from '../../list/numbered-pages.ts';
import { findPage, type ListOrder, totalOf } from '../../list/slices.ts';
import { countByDay, type MatchingDay, spansOf, wholeDays } from './plan-days.ts';
import { inSnapshot, keptName, type Reader } from '../statements.ts';
import type { EventFilter, EventSort, NumberedPage } from '../../event-store.ts';

/** A part of the list in which rows are to be skipped and read. */
type Place = { filter: PartFilter; offset: string; skip: number; limit: number };

/**
 * A page of events with the exact total of the list. The roll-ups give the matches of each day, so only the days of the page are
 * read: the last page takes as long as the first.
 */
export async function listByPage(pool: pg.Pool, offset: string, query: PageQuery): Promise<NumberedPage> {
  const { sort, page, limit } = query;
  if (sort.orderBy === 'concatenated_date' && isCounted(query.filter)) return listByTime(pool, offset, query);
  return inSnapshot(pool, async (reader) => {
    const { days, filter } = await countDays(reader, { filter: query.filter, offset, byType: sort.orderBy === 'type' });
    const total = totalOf(days);
    const place = { filter, offset, skip: (page - 1) * limit, limit };
    const pageRows = place.skip < total ? await readPage(reader, days, sort, place) : [];
    return { rows: toRequestRows(pageRows, query), total };
  });
}

async function listByTime(pool: pg.Pool, offset: string, { filter, sort, page, limit, origin }: PageQuery): Promise<NumberedPage> {
  const query = pageWithTotal({ filter, offset }, { direction: sort.orderDirection, skip: (page - 1) * limit, limit });
  const name = pageSizes.some((size) => size === limit) ? { name: keptName(query.text) } : {};
  const { rows } = await pool.query<EventPage & { total: number }>({ ...name, ...query });
  return { rows: rows.flatMap((row) => toRequestRows(eventsOf(row), { origin })), total: rows[0]?.total ?? 0 };
}

/** How many events match, exactly. */
export async function countMatches(pool: pg.Pool, offset: string, filter: EventFilter): Promise<number> {
  const count = async (reader: Reader) => totalOf((await countDays(reader, { filter, offset, byType: false })).days);
  // Without a check before it, the count is one statement, which sees one moment by itself.
  return mayMatchAll(filter) ? inSnapshot(pool, count) : count(pool);
}

/** Matches by day, and the filter without a search that matches everything. */
async function countDays(reader: Reader, query: { filter: EventFilter; offset: string; byType: boolean }) {
  const excludedDays = await findExcludedDays(reader, query.filter, query.offset);
  const filter = excludedDays?.length === 0 ? withoutSearch(query.filter) : query.filter;
  return { filter, days: await countByDay(reader, { filter, offset: query.offset }, { byType: query.byType, excludedDays }) };
}

async function readPage(reader: Reader, days: readonly MatchingDay[], { orderBy, orderDirection: direction }: EventSort, place: Place) {
  if (orderBy === 'type') {
    return readByType(days, { direction, ...place }, async ({ ownType, slices, ...part }) =>
      readPart(reader, slices, { order: 'arrival', direction: 'desc' }, { ...place, ...part, filter: { ...place.filter, ownType } }),
    );
  }
  return readPart(reader, days, { order: orderBy === 'id' ? 'arrival' : 'time', direction }, place);
}

async function readPart(
  reader: Reader,
  days: readonly MatchingDay[],
  order: ListOrder,
  { filter, offset, skip, limit }: Place,
): Promise<ListedEvent[]> {
  const pageRows = findPage(days, { ...order, skip, limit });
  if (pageRows === null) return [];
  const part = { ...pageRows, ...order, filter, spans: spansOf(pageRows.slices, { filter, offset }), limit };
  return readRows(reader, partOfPage(part), { isKept: isFrequent(part) });
}

/** Whether it is the first page of one app without a filter. */
export function asksForNewestOfApp({ filter: { scope, ...rest }, sort, page }: PageQuery): boolean {
  const isByTime = sort.orderBy === 'concatenated_date' && sort.orderDirection === 'desc';
  return page === 1 && isByTime && scope !== 'all' && scope.length === 1 && Object.values(rest).every((part) => part === undefined);
}

/**
 * The newest events of an app and their number in one statement, which sees one moment without a transaction. Each week's index
 * is read from its newest end, so no days have to be planned.
 */
export async function listNewestOfApp(pool: pg.Pool, offset: string, { filter, limit, origin }: PageQuery): Promise<NumberedPage> {
  const parameters = newParameters();
  const ofApp = countedConditions({ scope: filter.scope }, parameters).join(' and ');
  const newest = `select * from events where ${ofApp} order by occurred_at desc, id desc limit ${Math.trunc(limit)}`;
  const days = [...wholeDays(filter, {}, offset, parameters), ofApp].join(' and ');
  const text = `select page, (select coalesce(sum(requests), 0)::bigint from traffic_app_days where ${days}) as total
    from (${asEventPage(newest)}) as found`;
  const name = pageSizes.some((size) => size === limit) ? { name: keptName(text) } : {};
  const { rows } = await pool.query<EventPage & { total: number }>({ ...name, text, values: parameters.values });
  return { rows: rows.flatMap((row) => toRequestRows(eventsOf(row), { origin })), total: rows[0]?.total ?? 0 };
}
