import { listInvalidDomains as listInvalidDomainsCall } from '@switchyard/contract/app-domains';
import * as form from '@switchyard/contract/app-form';
import * as contract from '@switchyard/contract/apps';
import { findPickApps, listPickApps } from '@switchyard/contract/pick-lists';
import { pageForm } from '@switchyard/contract/envelope';
import type { Readable } from 'node:stream';
import type { ReadSecret } from '../../adapters/read-secret.ts';
import type { Databases } from '../../database/connect.ts';
import type { Feature } from '../../http/bind.ts';
import { forbidden } from '../../errors.ts';
import { Download } from '../../http/streamed-result.ts';
import type { SealSecret } from '../../secret-keys/seal-secret.ts';
import type { TrafficStore } from '@switchyard/traffic-store/traffic-store';
import { bindAppHistory } from './app-history.ts';
import { archiveApp, createApp, getApp, restoreApp, saveApp, type AppDependencies } from './app-commands.ts';
import { isTaken, listAppsToPick, listAppsToPickPage } from './apps-store.ts';
import { listInvalidDomains } from './invalid-domains-lookup.ts';
import { writeAppsFile, type AppsFile } from './apps-csv.ts';
import { listApps, readAppDays, totalOfApps } from './list-apps.ts';
import { createStatisticsCache } from './statistics-cache.ts';

/** Calls on apps: the list with its totals, single apps, and pick lists. */
export function createApps(dependencies: {
  db: Databases['db'];
  sealSecret: SealSecret;
  readSecret: ReadSecret;
  trafficStore: Pick<TrafficStore, 'countByApp' | 'findAppsWithClients' | 'events'>;
  changeLinkedDomain: AppDependencies['changeLinkedDomain'];
  now: () => Date;
  /** Offset `+HH:MM` of the days of the server. */
  serverOffset: string;
}): Feature & { writeFile: (file: AppsFile, signal: AbortSignal) => Promise<Readable> } {
  const deps = { ...dependencies, statistics: createStatisticsCache(dependencies) };
  return {
    writeFile: async (file, signal) => writeAppsFile(deps, file, signal),
    bindRoutes(bind) {
      bind(contract.listApps, async (call) => listApps(deps, call));
      bind(contract.getAppsTotal, async (call) => totalOfApps(deps, call));
      bind(contract.getAppDays, async (call) => readAppDays(deps, call));
      bind(contract.downloadApps, async (call) => new Download('apps.csv', async (signal) => writeAppsFile(deps, call, signal)));
      bind(contract.archiveApp, async (call) => archiveApp(deps, call));
      bind(contract.restoreApp, async (call) => restoreApp(deps, call));
      bind(form.createApp, async (call) => createApp(deps, call));
      bind(form.getApp, async (call) => getApp(deps, call));
      bind(form.saveApp, async (call) => saveApp(deps, call));
      bindAppHistory(bind, deps);
      bind(form.checkNotTaken, async ({ params, query }) => {
        return !(await isTaken(deps.db, { field: params.field, value: query.search, exceptId: query.exceptId }));
      });
      bind(listInvalidDomainsCall, async ({ caller }) => listInvalidDomains(deps.db, caller.scope));
      bind(listPickApps, async ({ caller }) => listAppsToPick(deps.db, caller.scope));
      bind(findPickApps, async ({ query, caller: { scope, account } }) => {
        // The apps of an account are shown to those who may open it.
        if (query.exceptAccount !== undefined && !account.permissions.includes('manager_user_edit')) throw forbidden();
        const { apps, total } = await listAppsToPickPage(deps.db, query, scope);
        return { rows: apps, pagination: pageForm({ total, count: apps.length, ...query }) };
      });
      bind(contract.listVerticals, async () => [...contract.verticals]);
    },
  };
}
