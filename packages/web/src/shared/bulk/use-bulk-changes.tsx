import { ActionIcon } from '@mantine/core';
import type { BulkTarget } from '@switchyard/contract/bulk';
import { choosesAll } from '@switchyard/contract/listing';
import { IconCheckbox } from '@tabler/icons-react';
import { useMemo, useState, type ReactNode } from 'react';
import { bulkRuleOf } from '@switchyard/contract/bulk';
import type { ListColumn } from '../listing/list-column.ts';
import { selectionColumn } from '../listing/selection-column.tsx';
import type { ListState } from '../listing/use-list.ts';
import { readId, useParameter } from '../navigation.tsx';
import { useSelection, type SelectedRows } from '../listing/use-selection.ts';
import { BulkDialog, type BulkBegin } from './bulk-dialog.tsx';
import { actionOf, BulkMenu, useAllowedItems, type BulkItem } from './bulk-menu.tsx';
import { SelectionBar } from './selection-bar.tsx';

/** Bulk changes of a list, as its page declares them. */
type BulkDeclaration<Row> = {
  list: Pick<ListState<unknown, Row>, 'rows' | 'rowId' | 'fingerprint' | 'pagination'>;
  /** The query string that chooses all rows that match; null where they cannot be chosen together. */
  filter: string | null;
  /** Plural noun of the rows. */
  noun: string;
  /** Name of a row. Must stay the same function. */
  nameOf: (row: Row) => string;
  items: readonly BulkItem[];
  /** In a card, which shows its boxes on demand: what the reader does to select. */
  hint?: string;
  /** Called when a run is over, for what is not a list. */
  onOver?: () => void;
};

/** The parts of a list that change many of its rows at once. Without a permission for any of the actions there are none. */
type BulkParts<Row> = {
  /** The column of boxes; in a card while rows are selected. Keeps its identity. */
  columns: readonly ListColumn<Row>[];
  /** The button that shows the boxes of a card. */
  button: ReactNode;
  onSelect: ((row: Row, isRange: boolean) => void) | undefined;
  /** Actions on the selected rows, while there are any, and the dialog of a change. */
  bar: ReactNode;
};

/**
 * The selected rows: some, or all that match a filter except some. A filter that chooses nothing by itself says that all are meant; null:
 * rows cannot be chosen together.
 */
export function targetOf({ isAll, keys }: SelectedRows, filter: string | null): BulkTarget {
  if (!isAll || filter === null) return { keys: [...keys] };
  return { filter, except: [...keys], ...(choosesAll(filter) && { all: true }) };
}

/** Selects rows of a list and changes them at once. */
export function useBulkChanges<Row>(declaration: BulkDeclaration<Row>): BulkParts<Row> {
  const { list, filter, noun, nameOf, items, hint, onOver } = declaration;
  const { selection, selected } = useSelection(list);
  const [chosenBegin, setBegin] = useState<BulkBegin | null>(null);
  // Links lead to a run by the address.
  const [runParameter, setRunParameter] = useParameter('run');
  const linkedRun = readId(runParameter);
  const begin = chosenBegin ?? (linkedRun === null ? null : { title: 'Bulk change', runId: linkedRun });
  const allowedItems = useAllowedItems(items);
  const { rowId, pagination } = list;
  const [firstItem] = allowedItems;
  const isOn = firstItem !== undefined && (hint === undefined || selected.isOn);
  const columns = useMemo(
    () => (isOn ? [selectionColumn({ selection, rowId, nameOf, noun })] : []),
    [isOn, selection, rowId, nameOf, noun],
  );
  if (firstItem === undefined) return { columns, button: null, onSelect: undefined, bar: null };
  return {
    columns,
    button: hint !== undefined && (
      <ActionIcon
        variant={isOn ? 'light' : 'default'}
        size="sm"
        aria-label={`Select ${noun}`}
        aria-pressed={isOn}
        title={`Select ${noun}`}
        onClick={isOn ? selection.end : selection.begin}
      >
        <IconCheckbox size={14} aria-hidden />
      </ActionIcon>
    ),
    onSelect: selection.toggle,
    bar: (
      <>
        {isOn && (
          <SelectionBar
            runs={{ entity: bulkRuleOf(actionOf(firstItem)).entity, onOpen: setBegin }}
            selection={selection}
            selected={selected}
            total={filter === null ? null : (pagination?.total ?? null)}
            hint={hint}
            noun={noun}
          >
            <BulkMenu
              items={allowedItems}
              keys={selected.keys}
              onChoose={({ label }, change) => setBegin({ title: label, change, target: targetOf(selected, filter) })}
            />
          </SelectionBar>
        )}
        {begin !== null && (
          <BulkDialog
            begin={begin}
            onClose={() => {
              setBegin(null);
              if (linkedRun !== null) setRunParameter(null);
            }}
            onDone={selection.end}
            onOver={onOver}
          />
        )}
      </>
    ),
  };
}
