import { fromDate } from '@switchyard/contract/dates';
import { cursorForm } from '@switchyard/contract/envelope';
import { countAllRequests, listAllRequests } from '@switchyard/contract/all-requests';
import type { Databases } from '../../database/connect.ts';
import type { Feature } from '../../http/bind.ts';
import { readHistogram } from '../../traffic-store/read-histogram.ts';
import { readRequestFilter } from '../../traffic-store/read-request-filter.ts';
import type { TrafficStore } from '../../traffic-store/traffic-store.ts';
import { bindRequestStreams } from './bind-request-streams.ts';

/** Requests of every app in the caller's scope, by cursor, as file and live, and their histogram (api 4). */
export function createAllRequests(deps: {
  db: Databases['db'];
  trafficStore: Pick<TrafficStore, 'listRequestsByCursor' | 'countByBucket' | 'exportRequests' | 'followRequests'>;
  now: () => Date;
  /** Offset `+HH:MM` in which the server cuts days. */
  serverOffset: string;
}): Feature {
  return {
    bindRoutes(bind) {
      bind(listAllRequests, async ({ query, caller }) => {
        const filter = readRequestFilter(query, { scope: caller.scope, serverOffset: deps.serverOffset });
        const { orderBy, orderDirection, cursor, limit } = query;
        const { rows, previous, next } = await deps.trafficStore.listRequestsByCursor({
          filter,
          sort: { orderBy, orderDirection },
          cursor,
          limit,
        });
        return { rows, pagination: cursorForm({ count: rows.length, limit, previous, next }) };
      });

      bindRequestStreams(bind, deps);
      bind(countAllRequests, async ({ query, caller }) => readHistogram(deps, { query, scope: caller.scope, now: fromDate(deps.now()) }));
    },
  };
}
