import { ActionIcon } from '@mantine/core';
import type { BlackIpRow } from '@switchyard/contract/black-ips';
import { IconTrash } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import { useGridTabIndex } from '../../shared/ui/grid-tab-index.ts';
import { removeIp } from './remove-ip.ts';

/** Within this time a second click at the same place is meant for the row that stood there, in milliseconds. */
const repeatWithin = 1_500;

/** Where and when the last address was deleted by a pointer. */
let last: { x: number; y: number; at: number } | null = null;

/** The next row moves under the pointer, and the second click of a double-click would delete it. */
function isRepeated({ clientX: x, clientY: y, timeStamp: at, detail }: MouseEvent): boolean {
  // The keyboard presses a button without a pointer, and its focus moves on visibly.
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
