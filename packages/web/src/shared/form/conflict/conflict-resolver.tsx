import { useState } from 'react';
import { ConflictDialog } from './conflict-dialog.tsx';
import type { Difference } from './differences.ts';

/** A save that came too late: what was edited as it was loaded, as it is now, and the form. */
export type Conflict<Entity, Values> = { readonly loaded: Entity; readonly current: Entity; readonly values: Values };

type Props<Entity, Values> = {
  /** What is edited, e.g. `app`. */
  noun: string;
  conflict: Conflict<Entity, Values> | null;
  differences: (conflict: Conflict<Entity, Values>) => { rows: readonly Difference[]; onlyMine: readonly string[] };
  /** Saves mine over theirs, naming the version that was shown, so that a third change is noticed too (O16). */
  save: (conflict: Conflict<Entity, Values>) => Promise<Entity>;
  /** The entity as somebody else saved it, out of a failure; null for one that is no conflict. */
  currentOf: (error: unknown) => Entity | null;
  onClose: () => void;
  /** Theirs is taken, mine thrown away. */
  onLoad: (current: Entity) => void;
  onSaved: (saved: Entity) => void;
  /** Somebody was faster once more. */
  onConflict: (conflict: Conflict<Entity, Values>) => void;
  /** Saving failed for another reason; the dialog is closed by then. */
  onFailed: (error: unknown) => void;
};

/** Lets the reader decide a conflict: keep editing, load theirs, or save over it (api 0.9). */
export function ConflictResolver<Entity, Values>(props: Props<Entity, Values>) {
  const { noun, conflict, differences, save, currentOf, onClose, onLoad, onSaved, onConflict, onFailed } = props;
  const [isSaving, setIsSaving] = useState(false);
  // Keeps the table while the popup fades out.
  const [shown, setShown] = useState<Conflict<Entity, Values> | null>(null);
  if (conflict !== null && conflict !== shown) setShown(conflict);
  if (shown === null) return null;

  const saveMine = async (): Promise<void> => {
    setIsSaving(true);
    try {
      onSaved(await save(shown));
    } catch (error) {
      const newer = currentOf(error);
      if (newer === null) {
        onClose();
        onFailed(error);
      } else onConflict({ ...shown, current: newer });
    } finally {
      setIsSaving(false);
    }
  };
  return (
    <ConflictDialog
      isOpen={conflict !== null}
      noun={noun}
      {...differences(shown)}
      isSaving={isSaving}
      onKeepEditing={onClose}
      onLoadTheirs={() => onLoad(shown.current)}
      onSaveMine={() => void saveMine()}
    />
  );
}
