import type { AppRow } from '@switchyard/contract/apps';
import { wireDate } from '@switchyard/contract/dates';
import type { TrafficCounters } from '../../traffic-store/traffic-store.ts';
import { toStatistics } from './counters.ts';
import { toCheckDomain, type ListedCheckDomain } from '../app-domains/links-lookup.ts';
import type { ListedApp } from './apps-read-model.ts';

/** How selects and lists name an app (api 2). */
export function appLabel(app: { name: string; bundle: string }): string {
  return `${app.name} (${app.bundle})`;
}

/** A row of the apps list; `seesStatistics` is whether the reader holds manager_app_statistics. */
export function toAppRow(
  app: ListedApp,
  found: {
    checkDomains: readonly ListedCheckDomain[];
    buyers: number;
    hasClients: boolean;
    counters: TrafficCounters;
    seesStatistics: boolean;
  },
): AppRow {
  return {
    id: app.id,
    name: app.name,
    bundle: app.bundle,
    domain: app.domain,
    label: appLabel(app),
    vertical: app.vertical,
    expiration_at: wireDate(app.expiration_at),
    deleted_at: wireDate(app.deleted_at),
    app_mode: app.app_mode,
    response_mode: app.response_mode,
    cloak_mode: app.cloak_mode,
    has_clients: found.hasClients,
    check_domains: found.checkDomains.map(toCheckDomain),
    monitoring: app.monitor_name === null ? null : { app_name: app.monitor_name, status: app.monitor_status ?? '' },
    users_count: found.seesStatistics ? found.buyers : null,
    statistics: toStatistics(found.counters, found.seesStatistics),
    created_at: wireDate(app.created_at),
    updated_at: wireDate(app.updated_at),
  };
}
