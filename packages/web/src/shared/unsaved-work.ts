import { createStore } from './external-store.ts';

const held = createStore(0);

/** Knows whether some form holds what would be lost when the page were loaded anew. */
export const unsavedWork = {
  /** Says that a form holds unsaved input; call the result once it no longer does. */
  hold: (): (() => void) => {
    held.set(held.get() + 1);
    let isHeld = true;
    return () => {
      if (isHeld) held.set(held.get() - 1);
      isHeld = false;
    };
  },
  isHeld: (): boolean => held.get() > 0,
} as const;
