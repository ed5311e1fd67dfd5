import { createStore, type Store } from '../external-store.ts';

/** Calls that wait until the reader has set up a second factor; `settle` says whether that was done. */
type FactorRequest = { readonly settle: (isSetUp: boolean) => void };

/** The open request, shown by `FactorHost`; null when no call waits. */
export const factorRequest: Store<FactorRequest | null> = createStore<FactorRequest | null>(null);

let waiting: Promise<boolean> | null = null;

/** Asks the reader to set up a second factor. Calls that ask meanwhile share the answer. */
export async function askFactor(): Promise<boolean> {
  waiting ??= new Promise<boolean>((resolve) => {
    factorRequest.set({
      settle: (isSetUp) => {
        waiting = null;
        factorRequest.set(null);
        resolve(isSetUp);
      },
    });
  });
  return waiting;
}
