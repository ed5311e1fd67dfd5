import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { queryClient } from '../shared/api/query-client.ts';
import { refreshOnForbidden, refreshUser } from '../shared/session/refresh-user.ts';
import { followOtherTabs, sessionStore } from '../shared/session/session-store.ts';
import { loadSettings } from '../shared/settings.ts';
import { FailedStart, PageLoading } from './page-states.tsx';
import { keepTrying } from './keep-trying.ts';
import { router } from './router.tsx';

/** Re-evaluates the route guard when the session changes, and clears the cache when it has ended. */
function followSession(): () => void {
  return sessionStore.subscribe(() => {
    const isOver = sessionStore.get() === null;
    void router.invalidate().then(() => isOver && queryClient.clear());
  });
}

/** Loads the settings and, with a live session, the account. Rejects when the settings cannot be loaded. */
async function start(): Promise<void> {
  const wasLive = sessionStore.phase() === 'live';
  await Promise.all([loadSettings(), refreshUser()]);
  // The first answer corrects the clock of the device; the session may turn out to be live.
  if (!wasLive) await refreshUser();
}

/**
 * Loads the settings of the deployment and the permissions of the account, then renders the router. If that fails, it
 * offers another try and retries automatically.
 */
export function ConsoleStart() {
  const [state, setState] = useState<'starting' | 'ready' | 'failed'>('starting');

  useEffect(() => {
    if (state !== 'starting') return;
    start().then(
      () => setState('ready'),
      () => setState('failed'),
    );
  }, [state]);
  useEffect(() => {
    if (state !== 'failed') return undefined;
    return keepTrying(async () => {
      await loadSettings({ isQuiet: true });
      setState('starting');
    });
  }, [state]);
  useEffect(() => (state === 'ready' ? followSession() : undefined), [state]);
  useEffect(followOtherTabs, []);
  useEffect(refreshOnForbidden, []);

  if (state === 'ready') return <RouterProvider router={router} />;
  return state === 'failed' ? <FailedStart onRetry={() => setState('starting')} /> : <PageLoading />;
}
