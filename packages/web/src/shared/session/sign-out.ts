import { signOutByGet } from '@switchyard/contract/session';
import { call } from '../api/call.ts';
import { localSettings } from '../local-settings.ts';
import { authErrorStore, isSigningOut, sessionStore } from './session-store.ts';
import { viewAs } from './view-as.ts';

/** Ends the session in this browser at once, and on the server when it answers. */
export function signOut(): void {
  // In a view it is the reader's own session that ends, and the view with it.
  const session = viewAs.get() === null ? sessionStore.get()?.token : localSettings.token.get();
  if (session) void endOnServer(session.accessToken);
  closeSignedOut();
}

/** Ends a session in this browser that its reader has ended on the server. */
export function closeSignedOut(): void {
  localSettings.redirect.remove();
  isSigningOut.set(true);
  sessionStore.close();
  authErrorStore.set(null);
}

async function endOnServer(asToken: string): Promise<void> {
  try {
    // A session that has ended already needs no new sign-in.
    await call(signOutByGet, { asToken, outlivesPage: true, showsFailureItself: (status) => status === 401 });
  } catch {
    // The error policy has reported it.
  }
}
