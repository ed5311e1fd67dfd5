import type { BlackListRow } from '@switchyard/contract/black-list';
import { IconTrash } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import { removeListed } from '../../shared/blocks/remove-ip.ts';
import { RowAction } from '../../shared/listing/row-action.tsx';

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

/** Deletes an entry; see `removeListed`. */
export function RemoveIpButton({ row }: { row: BlackListRow }) {
  const remove = (event: MouseEvent): void => {
    if (!isRepeated(event)) void removeListed(row);
  };
  return <RowAction icon={IconTrash} label={`Delete ${row.entry}`} color="danger" onClick={remove} />;
}
