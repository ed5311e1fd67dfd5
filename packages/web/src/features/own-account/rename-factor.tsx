import { TextInput } from '@mantine/core';
import { renameFactor, secondFactorLimits, type SecondFactor } from '@switchyard/contract/second-factors';
import { useState } from 'react';
import { CallError, isUnconfirmed } from '../../shared/api/call-error.ts';
import { call } from '../../shared/api/call.ts';
import { DialogForm } from '../../shared/form/dialog-form.tsx';
import { limitProps } from '../../shared/form/limited.ts';
import { failureText } from '../../shared/session/failure-text.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { Popup } from '../../shared/ui/popup.tsx';
import { useUnsavedWork } from '../../shared/unsaved-work.ts';

type Props = { factor: SecondFactor | null; onClose: () => void; onRenamed: () => void };

/** The dialog that renames a second factor. */
export function RenameFactor({ factor, onClose, onRenamed }: Props) {
  // Keeps the factor during the fade-out.
  const [shownFactor, setShownFactor] = useState(factor);
  if (factor !== null && factor !== shownFactor) setShownFactor(factor);
  return (
    <Popup isOpen={factor !== null} onClose={onClose} title="Rename second factor">
      {shownFactor !== null && <NameForm key={shownFactor.id} factor={shownFactor} onClose={onClose} onRenamed={onRenamed} />}
    </Popup>
  );
}

function NameForm({ factor, onClose, onRenamed }: Props & { factor: SecondFactor }) {
  const [name, setName] = useState(factor.name);
  const [failure, setFailure] = useState<string | null>(null);
  useUnsavedWork(name !== factor.name);
  const save = async (): Promise<void> => {
    try {
      await call(renameFactor, { params: { id: factor.id }, body: { name }, showsFailureItself: (status) => status === 422 });
      notify({ type: 'success', message: `Second factor "${name.trim()}" saved` });
      onRenamed();
      onClose();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setFailure(isUnconfirmed(error) ? null : failureText(error));
    }
  };
  return (
    <DialogForm submitLabel="Save" isEnabled={name.trim() !== ''} onSubmit={() => void save()} onCancel={onClose}>
      <TextInput
        label="Name"
        value={name}
        {...limitProps(name, secondFactorLimits.nameCharacters)}
        error={failure}
        data-autofocus
        onChange={(event) => {
          setName(event.currentTarget.value);
          setFailure(null);
        }}
      />
    </DialogForm>
  );
}
