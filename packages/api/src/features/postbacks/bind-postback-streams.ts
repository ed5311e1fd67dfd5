import { downloadPostbacks } from '@switchyard/contract/request-exports';
import { streamPostbacks } from '@switchyard/contract/request-streams';
import type { Databases } from '../../database/connect.ts';
import { forbidden } from '../../errors.ts';
import type { Bind } from '../../http/bind.ts';
import { Download, EventFeed } from '../../http/streamed-result.ts';
import { readRequestFilter } from '../../traffic-store/read-request-filter.ts';
import type { TrafficStore } from '../../traffic-store/traffic-store.ts';
import { appInScope } from '../apps/app-in-scope-lookup.ts';
import { recordExport } from '../audit/record-export-lookup.ts';

/** Requests of one app as a file, and as they are stored (api [25], [26]). */
export function bindPostbackStreams(
  bind: Bind,
  deps: {
    db: Databases['db'];
    pools: Pick<Databases['pools'], 'ui'>;
    trafficStore: Pick<TrafficStore, 'exportRequests' | 'followRequests'>;
    serverOffset: string;
  },
): void {
  const { db, pools, trafficStore, serverOffset } = deps;

  bind(
    downloadPostbacks,
    async ({ params: { id }, query, caller, request }) => {
      const filter = readRequestFilter(query, { scope: [id], serverOffset });
      const sort = { orderBy: query.orderBy, orderDirection: query.orderDirection };
      return new Download(`app_${id}.csv`, async (signal) => {
        await recordExport(db, { appId: id, caller, request });
        return trafficStore.exportRequests({ filter, sort, signal });
      });
    },
    { requireEntity: appInScope(pools) },
  );

  bind(
    streamPostbacks,
    async ({ params: { id }, query }) => {
      const filter = readRequestFilter(query, { scope: [id], serverOffset });
      return new EventFeed({
        requireAccess(caller) {
          if (caller.scope !== 'all' && !caller.scope.includes(id)) throw forbidden();
        },
        open: async ({ lastEventId, signal }) =>
          trafficStore.followRequests({ filter: () => filter, after: lastEventId ?? query.lastEventId, signal }),
      });
    },
    { requireEntity: appInScope(pools) },
  );
}
