import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { reauthenticate } from '@switchyard/contract/second-factors';
import type { ReauthenticationMethod } from '@switchyard/contract/session';
import { useState, type FormEvent } from 'react';
import { CallError } from '../api/call-error.ts';
import { call, failingInPlace } from '../api/call.ts';
import { useStore } from '../external-store.ts';
import { Popup } from '../ui/popup.tsx';
import { identityRequest, type IdentityRequest } from './identity-request.ts';
import { passkeyFailure, proofOfIdentity } from './passkey.ts';

/** The dialog in which the reader confirms who he is, so that the call that asked for it goes on. Mount it once. */
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
};

function IdentityForm({ request: { methods, settle } }: { request: IdentityRequest }) {
  const [method, setMethod] = useState(methods[0]);
  const [typed, setTyped] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const [isRunning, setIsRunning] = useState(false);
  const isReady = method === 'passkey' || typed !== '';

  async function proof() {
    if (method === 'passkey') return proofOfIdentity();
    if (method === 'recovery_code') return { recovery_code: typed };
    return method === 'totp' ? { code: typed } : { password: typed };
  }
  async function submit(): Promise<void> {
    setIsRunning(true);
    try {
      await call(reauthenticate, { body: await proof(), ...failingInPlace });
      settle(true);
    } catch (error) {
      setTyped('');
      setFailure(passkeyFailure(error));
      if (error instanceof CallError && error.status === 401) settle(false);
    } finally {
      setIsRunning(false);
    }
  }
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    // The dialog is a child of the form behind it for React.
    event.stopPropagation();
    if (!isRunning && isReady) void submit();
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
        {method === 'passkey' && failure !== null && (
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
          <Button type="submit" disabled={isRunning || !isReady} {...(method === 'passkey' ? { 'data-autofocus': true } : {})}>
            {method === 'passkey' ? 'Use passkey' : 'Confirm'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
