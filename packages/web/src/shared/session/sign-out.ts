import { signOutByGet } from '@switchyard/contract/session';
import { call } from '../api/call.ts';
import { localSettings } from '../local-settings.ts';
import { authErrorStore, isSigningOut, sessionStore } from './session-store.ts';

/** Ends the session on the server and in this browser, even if the call fails. */
export async function signOut(): Promise<void> {
  try {
    // A session that has ended already needs no new sign-in.
    // In a view it is the reader's own session that ends, and the view with it.
    const asToken = localSettings.token.get()?.accessToken;
    await call(signOutByGet, { showsFailureItself: (status) => status === 401, ...(asToken !== undefined && { asToken }) });
  } catch {
    // The error policy has reported it; the session ends in this browser anyway.
  }
  localSettings.redirect.remove();
  isSigningOut.set(true);
  sessionStore.close();
  authErrorStore.set(null);
}
