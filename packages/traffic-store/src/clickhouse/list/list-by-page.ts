import { isCounted } from '../../event-filter-rules.ts';
import type { EventFilter } from '../../event-store.ts';
import { withoutSearch } from '../../list/match-all.ts';
import type { PageQuery } from '../../list/numbered-pages.ts';
import type { EngineClient } from '../engine-client.ts';
import { newParameters, type Parameters, using } from '../statement.ts';
import { hourSelections, projectionFor } from './hours.ts';
import { appsNotMatched, findsAll } from './match-all-search.ts';
import { readWindow, type Window, type WindowOrder } from './read-window.ts';
import { countWays, type EngineReading, planSearch, projectionOf, readWays } from './search.ts';

/** A page of events with the exact total of the list, both of one moment, before its rows have names. */
export async function listByPage(engine: EngineClient, reading: EngineReading, query: PageQuery): Promise<Window> {
  const { filter, sort, page, limit } = query;
  const order: WindowOrder = { order: orders[sort.orderBy], direction: sort.orderDirection };
  const skip = (page - 1) * limit;
  if (isCounted(filter)) return readWindow(engine, { filter, order, skip, limit });
  if (await findsAll(engine, filter)) {
    const window = await readWindow(engine, { filter: withoutSearch(filter), search: filter.search, order, skip, limit });
    if (window.total >= 0) return window;
  }
  return readWays(engine, await planSearch(engine, reading, filter), { order, ties: 'desc', skip, limit, isCounted: true });
}

const orders = { concatenated_date: 'time', id: 'arrival', type: 'type' } as const satisfies Record<PageQuery['sort']['orderBy'], string>;

/** How many events match, exactly. */
export async function countMatches(engine: EngineClient, reading: EngineReading, filter: EventFilter): Promise<number> {
  if (isCounted(filter) || (await findsAll(engine, filter))) {
    const total = await countCounted(engine, filter);
    if (total >= 0) return total;
  }
  const plan = await planSearch(engine, reading, filter);
  if (plan.ways.length === 0) return 0;
  const parameters = newParameters();
  return countIn(engine, `select ${countWays(plan, parameters)} ${using(projectionOf(plan))}`, parameters);
}

/** How many events match by the projections, for filters that they count; -1 if there is a search and it leaves something out. */
export async function countCounted(engine: Pick<EngineClient, 'lines'>, filter: EventFilter): Promise<number> {
  const parameters = newParameters();
  const counted = withoutSearch(filter);
  const selections = hourSelections(counted, [], parameters);
  if (selections.length === 0) return 0;
  const notMatched = filter.search === undefined ? '0' : appsNotMatched(filter, parameters);
  const total = `select if((${notMatched}) = 0, toInt64(sum(matches)), -1) from (${selections.join(' union all ')})`;
  return countIn(engine, `${total} ${using(projectionFor(counted))}`, parameters);
}

async function countIn(engine: Pick<EngineClient, 'lines'>, text: string, parameters: Parameters): Promise<number> {
  return Number((await engine.lines({ text, parameters }))[0] ?? 0);
}
