import { localSettings } from '../shared/local-settings.ts';
import { useOpenPath } from '../shared/navigation.tsx';
import { afterLoginPath } from '../shared/session/landing.ts';
import { sessionStore, type Session } from '../shared/session/session-store.ts';
import { mayOpen } from './router.tsx';

/** Begins a session and goes where it leads; only the shell knows every route (AUTH-029 to AUTH-033). */
export function useEnter(): (session: Session) => void {
  const openPath = useOpenPath();
  return (session) => {
    sessionStore.open(session);
    const saved = localSettings.redirect.get();
    localSettings.redirect.remove();
    openPath(afterLoginPath(session.user, saved, mayOpen), { replace: true });
  };
}
