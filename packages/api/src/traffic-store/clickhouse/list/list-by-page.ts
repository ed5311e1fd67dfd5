import { isCounted, type PartFilter } from '../../event-filter-rules.ts';
import type { UnnamedEvent } from '../../event-fields.ts';
import type { EventFilter } from '../../event-store.ts';
import { type PageQuery, readByType } from '../../list/numbered-list.ts';
import { findPage, type ListOrder, totalOf } from '../../list/slices.ts';
import type { EngineClient } from '../engine-client.ts';
import { allConditions } from '../event-conditions.ts';
import { newParameters, type Parameters, using } from '../statement.ts';
import { countByHour, hourSelections, type HourSlice, projectionFor } from './hours.ts';
import { inHours } from './read-in-order.ts';
import { orderSql, type Place, placeColumns, readPlaces, readRows } from './read-rows.ts';
import { type EngineReading, findWays, type SearchWay, sourceOf } from './search.ts';

/** A page before its rows have names. */
export type UnnamedPage = { rows: UnnamedEvent[]; total: number };

/** Number of times that a page is planned while events arrive. The last plan is the statement's own. */
const attempts = 5;

/**
 * A page of events with the exact total of the list. The projections give the matches of each hour, so only the hours of the page
 * are read. Every statement that reads rows counts the list again at its own moment. If that total differs from the plan's, the
 * page is planned again.
 */
export async function listByPage(engine: EngineClient, reading: EngineReading, query: PageQuery): Promise<UnnamedPage> {
  const { filter, sort, page, limit } = query;
  const skip = (page - 1) * limit;
  const direction = sort.orderDirection;
  if (!isCounted(filter))
    return searchByPage(engine, await findWays(engine, reading, filter), { sort: sort.orderBy, direction, skip, limit });
  const byType = sort.orderBy === 'type';
  for (let attempt = 1; ; attempt += 1) {
    const slices = await countByHour(engine, filter, { byType });
    const plan: Plan = { filter, total: totalOf(slices), isStale: false };
    if (skip >= plan.total) return { rows: [], total: plan.total };
    const rows = byType
      ? await readByType(slices, { direction, skip, limit }, async ({ ownType, ...part }) =>
          readPart(engine, plan, { ...part, filter: { ...filter, ownType }, order: 'arrival', direction: 'desc' }),
        )
      : await readPart(engine, plan, { slices, filter, order: sort.orderBy === 'id' ? 'arrival' : 'time', direction, skip, limit });
    if (!plan.isStale || attempt === attempts) return { rows, total: plan.total };
  }
}

/** The total that a page was planned with, and whether a statement counted another. */
type Plan = { filter: EventFilter; total: number; isStale: boolean };

type Part = ListOrder & { filter: PartFilter; slices: HourSlice[]; skip: number; limit: number };

async function readPart(
  engine: EngineClient,
  plan: Plan,
  { slices, filter, order, direction, skip, limit }: Part,
): Promise<UnnamedEvent[]> {
  const window = findPage(slices, { order, direction, skip, limit });
  if (window === null) return [];
  const parameters = newParameters();
  const conditions = [...allConditions(filter, parameters), ...inHours(window.slices, parameters)];
  if (window.lastId !== undefined) conditions.push(`id ${direction === 'desc' ? '>=' : '<='} ${parameters.add(window.lastId, 'UInt64')}`);
  const { rows, count } = await readRows(engine, {
    source: sourceOf(filter, window.slices.length),
    conditions,
    order: orderSql({ order, direction }, 'desc'),
    limit,
    offset: window.skip,
    count: { sql: totalSql(plan.filter, parameters), projection: projectionFor(plan.filter) },
    parameters,
  });
  if (count !== plan.total) plan.isStale = true;
  return rows;
}

function totalSql(filter: EventFilter, parameters: Parameters): string {
  return `select sum(matches) from (${hourSelections(filter, false, parameters).join(' union all ')})`;
}

/** How many events match, exactly. */
export async function countMatches(engine: EngineClient, reading: EngineReading, filter: EventFilter): Promise<number> {
  return isCounted(filter) ? countCounted(engine, filter) : countWays(engine, await findWays(engine, reading, filter));
}

/** The same for filters that projections count. */
export async function countCounted(engine: EngineClient, filter: EventFilter): Promise<number> {
  const parameters = newParameters();
  if (hourSelections(filter, false, newParameters()).length === 0) return 0;
  const [row] = await engine.rows<{ total: number }>({ text: `select (${totalSql(filter, parameters)}) as total`, parameters });
  return row?.total ?? 0;
}

async function countWays(engine: EngineClient, ways: readonly SearchWay[]): Promise<number> {
  const parameters = newParameters();
  const [row] = await engine.rows<{ total: number }>({ text: countSearch(ways, parameters), parameters });
  return row?.total ?? 0;
}

/** SQL of the number of matches of a search; matches of several alternatives count once. */
function countSearch(ways: readonly SearchWay[], parameters: Parameters): string {
  return `select ${ways.length === 1 ? 'count()' : 'uniqExact(id)'} as total from (${waysSql(ways, 'id', parameters).join(' union all ')})`;
}

function waysSql(ways: readonly SearchWay[], columns: string, parameters: Parameters): string[] {
  return ways.map(
    (way) => `select ${columns} from events where ${allConditions(way.filter, parameters).join(' and ')} ${using(way.projection)}`,
  );
}

/** A page of a search: places and total from the projections of its alternatives, in one statement. */
async function searchByPage(
  engine: EngineClient,
  ways: readonly SearchWay[],
  { sort, direction, skip, limit }: { sort: PageQuery['sort']['orderBy']; direction: 'asc' | 'desc'; skip: number; limit: number },
): Promise<UnnamedPage> {
  const parameters = newParameters();
  const order = sort === 'type' ? `type ${direction}, id desc` : orderSql({ order: sort === 'id' ? 'arrival' : 'time', direction }, 'desc');
  const distinct = ways.length > 1 ? 'distinct' : '';
  const text = `select ${placeColumns}, (${countSearch(ways, parameters)}) as total
    from (select ${distinct} occurred_at, app_id, id, type from (${waysSql(ways, 'occurred_at, app_id, id, type', parameters).join(' union all ')}))
    order by ${order} limit ${Math.trunc(limit)} offset ${Math.trunc(skip)}`;
  const places = await engine.rows<Place & { total: number }>({ text, parameters });
  return { rows: await readPlaces(engine, places), total: places[0]?.total ?? (await countWays(engine, ways)) };
}
