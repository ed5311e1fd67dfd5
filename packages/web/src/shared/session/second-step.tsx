import { Button, Stack, Text, TextInput } from '@mantine/core';
import { finishSignIn } from '@switchyard/contract/second-factors';
import type { SecondFactorMethod, SecondStep, SignedIn } from '@switchyard/contract/session';
import { useState, type FormEvent } from 'react';
import { CallError } from '../api/call-error.ts';
import { call } from '../api/call.ts';
import { passkeyFailure, proofOfSignIn } from './passkey.ts';

const showsItself = (): boolean => true;

type Props = {
  step: SecondStep;
  onSignedIn: (session: SignedIn) => void;
  /** Goes back to the first step; with the reason when the challenge has ended. */
  onBack: (reason: string | null) => void;
};

/** The step replaces the form of the first one, so the focus has to be set. */
const focusFirst = (element: HTMLElement | null): void => element?.focus();

const kinds: Readonly<Record<SecondFactorMethod, { label: string; hint: string; other: string }>> = {
  passkey: { label: 'Passkey', hint: 'Use the fingerprint, face, PIN or security key of your passkey.', other: 'Use a passkey' },
  totp: { label: 'Code', hint: 'Enter the 6-digit code of your authenticator app.', other: 'Use the authenticator app' },
  recovery_code: { label: 'Recovery code', hint: 'Enter one of your recovery codes. Each works once.', other: 'Use a recovery code' },
};

/** The second step of a sign-in: asks for a passkey, a code of the authenticator app, or a recovery code. */
export function SecondStepForm({ step: { methods, challenge }, onSignedIn, onBack }: Props) {
  const [kind, setKind] = useState<SecondFactorMethod>(methods[0] ?? 'recovery_code');
  const [input, setInput] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const [isRunning, setIsRunning] = useState(false);
  const isReady = kind === 'passkey' || input.trim() !== '';

  async function proof() {
    if (kind === 'passkey') return { passkey: await proofOfSignIn(challenge) };
    return kind === 'totp' ? { code: input } : { recovery_code: input };
  }
  async function submit(): Promise<void> {
    setIsRunning(true);
    try {
      const { data } = await call(finishSignIn, { body: { challenge, ...(await proof()) }, showsFailureItself: showsItself });
      onSignedIn(data);
    } catch (error) {
      const reason = passkeyFailure(error);
      setInput('');
      setFailure(reason);
      if (error instanceof CallError && error.status === 401) onBack(reason);
    } finally {
      setIsRunning(false);
    }
  }

  const change = (next: string): void => {
    setInput(next);
    setFailure(null);
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isRunning && isReady) void submit();
  };
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="sm">
        <Text c="dimmed" size="sm">
          {kinds[kind].hint}
        </Text>
        {kind !== 'passkey' && <CodeField key={kind} kind={kind} value={input} failure={failure} onChange={change} />}
        {kind === 'passkey' && failure !== null && (
          <Text role="alert" size="sm" c="var(--sy-danger-text)">
            {failure}
          </Text>
        )}
        <Button type="submit" size="md" fullWidth disabled={isRunning || !isReady} {...(kind === 'passkey' ? { ref: focusFirst } : {})}>
          {kind === 'passkey' ? 'Use passkey' : 'Continue'}
        </Button>
        {methods
          .filter((other) => other !== kind)
          .map((other) => (
            <Button
              key={other}
              variant="subtle"
              fullWidth
              onClick={() => {
                setKind(other);
                change('');
              }}
            >
              {kinds[other].other}
            </Button>
          ))}
        <Button variant="subtle" color="neutral" fullWidth onClick={() => onBack(null)}>
          Back
        </Button>
      </Stack>
    </form>
  );
}

type CodeProps = {
  kind: Exclude<SecondFactorMethod, 'passkey'>;
  value: string;
  failure: string | null;
  onChange: (value: string) => void;
};

function CodeField({ kind, value, failure, onChange }: CodeProps) {
  return (
    <TextInput
      label={kinds[kind].label}
      name="one-time-code"
      autoComplete={kind === 'totp' ? 'one-time-code' : 'off'}
      inputMode={kind === 'totp' ? 'numeric' : 'text'}
      maxLength={40}
      size="md"
      ref={focusFirst}
      data-autofocus
      value={value}
      error={failure}
      errorProps={{ role: 'alert' }}
      aria-invalid={failure !== null}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
