import type { IncidentNews } from '@switchyard/contract/alerts';
import { expect, it } from 'vitest';
import { criticalIncidents, waitingIncidents } from '../shared/alerts/critical-incidents.ts';
import { queryClient } from '../shared/api/query-client.ts';
import { listKey } from '../shared/listing/list-key.ts';
import { sessionStore } from '../shared/session/session-store.ts';
import { renderPages } from '../testing/render-pages.tsx';
import { stubApi } from '../testing/stub-api.ts';
import IncidentWatch from './incident-watch.tsx';

it('[ALERT-121, ALERT-122] loads the incidents since the last call, and how many incidents wait', async () => {
  const calls: string[] = [];
  let news: IncidentNews = { critical: 43, waiting: 1204, newest: 303, rows: [] };
  stubApi((url) => {
    calls.push(url);
    return Response.json({ success: true, data: news });
  });
  sessionStore.open({
    user: {
      id: 1,
      name: 'Olga',
      email: 'o@x.y',
      panel: 'user',
      hasAllApps: true,
      isSuperAdmin: false,
      roles: [],
      badges: [],
      permissions: [],
    },
    token: { accessToken: 'swy_1', expiresAt: Date.now() + 3_600_000 },
  });
  await renderPages([['/page', 'Page', IncidentWatch]], ['/page']);
  await expect.poll(() => [criticalIncidents.get(), waitingIncidents.get()]).toEqual([43, 1204]);
  news = { critical: 2, waiting: 0, newest: 310, rows: [] };
  await queryClient.invalidateQueries({ queryKey: listKey('incidents') });
  await expect.poll(() => [criticalIncidents.get(), waitingIncidents.get()]).toEqual([2, 0]);
  expect(calls).toEqual(['/api/incidents/news', '/api/incidents/news?after=303']);
});
