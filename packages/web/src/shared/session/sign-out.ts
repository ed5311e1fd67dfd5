import { signOutByGet } from '@switchyard/contract/session';
import { call } from '../api/call.ts';
import { authErrorStore, sessionStore } from './session-store.ts';

/** Ends the session on the server and in this browser, even if the call fails. */
export async function signOut(): Promise<void> {
  try {
    await call(signOutByGet);
  } catch {
    // The error policy has reported it; the session ends in this browser anyway.
  }
  sessionStore.close();
  authErrorStore.set(null);
}
