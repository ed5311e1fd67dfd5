import { listIncidents, type Incident } from '@switchyard/contract/alerts';
import { maximumLimit } from '@switchyard/contract/limits';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { severityNames } from '../shared/alerts/alert-words.ts';
import { areNotificationsOn, canNotify } from '../shared/alerts/browser-notifications.ts';
import { criticalIncidents } from '../shared/alerts/critical-incidents.ts';
import { call, inBackground } from '../shared/api/call.ts';
import { useStore } from '../shared/external-store.ts';
import { listKey } from '../shared/listing/list-key.ts';
import { useOpenPath } from '../shared/navigation.tsx';
import { paths } from '../shared/paths.ts';
import { sessionStore } from '../shared/session/session-store.ts';

/** Milliseconds after which the incidents are loaded again. */
const refreshEvery = 60_000;

/**
 * Counts critical incidents for the menu, and shows a notification of the system for each new incident if the reader switched
 * them on. One call serves both. Incidents that were there when the console was opened are not announced.
 */
export default function IncidentWatch() {
  const areOn = useStore(areNotificationsOn);
  const openPath = useOpenPath();
  const newestId = useRef<number | null>(null);
  const { data } = useQuery({
    queryKey: [...listKey('incidents'), 'firing'],
    queryFn: async ({ signal, client, queryKey }) => {
      // A session whose time is over waits for the next sign-in, and calls nothing meanwhile.
      if (sessionStore.phase() !== 'live') return client.getQueryData<Incident[]>(queryKey) ?? [];
      return (await call(listIncidents, { query: { state: ['firing'], limit: maximumLimit }, signal, ...inBackground })).data;
    },
    refetchInterval: refreshEvery,
    refetchIntervalInBackground: areOn,
  });
  const announce = useEffectEvent((incidents: readonly Incident[]) => {
    const last = newestId.current;
    newestId.current = Math.max(last ?? 0, ...incidents.map(({ id }) => id));
    criticalIncidents.set(incidents.filter(({ severity, is_silenced: isSilenced }) => severity === 'critical' && !isSilenced).length);
    if (last === null || !areOn || !canNotify() || Notification.permission !== 'granted') return;
    for (const incident of incidents) if (incident.id > last && !incident.is_silenced) show(incident, openPath);
  });
  useEffect(() => {
    if (data !== undefined) announce(data);
  }, [data]);
  useEffect(() => () => criticalIncidents.set(0), []);
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
