import { messages } from '@switchyard/contract/envelope';
import { Button, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useStore } from '../shared/external-store.ts';
import { localSettings } from '../shared/local-settings.ts';
import { useOpenPath, useReadCurrentPath } from '../shared/navigation.tsx';
import { paths } from '../shared/paths.ts';
import { pageLoad } from '../shared/page-load.ts';
import { askSignIn, endedSession, leaveEndedPage, type EndedSession } from '../shared/session/ended-session.ts';
import { authErrorStore, sessionStore } from '../shared/session/session-store.ts';
import { Popup } from '../shared/ui/popup.tsx';
import { timeSpans } from '../shared/ui/display-limits.ts';
import classes from './session-watch.module.css';
import { SignInHere } from './sign-in-here.tsx';

const ignore = (): void => undefined;

/**
 * Opens a dialog that cannot be dismissed when the session has ended: a check every five minutes finds that its time is
 * over, and a call of a page with unsaved input that the server rejects it. Login opens the login page and returns
 * afterwards; signing in in the dialog keeps the page as it is. Mounted in the layout, so never on a login page.
 */
export function SessionWatch() {
  const endedSignIn = useStore(endedSession);
  // Keeps the account during the fade-out.
  const [shownSignIn, setShownSignIn] = useState(endedSignIn);
  if (endedSignIn !== null && endedSignIn !== shownSignIn) setShownSignIn(endedSignIn);

  useEffect(() => {
    const timer = setInterval(() => {
      if (sessionStore.phase() === 'expired') askSignIn();
    }, timeSpans.sessionCheck);
    return () => clearInterval(timer);
  }, []);
  return (
    <Popup
      isOpen={endedSignIn !== null}
      onClose={ignore}
      title={messages.unauthorized}
      closeOnEscape={false}
      closeOnBackdrop={false}
      hasCloseIcon={false}
      isOnTop
    >
      {shownSignIn !== null && <EndNotice session={shownSignIn} />}
    </Popup>
  );
}

function EndNotice({ session: { user, isRejected, other } }: { session: EndedSession }) {
  const openPath = useOpenPath();
  const readCurrentPath = useReadCurrentPath();

  const leave = (reason: string | null): void => {
    localSettings.redirect.set(readCurrentPath());
    authErrorStore.set(reason);
    leaveEndedPage();
    if (other === null) openPath(paths.login(), { losesInput: true });
    else pageLoad.replace(paths.login());
  };
  return (
    <>
      <Text c="dimmed" mb="md">
        {other === null
          ? `Your session has ended. Sign in as ${user.name} to continue on this page.`
          : `Your session has ended, and ${other.name} has signed in in another tab. This page belongs to ${user.name}.`}
      </Text>
      {other === null && <SignInHere user={user} onOther={isRejected ? leave : null} />}
      <div className={classes['foot']}>
        <Text c="dimmed" size="xs">
          Login brings you back to this page. Unsaved changes are lost.
        </Text>
        <Button
          variant={other === null ? 'default' : 'filled'}
          onClick={() => leave(null)}
          {...(other === null ? {} : { 'data-autofocus': true })}
        >
          Login
        </Button>
      </div>
    </>
  );
}
