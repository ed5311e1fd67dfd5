import * as form from '@switchyard/contract/app-form';
import * as contract from '@switchyard/contract/apps';
import { listPickApps } from '@switchyard/contract/pick-lists';
import type { ReadSecret } from '../../adapters/read-secret.ts';
import type { SecretBox } from '../../adapters/secret-box.ts';
import type { Databases } from '../../database/connect.ts';
import type { Feature } from '../../http/bind.ts';
import type { TrafficStore } from '../../traffic-store/traffic-store.ts';
import { isTaken, listAppsToPick } from './app-read-model.ts';
import { archiveApp, restoreApp } from './archive-app.ts';
import { listApps, totalOfApps } from './list-apps.ts';
import { createApp, getApp, saveApp } from './save-app.ts';
import { createStatisticsCache } from './statistics-cache.ts';

/** The apps list with its totals, one app to create, read and change, archiving and restoring, and pick lists (api 2). */
export function createApps(given: {
  db: Databases['db'];
  secretBox: Pick<SecretBox, 'seal'>;
  readSecret: ReadSecret;
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
      bind(form.createApp, async (call) => createApp(deps, call));
      bind(form.getApp, async ({ params, caller }) => getApp(deps, { id: params.id, caller }));
      bind(form.saveApp, async ({ params, ...call }) => saveApp(deps, { id: params.id, ...call }));
      bind(form.checkNotTaken, async ({ params, query }) => {
        return !(await isTaken(deps.db, { field: params.field, value: query.search, exceptId: query.exceptId }));
      });
      bind(listPickApps, async ({ caller }) => listAppsToPick(deps.db, caller.scope));
      bind(contract.listVerticals, async () => [...contract.verticals]);
    },
  };
}
