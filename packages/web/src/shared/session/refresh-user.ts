import { getSessionUser } from '@switchyard/contract/session';
import { call, forbiddenCount } from '../api/call.ts';
import { sessionStore } from './session-store.ts';

/**
 * Asks for the account as it is now, so that menu and guard use current permissions (AMB-021). Without a
 * live session nothing is asked; when the server cannot answer, what was stored stays.
 */
export async function refreshUser(): Promise<void> {
  if (sessionStore.phase() !== 'live') return;
  try {
    const { data } = await call(getSessionUser);
    sessionStore.updateUser(data);
  } catch {
    // A 401 has already ended the session; after any other failure the stored permissions are the best known.
  }
}

/**
 * Reads the account again when a call is forbidden, so that menu and buttons follow a permission that was taken away
 * meanwhile. Calls that are forbidden while that goes on share its answer. Returns how to stop.
 */
export function refreshOnForbidden(): () => void {
  let isRunning = false;
  return forbiddenCount.subscribe(() => {
    if (isRunning) return;
    isRunning = true;
    void refreshUser().finally(() => {
      isRunning = false;
    });
  });
}
