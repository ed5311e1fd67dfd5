import { getSessionUser } from '@switchyard/contract/session';
import { call, forbiddenCount } from '../api/call.ts';
import { sessionStore } from './session-store.ts';

/**
 * Reloads the signed-in account, so that menu and route guard use current permissions. Does nothing without a live session
 * and keeps the stored account if the call fails.
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
 * Reloads the account after a forbidden call, so that menu and buttons follow a permission that was revoked meanwhile.
 * Calls that are forbidden during a reload share it. Call the result to stop.
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
