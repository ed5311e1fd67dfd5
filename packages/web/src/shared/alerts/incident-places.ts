import { alertWindow, type Incident } from '@switchyard/contract/alerts';
import { formatDateTime, parseDateTime } from '@switchyard/contract/dates';
import { appsListPermissions, holdsAny, type Permission } from '@switchyard/contract/permissions';
import { paths, type AppTab } from '../paths.ts';
import { stringifySearch } from '../search-codec.ts';

/** A page that shows what an incident is about. */
export type Place = { label: string; href: string };

/** An incident as far as its places depend on it. */
export type IncidentSubject = Pick<Incident, 'app' | 'server' | 'started_at' | 'resolved_at'> & { rule: Pick<Incident['rule'], 'kind'> };

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
    case 'app_silent':
      return requestPlaces(incident, {});
    case 'error_share':
      return requestPlaces(incident, { type: ['error'] });
    case 'bot_share':
      return requestPlaces(incident, { botNot: ['none'] });
    case 'create_drop':
      return requestPlaces(incident, { type: ['create'] });
    case 'conversion_drop':
      return tabPlace(incident, 'Conversion', { startDate: day });
    case 'ban_list_changed':
      return [
        activityPlace({ entity: ['asn', 'black_ip'], startDate: day }),
        { label: 'Open the black list', href: paths.blackIps(), needs: ['manager_settings_asns'] },
      ];
    case 'job_failed':
      return [
        { label: 'Open the log of the day', href: paths.logDay(day), needs: ['manager_dev_logs'] },
        activityPlace({ startDate: day }),
      ];
    case 'seal_problem':
      return [activityPlace({})];
    case 'log_disk':
      return [{ label: 'Open the logs', href: paths.logs(), needs: ['manager_dev_logs'] }];
    default:
      // Domains, certificates and links are on the page of the app.
      return [];
  }
}

function activityPlace(filters: Record<string, unknown>): WantedPlace {
  return { label: 'Show in Activity', href: `${paths.activity()}${stringifySearch(filters)}`, needs: ['manager_user_activity'] };
}

const tabs = {
  Event: { label: 'Show requests', permission: 'manager_app_requests' },
  Conversion: { label: 'Show conversions', permission: 'manager_app_conversions' },
} as const satisfies Partial<Record<AppTab, { label: string; permission: Permission }>>;

function tabPlace({ app }: IncidentSubject, tab: keyof typeof tabs, filters: Record<string, unknown>): WantedPlace[] {
  if (app === null) return [];
  const { label, permission } = tabs[tab];
  const href = `${paths.appEdit(app.id, tab)}&${stringifySearch(filters).slice(1)}`;
  return [{ label, href, needs: ['manager_app_edit', permission] }];
}

/** Requests of the hours that the incident is about, up to its end. */
function requestPlaces(incident: IncidentSubject, filters: Record<string, unknown>): WantedPlace[] {
  const { app, started_at: startedAt, resolved_at: resolvedAt } = incident;
  if (app === null) return [];
  const startDate = formatDateTime(parseDateTime(startedAt) - alertWindow.hours * 3_600_000_000);
  const parameters = { ...filters, startDate, ...(resolvedAt === null ? {} : { endDate: resolvedAt }) };
  const href = `${paths.requests()}${stringifySearch({ appId: [String(app.id)], ...parameters })}`;
  return [...tabPlace(incident, 'Event', parameters), { label: 'Show in All Requests', href, needs: ['manager_app_all_requests'] }];
}
