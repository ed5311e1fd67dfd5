import { Checkbox } from '@mantine/core';
import { useStore } from '../external-store.ts';
import { useGridTabIndex } from '../ui/grid-tab-index.ts';
import type { ListColumn } from './list-column.ts';
import { isSelected, type Selection } from './use-selection.ts';

type Rows<Row> = { selection: Selection<Row>; rowId: (row: Row) => string | number; nameOf: (row: Row) => string };

/** The column of boxes that select rows. */
export function selectionColumn<Row>(rows: Rows<Row>): ListColumn<Row> {
  return {
    id: 'selection',
    cellName: '',
    title: 'Selection',
    width: 40,
    align: 'center',
    pin: 'start',
    isMain: true,
    isFixed: true,
    cell: (row) => <SelectionBox {...rows} row={row} />,
  };
}

function SelectionBox<Row>({ selection, rowId, nameOf, row }: Rows<Row> & { row: Row }) {
  const isChecked = isSelected(useStore(selection.store), String(rowId(row)));
  const tabIndex = useGridTabIndex();
  return (
    // A double-click on the row would open it.
    <span onDoubleClick={(event) => event.stopPropagation()} style={{ display: 'inline-flex', verticalAlign: 'middle' }}>
      <Checkbox
        size="xs"
        aria-label={`Select ${nameOf(row)}`}
        checked={isChecked}
        onChange={({ nativeEvent }) => selection.toggle(row, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
        {...(tabIndex === undefined ? {} : { tabIndex })}
      />
    </span>
  );
}
