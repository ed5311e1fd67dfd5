import { holdsAny, type Permission } from '@switchyard/contract/permissions';
import type { SessionUser } from '@switchyard/contract/session';
import { useStore } from '../external-store.ts';
import { sessionStore, type SessionPhase } from './session-store.ts';

/** The signed-in account, or null for a guest. */
export function useSessionUser(): SessionUser | null {
  return useStore(sessionStore)?.user ?? null;
}

/** The phase of the session, read on every render. */
export function useSessionPhase(): SessionPhase {
  return useStore({ get: sessionStore.phase, subscribe: sessionStore.subscribe });
}

/** Whether the signed-in account holds any of the permissions; true for an empty list. */
export function useHoldsAny(...anyOf: readonly Permission[]): boolean {
  const user = useSessionUser();
  return user !== null && holdsAny(user.permissions, anyOf);
}
