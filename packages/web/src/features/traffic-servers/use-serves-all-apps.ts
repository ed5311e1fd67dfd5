import { useSessionUser } from '../../shared/session/use-session.ts';

/** Says who may create and delete servers, and change where they are and what they sign in with (O36). */
export const allAppsOnly = 'Servers work for all apps, so only accounts with access to all apps can change this.';

/** Whether the reader may do that: the server refuses everybody else. */
export function useServesAllApps(): boolean {
  return useSessionUser()?.hasAllApps !== false;
}
