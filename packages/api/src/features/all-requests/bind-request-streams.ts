import { downloadAllRequests } from '@switchyard/contract/request-exports';
import { streamAllRequests } from '@switchyard/contract/request-streams';
import type { Databases } from '../../database/connect.ts';
import type { Bind } from '../../http/bind.ts';
import { Download, EventFeed } from '../../http/streamed-result.ts';
import { readRequestFilter } from '../../traffic-store/read-request-filter.ts';
import type { TrafficStore } from '../../traffic-store/traffic-store.ts';
import { recordExport } from '../audit/record-export-lookup.ts';

/** Requests of every app in the caller's scope as a file, and as they are stored (api [34], [35]). */
export function bindRequestStreams(
  bind: Bind,
  {
    db,
    trafficStore,
    serverOffset,
  }: { db: Databases['db']; trafficStore: Pick<TrafficStore, 'exportRequests' | 'followRequests'>; serverOffset: string },
): void {
  bind(downloadAllRequests, async ({ query, caller, request }) => {
    const filter = readRequestFilter(query, { scope: caller.scope, serverOffset });
    const sort = { orderBy: query.orderBy, orderDirection: query.orderDirection };
    return new Download('requests.csv', async (signal) => {
      await recordExport(db, { appId: null, caller, request });
      return trafficStore.exportRequests({ filter, sort, signal });
    });
  });

  bind(streamAllRequests, async ({ query, caller: { scope } }) => {
    const filter = readRequestFilter(query, { scope, serverOffset });
    return new EventFeed({
      requireAccess: () => undefined,
      open: async ({ lastEventId, caller, signal }) =>
        trafficStore.followRequests({
          filter: () => ({ ...filter, scope: caller().scope }),
          after: lastEventId ?? query.lastEventId,
          signal,
        }),
    });
  });
}
