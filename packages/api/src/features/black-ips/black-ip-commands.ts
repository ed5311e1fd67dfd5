import type * as contract from '@switchyard/contract/black-ips';
import type { AccountCall, Call } from '../../http/bind.ts';
import { removeEntry, writeEntries, type BlackListDeps } from './black-list-commands.ts';

type Deps = Pick<BlackListDeps, 'db' | 'now'>;

/** Adds all addresses or none. They stay until they are removed. */
export async function addBlackIps(
  deps: Deps,
  call: AccountCall & Pick<Call<typeof contract.addBlackIps>, 'body'>,
): Promise<{ created: number; updated: number }> {
  const { ips, reason } = call.body;
  return writeEntries(deps, { entries: ips, reason, source: '', expiresAt: null }, call);
}

/** Removes an address. Throws 404 if the list does not have it. */
export async function removeBlackIp(deps: Deps, call: AccountCall & Pick<Call<typeof contract.removeBlackIp>, 'params'>): Promise<void> {
  await removeEntry(deps, call.params.ip, call);
}
