import { addBlackIps, removeBlackIp, type BlackIpRow } from '@switchyard/contract/black-ips';
import { call } from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';
import { listKey } from '../listing/list-key.ts';
import { notify, notifyDeletion } from '../ui/notifications/notification-center.ts';

type Removal = Pick<BlackIpRow, 'ip' | 'reason'> & {
  /** Called after the black list has changed. */
  onChange?: () => void;
};

async function reload({ onChange }: Removal): Promise<void> {
  onChange?.();
  await queryClient.invalidateQueries({ queryKey: listKey('black-ips') });
}

/**
 * Deletes an address without a prompt. The row disappears and the call is sent at once, so that the deletion holds even if
 * the tab is closed. Undo adds the address again with its reason.
 */
export async function removeIp(row: Removal): Promise<void> {
  const { ip } = row;
  const key = { queryKey: listKey('black-ips') };
  await queryClient.cancelQueries(key);
  queryClient.setQueriesData<{ data: BlackIpRow[] }>(key, (page) =>
    page === undefined ? page : { ...page, data: page.data.filter((other) => other.ip !== ip) },
  );
  try {
    await call(removeBlackIp, { params: { ip } });
    notifyDeletion({ message: `${ip} is off the black list`, undo: () => restoreIp(row) });
  } catch {
    // The error policy has shown the reason; somebody else may have removed it.
  } finally {
    await reload(row);
  }
}

async function restoreIp(row: Removal): Promise<void> {
  const { ip, reason } = row;
  try {
    await call(addBlackIps, { body: { ips: [ip], reason } });
    notify({ type: 'success', message: `${ip} is on the black list again` });
  } catch {
    // The error policy has shown the reason.
  } finally {
    await reload(row);
  }
}
