import { useEffect, useEffectEvent, useState } from 'react';
import { CallError } from '../api/call-error.ts';
import { useUnsavedWork } from '../use-unsaved-work.ts';
import { focusFirstWrong } from './first-wrong.ts';

/** What saving needs of the state of a form. */
type SavedForm<Saved> = {
  /** What differs from what was loaded. */
  readonly changed: readonly unknown[];
  /** What the form began with; undefined for something new. */
  readonly origin: Saved | undefined;
  /** Shows what the server refused; gives the messages that belong to no field. */
  readonly refuse: (error: CallError) => readonly string[];
  /** Begins anew, e.g. from what was saved. */
  readonly begin: (next: Saved | undefined) => void;
};

type Options<Saved> = {
  /** Hears of what was saved after the form has let go of it, so that it may go elsewhere. */
  readonly onSaved: (saved: Saved) => void;
  /** False where the page goes elsewhere at once and the form would only show for a moment what is missing of its own input. */
  readonly beginsAnew?: boolean;
};

/**
 * How every form of a page saves: once saved it lets go of the page, begins anew and tells; of what is refused it shows
 * the messages and goes to the first wrong field. While something is unsaved, leaving the page asks first.
 */
export function useSaving<Saved>(form: SavedForm<Saved>, { onSaved, beginsAnew = true }: Options<Saved>) {
  const [strays, setStrays] = useState<readonly string[]>([]);
  const [isBusy, setIsBusy] = useState(false);
  const letGo = useUnsavedWork(form.changed.length > 0);
  const [element, setElement] = useState<HTMLFormElement | null>(null);

  return {
    /** Takes the form's element. */
    takeElement: setElement,
    /** Takes the reader to the first wrong field. */
    showWrong: (): void => focusFirstWrong(element),
    /** Messages of the server that belong to no field. */
    strays,
    /** Whether work given to `whileBusy` goes on. */
    isBusy,
    /** Does it unless such work goes on already, which is how a second click saves nothing twice. */
    whileBusy: async <Result>(work: () => Promise<Result>): Promise<Result | undefined> => {
      if (isBusy) return undefined;
      setIsBusy(true);
      try {
        return await work();
      } finally {
        setIsBusy(false);
      }
    },
    /** Saves by the call given; anything but a refused call is thrown on. */
    store: async (save: () => Promise<Saved>): Promise<void> => {
      try {
        const saved = await save();
        setStrays([]);
        letGo();
        if (beginsAnew) form.begin(saved);
        onSaved(saved);
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        setStrays(form.refuse(error));
        if (Object.keys(error.fields).length > 0) focusFirstWrong(element);
      }
    },
    /** Throws away what is not saved. */
    discard: (): void => {
      setStrays([]);
      form.begin(form.origin);
    },
  };
}

/** Takes over a newer version of what is edited, unless something is unsaved. */
export function useNewest<Saved extends { readonly version: number }>(form: SavedForm<Saved>, newest: Saved | undefined): void {
  const takeOver = useEffectEvent((next: Saved | undefined) => {
    if (next !== undefined && next.version > (form.origin?.version ?? 0) && form.changed.length === 0) form.begin(next);
  });
  useEffect(() => takeOver(newest), [newest]);
}
