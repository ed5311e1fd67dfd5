import { LoginPage } from '../features/login/login-page.tsx';
import { GoogleCallbackPage } from '../features/login/google-callback-page.tsx';
import { localSettings } from '../shared/local-settings.ts';
import { useOpenPath } from '../shared/navigation.tsx';
import { afterLoginPath } from '../shared/session/landing.ts';
import { sessionStore, type Session } from '../shared/session/session-store.ts';
import { mayOpen } from './router.tsx';

/** The login page, connected to the router. */
export function LoginScreen() {
  return <LoginPage onSignedIn={useEnter()} />;
}

/** The callback page of the external sign-in. Its address with the code is replaced in the history. */
export function GoogleCallbackScreen() {
  return <GoogleCallbackPage onSignedIn={useEnter()} />;
}

/** Returns a function that opens a session and goes to its landing page. It is in the shell, which alone knows every route. */
function useEnter(): (session: Session) => void {
  const openPath = useOpenPath();
  return (session) => {
    sessionStore.open(session);
    const saved = localSettings.redirect.get();
    localSettings.redirect.remove();
    openPath(afterLoginPath(session.user, saved, mayOpen), { replace: true });
  };
}
