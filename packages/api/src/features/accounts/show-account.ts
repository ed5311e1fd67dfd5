import type { Panel } from '@switchyard/contract/permissions';
import type { Databases } from '../../database/connect.ts';
import { notFound } from '../../errors.ts';
import type { AccountCaller } from '../../http/bind.ts';
import type { ShownAccount } from './account-mapper.ts';
import { findAccount } from './accounts-read-model.ts';
import { show } from './write-account.ts';

/** One account of a panel (api [48], [58]). Refuses unknown ones, deleted ones and those of the other panel with 404. */
export async function showAccount(
  db: Databases['db'],
  { id, panel, caller }: { id: number; panel: Panel; caller: AccountCaller },
): Promise<ShownAccount> {
  const stored = await findAccount(db, { id, panel });
  if (!stored) throw notFound();
  return show(db, stored, caller.scope);
}
