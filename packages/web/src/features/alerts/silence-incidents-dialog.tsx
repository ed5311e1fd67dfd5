import { silenceIncidents } from '@switchyard/contract/incident-lists';
import { useState } from 'react';
import { CallError } from '../../shared/api/call-error.ts';
import { call } from '../../shared/api/call.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { DialogForm } from '../../shared/form/dialog-form.tsx';
import { unshownReason } from '../../shared/form/rejected-fields.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import { correctedClock } from '../../shared/time/corrected-clock.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { Popup } from '../../shared/ui/popup.tsx';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { useUnsavedWork } from '../../shared/unsaved-work.ts';
import { countOfIncidents, type ChosenIncidents } from './acknowledge-dialog.tsx';
import { PeriodField, silenceEnd, SilenceNote, silencePeriods } from './silence-fields.tsx';

type Props = { incidents: ChosenIncidents; onClose: () => void; onDone: () => void };

/** Asks for a time and a note and silences incidents. */
export function SilenceIncidentsDialog({ incidents: { count, target }, onClose, onDone }: Props) {
  const [period, setPeriod] = useState('1');
  const [note, setNote] = useState('');
  useUnsavedWork(note !== '');
  const [isRunning, setIsRunning] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (): Promise<void> => {
    setIsRunning(true);
    try {
      const { data } = await call(silenceIncidents, {
        body: { target, note: note.trim(), ends_at: silenceEnd(period, correctedClock.serverNow()) },
      });
      notify({
        type: 'success',
        message: data.silences === 1 ? 'A silence has been created' : `${groupedNumber(data.silences)} silences have been created`,
      });
      onClose();
      onDone();
      await queryClient.invalidateQueries({ queryKey: listKey('silences') });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setProblem(unshownReason(error));
    } finally {
      setIsRunning(false);
    }
  };
  return (
    <Popup isOpen onClose={onClose} title={`Silence ${countOfIncidents(count)}`} closeOnBackdrop={false}>
      <DialogForm submitLabel="Silence" isEnabled={!isRunning} onSubmit={() => void submit()} onCancel={onClose} problem={problem}>
        <p className="note">
          Mutes these apps and servers for the same rules, including new incidents. Creates one silence for the apps of a rule, and one for
          each server of a rule.
        </p>
        <PeriodField periods={silencePeriods} value={period} onChange={setPeriod} />
        <SilenceNote value={note} onChange={setNote} />
      </DialogForm>
    </Popup>
  );
}
