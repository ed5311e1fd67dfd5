import { Checkbox } from '@mantine/core';
import { useStore } from '../external-store.ts';
import { useGridTabIndex } from '../ui/grid-tab-index.ts';
import { selectionColumnId, type ListColumn } from './list-column.ts';
import { countOnPage, isSelected, type Selection } from './use-selection.ts';

type Rows<Row> = { selection: Selection<Row>; rowId: (row: Row) => string | number; nameOf: (row: Row) => string; noun: string };

/** The column of boxes that select rows. */
export function selectionColumn<Row>(rows: Rows<Row>): ListColumn<Row> {
  return {
    id: selectionColumnId,
    cellName: '',
    title: 'Selection',
    head: <PageBox selection={rows.selection} noun={rows.noun} />,
    width: 40,
    align: 'center',
    pin: 'start',
    isMain: true,
    isFixed: true,
    cell: (row) => <SelectionBox {...rows} row={row} />,
  };
}

/** Selects all rows of the page. */
function PageBox({ selection, noun }: { selection: Selection<never>; noun: string }) {
  const selected = useStore(selection.store);
  const count = countOnPage(selected);
  return (
    <Checkbox
      size="xs"
      aria-label={`Select all ${noun} on this page`}
      disabled={selected.shown.length === 0}
      checked={count > 0 && count === selected.shown.length}
      indeterminate={count > 0 && count < selected.shown.length}
      onChange={selection.togglePage}
    />
  );
}

function SelectionBox<Row>({ selection, rowId, nameOf, row }: Omit<Rows<Row>, 'noun'> & { row: Row }) {
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
