import { alertPermissions } from '@switchyard/contract/permissions';
import { useHoldsAny, useSessionUser } from '../session/use-session.ts';

/** Whether the account may change rules, silences and channels. */
export function useMayChangeAlerts(): boolean {
  const holds = useHoldsAny(...alertPermissions);
  return useSessionUser()?.hasAllApps === true && holds;
}
