import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { signInWithGoogle } from '@switchyard/contract/google-sign-in';
import { signIn, signOutByGet, type SecondStep, type SessionUser, type SignInAnswer } from '@switchyard/contract/session';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { call } from '../shared/api/call.ts';
import { confirmWithGoogle, proofFailure } from '../shared/session/google-confirmation.ts';
import { canUsePasskeys, signInByPasskey } from '../shared/session/passkey.ts';
import { SecondStepForm } from '../shared/session/second-step.tsx';
import { authErrorStore, sessionStore, type Session } from '../shared/session/session-store.ts';
import { localSettings } from '../shared/local-settings.ts';
import { useSettings } from '../shared/settings.ts';

const showsFailureItself = (): boolean => true;

/** Ends a session that was opened for the wrong account. A failure is ignored: the token is discarded here in any case. */
async function discard({ token }: Session): Promise<void> {
  try {
    await call(signOutByGet, { asToken: token.accessToken, showsFailureItself });
  } catch {
    // The session expires by itself.
  }
}

/** Signs in with Google in a window of its own; null if the person cancelled there. */
async function signInByGoogle(signal: AbortSignal): Promise<SignInAnswer | null> {
  const body = await confirmWithGoogle(signal);
  return body === null ? null : (await call(signInWithGoogle, { body, showsFailureItself })).data;
}

type Way = 'password' | 'passkey' | 'google';
type Props = {
  user: SessionUser;
  /** Called with the reason when another account signed in; null to show it here. */
  onOther: ((reason: string) => void) | null;
};

/**
 * Signs the account of a page in again without leaving it, so that input is kept (docs/decisions/0011-sign-in-in-place.md),
 * in every way of the login page. Failures are shown here only. The session of another account is ended at once.
 */
export function SignInHere(props: Props) {
  const { user } = props;
  const { loginMethods } = useSettings();
  const [password, setPassword] = useState('');
  const { failure, setFailure, running, step, setStep, accept, run } = useSignIn(props, () => setPassword(''));
  const byPassword = async (): Promise<SignInAnswer> => {
    const { data } = await call(signIn, { body: { email: user.email, password }, showsFailureItself });
    return data;
  };

  if (step !== null) {
    const back = (reason: string | null): void => {
      setFailure(reason === null ? null : { way: step.way, reason });
      setStep(null);
    };
    return <SecondStepForm step={step.step} onSignedIn={(session) => void accept(step.way, session)} onBack={back} />;
  }
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    // The dialog is a child of the page behind it for React.
    event.stopPropagation();
    if (running === null || running === 'google') void run('password', byPassword);
  };
  const isPasswordFailure = failure?.way === 'password';
  const hasPassword = loginMethods !== 'google';
  return (
    <Stack gap="sm">
      {hasPassword && (
        <form noValidate onSubmit={onSubmit}>
          <Stack gap="sm">
            <TextInput label="Email" type="email" name="email" autoComplete="username" value={user.email} readOnly />
            <PasswordInput
              label="Password"
              name="password"
              autoComplete="current-password"
              value={password}
              error={isPasswordFailure ? failure.reason : null}
              errorProps={{ role: 'alert' }}
              aria-invalid={isPasswordFailure}
              visibilityToggleFocusable
              data-autofocus
              onChange={(event) => {
                setPassword(event.currentTarget.value);
                setFailure(null);
              }}
            />
            <Button type="submit" fullWidth disabled={running === 'password'}>
              Sign in and stay here
            </Button>
          </Stack>
        </form>
      )}
      {failure !== null && !isPasswordFailure && (
        <Text role="alert" size="sm" c="var(--sy-danger-text)">
          {failure.reason}
        </Text>
      )}
      {hasPassword && canUsePasskeys() && (
        <Button variant="default" fullWidth disabled={running === 'passkey'} onClick={() => void run('passkey', signInByPasskey)}>
          Use a passkey
        </Button>
      )}
      {loginMethods !== 'email' && (
        <Button
          variant={hasPassword ? 'default' : 'filled'}
          fullWidth
          // A closed window of Google is not reported, so it can be opened again.
          onClick={() => void run('google', signInByGoogle)}
          {...(hasPassword ? {} : { 'data-autofocus': true })}
        >
          Continue with Google
        </Button>
      )}
      {running === 'google' && <Text size="sm">Continue in the Google window.</Text>}
    </Stack>
  );
}

/** Runs the ways to sign in, one at a time; `onEnd` comes after each. */
function useSignIn({ user, onOther }: Props, onEnd: () => void) {
  const [failure, setFailure] = useState<{ way: Way; reason: string } | null>(null);
  const [runningWay, setRunningWay] = useState<Way | null>(null);
  const [step, setStep] = useState<{ way: Way; step: SecondStep } | null>(null);
  const attempt = useRef<AbortController>(null);
  useEffect(() => () => attempt.current?.abort(), []);

  async function accept(way: Way, session: Session): Promise<void> {
    if (session.user.id === user.id) {
      localSettings.redirect.remove();
      authErrorStore.set(null);
      sessionStore.open(session);
      return;
    }
    await discard(session);
    setStep(null);
    if (onOther === null) {
      const reason = `This sign-in belongs to another account, ${session.user.name}. The page belongs to ${user.name}; use Login to change accounts.`;
      setFailure({ way, reason });
    } else onOther(`You signed in as ${session.user.name}, and the page belongs to ${user.name}. Sign in again.`);
  }

  /** Runs one way to sign in; `work` gives null if the person cancelled it. */
  async function run(way: Way, work: (signal: AbortSignal) => Promise<SignInAnswer | null>): Promise<void> {
    attempt.current?.abort();
    const own = new AbortController();
    attempt.current = own;
    setRunningWay(way);
    setFailure(null);
    try {
      const answer = await work(own.signal);
      if (answer === null) setFailure({ way, reason: 'Sign-in with Google was cancelled' });
      else if ('second_factor' in answer) setStep({ way, step: answer.second_factor });
      else await accept(way, answer);
    } catch (error) {
      if (own.signal.aborted) return;
      const reason = proofFailure(error);
      setFailure(reason === null ? null : { way, reason });
    } finally {
      onEnd();
      if (attempt.current === own) setRunningWay(null);
    }
  }
  return { failure, setFailure, running: runningWay, step, setStep, accept, run };
}
