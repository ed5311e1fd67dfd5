import { createStore } from '../external-store.ts';

/** How many counted calls are running; the loading bar shows while it is above zero (SHELL-040). */
export const requestCounter = createStore(0);

/** Counts a call in; the returned function counts it out and may be called once. */
export function countRequest(): () => void {
  requestCounter.set(requestCounter.get() + 1);
  let isCounted = true;
  return () => {
    if (!isCounted) return;
    isCounted = false;
    requestCounter.set(requestCounter.get() - 1);
  };
}
