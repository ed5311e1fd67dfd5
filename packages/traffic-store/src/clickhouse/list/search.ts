import { isSearched, type PartFilter } from '../../event-filter-rules.ts';
import type { EventSearch } from '../../event-store.ts';
import type { TopReading } from '../../top-fields.ts';
import { week } from '../../time-buckets.ts';
import type { EngineClient } from '../engine-client.ts';
import { allConditions, searchConditions, timeConditions, where } from '../event-conditions.ts';
import type { Projection } from '../schema.ts';
import { newParameters, type Parameters, using } from '../statement.ts';
import { beginningOf } from './hours.ts';
import { orderSql, splitTotal, type Window, type WindowOrder } from './read-window.ts';

/** How the matches of a filter that no projection counts are found. */
export type SearchPlan = {
  filter: PartFilter;
  /** Alternatives that together find every match once; none if there are no matches. */
  ways: readonly SearchWay[];
  /** Whether the first matches come soon among the events in the order of time, because there are many. */
  isFrequent: boolean;
  /** Whether there are many in all apps together, of which a list of some apps most likely has enough in its first week. */
  isCommon: boolean;
};

/** One alternative, without what those before it find, and the projection that finds its matches. Null: the events themselves. */
export type SearchWay = { filter: PartFilter; others: readonly EventSearch[]; projection: Projection | null };

/** Thresholds between the ways of reading; measured defaults, which tests set low so that every way is taken. */
export type EngineReading = TopReading & {
  /** A search with more matches than this in one of its alternatives is not read from the projections of searches. */
  rareSearch: number;
};

/**
 * Plans how matches are found. Without an index the events are read one by one. Few matches of an alternative are found by its
 * projection, and those of a client always, because they lie together in the order of time. Many are found by the projection of apps,
 * where an app's do not lie scattered. An alternative without matches at that moment is left out: hardly any client is named like an address.
 */
export async function planSearch(engine: EngineClient, { rareSearch }: EngineReading, filter: PartFilter): Promise<SearchPlan> {
  if (!isSearched(filter)) return { filter, ways: [{ filter, others: [], projection: null }], isFrequent: true, isCommon: true };
  if (filter.clientUid !== undefined)
    return { filter, ways: [{ filter, others: [], projection: 'of_client' }], isFrequent: false, isCommon: false };
  // The projection of addresses has no `client_key` to leave out what a text finds, so addresses come first.
  const searches = (filter.search ?? []).toSorted((one, other) => Number(other.kind === 'ip-range') - Number(one.kind === 'ip-range'));
  const counts = await Promise.all(searches.map(async (search) => countUpTo(engine, search, rareSearch + 1)));
  const found = searches.filter((_, index) => counts[index] !== 0);
  const isRare = (search: EventSearch): boolean => (counts[searches.indexOf(search)] ?? 0) <= rareSearch;
  const ways = found.map((search, index) => ({
    filter: { ...filter, search: [search] },
    others: found.slice(0, index),
    projection: isRare(search) || filter.scope === 'all' ? projections[search.kind] : ('of_app' as const),
  }));
  const isCommon = !found.every(isRare);
  return { filter, ways, isFrequent: isCommon && filter.scope === 'all', isCommon };
}

const projections: Readonly<Record<EventSearch['kind'], Projection>> = { 'client-uid-prefix': 'of_client', 'ip-range': 'of_ip' };

/** The number of matches of an alternative, at most `most`. */
async function countUpTo(engine: EngineClient, search: EventSearch, most: number): Promise<number> {
  const parameters = newParameters();
  const text = `select count() from (select 1 from events
    ${where(searchConditions({ scope: 'all', search: [search] }, parameters))} limit ${Math.trunc(most)} ${using(projections[search.kind])})`;
  return Number((await engine.lines({ text, parameters }))[0] ?? 0);
}

/** SQL of the conditions of one alternative. */
export function wayConditions({ filter, others }: SearchWay, parameters: Parameters): string[] {
  const found = others.length === 0 ? [] : searchConditions({ scope: 'all', search: others }, parameters);
  return [...allConditions(filter, parameters), ...found.map((condition) => `not ${condition}`)];
}

/** The projection that the whole statement names: without one, its parts would use none. */
export function projectionOf({ ways }: SearchPlan): Projection | null {
  return ways[0]?.projection ?? null;
}

/** SQL of the number of matches. */
export function countWays({ ways }: SearchPlan, parameters: Parameters): string {
  return ways.map((way) => `(select count() from events ${where(wayConditions(way, parameters))} ${using(way.projection)})`).join(' + ');
}

/** Which rows of a list to read, and whether to count it. */
type WaysQuery = {
  order: WindowOrder;
  /** Direction of ids where the times are the same. */
  ties: 'asc' | 'desc';
  /** SQL of the conditions of a position past which rows are read. */
  past?: (parameters: Parameters) => readonly string[];
  skip?: number;
  limit: number;
  isCounted?: boolean;
};

/** Columns that locate an event: the key of the table, and its id. On a cluster, one server finds places and sends them to all (`global in`). */
const place = 'toStartOfHour(occurred_at), app_id, occurred_at, id';

/**
 * Reads rows, and the total if it is needed, of one moment. Of many matches the first ones mostly lie in the first week of the list, and the
 * engine takes about a millisecond to open each further one.
 */
export async function readWays(engine: EngineClient, plan: SearchPlan, query: WaysQuery): Promise<Window> {
  const { order, skip = 0, limit, isCounted = false, past = () => [] } = query;
  if (plan.ways.length === 0) return { rows: [], total: 0 };
  const isNear = plan.isCommon && order.order === 'time' && skip === 0;
  const beginning = isNear ? beginningOf(plan.filter, order.direction, week) : null;
  if (beginning !== null) {
    const near = await readAll(engine, plan, {
      ...query,
      past: (parameters) => [...past(parameters), ...timeConditions(beginning, parameters)],
    });
    if (near.rows.length >= (isCounted ? Math.min(limit, near.total) : limit)) return near;
  }
  return readAll(engine, plan, query);
}

/** One statement: places from the projections, the events there, and the total. */
async function readAll(engine: EngineClient, plan: SearchPlan, query: WaysQuery): Promise<Window> {
  const { order, ties, skip = 0, limit, isCounted = false, past = () => [] } = query;
  const parameters = newParameters();
  const rowOrder = orderSql(order, ties);
  const isDirect = plan.isFrequent && skip === 0;
  const conditions = isDirect
    ? [...allConditions(plan.filter, parameters), ...past(parameters)]
    : [`(${place}) global in (${placesSql(plan, { ...query, past, skip }, parameters)})`];
  const rows = `select row from events ${where(conditions)} order by ${rowOrder} limit ${Math.trunc(limit)}`;
  const total = isCounted ? `union all select toString(${countWays(plan, parameters)})` : '';
  return splitTotal(await engine.lines({ text: `${rows} ${total} ${using(projectionOf(plan))}`, parameters }));
}

function placesSql(
  { ways }: SearchPlan,
  { order, ties, past, skip, limit }: WaysQuery & Required<Pick<WaysQuery, 'past' | 'skip'>>,
  parameters: Parameters,
): string {
  // The projections of apps, clients and addresses go on with the time, so the engine stops reading after the first rows.
  const inOrder = order.order === 'time' ? `order by occurred_at ${order.direction}, id ${ties}` : `order by ${orderSql(order, ties)}`;
  const page = `limit ${Math.trunc(limit)} offset ${Math.trunc(skip)}`;
  const selectionOf = (way: SearchWay, columns: string, end: string) =>
    `select ${columns} from events ${where([...wayConditions(way, parameters), ...past(parameters)])} ${inOrder} ${end} ${using(way.projection)}`;
  const [only, second] = ways;
  if (only !== undefined && second === undefined) return selectionOf(only, place, page);
  const selections = ways.map((way) => selectionOf(way, 'occurred_at, app_id, id, type', `limit ${Math.trunc(skip + limit)}`));
  return `select ${place} from (${selections.join(' union all ')}) ${inOrder} ${page}`;
}
