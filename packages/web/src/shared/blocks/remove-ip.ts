import { addBlackIps, removeBlackIp } from '@switchyard/contract/black-ips';
import {
  addBlackListEntries,
  listCoveringRules,
  removeBlackListEntry,
  type BlackListRow,
  type CoveringRule,
} from '@switchyard/contract/black-list';
import { call } from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';
import { listKey } from '../listing/list-key.ts';
import { notify, notifyDeletion } from '../ui/notifications/notification-center.ts';

/** Deletes an address. What the list says about it is read before, so that Undo restores its source and expiry, too. */
export async function removeIp(ip: string, onChange: () => void): Promise<void> {
  let rules: readonly CoveringRule[];
  try {
    rules = (await call(listCoveringRules, { query: { entry: ip } })).data.rules;
  } catch {
    // The error policy has shown the reason.
    return;
  }
  const rule = rules.find(({ kind }) => kind === 'address');
  // Somebody else may have removed it.
  if (rule === undefined) onChange();
  else await removeListed({ ...rule, entry: rule.target, reason: rule.reason ?? '' }, onChange);
}

type ListedEntry = Pick<BlackListRow, 'entry' | 'reason' | 'source' | 'expires_at'>;

/**
 * Deletes an entry without a prompt. The row disappears and the call is sent at once, so that the deletion holds even if
 * the tab is closed. Undo adds the entry again as it was. `onChange` hears that the black list has changed.
 */
export async function removeListed(listed: ListedEntry, onChange?: () => void): Promise<void> {
  const { entry } = listed;
  const key = { queryKey: listKey('black-ips') };
  await queryClient.cancelQueries(key);
  const shownPages = queryClient.getQueriesData(key);
  queryClient.setQueriesData<{ data: { entry: string }[] }>(key, (page) =>
    page === undefined ? page : { ...page, data: page.data.filter((other) => other.entry !== entry) },
  );
  try {
    await call(entry.includes('/') ? removeBlackListEntry : removeBlackIp, { params: { ip: entry } });
    notifyDeletion({ message: `${entry} is off the black list`, undo: () => restoreEntry(listed, onChange) });
  } catch {
    // The error policy has shown the reason. Without a connection the list is not read again soon.
    for (const [page, rows] of shownPages) queryClient.setQueryData(page, rows);
  } finally {
    await reload(onChange);
  }
}

/** Adds an entry again as it was. Plain addresses are not protected when they are added, so they are not when they are restored. */
async function restoreEntry({ entry, reason, source, expires_at: expiresAt }: ListedEntry, onChange?: () => void): Promise<void> {
  const expiry = expiresAt === null ? {} : { expires_at: `${expiresAt.replace(' ', 'T')}Z` };
  try {
    if (!entry.includes('/') && source === '' && expiresAt === null) await call(addBlackIps, { body: { ips: [entry], reason } });
    else await call(addBlackListEntries, { body: { entries: [entry], reason, source, ...expiry } });
    notify({ type: 'success', message: `${entry} is on the black list again` });
  } catch {
    // The error policy has shown the reason.
  } finally {
    await reload(onChange);
  }
}

async function reload(onChange?: () => void): Promise<void> {
  onChange?.();
  await queryClient.invalidateQueries({ queryKey: listKey('black-ips') });
}
