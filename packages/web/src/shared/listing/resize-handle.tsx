import type { RowData } from '@tanstack/react-table';
import type { MouseEvent } from 'react';
import classes from './resize-handle.module.css';
import type { ListTable } from './use-list-table.ts';

type Props<Item extends RowData> = { list: ListTable<Item>; id: string };

/**
 * Changes the width of a column by dragging, and to the width of its content by a double-click. It is for the pointer alone: in
 * a header its name would become part of the header's, so the keyboard has the sliders of the column menu.
 */
export function ResizeHandle<Item extends RowData>({ list: { table, widths }, id }: Props<Item>) {
  const header = table.getLeafHeaders().find(({ column }) => column.id === id);
  if (header === undefined || !header.column.getCanResize()) return null;
  const start = header.getResizeHandler();
  const onMouseDown = (event: MouseEvent): void => {
    // Otherwise the drag would select the texts it passes.
    event.preventDefault();
    if (event.button === 0 && event.detail < 2) start(event);
  };
  return (
    <span
      aria-hidden
      className={classes['handle']}
      data-handle={id}
      data-resizing={header.column.getIsResizing() || undefined}
      data-screen-only
      title="Drag to resize, double-click to fit"
      onMouseDown={onMouseDown}
      onTouchStart={start}
      onDoubleClick={(event) => {
        event.stopPropagation();
        widths.fit(id);
      }}
    />
  );
}
