import type { Panel } from '@switchyard/contract/permissions';
import type { ShownAccount } from './account-mapper.ts';
import { changeAccount, type WriteCall, type WriteDependencies } from './write-account.ts';

/** Grants or denies an account access (api [51], [61]); denying ends its sessions. */
export async function switchAccess(
  deps: WriteDependencies,
  { hasAccess, ...call }: WriteCall & { id: number; panel: Panel; hasAccess: boolean },
): Promise<ShownAccount> {
  const switched = await changeAccount(deps, { ...call, apps: null, action: 'switch_access' }, ({ before }) => ({
    after: { ...before, hasAccess },
  }));
  if (switched === null) throw new Error(`Account ${call.id} was deleted by a switch of its access`);
  return switched;
}
