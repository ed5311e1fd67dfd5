import { TextInput } from '@mantine/core';
import { createNote, markLimits } from '@switchyard/contract/marks';
import { useState } from 'react';
import { CallError, isUnconfirmed } from '../api/call-error.ts';
import { call, failingInPlace } from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';
import { DialogForm } from '../form/dialog-form.tsx';
import { listKey } from '../listing/list-key.ts';
import { useServerOffset } from '../time/server-time.ts';
import { notify } from '../ui/notifications/notification-center.ts';
import { Dropdown } from '../ui/pick-list.tsx';
import { Popup } from '../ui/popup.tsx';
import { useUnsavedWork } from '../unsaved-work.ts';

/** What a note can be about. */
export type NoteSubject = { key: string; name: string; fields: { app_id?: number; server_id?: number } };

type Props = { isOpen: boolean; subjects: readonly NoteSubject[]; onClose: () => void };

/** The dialog that writes a note as a mark. */
export function NoteDialog({ isOpen, subjects, onClose }: Props) {
  return (
    <Popup isOpen={isOpen} onClose={onClose} title="Add note" closeOnBackdrop={false}>
      <NoteForm subjects={subjects} onClose={onClose} />
    </Popup>
  );
}

function NoteForm({ subjects, onClose }: Omit<Props, 'isOpen'>) {
  const offset = useServerOffset();
  const [text, setText] = useState('');
  const [time, setTime] = useState('');
  const [subjectKey, setSubjectKey] = useState(subjects[0]?.key ?? '');
  const [failure, setFailure] = useState<CallError | null>(null);
  const [isRunning, setIsRunning] = useState(false);
  useUnsavedWork(text !== '');

  async function create(): Promise<void> {
    setIsRunning(true);
    try {
      const subject = subjects.find(({ key }) => key === subjectKey);
      await call(createNote, { body: { text, at: time === '' ? null : `${time}:00${offset}`, ...subject?.fields }, ...failingInPlace });
      notify({ type: 'success', message: 'The note has been added' });
      onClose();
      await queryClient.invalidateQueries({ queryKey: listKey('marks') });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setFailure(isUnconfirmed(error) ? null : error);
    } finally {
      setIsRunning(false);
    }
  }

  const errorOf = (field: string): string | undefined => failure?.fields[field]?.[0];
  const other =
    failure !== null && Object.keys(failure.fields).length === 0 ? failure.message : (errorOf('app_id') ?? errorOf('server_id'));
  return (
    <DialogForm
      submitLabel="Add note"
      isEnabled={text.trim() !== '' && !isRunning}
      onSubmit={() => void create()}
      onCancel={onClose}
      gap="md"
    >
      <TextInput
        label="Note"
        data-autofocus
        maxLength={markLimits.characters}
        placeholder="Campaign in Poland begins"
        value={text}
        error={errorOf('text') ?? other}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <TextInput
        type="datetime-local"
        label="Time"
        description={`Server time, UTC${offset}. Empty: now`}
        value={time}
        error={errorOf('at')}
        onChange={(event) => setTime(event.currentTarget.value)}
      />
      {subjects.length > 1 && (
        <Dropdown
          label="Shown in charts of"
          width="100%"
          options={subjects.map(({ key, name }) => ({ value: key, name }))}
          value={subjectKey}
          onChange={(key) => setSubjectKey(key ?? subjects[0]?.key ?? '')}
        />
      )}
    </DialogForm>
  );
}
