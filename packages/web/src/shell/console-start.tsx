import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { noteFirstRender } from '../shared/api/query-client.ts';
import { refreshOnForbidden, refreshUser } from '../shared/session/refresh-user.ts';
import { endedSession, followOtherTabs } from '../shared/session/ended-session.ts';
import { sessionStore } from '../shared/session/session-store.ts';
import { viewAs } from '../shared/session/view-as.ts';
import { pageLoad } from '../shared/page-load.ts';
import { loadSettings } from '../shared/settings.ts';
import { clearNotifications } from '../shared/ui/notifications/notification-center.ts';
import { ConsoleRoutes } from './console-routes.ts';
import { FailedStart, PageLoading } from './page-states.tsx';
import { keepTrying } from './keep-trying.ts';
import { routeTable } from './route-table.ts';
import { preloadPage, preloadSignIn, router } from './router.tsx';

/** Re-evaluates the route guard, except while the page asks for a new sign-in or another one loads; closes the notifications of an account that left. */
function reactToSession(): void {
  if (sessionStore.get() === null) clearNotifications();
  if (endedSession.get() === null && !pageLoad.isPending) void router.invalidate();
}

function followSession(): () => void {
  const stops = [sessionStore, endedSession].map(({ subscribe }) => subscribe(reactToSession));
  return () => stops.forEach((stop) => stop());
}

/** Loads the settings and, with a live session, the account. Rejects when the settings cannot be loaded. */
async function start(): Promise<void> {
  const wasLive = sessionStore.phase() === 'live';
  // They do not wait for the settings and the account.
  const page = wasLive ? preloadPage(window.location) : preloadSignIn();
  await Promise.all([loadSettings(), refreshUser(), page]);
  // The first answer corrects the clock of the device; the session may turn out to be live.
  if (!wasLive) await refreshUser();
  // A tab that was restored later still has its view.
  if (sessionStore.phase() === 'expired') viewAs.end();
  noteFirstRender();
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

  if (state === 'ready')
    return (
      <ConsoleRoutes value={routeTable}>
        <RouterProvider router={router} />
      </ConsoleRoutes>
    );
  return state === 'failed' ? <FailedStart onRetry={() => setState('starting')} /> : <PageLoading />;
}
