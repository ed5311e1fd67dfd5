import { createStore, useStore } from './external-store.ts';
import { useCallback, useEffect, useRef } from 'react';

const heldCount = createStore(0);

/** Tracks whether a form holds input that a page load would lose. */
export const unsavedWork = {
  /** Marks unsaved input; call the result when it is saved or discarded. */
  hold: (): (() => void) => {
    heldCount.set(heldCount.get() + 1);
    let isHeld = true;
    return () => {
      if (isHeld) heldCount.set(heldCount.get() - 1);
      isHeld = false;
    };
  },
  /** Gives up all unsaved input, before a page load that was agreed to. */
  releaseAll: (): void => heldCount.set(0),
  isHeld: (): boolean => heldCount.get() > 0,
} as const;

/** Whether a form holds unsaved input. */
export function useHoldsInput(): boolean {
  return useStore(heldCount) > 0;
}

/**
 * Marks unsaved input while `isUnsaved`, so that leaving, closing or reloading the page asks first. Returns a function
 * that clears the mark at once, for forms that navigate after saving.
 */
export function useUnsavedWork(isUnsaved: boolean): () => void {
  const letGo = useRef<(() => void) | null>(null);
  const release = useCallback(() => {
    letGo.current?.();
    letGo.current = null;
  }, []);
  useEffect(() => {
    if (!isUnsaved) return undefined;
    letGo.current = unsavedWork.hold();
    return release;
  }, [isUnsaved, release]);
  return release;
}
