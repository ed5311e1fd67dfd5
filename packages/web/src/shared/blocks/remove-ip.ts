import { addBlackIps, removeBlackIp } from '@switchyard/contract/black-ips';
import { call } from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';
import { listKey } from '../listing/list-key.ts';
import { notify, notifyDeletion } from '../ui/notifications/notification-center.ts';

type Removal = {
  /** The address or network. */
  entry: string;
  remove: () => Promise<unknown>;
  /** Adds the entry again as it was. */
  restore: () => Promise<unknown>;
  /** Called after the black list has changed. */
  onChange?: () => void;
};

async function reload({ onChange }: Removal): Promise<void> {
  onChange?.();
  await queryClient.invalidateQueries({ queryKey: listKey('black-ips') });
}

/** Deletes an address that stays on the list until then, and has no source; see `removeEntry`. */
export async function removeIp({ ip, reason, onChange }: { ip: string; reason: string; onChange?: () => void }): Promise<void> {
  await removeEntry({
    entry: ip,
    remove: async () => call(removeBlackIp, { params: { ip } }),
    restore: async () => call(addBlackIps, { body: { ips: [ip], reason } }),
    ...(onChange && { onChange }),
  });
}

/**
 * Deletes an entry without a prompt. The row disappears and the call is sent at once, so that the deletion holds even if
 * the tab is closed. Undo adds the entry again as it was.
 */
export async function removeEntry(removal: Removal): Promise<void> {
  const { entry } = removal;
  const key = { queryKey: listKey('black-ips') };
  await queryClient.cancelQueries(key);
  queryClient.setQueriesData<{ data: { entry: string }[] }>(key, (page) =>
    page === undefined ? page : { ...page, data: page.data.filter((other) => other.entry !== entry) },
  );
  try {
    await removal.remove();
    notifyDeletion({ message: `${entry} is off the black list`, undo: () => restoreEntry(removal) });
  } catch {
    // The error policy has shown the reason; somebody else may have removed it.
  } finally {
    await reload(removal);
  }
}

async function restoreEntry(removal: Removal): Promise<void> {
  try {
    await removal.restore();
    notify({ type: 'success', message: `${removal.entry} is on the black list again` });
  } catch {
    // The error policy has shown the reason.
  } finally {
    await reload(removal);
  }
}
