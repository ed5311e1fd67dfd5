import { messages } from '@switchyard/contract/envelope';
import { Button, Text, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useEffect, useState, type FormEvent } from 'react';
import { useStore } from '../shared/external-store.ts';
import { localSettings } from '../shared/local-settings.ts';
import { useCurrentPath, useOpenPath } from '../shared/navigation.tsx';
import { paths } from '../shared/paths.ts';
import { sessionStore, type Session } from '../shared/session/session-store.ts';
import { useSettings } from '../shared/settings.ts';
import { Popup } from '../shared/ui/popup.tsx';
import classes from './session-watch.module.css';
import { timeSpans } from '../shared/ui/display-limits.ts';
import { signIn, signOutByGet, type SecondStep, type SessionUser } from '@switchyard/contract/session';
import { failureText } from '../shared/session/failure-text.ts';
import { SecondStepForm } from '../shared/session/second-step.tsx';
import { CallError } from '../shared/api/call-error.ts';
import { call } from '../shared/api/call.ts';

const ignore = (): void => undefined;

/** The expired session, until the same account has a live one. */
function useEndedSession(): Session | null {
  const [ended, setEnded] = useState<Session | null>(null);
  const session = useStore(sessionStore);

  useEffect(() => {
    const timer = setInterval(() => {
      if (sessionStore.phase() === 'expired') setEnded((known) => known ?? sessionStore.get());
    }, timeSpans.sessionCheck);
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
 * Checks every five minutes whether the session has expired and then opens a dialog that cannot be dismissed. Login
 * opens the login page and returns afterwards; entering the password in the dialog keeps the page as it is. Mounted in
 * the layout, so never on a login page.
 */
export function SessionWatch() {
  const ended = useEndedSession();
  // Keeps the account during the fade-out.
  const [shown, setShown] = useState<Session | null>(null);
  if (ended !== null && ended !== shown) setShown(ended);
  return (
    <Popup
      isOpen={ended !== null}
      onClose={ignore}
      title={messages.unauthorized}
      closeOnEscape={false}
      closeOnBackdrop={false}
      hasCloseIcon={false}
    >
      {shown !== null && <EndedSession session={shown} />}
    </Popup>
  );
}

function EndedSession({ session: { user } }: { session: Session }) {
  const { loginMethods } = useSettings();
  const current = useStore(sessionStore);
  const openPath = useOpenPath();
  const currentPath = useCurrentPath();
  // Another account signed in in another tab; this page must not continue as that account.
  const otherUser = current !== null && current.user.id !== user.id ? current.user : null;
  const signsInHere = loginMethods !== 'google' && otherUser === null;

  const goToLogin = (): void => {
    localSettings.redirect.set(currentPath);
    openPath(paths.login());
  };
  return (
    <>
      <Text c="dimmed" mb="md">
        {otherUser === null
          ? 'Your session has ended.'
          : `Your session has ended, and ${otherUser.name} has signed in in another tab. This page belongs to ${user.name}.`}
        {signsInHere && ' Enter your password to continue on this page.'}
      </Text>
      {signsInHere && <SignInHere user={user} />}
      <div className={classes['foot']}>
        <Text c="dimmed" size="xs">
          Login brings you back to this page. Unsaved changes are lost.
        </Text>
        <Button variant={signsInHere ? 'default' : 'filled'} onClick={goToLogin} {...(signsInHere ? {} : { 'data-autofocus': true })}>
          Login
        </Button>
      </div>
    </>
  );
}

const always = (): boolean => true;

/** Ends a session that was opened for the wrong account. A failure is ignored: the token is discarded here in any case. */
async function discard({ token }: Session): Promise<void> {
  try {
    await call(signOutByGet, { asToken: token.accessToken, showsFailureItself: always });
  } catch {
    // The session expires by itself.
  }
}

/** Continues with a new session of the same account and returns null; that of another account is ended, and the reason returned. */
async function continueAs(user: SessionUser, session: Session): Promise<string | null> {
  if (session.user.id === user.id) {
    sessionStore.open(session);
    return null;
  }
  await discard(session);
  return `This password belongs to another account, ${session.user.name}. The page belongs to ${user.name}; use Login to change accounts.`;
}

/** Signs in again: null on success, the second step of an account that has one, else the reason of the failure. */
async function signInAgain(user: SessionUser, password: string): Promise<SecondStep | string | null> {
  try {
    const { data } = await call(signIn, { body: { email: user.email, password }, showsFailureItself: always });
    return 'second_factor' in data ? data.second_factor : await continueAs(user, data);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return failureText(error);
  }
}

/**
 * The password form of the expired-session dialog. It signs the same account in without leaving the page, so input is
 * kept (docs/decisions/0011-sign-in-in-place.md). Failures are shown under the field only.
 */
function SignInHere({ user }: { user: SessionUser }) {
  const [password, setPassword] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const [isRunning, setIsRunning] = useState(false);
  const [step, setStep] = useState<SecondStep | null>(null);

  async function submit(): Promise<void> {
    setIsRunning(true);
    const result = await signInAgain(user, password);
    setIsRunning(false);
    if (result !== null) setPassword('');
    setFailure(typeof result === 'string' ? result : null);
    if (result !== null && typeof result !== 'string') setStep(result);
  }
  const back = (reason: string | null): void => {
    setFailure(reason);
    setStep(null);
  };
  if (step !== null) {
    return <SecondStepForm step={step} onSignedIn={(session) => void continueAs(user, session).then(back)} onBack={back} />;
  }

  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isRunning) void submit();
  };
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="sm">
        <TextInput label="E-mail" type="email" name="email" autoComplete="username" value={user.email} readOnly />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          value={password}
          error={failure}
          errorProps={{ role: 'alert' }}
          aria-invalid={failure !== null}
          visibilityToggleFocusable
          data-autofocus
          onChange={(event) => {
            setPassword(event.currentTarget.value);
            setFailure(null);
          }}
        />
        <Button type="submit" fullWidth disabled={isRunning}>
          Sign in and stay here
        </Button>
      </Stack>
    </form>
  );
}
