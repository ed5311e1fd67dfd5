import { Group, Skeleton, Text, TextInput } from '@mantine/core';
import type { AnswerOf } from '@switchyard/contract/endpoint';
import { beginTotp, confirmTotp, secondFactorLimits } from '@switchyard/contract/second-factors';
import { useEffect, useEffectEvent, useState } from 'react';
import { encode } from 'uqr';
import { CallError, isUnconfirmed } from '../../shared/api/call-error.ts';
import { call, failingInPlace } from '../../shared/api/call.ts';
import { DialogForm } from '../../shared/form/dialog-form.tsx';
import { limitProps } from '../../shared/form/limited.ts';
import { failureText } from '../../shared/session/failure-text.ts';
import { CopyIcon } from '../../shared/ui/copy.tsx';
import { useUnsavedWork } from '../../shared/unsaved-work.ts';
import { focusFirst } from './focus-first.ts';
import classes from './second-factors.module.css';

/** The text of a failed call, null for a cancelled confirmation; other errors are defects. */
function reasonOf(error: unknown): string | null {
  if (!(error instanceof CallError)) throw error;
  return isUnconfirmed(error) ? null : failureText(error);
}

const defaultName = 'Authenticator app';

/** The form that adds an authenticator app: its QR code, then the first code. */
export function AddTotp({ onAdded, onClose }: { onAdded: (codes: readonly string[] | null) => void; onClose: () => void }) {
  const [totpSetup, setTotpSetup] = useState<AnswerOf<typeof beginTotp> | null>(null);
  const [name, setName] = useState(defaultName);
  const [code, setCode] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const [isRunning, setIsRunning] = useState(false);
  useUnsavedWork(name !== defaultName || code !== '');

  const close = useEffectEvent(onClose);
  useEffect(() => {
    const unmount = new AbortController();
    call(beginTotp, { signal: unmount.signal, ...failingInPlace })
      .then(({ data }) => setTotpSetup(data))
      .catch((error: unknown) => {
        if (unmount.signal.aborted) return;
        const reason = reasonOf(error);
        // Without a confirmation there is no key to scan.
        if (reason === null) close();
        else setFailure(reason);
      });
    return () => unmount.abort();
  }, []);

  async function confirm(challenge: string): Promise<void> {
    setIsRunning(true);
    try {
      const { data } = await call(confirmTotp, { body: { challenge, code, name }, ...failingInPlace });
      onAdded(data.recovery_codes);
    } catch (error) {
      setCode('');
      setFailure(reasonOf(error));
    } finally {
      setIsRunning(false);
    }
  }
  const isComplete = totpSetup !== null && code.trim() !== '' && name.trim() !== '';
  return (
    <DialogForm
      submitLabel="Add"
      isEnabled={isComplete && !isRunning}
      onSubmit={() => isComplete && void confirm(totpSetup.challenge)}
      onCancel={onClose}
    >
      <Text c="dimmed" size="sm">
        Scan the QR code with an authenticator app, or type the key into it. Then enter the code that the app shows.
      </Text>
      {totpSetup === null ? <Skeleton width={192} height={192} mx="auto" radius="md" /> : <QrCode text={totpSetup.uri} />}
      {totpSetup !== null && (
        <Group gap={4} justify="center" wrap="nowrap">
          <Text size="sm" className="mono" ta="center" style={{ overflowWrap: 'anywhere' }} data-testid="totp-secret">
            {totpSetup.secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
          </Text>
          <CopyIcon text={totpSetup.secret} label="Copy the key" />
        </Group>
      )}
      <TextInput
        label="Name"
        value={name}
        {...limitProps(name, secondFactorLimits.nameCharacters)}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label="Code"
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={40}
        ref={focusFirst}
        data-autofocus
        value={code}
        error={failure}
        errorProps={{ role: 'alert' }}
        onChange={(event) => {
          setCode(event.currentTarget.value);
          setFailure(null);
        }}
      />
    </DialogForm>
  );
}

/** A QR code, dark on light in both themes, because scanners expect it. The key below it says the same to screen readers. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 3 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg className={classes['qr']} viewBox={`0 0 ${size} ${size}`} aria-hidden shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
