import { LoginPage } from '../features/login/login-page.tsx';
import { localSettings } from '../shared/local-settings.ts';
import { useOpenPath } from '../shared/navigation.tsx';
import { afterLoginPath } from '../shared/session/landing.ts';
import { sessionStore, type Session } from '../shared/session/session-store.ts';
import { mayOpen } from './router.tsx';

/** The login page together with where it leads: only the shell knows every route. */
export default function LoginScreen() {
  const openPath = useOpenPath();
  const enter = (session: Session): void => {
    sessionStore.open(session);
    const saved = localSettings.redirect.get();
    localSettings.redirect.remove();
    openPath(afterLoginPath(session.user, saved, mayOpen));
  };
  return <LoginPage onSignedIn={enter} />;
}
