import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { reauthenticate } from '@switchyard/contract/second-factors';
import type { ReauthenticationMethod } from '@switchyard/contract/session';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { CallError } from '../api/call-error.ts';
import { call, failingInPlace } from '../api/call.ts';
import { useStore } from '../external-store.ts';
import { Popup } from '../ui/popup.tsx';
import { confirmWithGoogle, proofFailure } from './google-confirmation.ts';
import { identityRequest, type IdentityRequest } from './identity-request.ts';
import { proofOfIdentity } from './passkey.ts';

/** The dialog in which the reader confirms their identity, so that the call that asked for it goes on. Mount it once. */
export function IdentityHost() {
  const request = useStore(identityRequest);
  // Keeps the form during the fade-out.
  const [shown, setShown] = useState(request);
  if (request !== null && request !== shown) setShown(request);
  return (
    <Popup isOpen={request !== null} onClose={() => request?.settle(false)} title="Confirm that it is you" closeOnBackdrop={false} isOnTop>
      {shown !== null && <IdentityForm request={shown} />}
    </Popup>
  );
}

const others: Readonly<Record<ReauthenticationMethod, string>> = {
  passkey: 'Use a passkey',
  totp: 'Use the authenticator app',
  recovery_code: 'Use a recovery code',
  password: 'Use the password',
  google: 'Sign in with Google again',
};

/** Methods that ask for nothing in this dialog. */
const outside: Partial<Readonly<Record<ReauthenticationMethod, string>>> = { passkey: 'Use passkey', google: 'Continue with Google' };

function IdentityForm({ request: { methods, settle } }: { request: IdentityRequest }) {
  const [method, setMethod] = useState(methods[0]);
  const [typed, setTyped] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const [isRunning, setIsRunning] = useState(false);
  const action = method === undefined ? undefined : outside[method];
  const isReady = action !== undefined || typed !== '';
  // Nothing tells that the window of Google was closed, so it can be opened again.
  const isBusy = isRunning && method !== 'google';
  const attempt = useRef<AbortController>(null);
  useEffect(() => () => attempt.current?.abort(), []);

  async function proof(signal: AbortSignal) {
    if (method === 'google') {
      const google = await confirmWithGoogle(signal);
      return google === null ? null : { google };
    }
    if (method === 'passkey') return proofOfIdentity();
    if (method === 'recovery_code') return { recovery_code: typed };
    return method === 'totp' ? { code: typed } : { password: typed };
  }
  async function submit(): Promise<void> {
    attempt.current?.abort();
    const own = new AbortController();
    attempt.current = own;
    setIsRunning(true);
    setFailure(null);
    try {
      const body = await proof(own.signal);
      if (body === null) {
        setFailure('Sign-in with Google was cancelled');
        return;
      }
      await call(reauthenticate, { body, ...failingInPlace });
      settle(true);
    } catch (error) {
      if (own.signal.aborted) return;
      setTyped('');
      setFailure(proofFailure(error));
      if (error instanceof CallError && error.status === 401) settle(false);
    } finally {
      if (attempt.current === own) setIsRunning(false);
    }
  }
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    // The dialog is a child of the form behind it for React.
    event.stopPropagation();
    if (!isBusy && isReady) void submit();
  };
  const change = (next: string): void => {
    setTyped(next);
    setFailure(null);
  };
  const field = {
    value: typed,
    error: failure,
    errorProps: { role: 'alert' },
    'aria-invalid': failure !== null,
    'data-autofocus': true,
    onChange: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value),
  };
  if (method === undefined) {
    return (
      <Stack gap="sm">
        <Text size="sm">You signed in more than 15 minutes ago. Sign out and in again to make this change.</Text>
        <Group justify="flex-end">
          <Button onClick={() => settle(false)}>Close</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="sm">
        <Text c="dimmed" size="sm">
          You signed in more than 15 minutes ago. Your input is kept, and the change goes on afterwards.
        </Text>
        {method === 'google' && (
          <Text size="sm">
            {isRunning ? 'Continue in the window of Google.' : 'Sign in with Google again. It opens in a window of its own.'}
          </Text>
        )}
        {action !== undefined && failure !== null && (
          <Text role="alert" size="sm" c="var(--sy-danger-text)">
            {failure}
          </Text>
        )}
        {method === 'totp' && (
          <TextInput
            key="totp"
            label="Code of your authenticator app"
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={40}
            {...field}
          />
        )}
        {method === 'recovery_code' && <TextInput key="recovery" label="Recovery code" autoComplete="off" maxLength={40} {...field} />}
        {method === 'password' && (
          <PasswordInput key="password" label="Your password" autoComplete="current-password" visibilityToggleFocusable {...field} />
        )}
        {methods
          .filter((other) => other !== method)
          .map((other) => (
            <Button
              key={other}
              variant="subtle"
              onClick={() => {
                attempt.current?.abort();
                setMethod(other);
                change('');
              }}
            >
              {others[other]}
            </Button>
          ))}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={() => settle(false)}>
            Cancel
          </Button>
          <Button type="submit" disabled={isBusy || !isReady} {...(action === undefined ? {} : { 'data-autofocus': true })}>
            {action ?? 'Confirm'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
