import { alertKinds, windowFilters, type Incident, type KindRule } from '@switchyard/contract/alerts';
import { readRuleFilters } from '@switchyard/contract/rule-filters';
import { appsListPermissions, holdsAny, type Permission } from '@switchyard/contract/permissions';
import { paths, type AppTab } from '../paths.ts';
import { stringifySearch } from '../search-codec.ts';

/** A page that shows what an incident is about. */
export type Place = { label: string; href: string };

/** An incident as far as its places depend on it. */
export type IncidentSubject = Pick<Incident, 'app' | 'server' | 'started_at' | 'window' | 'compared' | 'request_filter'> & {
  rule: Pick<Incident['rule'], 'kind'>;
};

type WantedPlace = Place & { needs: readonly Permission[] };

/** The pages that show what an incident is about, as far as the account may open them, the most exact first. */
export function incidentPlaces(incident: IncidentSubject, permissions: readonly string[]): Place[] {
  const { app } = incident;
  const places = wantedPlaces(incident).filter(({ needs }) => needs.every((permission) => permissions.includes(permission)));
  if (app !== null) {
    if (permissions.includes('manager_app_edit')) places.push({ ...editPlace(app.id), needs: [] });
    else if (holdsAny(permissions, appsListPermissions)) places.push({ label: 'Find the app', href: paths.apps(app.name), needs: [] });
  }
  return places.map(({ label, href }) => ({ label, href }));
}

const editPlace = (id: number): Place => ({ label: 'Open the app', href: paths.appEdit(id, 'General') });

function wantedPlaces(incident: IncidentSubject): WantedPlace[] {
  const { server, started_at: startedAt } = incident;
  const day = startedAt.slice(0, 10);
  switch (incident.rule.kind) {
    case 'server_silent':
      return server === null ? [] : [{ label: 'Open the server', href: paths.serverEdit(server.id), needs: ['manager_settings_server'] }];
    case 'ban_list_changed':
      return [...countedPlaces(incident), { label: 'Open the black list', href: paths.blackIps(), needs: ['manager_settings_asns'] }];
    case 'job_failed':
      return [{ label: 'Open the log of the day', href: paths.logDay(day), needs: ['manager_dev_logs'] }];
    case 'seal_problem':
      return [activityPlace('Open Activity', {})];
    case 'log_disk':
      return [{ label: 'Open the logs', href: paths.logs(), needs: ['manager_dev_logs'] }];
    default:
      // Domains, certificates and links are on the page of the app.
      return countedPlaces(incident);
  }
}

function activityPlace(label: string, filters: Record<string, unknown>): WantedPlace {
  return { label, href: `${paths.activity()}${stringifySearch(filters)}`, needs: ['manager_user_activity'] };
}

const tabs = {
  requests: { tab: 'Event', permission: 'manager_app_requests' },
  conversions: { tab: 'Conversion', permission: 'manager_app_conversions' },
} as const satisfies Record<string, { tab: AppTab; permission: Permission }>;

/** The lists of the rows that an incident counted, and of those that it compared them with. */
function countedPlaces({ app, window, compared, rule, request_filter: requestFilter }: IncidentSubject): WantedPlace[] {
  const { counts }: KindRule = alertKinds[rule.kind];
  if (counts === undefined || window === null) return [];
  const { list } = counts;
  return [window, ...(compared === null ? [] : [compared])].flatMap((span): WantedPlace[] => {
    const filters = { ...readRuleFilters(requestFilter), ...counts.filters, ...windowFilters(span) };
    const isCompared = span === compared;
    const when = isCompared ? ' to compare with' : '';
    if (list === 'activity') return [activityPlace(`Show in Activity${when}`, filters)];
    if (app === null) return [];
    const { tab, permission } = tabs[list];
    const href = `${paths.appEdit(app.id, tab)}&${stringifySearch(filters).slice(1)}`;
    const ofApp: WantedPlace = { label: `Show ${list}${when}`, href, needs: ['manager_app_edit', permission] };
    if (list === 'conversions') return [ofApp];
    const all = `${paths.requests()}${stringifySearch({ appId: [String(app.id)], ...filters })}`;
    return [
      ofApp,
      {
        label: isCompared ? 'Show those to compare with in All Requests' : 'Show in All Requests',
        href: all,
        needs: ['manager_app_all_requests'],
      },
    ];
  });
}
