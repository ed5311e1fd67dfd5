import * as contract from '@switchyard/contract/apps';
import type { Databases } from '../../database/connect.ts';
import type { Feature } from '../../http/bind.ts';
import type { TrafficStore } from '../../traffic-store/traffic-store.ts';
import { archiveApp, restoreApp } from './archive-app.ts';
import { listApps, totalOfApps } from './list-apps.ts';
import { createStatisticsCache } from './statistics-cache.ts';

/** The apps list with its totals, archiving and restoring, and the verticals (api 2). */
export function createApps(given: {
  db: Databases['db'];
  trafficStore: Pick<TrafficStore, 'countersByApp' | 'appsWithClients'>;
  now: () => Date;
  /** Offset `+HH:MM` in which the server cuts days. */
  serverOffset: string;
}): Feature {
  const deps = { ...given, statistics: createStatisticsCache(given) };
  return {
    bindRoutes(bind) {
      bind(contract.listApps, async (call) => listApps(deps, call));
      bind(contract.getAppsTotal, async (call) => totalOfApps(deps, call));
      bind(contract.archiveApp, async ({ params, caller, request }) => archiveApp(deps, { id: params.id, caller, request }));
      bind(contract.restoreApp, async ({ params, caller, request }) => restoreApp(deps, { id: params.id, caller, request }));
      bind(contract.listVerticals, async () => [...contract.verticals]);
    },
  };
}
