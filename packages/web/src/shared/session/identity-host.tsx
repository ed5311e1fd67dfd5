import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { reauthenticate } from '@switchyard/contract/second-factors';
import type { ReauthenticationMethod } from '@switchyard/contract/session';
import { useEffect, useRef, useState } from 'react';
import { CallError } from '../api/call-error.ts';
import { call, failingInPlace } from '../api/call.ts';
import { useStore } from '../external-store.ts';
import { DialogForm } from '../form/dialog-form.tsx';
import { Popup } from '../ui/popup.tsx';
import { confirmWithGoogle, proofFailure } from './google-confirmation.ts';
import { identityRequest, type IdentityRequest } from './identity-request.ts';
import { proofOfIdentity } from './passkey.ts';

/** The dialog in which readers confirm their identity, so that the call that needs it continues. Mount it once. */
export function IdentityHost() {
  const request = useStore(identityRequest);
  // Keeps the form during the fade-out.
  const [shownRequest, setShownRequest] = useState(request);
  if (request !== null && request !== shownRequest) setShownRequest(request);
  return (
    <Popup isOpen={request !== null} onClose={() => request?.settle(false)} title="Confirm that it is you" closeOnBackdrop={false} isOnTop>
      {shownRequest !== null && <IdentityForm request={shownRequest} />}
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
  const { input, setInput, failure, isRunning, submit, cancel } = useIdentityProof(method, settle);
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
  const action = outside[method];
  // A closed window of Google is not reported, so it can be opened again.
  const isBusy = isRunning && method !== 'google';
  return (
    <DialogForm
      isLocal
      submitLabel={action ?? 'Confirm'}
      isEnabled={!isBusy && (action !== undefined || input !== '')}
      onSubmit={() => void submit()}
      onCancel={() => settle(false)}
      focusesSubmit={action !== undefined}
    >
      <Text c="dimmed" size="sm">
        You signed in more than 15 minutes ago. Your input is kept, and your change continues afterwards.
      </Text>
      {method === 'google' && (
        <Text size="sm">{isRunning ? 'Continue in the Google window.' : 'Sign in with Google again. It opens in its own window.'}</Text>
      )}
      {action !== undefined && failure !== null && (
        <Text role="alert" size="sm" c="var(--sy-danger-text)">
          {failure}
        </Text>
      )}
      <ProofField method={method} value={input} failure={failure} onChange={setInput} />
      {methods
        .filter((other) => other !== method)
        .map((other) => (
          <Button
            key={other}
            variant="subtle"
            onClick={() => {
              cancel();
              setMethod(other);
            }}
          >
            {others[other]}
          </Button>
        ))}
    </DialogForm>
  );
}

type FieldProps = { method: ReauthenticationMethod; value: string; failure: string | null; onChange: (value: string) => void };

/** The input of a method that asks for something in this dialog. */
function ProofField({ method, value, failure, onChange }: FieldProps) {
  const field = {
    value,
    error: failure,
    errorProps: { role: 'alert' },
    'aria-invalid': failure !== null,
    'data-autofocus': true,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  };
  if (method === 'totp') {
    const label = 'Code of your authenticator app';
    return <TextInput key="totp" label={label} autoComplete="one-time-code" inputMode="numeric" maxLength={40} {...field} />;
  }
  if (method === 'recovery_code') return <TextInput key="recovery" label="Recovery code" autoComplete="off" maxLength={40} {...field} />;
  if (method !== 'password') return null;
  return <PasswordInput key="password" label="Your password" autoComplete="current-password" visibilityToggleFocusable {...field} />;
}

/** The input of a proof and the call that sends it; a later attempt aborts the one before. */
function useIdentityProof(method: ReauthenticationMethod | undefined, settle: IdentityRequest['settle']) {
  const [input, setInput] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const [isRunning, setIsRunning] = useState(false);
  const attempt = useRef<AbortController>(null);
  useEffect(() => () => attempt.current?.abort(), []);

  async function proof(signal: AbortSignal) {
    if (method === 'google') {
      const google = await confirmWithGoogle(signal);
      return google === null ? null : { google };
    }
    if (method === 'passkey') return proofOfIdentity();
    if (method === 'recovery_code') return { recovery_code: input };
    return method === 'totp' ? { code: input } : { password: input };
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
      setInput('');
      setFailure(proofFailure(error));
      if (error instanceof CallError && error.status === 401) settle(false);
    } finally {
      if (attempt.current === own) setIsRunning(false);
    }
  }
  const change = (next: string): void => {
    setInput(next);
    setFailure(null);
  };
  const cancel = (): void => {
    attempt.current?.abort();
    change('');
  };
  return { input, setInput: change, failure, isRunning, submit, cancel };
}
