import { fromDate } from '@switchyard/contract/dates';
import { pageForm } from '@switchyard/contract/envelope';
import { countPostbacks, listPostbackFilters, listPostbacks } from '@switchyard/contract/postbacks';
import type { Databases } from '../../database/connect.ts';
import type { Feature } from '../../http/bind.ts';
import { readHistogram } from '../../traffic-store/read-histogram.ts';
import { readRequestFilter } from '../../traffic-store/read-request-filter.ts';
import type { TrafficStore } from '../../traffic-store/traffic-store.ts';
import { appInScope } from '../apps/app-in-scope-lookup.ts';
import { bindPostbackStreams } from './bind-postback-streams.ts';
import { findFilterOptions } from './find-filter-options.ts';

/** Requests of one app: its list by page, its histogram and what it may be filtered by (api [24], [27], [28]). */
export function createPostbacks(deps: {
  db: Databases['db'];
  pools: Pick<Databases['pools'], 'ui'>;
  trafficStore: Pick<TrafficStore, 'listRequestsByPage' | 'countByBucket' | 'seenValues' | 'exportRequests' | 'followRequests'>;
  now: () => Date;
  /** Offset `+HH:MM` in which the server cuts days. */
  serverOffset: string;
}): Feature {
  const { pools, trafficStore, serverOffset } = deps;
  return {
    bindRoutes(bind) {
      bind(
        listPostbacks,
        async ({ params: { id }, query }) => {
          const { page, limit, orderBy, orderDirection } = query;
          const filter = readRequestFilter(query, { scope: [id], serverOffset });
          const { rows, total } = await trafficStore.listRequestsByPage({ filter, sort: { orderBy, orderDirection }, page, limit });
          return { rows, pagination: pageForm({ total, count: rows.length, limit, page }) };
        },
        { requireEntity: appInScope(pools) },
      );

      bindPostbackStreams(bind, deps);

      bind(
        countPostbacks,
        async ({ params: { id }, query }) => {
          return readHistogram(deps, { query, scope: [id], now: fromDate(deps.now()) });
        },
        { requireEntity: appInScope(pools) },
      );

      bind(
        listPostbackFilters,
        async ({ params: { id }, request }) => {
          return { ...(await findFilterOptions(deps, id)), ip: request.ip };
        },
        { requireEntity: appInScope(pools) },
      );
    },
  };
}
