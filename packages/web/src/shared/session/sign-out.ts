import { signOutByGet } from '@switchyard/contract/session';
import { call } from '../api/call.ts';
import { createStore, type Store } from '../external-store.ts';
import { localSettings } from '../local-settings.ts';
import { authErrorStore, sessionStore } from './session-store.ts';

/**
 * Whether the reader has signed out and the sign-in page has not opened yet. A page that was still opening meanwhile looks like one that is
 * asked for.
 */
export const isSigningOut: Store<boolean> = createStore(false);

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
