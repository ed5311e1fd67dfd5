import type { RowData } from '@tanstack/react-table';
import type { KeyboardEvent, MouseEvent } from 'react';
import { columnTitle } from './list-column.ts';
import classes from './resize-handle.module.css';
import type { ListTable } from './use-list-table.ts';

/** Pixels by which a press of an arrow key changes a width; with Shift it is a coarse step. */
const steps = { fine: 8, coarse: 40 } as const;

type Props<Item extends RowData> = {
  list: ListTable<Item>;
  id: string;
  /** The one handle of the table that the Tab key reaches; Up and Down lead to the others. */
  isTabStop: boolean;
  onFocus: () => void;
};

/**
 * Changes the width of a column: by dragging, by Left and Right, and to the width of its content by a double-click, Enter
 * or Home.
 */
export function ResizeHandle<Item extends RowData>({ list: { table, declared, widths }, id, isTabStop, onFocus }: Props<Item>) {
  const header = table.getLeafHeaders().find(({ column }) => column.id === id);
  const column = declared.find((one) => one.id === id);
  if (header === undefined || column === undefined || !header.column.getCanResize()) return null;
  const size = Math.round(header.column.getSize());
  const start = header.getResizeHandler();

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = event.shiftKey ? steps.coarse : steps.fine;
    switch (event.key) {
      case 'ArrowLeft':
      case 'ArrowRight':
        table.setColumnSizing((sizes) => ({ ...sizes, [id]: size + (event.key === 'ArrowLeft' ? -step : step) }));
        break;
      case 'Enter':
      case 'Home':
        widths.fit(id);
        break;
      case 'ArrowUp':
      case 'ArrowDown':
        neighbour(event.currentTarget, event.key === 'ArrowUp' ? -1 : 1)?.focus();
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const onMouseDown = (event: MouseEvent): void => {
    // Otherwise the drag would select the texts it passes.
    event.preventDefault();
    if (event.button === 0 && event.detail < 2) start(event);
  };
  return (
    <input
      type="range"
      className={classes['handle']}
      data-resizing={header.column.getIsResizing() || undefined}
      data-screen-only
      title="Drag to resize, double-click to fit"
      aria-label={`Width of ${columnTitle(column)}`}
      min={Math.min(size, widths.leastOf(id))}
      max={4_000}
      step={1}
      value={size}
      aria-valuetext={`${size} pixels`}
      tabIndex={isTabStop ? 0 : -1}
      onFocus={onFocus}
      onChange={({ currentTarget: { value } }) => {
        // A press on so narrow a slider would mean any width; assistive technology goes in small steps.
        if (Math.abs(Number(value) - size) <= steps.coarse) table.setColumnSizing((sizes) => ({ ...sizes, [id]: Number(value) }));
      }}
      onKeyDown={onKeyDown}
      onMouseDown={onMouseDown}
      onTouchStart={start}
      onDoubleClick={(event) => {
        event.stopPropagation();
        widths.fit(id);
      }}
    />
  );
}

/** The handle before or after one in the same row of headers. */
function neighbour(handle: HTMLElement, by: -1 | 1): HTMLElement | undefined {
  const all = [...(handle.closest('tr')?.querySelectorAll<HTMLElement>('th > input') ?? [])];
  return all[all.indexOf(handle) + by];
}
