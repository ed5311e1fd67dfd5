import { ActionIcon, Button, Checkbox, Popover, Stack } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import type { RowData } from '@tanstack/react-table';
import { columnTitle } from './list-column.ts';
import type { ListTable } from './use-list-table.ts';

/** Chooses which columns this device shows. */
export function ColumnMenu<Item extends RowData>({ list: { table, declared, widths } }: { list: ListTable<Item> }) {
  const hideable = declared.filter((column) => column.isFixed !== true);
  const hidden = hideable.filter((column) => table.getColumn(column.id)?.getIsVisible() === false).length;
  const label = hidden === 0 ? 'Columns' : `Columns (${hidden} hidden)`;
  return (
    <Popover position="bottom-end" withinPortal={false} shadow="md" trapFocus returnFocus transitionProps={{ duration: 120 }}>
      <Popover.Target>
        <ActionIcon variant={hidden === 0 ? 'default' : 'light'} size={32} aria-label={label} title={label}>
          <IconColumns3 size={16} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        <Stack gap={8}>
          {hideable.map((column) => (
            <Checkbox
              key={column.id}
              size="xs"
              label={columnTitle(column)}
              checked={table.getColumn(column.id)?.getIsVisible() ?? true}
              onChange={(event) => table.getColumn(column.id)?.toggleVisibility(event.currentTarget.checked)}
            />
          ))}
          <Button variant="subtle" size="xs" disabled={hidden === 0} onClick={() => table.setColumnVisibility({})}>
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
