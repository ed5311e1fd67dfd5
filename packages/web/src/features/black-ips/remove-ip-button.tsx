import { ActionIcon } from '@mantine/core';
import { addBlackIps, removeBlackIp, type BlackIpRow } from '@switchyard/contract/black-ips';
import { IconTrash } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import { call } from '../../shared/api/call.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import { useGridTabIndex } from '../../shared/ui/grid-tab-index.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';

/** Milliseconds in which a second click at the same place counts as part of a double-click. */
const repeatWithin = 1_500;

/** Where and when the last address was deleted by a pointer. */
let last: { x: number; y: number; at: number } | null = null;

/** The next row moves under the pointer, so the second click of a double-click would delete it too. */
function isRepeated({ clientX: x, clientY: y, timeStamp: at, detail }: MouseEvent): boolean {
  // A key press has no pointer, and the focus moves visibly.
  if (detail === 0) return false;
  const repeated = last !== null && at - last.at < repeatWithin && Math.hypot(x - last.x, y - last.y) < 12;
  if (!repeated) last = { x, y, at };
  return repeated;
}

/** Deletes an address; see `removeIp`. */
export function RemoveIpButton({ row }: { row: BlackIpRow }) {
  const tabIndex = useGridTabIndex();
  const label = `Delete ${row.ip}`;
  return (
    <ActionIcon
      variant="subtle"
      color="danger"
      size="md"
      aria-label={label}
      title={label}
      {...(tabIndex === undefined ? {} : { tabIndex })}
      onClick={(event) => {
        if (!isRepeated(event)) void removeIp(row);
      }}
    >
      <IconTrash size={16} stroke={1.7} aria-hidden />
    </ActionIcon>
  );
}

/** How long the deletion of an address can be undone, in milliseconds. */
const undoFor = 10_000;

const reloadList = (): Promise<void> => queryClient.invalidateQueries({ queryKey: listKey('black-ips') });

/**
 * Deletes an address without a prompt. The row disappears and the call is sent at once, so that the deletion holds even if
 * the tab is closed. Undo adds the address again with its reason.
 */
async function removeIp(row: BlackIpRow): Promise<void> {
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
    // The error policy has shown the reason; somebody else may have removed it.
  } finally {
    await reloadList();
  }
}

async function restoreIp({ ip, reason }: BlackIpRow): Promise<void> {
  try {
    await call(addBlackIps, { body: { ips: [ip], reason } });
    notify({ type: 'success', message: `${ip} is on the black list again` });
  } catch {
    // The error policy has shown the reason.
  } finally {
    await reloadList();
  }
}
