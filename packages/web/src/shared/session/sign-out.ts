import { signOutByGet } from '@switchyard/contract/session';
import { call } from '../api/call.ts';
import { authErrorStore, sessionStore } from './session-store.ts';

/** Ends the session on the server and, whatever it answers, here (AUTH-056, AMB-009). */
export async function signOut(): Promise<void> {
  try {
    await call(signOutByGet);
  } catch {
    // The error policy has shown what there is to show; the session ends here in any case.
  }
  sessionStore.close();
  authErrorStore.set(null);
}
