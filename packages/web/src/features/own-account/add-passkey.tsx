import { Text, TextInput } from '@mantine/core';
import { beginPasskey, confirmPasskey, secondFactorLimits } from '@switchyard/contract/second-factors';
import { useState } from 'react';
import { call, failingInPlace } from '../../shared/api/call.ts';
import { DialogForm } from '../../shared/form/dialog-form.tsx';
import { limitProps } from '../../shared/form/limited.ts';
import { createPasskey, passkeyFailure } from '../../shared/session/passkey.ts';
import { useUnsavedWork } from '../../shared/unsaved-work.ts';
import { focusFirst } from './focus-first.ts';

const defaultName = 'Passkey';

/** The form that adds a passkey. */
export function AddPasskey({ onAdded, onClose }: { onAdded: (codes: readonly string[] | null) => void; onClose: () => void }) {
  const [name, setName] = useState(defaultName);
  const [failure, setFailure] = useState<string | null>(null);
  const [isRunning, setIsRunning] = useState(false);
  useUnsavedWork(name !== defaultName);

  async function add(): Promise<void> {
    setIsRunning(true);
    setFailure(null);
    try {
      const challengeResponse = await call(beginPasskey, failingInPlace);
      const passkey = await createPasskey(challengeResponse.data.options);
      const { data } = await call(confirmPasskey, {
        body: { challenge: challengeResponse.data.challenge, passkey, name },
        ...failingInPlace,
      });
      onAdded(data.recovery_codes);
    } catch (error) {
      setFailure(passkeyFailure(error));
    } finally {
      setIsRunning(false);
    }
  }
  return (
    <DialogForm submitLabel="Create passkey" isEnabled={!isRunning && name.trim() !== ''} onSubmit={() => void add()} onCancel={onClose}>
      <Text c="dimmed" size="sm">
        A passkey is stored on your device or security key, which asks for your fingerprint, face or PIN. It also signs you in without the
        password.
      </Text>
      <TextInput
        label="Name"
        value={name}
        {...limitProps(name, secondFactorLimits.nameCharacters)}
        error={failure}
        errorProps={{ role: 'alert' }}
        ref={focusFirst}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </DialogForm>
  );
}
