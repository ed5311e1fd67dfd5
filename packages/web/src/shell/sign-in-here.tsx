import { messages } from '@switchyard/contract/envelope';
import { signIn, signOutByGet, type SessionUser } from '@switchyard/contract/session';
import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { CallError } from '../shared/api/call-error.ts';
import { call } from '../shared/api/call.ts';
import { sessionStore, type Session } from '../shared/session/session-store.ts';

const itself = (): boolean => true;

/** Ends a session that was opened by mistake; whether the server hears of it or not, nobody here has its token. */
async function discard({ token }: Session): Promise<void> {
  try {
    await call(signOutByGet, { asToken: token.accessToken, showsFailureItself: itself });
  } catch {
    // It runs out by itself.
  }
}

/** Signs the account in anew; null when it worked, else why not. Another account that the e-mail opens by now is refused. */
async function signInAgain(user: SessionUser, password: string): Promise<string | null> {
  try {
    const { data } = await call(signIn, { body: { email: user.email, password }, showsFailureItself: itself });
    if (data.user.id === user.id) {
      sessionStore.open(data);
      return null;
    }
    await discard(data);
    return `This password opens another account, ${data.user.name}. The page belongs to ${user.name}; use Login to change accounts.`;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    if (error.status === null) return 'The server did not answer. Try again.';
    return Object.values(error.fields).flat().join(' ') || error.message || messages.somethingWrong;
  }
}

/**
 * Password form of the expired-session popup: signs the same account in again without leaving the page, so that what
 * was typed there stays (docs/decisions/0011-sign-in-in-place.md). A failure is told under the field and nowhere else.
 */
export function SignInHere({ user }: { user: SessionUser }) {
  const [password, setPassword] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const [isRunning, setIsRunning] = useState(false);

  async function submit(): Promise<void> {
    setIsRunning(true);
    const refusal = await signInAgain(user, password);
    setIsRunning(false);
    setFailure(refusal);
    if (refusal !== null) setPassword('');
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
