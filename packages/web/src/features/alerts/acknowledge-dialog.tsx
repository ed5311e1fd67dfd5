import { Textarea } from '@mantine/core';
import { acknowledgeIncident, alertLimits, type Incident } from '@switchyard/contract/alerts';
import type { BulkTarget } from '@switchyard/contract/bulk';
import { acknowledgeIncidents } from '@switchyard/contract/incident-lists';
import { useState } from 'react';
import { CallError } from '../../shared/api/call-error.ts';
import { call } from '../../shared/api/call.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { DialogForm } from '../../shared/form/dialog-form.tsx';
import { limitProps } from '../../shared/form/limited.ts';
import { unshownReason } from '../../shared/form/rejected-fields.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { Popup } from '../../shared/ui/popup.tsx';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import { useUnsavedWork } from '../../shared/unsaved-work.ts';

/** Some incidents, or all that match. `count` is their number as the list knows it. */
export type ChosenIncidents = { count: number; target: BulkTarget };

/** An incident that is acknowledged, or several. */
export type Acknowledged = Pick<Incident, 'id' | 'reason'> | ChosenIncidents;

type Props = { incidents: Acknowledged | null; onClose: () => void; onDone?: (() => void) | undefined };

/** Reloads what shows incidents. */
async function refreshIncidents(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: listKey('incidents') });
}

/** The number of incidents in words. */
export function countOfIncidents(count: number): string {
  return count === 1 ? '1 incident' : `${groupedNumber(count)} incidents`;
}

/** Asks for a note and acknowledges incidents. */
export function AcknowledgeDialog({ incidents, onClose, onDone }: Props) {
  // Keeps the incidents during the fade-out.
  const [shown, setShown] = useState(incidents);
  if (incidents !== null && incidents !== shown) setShown(incidents);
  return (
    <Popup
      isOpen={incidents !== null}
      onClose={onClose}
      closeOnBackdrop={false}
      title={shown !== null && 'count' in shown ? `Acknowledge ${countOfIncidents(shown.count)}` : 'Acknowledge the incident'}
    >
      {shown !== null && <NoteForm incidents={shown} onClose={onClose} onDone={onDone} />}
    </Popup>
  );
}

async function acknowledge(incidents: Acknowledged, note: string): Promise<string> {
  if ('id' in incidents) {
    await call(acknowledgeIncident, { params: { id: incidents.id }, body: { note } });
    return 'The incident has been acknowledged';
  }
  const { data } = await call(acknowledgeIncidents, { body: { target: incidents.target, note } });
  if (data.acknowledged === 0) return 'None of these incidents is firing';
  return `${countOfIncidents(data.acknowledged)} ${data.acknowledged === 1 ? 'has' : 'have'} been acknowledged`;
}

function NoteForm({ incidents, onClose, onDone }: Omit<Props, 'incidents'> & { incidents: Acknowledged }) {
  const [note, setNote] = useState('');
  useUnsavedWork(note !== '');
  const [isRunning, setIsRunning] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (): Promise<void> => {
    setIsRunning(true);
    try {
      notify({ type: 'success', message: await acknowledge(incidents, note.trim()) });
      onClose();
      onDone?.();
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      // Somebody else was faster, or it is over: the reloaded page shows it.
      if (error.status === 409) onClose();
      else setProblem(unshownReason(error));
    } finally {
      setIsRunning(false);
      await refreshIncidents();
    }
  };
  return (
    <DialogForm submitLabel="Acknowledge" isEnabled={!isRunning} onSubmit={() => void submit()} onCancel={onClose} problem={problem}>
      <p>{'id' in incidents ? <VisibleText text={incidents.reason} /> : 'Those that do not fire stay as they are.'}</p>
      <p className="note">Others see that somebody is handling this. An incident stays open until its condition no longer holds.</p>
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
