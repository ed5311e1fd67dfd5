import { messages } from '@switchyard/contract/envelope';
import { spans } from '@switchyard/contract/limits';
import { Button, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useStore } from '../shared/external-store.ts';
import { localSettings } from '../shared/local-settings.ts';
import { useCurrentPath, useOpenPath } from '../shared/navigation.tsx';
import { paths } from '../shared/paths.ts';
import { sessionStore, type Session } from '../shared/session/session-store.ts';
import { useSettings } from '../shared/settings.ts';
import { Popup } from '../shared/ui/popup.tsx';
import classes from './session-watch.module.css';
import { SignInHere } from './sign-in-here.tsx';

const nothing = (): void => undefined;

/** The session that a check found expired, until the same account has another one. */
function useEndedSession(): Session | null {
  const [ended, setEnded] = useState<Session | null>(null);
  const session = useStore(sessionStore);

  useEffect(() => {
    const timer = setInterval(() => {
      if (sessionStore.phase() === 'expired') setEnded((known) => known ?? sessionStore.get());
    }, spans.sessionCheck);
    return () => clearInterval(timer);
  }, []);

  const isRenewed =
    ended !== null &&
    session?.user.id === ended.user.id &&
    session.token.accessToken !== ended.token.accessToken &&
    sessionStore.phase() === 'live';
  if (isRenewed) setEnded(null);
  return isRenewed ? null : ended;
}

/**
 * Looks every five minutes whether the session has run out and then says so in a popup that cannot be dismissed
 * (AUTH-060 to AUTH-065, AMB-023). Login leads to the login page and back; the password, given here, keeps the page
 * as it is. It stands in the layout, so never on a login page.
 */
export function SessionWatch() {
  const ended = useEndedSession();
  // Keeps the account while the popup fades out.
  const [shown, setShown] = useState<Session | null>(null);
  if (ended !== null && ended !== shown) setShown(ended);
  return (
    <Popup
      isOpen={ended !== null}
      onClose={nothing}
      title={messages.unauthorized}
      closeOnEscape={false}
      closeOnBackdrop={false}
      hasCloseIcon={false}
    >
      {shown !== null && <Ended session={shown} />}
    </Popup>
  );
}

function Ended({ session: { user } }: { session: Session }) {
  const { loginMethods } = useSettings();
  const current = useStore(sessionStore);
  const openPath = useOpenPath();
  const currentPath = useCurrentPath();
  // Somebody else signed in in another tab: this page must not go on in that name.
  const stranger = current !== null && current.user.id !== user.id ? current.user : null;
  const signsInHere = loginMethods !== 'google' && stranger === null;

  const goToLogin = (): void => {
    localSettings.redirect.set(currentPath);
    openPath(paths.login());
  };
  return (
    <>
      <Text c="dimmed" mb="md">
        {stranger === null
          ? 'Your session has ended.'
          : `Your session has ended, and ${stranger.name} has signed in in another tab. This page belongs to ${user.name}.`}
        {signsInHere && ' Give your password, and this page stays as it is.'}
      </Text>
      {signsInHere && <SignInHere user={user} />}
      <div className={classes['foot']}>
        <Text c="dimmed" size="xs">
          The login page leads back to this address; what is not saved here is lost.
        </Text>
        <Button variant={signsInHere ? 'default' : 'filled'} onClick={goToLogin} {...(signsInHere ? {} : { 'data-autofocus': true })}>
          Login
        </Button>
      </div>
    </>
  );
}
