import { Button, Group, Stack, TextInput } from '@mantine/core';
import { renameFactor, secondFactorLimits, type SecondFactor } from '@switchyard/contract/second-factors';
import { useState, type FormEvent } from 'react';
import { CallError } from '../../shared/api/call-error.ts';
import { call } from '../../shared/api/call.ts';
import { failureText } from '../../shared/session/failure-text.ts';
import { Popup } from '../../shared/ui/popup.tsx';

type Props = { factor: SecondFactor | null; onClose: () => void; onRenamed: () => void };

/** The dialog that renames a second factor. */
export function RenameFactor({ factor, onClose, onRenamed }: Props) {
  // Keeps the factor during the fade-out.
  const [shown, setShown] = useState(factor);
  if (factor !== null && factor !== shown) setShown(factor);
  return (
    <Popup isOpen={factor !== null} onClose={onClose} title="Rename second factor">
      {shown !== null && <NameForm key={shown.id} factor={shown} onClose={onClose} onRenamed={onRenamed} />}
    </Popup>
  );
}

function NameForm({ factor, onClose, onRenamed }: Props & { factor: SecondFactor }) {
  const [name, setName] = useState(factor.name);
  const [failure, setFailure] = useState<string | null>(null);
  const save = async (): Promise<void> => {
    try {
      await call(renameFactor, { params: { id: factor.id }, body: { name }, showsFailureItself: (status) => status === 422 });
      onRenamed();
      onClose();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setFailure(failureText(error));
    }
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() !== '') void save();
  };
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack gap="sm">
        <TextInput
          label="Name"
          value={name}
          maxLength={secondFactorLimits.nameCharacters}
          error={failure}
          data-autofocus
          onChange={(event) => {
            setName(event.currentTarget.value);
            setFailure(null);
          }}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={name.trim() === ''}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
