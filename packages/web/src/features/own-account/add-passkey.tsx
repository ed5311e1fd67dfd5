import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { beginPasskey, confirmPasskey, secondFactorLimits } from '@switchyard/contract/second-factors';
import { useState, type FormEvent } from 'react';
import { call, failingInPlace } from '../../shared/api/call.ts';
import { limited } from '../../shared/form/limited.ts';
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
      const begun = await call(beginPasskey, failingInPlace);
      const passkey = await createPasskey(begun.data.options);
      const { data } = await call(confirmPasskey, { body: { challenge: begun.data.challenge, passkey, name }, ...failingInPlace });
      onAdded(data.recovery_codes);
    } catch (error) {
      setFailure(passkeyFailure(error));
    } finally {
      setIsRunning(false);
    }
  }
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isRunning && name.trim() !== '') void add();
  };
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="sm">
        <Text c="dimmed" size="sm">
          A passkey is stored on your device or security key, which asks for your fingerprint, face or PIN. It also signs you in without the
          password.
        </Text>
        <TextInput
          label="Name"
          value={name}
          {...limited(name, secondFactorLimits.nameCharacters)}
          error={failure}
          errorProps={{ role: 'alert' }}
          ref={focusFirst}
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={isRunning || name.trim() === ''}>
            Create passkey
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
