import type { AccountRow } from '@switchyard/contract/accounts';
import { accountConfirms } from '@switchyard/contract/account-texts';
import { CallError } from '../../../shared/api/call-error.ts';
import { askConfirm } from '../../../shared/ui/confirm.tsx';
import { notify } from '../../../shared/ui/notifications/notification-center.ts';
import { accountsChanged } from '../account-cache.ts';
import type { AccountPanel } from '../account-panels.ts';

/** Runs a write on an account of the list and says what became of it; also a refused one has the list read again. */
async function change(panel: AccountPanel, { id, name }: AccountRow, write: () => Promise<unknown>, done: string): Promise<void> {
  const key = `${panel.noun} ${id}`;
  try {
    await write();
    notify({ type: 'success', message: done, key });
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    // The error policy keeps silent about these two, and the list has no place of its own for them.
    if (error.status === 403) notify({ type: 'danger', message: error.message, key });
    if (error.status === 404) notify({ type: 'danger', message: `${name} is no longer there`, key });
  } finally {
    await accountsChanged(panel);
  }
}

/** Asks before access is denied: a stray click would sign the person out everywhere. */
export function confirmDenial({ name }: AccountRow, deny: () => Promise<void>): void {
  askConfirm({
    title: accountConfirms.remove.title,
    lines: [`Deny access to "${name}"? All sessions of the account end at once.`],
    isDangerous: true,
    action: deny,
  });
}

/** Grants or denies access at once (AMB-170, USER-058, BUY-033). */
export function switchAccess(panel: AccountPanel, row: AccountRow, hasAccess: boolean): Promise<void> {
  const done = hasAccess ? `"${row.name}" has access again` : `Access of "${row.name}" denied`;
  return change(panel, row, () => panel.switchAccess(row.id, hasAccess), done);
}

/** Asks whether an account is to be deleted and deletes it (AMB-170). */
export function confirmDelete(panel: AccountPanel, row: AccountRow): void {
  const noun = panel.noun === 'user' ? 'User' : 'Buyer';
  askConfirm({
    title: accountConfirms.remove.title,
    lines: [accountConfirms.remove.text, `${noun} "${row.name}"`],
    isDangerous: true,
    action: () => change(panel, row, () => panel.remove(row.id), `${noun} "${row.name}" deleted`),
  });
}
