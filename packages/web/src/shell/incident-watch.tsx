import { watchIncidents, type Incident, type IncidentNews } from '@switchyard/contract/alerts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { severityNames } from '../shared/alerts/alert-words.ts';
import { areNotificationsOn, canNotify } from '../shared/alerts/browser-notifications.ts';
import { criticalIncidents, waitingIncidents } from '../shared/alerts/critical-incidents.ts';
import { call, inBackground } from '../shared/api/call.ts';
import { useStore } from '../shared/external-store.ts';
import { listKey } from '../shared/listing/list-key.ts';
import { useOpenPath } from '../shared/navigation.tsx';
import { paths } from '../shared/paths.ts';
import { sessionStore } from '../shared/session/session-store.ts';

/** Milliseconds after which the incidents are loaded again. */
const refreshEvery = 60_000;

/**
 * Shows the number of critical incidents in the menu, and a notification of the system for each new incident if the reader switched
 * them on. One call serves both. Incidents that were there when the console was opened are not announced.
 */
export default function IncidentWatch() {
  const areOn = useStore(areNotificationsOn);
  const openPath = useOpenPath();
  const newestId = useRef<number | null>(null);
  const { data } = useQuery({
    queryKey: [...listKey('incidents'), 'news'],
    queryFn: async ({ signal, client, queryKey }) => {
      // A session whose time is over waits for the next sign-in, and calls nothing meanwhile.
      if (sessionStore.phase() !== 'live') return client.getQueryData<IncidentNews>(queryKey) ?? null;
      const after = newestId.current;
      return (await call(watchIncidents, { query: after === null ? {} : { after }, signal, ...inBackground })).data;
    },
    refetchInterval: refreshEvery,
    refetchIntervalInBackground: areOn,
  });
  const announce = useEffectEvent(({ critical, waiting, newest, rows }: IncidentNews) => {
    const last = newestId.current;
    newestId.current = newest;
    criticalIncidents.set(critical);
    waitingIncidents.set(waiting);
    if (last === null || !areOn || !canNotify() || Notification.permission !== 'granted') return;
    // The query is shared by all mounts, so that its rows may be older than what this one knows.
    for (const incident of rows) if (incident.id > last) show(incident, openPath);
  });
  useEffect(() => {
    if (data !== undefined && data !== null) announce(data);
  }, [data]);
  useEffect(
    () => () => {
      criticalIncidents.set(0);
      waitingIncidents.set(0);
    },
    [],
  );
  return null;
}

/** Tabs of one browser share the tag, so that it shows the notification once. */
function show({ id, severity, rule, reason }: Incident, openPath: (path: string) => void): void {
  const notification = new Notification(`${severityNames[severity]}: ${rule.name}`, { body: reason, tag: `incident-${id}` });
  notification.addEventListener('click', () => {
    window.focus();
    openPath(paths.incident(id));
    notification.close();
  });
}
