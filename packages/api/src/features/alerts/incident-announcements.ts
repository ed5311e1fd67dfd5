import type { Announce, Announcement } from '../../announcement.ts';
import type { OpenTransaction } from '../../database/transaction.ts';
import type { AnnouncedIncident } from './incidents-store.ts';

/** Informs channels about an incident that fires. */
export async function announceFired(announce: Announce, tx: OpenTransaction, incident: AnnouncedIncident, at: Date): Promise<void> {
  await announce(tx, { ...announcement(incident, at), uid: `incident-${incident.id}-fired`, type: 'incident.fired' });
}

/** Informs channels that an incident ended, if they were informed that it fires. */
export async function announceResolved(announce: Announce, tx: OpenTransaction, incident: AnnouncedIncident, at: Date): Promise<void> {
  if (!incident.isAnnounced) return;
  const { title, ...rest } = announcement(incident, at);
  await announce(tx, { ...rest, title: `Resolved: ${title}`, uid: `incident-${incident.id}-resolved`, type: 'incident.resolved' });
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
