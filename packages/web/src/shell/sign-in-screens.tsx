import { ForgotPasswordPage } from '../features/sign-in/forgot-password-page.tsx';
import { InvitationPage } from '../features/sign-in/invitation-page.tsx';
import { LoginPage } from '../features/sign-in/login-page.tsx';
import { GoogleCallbackPage } from '../features/sign-in/google-callback-page.tsx';
import { ResetPasswordPage } from '../features/sign-in/reset-password-page.tsx';
import { localSettings } from '../shared/local-settings.ts';
import { useOpenPath } from '../shared/navigation.tsx';
import { pageLoad } from '../shared/page-load.ts';
import { afterLoginPath } from '../shared/session/landing.ts';
import { sessionStore, type Session } from '../shared/session/session-store.ts';
import { useMayOpen } from './console-routes.ts';

/** The login page, connected to the router. */
export function LoginScreen() {
  return <LoginPage onSignedIn={useEnter()} />;
}

/** The callback page of the external sign-in. Its address with the code is replaced in the history. */
export function GoogleCallbackScreen() {
  return <GoogleCallbackPage onSignedIn={useEnter()} />;
}

/** The page of an invitation link. */
export function InvitationScreen() {
  return <InvitationPage onSignedIn={useEnter()} />;
}

/** The page for a forgotten password; in this file, so that the sign-in pages share their code with each other only. */
export function ForgotPasswordScreen() {
  return <ForgotPasswordPage />;
}

/** The page of a link for a forgotten password. */
export function ResetPasswordScreen() {
  return <ResetPasswordPage />;
}

/** Returns a function that opens a session and goes to its landing page: by a page load if this page has had another one. */
function useEnter(): (session: Session) => void {
  const openPath = useOpenPath();
  const mayOpen = useMayOpen();
  return (session) => {
    const savedPath = localSettings.redirect.get();
    localSettings.redirect.remove();
    const path = afterLoginPath(session.user, savedPath, (target) => mayOpen(target, session));
    if (sessionStore.open(session)) openPath(path, { replace: true });
    else pageLoad.replace(path);
  };
}
