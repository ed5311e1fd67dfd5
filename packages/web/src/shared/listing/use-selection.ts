import { useEffect, useState } from 'react';
import { createStore, useStore, type Store } from '../external-store.ts';
import type { ListState } from './use-list.ts';

/** Selected rows of a list: some, or all that match its filters except some. */
export type SelectedRows = {
  /** Boxes are shown. */
  isOn: boolean;
  /** All that match; then `keys` are the exceptions. */
  isAll: boolean;
  keys: ReadonlySet<string>;
};

const none: SelectedRows = { isOn: false, isAll: false, keys: new Set() };

/** Whether a row is selected. */
export function isSelected({ isAll, keys }: SelectedRows, key: string): boolean {
  return isAll !== keys.has(key);
}

/** The selection of a list and what changes it. */
export type Selection<Row> = {
  store: Store<SelectedRows>;
  /** Selects a row or takes it out; with `isRange` all rows from the last one on. */
  toggle: (row: Row, isRange: boolean) => void;
  selectAll: () => void;
  /** Shows the boxes, with nothing selected. */
  begin: () => void;
  /** Hides the boxes. */
  end: () => void;
  /** Tells the rows of the page, and for which filters they are: other filters end the selection. */
  show: (rows: readonly Row[], filters: string) => void;
};

/** Selects rows of a list by their ids. A change of the filters ends the selection; pages and sort do not. */
export function useSelection<Row>({ rows, rowId, fingerprint }: Pick<ListState<unknown, Row>, 'rows' | 'rowId' | 'fingerprint'>) {
  const [selection] = useState(() => createSelection(rowId));
  useEffect(() => selection.show(rows, fingerprint), [selection, rows, fingerprint]);
  return { selection, selected: useStore(selection.store) };
}

function createSelection<Row>(rowId: (row: Row) => string | number): Selection<Row> {
  const store = createStore(none);
  const shown: { keys: readonly string[]; filters: string | null } = { keys: [], filters: null };
  let last: string | null = null;
  return {
    store,
    toggle(row, isRange) {
      const key = String(rowId(row));
      const { isAll, keys } = store.get();
      const becomesSelected = !isSelected({ isOn: true, isAll, keys }, key);
      const next = new Set(keys);
      for (const changedKey of isRange && last !== null ? keysBetween(shown.keys, last, key) : [key]) {
        if (becomesSelected === isAll) next.delete(changedKey);
        else next.add(changedKey);
      }
      last = key;
      store.set({ isOn: true, isAll, keys: next });
    },
    selectAll: () => store.set({ isOn: true, isAll: true, keys: new Set() }),
    begin: () => store.set({ ...none, isOn: true }),
    end: () => store.set(none),
    show(rows, filters) {
      if (shown.filters !== null && shown.filters !== filters) store.set(none);
      shown.keys = rows.map((row) => String(rowId(row)));
      shown.filters = filters;
    },
  };
}

/** The keys from one to another in either direction, both included; the second alone if the first is not shown. */
function keysBetween(keys: readonly string[], from: string, to: string): readonly string[] {
  const [one, other] = [keys.indexOf(from), keys.indexOf(to)];
  return one === -1 ? [to] : keys.slice(Math.min(one, other), Math.max(one, other) + 1);
}
