import { amountText, thresholdText, type AlertKind } from '@switchyard/contract/alerts';
import { displayUtc, durationText } from '@switchyard/contract/dates';
import { endedUids, incidentUid, type Announcement } from '../../announcement.ts';
import type { AnnouncedIncident } from './incidents-store.ts';
import { grouped } from './read-kinds.ts';

/** The announcement of an incident that fires. */
export function firedAnnouncement(incident: AnnouncedIncident, at: Date): Announcement {
  const { id, severity, kind, value, threshold, reason, startedAt } = incident;
  const limit = thresholdText(kind, threshold, grouped);
  return {
    ...announcement(incident, at),
    title: `${severity.toUpperCase()} · ${nameOf(incident)}`,
    lines: [
      reason,
      ...(value === null || limit === null ? [] : [`Value: ${amountText(kind, value, grouped)}. The rule fires at ${limit}.`]),
      `Open since ${displayUtc(startedAt)}.`,
    ],
    uid: incidentUid(id, 'fired'),
    type: 'incident.fired',
  };
}

/** The announcement that reminds of an incident that fires. */
export function reminder(incident: AnnouncedIncident, at: Date): Announcement {
  const fired = firedAnnouncement(incident, at);
  const duration = durationText(at.getTime() - incident.startedAt.getTime());
  return {
    ...fired,
    title: `${incident.severity.toUpperCase()} · Still open after ${duration} · ${nameOf(incident)}`,
    lines: [...fired.lines, 'Acknowledge the incident to stop the reminders.'],
    uid: incidentUid(incident.id, `reminded-${incident.reminders}`),
    type: 'incident.reminded',
  };
}

/** The announcement of an incident that reached a further threshold. It is numbered as the reminders are. */
export function stepAnnouncement(incident: AnnouncedIncident, at: Date): Announcement {
  const { severity, kind, threshold } = incident;
  return {
    ...firedAnnouncement(incident, at),
    title: `${severity.toUpperCase()} · Now ${thresholdText(kind, threshold, grouped) ?? ''} · ${nameOf(incident)}`,
    uid: incidentUid(incident.id, `reminded-${incident.reminders}`),
    type: 'incident.reminded',
  };
}

/**
 * Announcements of incidents that ended, of those whose beginning was announced. `presentState` says what is true of an incident now.
 */
export function resolvedAnnouncements(
  incidents: readonly AnnouncedIncident[],
  at: Date,
  presentState: (incident: AnnouncedIncident) => string,
): Announcement[] {
  return incidents.flatMap((incident) => {
    if (!incident.isAnnounced) return [];
    const { id, startedAt, reason } = incident;
    const base = announcement(incident, at);
    const duration = durationText(at.getTime() - startedAt.getTime());
    return [
      {
        ...base,
        data: { ...base.data, resolved_at: at.toISOString() },
        title: `Resolved after ${duration} · ${nameOf(incident)}`,
        lines: [presentState(incident), `It lasted ${duration}, from ${displayUtc(startedAt)} to ${displayUtc(at)}.`, `Before: ${reason}`],
        uid: incidentUid(id, 'resolved'),
        type: 'incident.resolved',
        ends: endedUids(id),
      },
    ];
  });
}

/** A sentence on an incident whose rule no longer watches. */
export const ruleEndedText = 'The rule was switched off or deleted.';

/** A sentence on a subject of which a kind finds no value any more. */
export function absenceText(kind: AlertKind, threshold: number | null): string {
  const limit = threshold === null ? '' : amountText(kind, threshold, grouped);
  switch (kind) {
    case 'domain_expiry':
      return `The domain does not expire within ${limit}.`;
    case 'certificate_expiry':
      return `No certificate of the app expires within ${limit}.`;
    case 'link_failed':
      return 'No link of the app is failing.';
    case 'server_silent':
      return 'The server was deleted, or may no longer deliver traffic.';
    case 'app_silent':
      return `The app had requests in the last ${limit}.`;
    case 'error_share':
    case 'bot_share':
      return 'There were too few requests.';
    case 'create_drop':
    case 'conversion_drop':
    case 'payout_drop':
      return 'The number was too small in the time that it is compared with.';
    case 'seal_problem':
      return 'The seals of the audit trail have no problem.';
    default:
      return 'The condition no longer holds.';
  }
}

function nameOf({ ruleName, appName, serverName }: AnnouncedIncident): string {
  const subject = appName ?? serverName;
  return subject === null ? ruleName : `${ruleName}: ${subject}`;
}

function announcement(incident: AnnouncedIncident, at: Date): Omit<Announcement, 'uid' | 'type' | 'title' | 'lines'> {
  const { id, ruleId, ruleName, kind, severity, appId, appName, serverId, serverName, affected, names, value, threshold, reason } =
    incident;
  return {
    severity,
    at,
    path: `/incidents/${id}`,
    channelIds: incident.channelIds,
    ...(ruleId !== null && { group: `rule-${ruleId}` }),
    data: {
      incident_id: id,
      rule: { id: ruleId, name: ruleName, kind },
      severity,
      app: appId === null ? null : { id: appId, name: appName },
      server: serverId === null ? null : { id: serverId, name: serverName },
      affected,
      names,
      value,
      threshold,
      reason,
      started_at: incident.startedAt.toISOString(),
    },
  };
}
