import { useState } from 'react';
import { CallError } from '../api/call-error.ts';
import { useUnsavedWork } from '../unsaved-work.ts';
import { focusFirstInvalid, unshownReason } from './rejected-fields.ts';
import type { Draft } from './use-draft.ts';

type Options<Saved> = {
  /** Called with the saved entity after the leave guard is released, so it may open another page; `hasMore`: the guard stays. */
  readonly onSaved: (entity: Saved, hasMore: boolean) => void;
  /** False if `onSaved` opens another page and an empty form would flash before it. */
  readonly resetsOnSave?: boolean;
};

/**
 * Saves a form of a page: on success resets it and reports, on rejection shows the messages and focuses the first invalid
 * field. While something is unsaved, leaving the page asks first.
 */
export function useSaving<Saved, Values = unknown>(
  draft: Pick<Draft<Saved, Values>, 'changedFields' | 'origin' | 'reject' | 'reset'>,
  { onSaved, resetsOnSave = true }: Options<Saved>,
) {
  const [unmatchedMessages, setUnmatched] = useState<readonly string[]>([]);
  const [isBusy, setIsBusy] = useState(false);
  const releaseGuard = useUnsavedWork(draft.changedFields.length > 0);
  const [element, setElement] = useState<HTMLFormElement | null>(null);

  return {
    /** Receives the form element. */
    takeElement: setElement,
    focusFirstInvalid: (): void => focusFirstInvalid(element),
    /** Messages of the server that belong to no field. */
    unmatchedMessages,
    /** Whether work passed to `whileBusy` is running. */
    isBusy,
    /** Runs the work unless some is running already, so that a second click does not save twice. */
    whileBusy: async <Result>(work: () => Promise<Result>): Promise<Result | undefined> => {
      if (isBusy) return undefined;
      setIsBusy(true);
      try {
        return await work();
      } finally {
        setIsBusy(false);
      }
    },
    /**
     * Saves with the given call. `editedSince` gives the values with what was edited while it ran, which stay in the form; undefined if
     * nothing was. Rejects only if something other than a call fails.
     */
    store: async (save: () => Promise<Saved>, editedSince?: (savedEntity: Saved) => Values | undefined): Promise<void> => {
      try {
        const savedEntity = await save();
        const editedValues = editedSince?.(savedEntity);
        setUnmatched([]);
        if (editedValues === undefined) releaseGuard();
        if (resetsOnSave) draft.reset(savedEntity, editedValues);
        onSaved(savedEntity, editedValues !== undefined);
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        const reason = unshownReason(error);
        setUnmatched([...draft.reject(error), ...(reason === null ? [] : [reason])]);
        if (Object.keys(error.fields).length > 0) focusFirstInvalid(element);
      }
    },
    /** Replaces everything that is unsaved with a stored version. */
    discard: (next: Saved | undefined): void => {
      setUnmatched([]);
      draft.reset(next);
    },
  };
}
