import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { queryClient } from '../shared/api/query-client.ts';
import { refreshOnForbidden, refreshUser } from '../shared/session/refresh-user.ts';
import { followOtherTabs, sessionStore } from '../shared/session/session-store.ts';
import { loadSettings } from '../shared/settings.ts';
import { FailedStart } from './failed-start.tsx';
import { keepTrying } from './keep-trying.ts';
import { PageLoading } from './page-loading.tsx';
import { router } from './router.tsx';

/** A session that ended, began or changed has the guard judge the page again; data of an ended one is dropped. */
function followSession(): () => void {
  return sessionStore.subscribe(() => {
    const isOver = sessionStore.get() === null;
    void router.invalidate().then(() => isOver && queryClient.clear());
  });
}

/** Reads the settings and, for a live session, the account; rejects when the settings cannot be read. */
async function start(): Promise<void> {
  const seemedLive = sessionStore.phase() === 'live';
  await Promise.all([loadSettings(), refreshUser()]);
  // The first answer may have shown that the device's clock is wrong and the session lives after all (R20).
  if (!seemedLive) await refreshUser();
}

/**
 * Before the first page two things must be known: the deployment's settings and the account's current
 * permissions (O8, AMB-021). Then the router takes over; a failed start offers another try, and is
 * tried again by itself.
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
