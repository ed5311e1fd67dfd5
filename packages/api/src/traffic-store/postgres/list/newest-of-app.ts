import { pageSizes } from '@switchyard/contract/limits';
import type pg from 'pg';
import type { NumberedPage } from '../../traffic-store.ts';
import { wholeDays } from './day-counts.ts';
import type { PageQuery } from './numbered-list.ts';
import { newParameters, sharedConditions } from '../event-conditions.ts';
import { keptName } from '../run-query.ts';
import { toStoredRequest } from '../../event-fields.ts';
import { asEventPage, type EventPage } from '../stored-event.ts';

/** Whether it is the page that opens when somebody looks at an app: its newest requests, whatever they are. */
export function asksForNewestOfApp({ filter: { scope, ...rest }, sort, page }: PageQuery): boolean {
  const isByTime = sort.orderBy === 'concatenated_date' && sort.orderDirection === 'desc';
  return page === 1 && isByTime && scope !== 'all' && scope.length === 1 && Object.values(rest).every((part) => part === undefined);
}

/**
 * The newest requests of an app and how many it has, in one statement, which sees one moment without a transaction around
 * it. The index of each week is asked from its young end, so no days have to be looked for first.
 */
export async function listNewestOfApp(pool: pg.Pool, offset: string, { filter, limit }: PageQuery): Promise<NumberedPage> {
  const parameters = newParameters();
  const ofApp = sharedConditions({ scope: filter.scope }, parameters).join(' and ');
  const newest = `select * from events where ${ofApp} order by occurred_at desc, id desc limit ${Math.trunc(limit)}`;
  const days = [...wholeDays(filter, {}, offset, parameters), ofApp].join(' and ');
  const text = `select page, (select coalesce(sum(requests), 0)::bigint from traffic_app_days where ${days}) as total
    from (${asEventPage(newest)}) as found`;
  const name = pageSizes.some((size) => size === limit) ? { name: keptName(text) } : {};
  const { rows } = await pool.query<EventPage & { total: number }>({ ...name, text, values: parameters.values });
  return { rows: rows.flatMap(({ page }) => page.map(toStoredRequest)), total: rows[0]?.total ?? 0 };
}
