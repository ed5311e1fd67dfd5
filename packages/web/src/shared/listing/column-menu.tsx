import { ActionIcon, Button, Checkbox, Popover, Stack } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import type { RowData } from '@tanstack/react-table';
import classes from './column-menu.module.css';
import { columnTitle, type ListColumn } from './list-column.ts';
import type { ListTable } from './use-list-table.ts';

type SliderProps<Item extends RowData> = { list: ListTable<Item>; column: ListColumn<Item> };

/** Chooses the columns that this device shows, and their widths. */
export function ColumnMenu<Item extends RowData>({ list }: { list: ListTable<Item> }) {
  const { table, declaredColumns, widths } = list;
  const hideable = declaredColumns.filter((column) => column.isFixed !== true);
  const hiddenColumns = hideable.filter((column) => table.getColumn(column.id)?.getIsVisible() === false);
  // Those that nobody chose are not missed.
  const missingCount = hiddenColumns.filter((column) => column.isOptional !== true).length;
  const label = missingCount === 0 ? 'Columns' : `Columns (${missingCount} hidden)`;
  return (
    <Popover position="bottom-end" withinPortal={false} shadow="md" trapFocus returnFocus transitionProps={{ duration: 120 }}>
      <Popover.Target>
        <ActionIcon variant={missingCount === 0 ? 'default' : 'light'} size={32} aria-label={label} title={label}>
          <IconColumns3 size={16} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        <Stack gap={8}>
          {declaredColumns.map((column) => (
            <div key={column.id} className={classes['column']}>
              {column.isFixed === true ? (
                <span className={classes['fixed']}>{columnTitle(column)}</span>
              ) : (
                <Checkbox
                  size="xs"
                  label={columnTitle(column)}
                  checked={table.getColumn(column.id)?.getIsVisible() ?? true}
                  onChange={(event) => table.getColumn(column.id)?.toggleVisibility(event.currentTarget.checked)}
                />
              )}
              <WidthSlider list={list} column={column} />
            </div>
          ))}
          <Button
            variant="subtle"
            size="xs"
            disabled={hiddenColumns.length === 0}
            onClick={() => table.setColumnVisibility(Object.fromEntries(declaredColumns.map(({ id }) => [id, true])))}
          >
            Show all columns
          </Button>
          <Button variant="subtle" size="xs" disabled={!widths.isChosen} onClick={() => table.setColumnSizing({})}>
            Reset widths
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Sets the width of a shown column in pixels, also with the keyboard. */
function WidthSlider<Item extends RowData>({ list: { table, widths }, column: { id, ...column } }: SliderProps<Item>) {
  const resizable = table.getColumn(id);
  if (resizable === undefined || !resizable.getIsVisible() || !resizable.getCanResize()) return null;
  const size = Math.round(resizable.getSize());
  const title = `Width of ${columnTitle(column)}`;
  return (
    <input
      type="range"
      className={classes['slider']}
      aria-label={title}
      title={title}
      min={Math.min(size, widths.leastOf(id))}
      max={Math.max(size, 800)}
      step={1}
      value={size}
      onChange={({ currentTarget: { value } }) => table.setColumnSizing((sizes) => ({ ...sizes, [id]: Number(value) }))}
      onKeyDown={(event) => {
        const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
        if (step === 0) return;
        event.preventDefault();
        table.setColumnSizing((sizes) => ({ ...sizes, [id]: size + step * (event.shiftKey ? 40 : 8) }));
      }}
    />
  );
}
