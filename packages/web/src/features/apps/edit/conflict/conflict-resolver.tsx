import { saveApp, type FullApp } from '@switchyard/contract/app-form';
import { useState } from 'react';
import { call } from '../../../../shared/api/call.ts';
import { toBody, valuesOf } from '../../configurator/app-form-values.ts';
import { reloadApp } from '../app-query.ts';
import { currentApp, type Conflict } from './conflict.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { differences } from './differences.ts';
import { mergeValues } from './merge-values.ts';

type Props = {
  conflict: Conflict | null;
  onClose: () => void;
  /** Their app is taken, mine thrown away. */
  onLoad: (app: FullApp) => void;
  onSaved: (app: FullApp) => void;
  /** Somebody was faster once more. */
  onConflict: (conflict: Conflict) => void;
};

/** Lets the reader decide a conflict. What is saved names the version that was shown, so a third change is noticed too (O16). */
export function ConflictResolver({ conflict, onClose, onLoad, onSaved, onConflict }: Props) {
  const [isSaving, setIsSaving] = useState(false);
  // Keeps the table while the popup fades out.
  const [shown, setShown] = useState<Conflict | null>(null);
  if (conflict !== null && conflict !== shown) setShown(conflict);
  if (shown === null) return null;

  const { loaded, current, values } = shown;
  const states = { loaded: valuesOf(loaded), theirs: valuesOf(current), mine: values };
  const names = new Map([...loaded.buyers, ...current.buyers].map((buyer) => [buyer.id, buyer.name]));
  const saveMine = async (): Promise<void> => {
    setIsSaving(true);
    try {
      const { data } = await call(saveApp, {
        params: { id: current.id },
        body: toBody(mergeValues(states)),
        ifMatch: current.version,
        showsFailureItself: (status) => status === 412,
      });
      onSaved(data);
    } catch (error) {
      const newer = currentApp(error);
      if (newer === null) {
        onClose();
        await reloadApp(current.id);
      } else onConflict({ ...shown, current: newer });
    } finally {
      setIsSaving(false);
    }
  };
  return (
    <ConflictDialog
      isOpen={conflict !== null}
      {...differences(states, (id) => names.get(id) ?? `#${id}`)}
      isSaving={isSaving}
      onKeepEditing={onClose}
      onLoadTheirs={() => onLoad(current)}
      onSaveMine={() => void saveMine()}
    />
  );
}
