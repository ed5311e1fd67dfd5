import { addBlackIps, removeBlackIp, type BlackIpRow } from '@switchyard/contract/black-ips';
import { call } from '../../shared/api/call.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';

/** How long the deletion of an address can be undone, in milliseconds. */
const undoFor = 10_000;

const readAgain = (): Promise<void> => queryClient.invalidateQueries({ queryKey: listKey('black-ips') });

/**
 * Takes an address off the list, without a prompt (BIP-008, AMB-206). The row goes at once and the call is sent at once, so
 * that the deletion holds even if the tab is closed; undoing it adds the address again with its reason.
 */
export async function removeIp(row: BlackIpRow): Promise<void> {
  const { ip } = row;
  const key = { queryKey: listKey('black-ips') };
  await queryClient.cancelQueries(key);
  queryClient.setQueriesData<{ data: BlackIpRow[] }>(key, (page) =>
    page === undefined ? page : { ...page, data: page.data.filter((other) => other.ip !== ip) },
  );
  try {
    await call(removeBlackIp, { params: { ip } });
    notify({
      type: 'success',
      message: `${ip} is off the black list`,
      timeout: undoFor,
      button: { label: 'Undo', press: () => void restoreIp(row) },
    });
  } catch {
    // The error policy has said why; somebody else may have removed it.
  } finally {
    await readAgain();
  }
}

async function restoreIp({ ip, reason }: BlackIpRow): Promise<void> {
  try {
    await call(addBlackIps, { body: { ips: [ip], reason } });
    notify({ type: 'success', message: `${ip} is on the black list again` });
  } catch {
    // The error policy has said why.
  } finally {
    await readAgain();
  }
}
