import type { ReauthenticationMethod } from '@switchyard/contract/session';
import { createStore, type Store } from '../external-store.ts';

/** A call that waits until the reader confirms their identity. */
export type IdentityRequest = { readonly methods: readonly ReauthenticationMethod[]; readonly settle: (isConfirmed: boolean) => void };

/** The open request, shown by `IdentityHost`; null when no call waits. */
export const identityRequest: Store<IdentityRequest | null> = createStore<IdentityRequest | null>(null);

let waiting: Promise<boolean> | null = null;

/** Asks the reader to confirm their identity. Calls that ask meanwhile share the answer. */
export async function askIdentity(methods: readonly ReauthenticationMethod[]): Promise<boolean> {
  waiting ??= new Promise<boolean>((resolve) => {
    identityRequest.set({
      methods,
      settle: (isConfirmed) => {
        waiting = null;
        identityRequest.set(null);
        resolve(isConfirmed);
      },
    });
  });
  return waiting;
}
