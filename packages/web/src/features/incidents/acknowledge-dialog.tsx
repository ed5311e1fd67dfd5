import { Textarea } from '@mantine/core';
import { acknowledgeIncident, alertLimits, type Incident } from '@switchyard/contract/alerts';
import { useState } from 'react';
import { CallError } from '../../shared/api/call-error.ts';
import { call } from '../../shared/api/call.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { DialogForm } from '../../shared/form/dialog-form.tsx';
import { limitProps } from '../../shared/form/limited.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { Popup } from '../../shared/ui/popup.tsx';
import { VisibleText } from '../../shared/ui/visible-text.tsx';

type Props = { incident: Incident | null; onClose: () => void };

/** Reloads what shows incidents. */
async function refreshIncidents(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: listKey('incidents') });
}

/** Asks for a note and acknowledges an incident. */
export function AcknowledgeDialog({ incident, onClose }: Props) {
  // Keeps the incident during the fade-out.
  const [shownIncident, setShownIncident] = useState(incident);
  if (incident !== null && incident !== shownIncident) setShownIncident(incident);
  return (
    <Popup isOpen={incident !== null} onClose={onClose} title="Acknowledge the incident">
      {shownIncident !== null && <NoteForm key={shownIncident.id} incident={shownIncident} onClose={onClose} />}
    </Popup>
  );
}

function NoteForm({ incident: { id, reason }, onClose }: { incident: Incident; onClose: () => void }) {
  const [note, setNote] = useState('');
  const [isRunning, setIsRunning] = useState(false);
  const acknowledge = async (): Promise<void> => {
    setIsRunning(true);
    try {
      await call(acknowledgeIncident, { params: { id }, body: { note: note.trim() } });
      notify({ type: 'success', message: 'The incident has been acknowledged' });
      onClose();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      // Somebody else was faster, or it is over: the reloaded page shows it.
      if (error.status === 409 || error.status === 404) onClose();
    } finally {
      setIsRunning(false);
      await refreshIncidents();
    }
  };
  return (
    <DialogForm submitLabel="Acknowledge" isEnabled={!isRunning} onSubmit={() => void acknowledge()} onCancel={onClose}>
      <p>
        <VisibleText text={reason} />
      </p>
      <p className="note">Others see that somebody is handling it. It stays open until its condition no longer holds.</p>
      <Textarea
        label="Note"
        placeholder="Findings and next steps"
        autosize
        minRows={2}
        maxRows={6}
        data-autofocus
        value={note}
        {...limitProps(note, alertLimits.noteCharacters)}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </DialogForm>
  );
}
