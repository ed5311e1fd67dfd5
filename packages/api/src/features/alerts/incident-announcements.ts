import type { Announcement } from '../../announcement.ts';
import type { AnnouncedIncident } from './incidents-store.ts';

/** The announcement of an incident that fires. */
export function firedAnnouncement(incident: AnnouncedIncident, at: Date): Announcement {
  return { ...announcement(incident, at), uid: `incident-${incident.id}-fired`, type: 'incident.fired' };
}

/** Announcements of incidents that ended, of those whose beginning was announced. */
export function resolvedAnnouncements(incidents: readonly AnnouncedIncident[], at: Date): Announcement[] {
  return incidents.flatMap((incident) => {
    if (!incident.isAnnounced) return [];
    const { title, ...rest } = announcement(incident, at);
    return [{ ...rest, title: `Resolved: ${title}`, uid: `incident-${incident.id}-resolved`, type: 'incident.resolved' }];
  });
}

function announcement(incident: AnnouncedIncident, at: Date): Omit<Announcement, 'uid' | 'type'> {
  const { id, ruleId, ruleName, kind, severity, appId, appName, serverId, serverName, affected, names, value, threshold, reason } =
    incident;
  const subject = appName ?? serverName;
  const path = `/incidents/${id}`;
  return {
    severity,
    at,
    title: subject === null ? ruleName : `${ruleName}: ${subject}`,
    lines: [reason],
    path,
    channelIds: incident.channelIds,
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
