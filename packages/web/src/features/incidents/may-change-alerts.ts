import { createRule } from '@switchyard/contract/alerts';
import { useHoldsAny, useSessionUser } from '../../shared/session/use-session.ts';

/** Why an account may not change rules and silences. */
export const changersOnly = 'Only accounts that see all apps and manage roles or servers can change this.';

/** Whether the account may change rules and silences. */
export function useMayChangeAlerts(): boolean {
  const holds = useHoldsAny(...createRule.access.anyOf);
  return useSessionUser()?.hasAllApps === true && holds;
}
