import { useEffect, useState } from 'react';
import { createStore, useStore, type Store } from '../external-store.ts';
import type { ListState } from './use-list.ts';

/** Selected rows of a list: some, or all that match its filters except some. */
export type SelectedRows = {
  /** Boxes are shown, where they are not always. */
  isOn: boolean;
  /** All that match; then `keys` are the exceptions. */
  isAll: boolean;
  keys: ReadonlySet<string>;
  /** The rows of the page, in their order. */
  shown: readonly string[];
};

const none = { isOn: false, isAll: false, keys: new Set<string>() } as const;

/** Whether a row is selected. */
export function isSelected({ isAll, keys }: Pick<SelectedRows, 'isAll' | 'keys'>, key: string): boolean {
  return isAll !== keys.has(key);
}

/** How many rows of the page are selected. */
export function countOnPage(selected: SelectedRows): number {
  return selected.shown.filter((key) => isSelected(selected, key)).length;
}

/** Number of selected rows. */
export function countSelected({ isAll, keys }: Pick<SelectedRows, 'isAll' | 'keys'>, total: number | null): number {
  return isAll ? Math.max(0, (total ?? 0) - keys.size) : keys.size;
}

/** The selection of a list and what changes it. */
export type Selection<Row> = {
  store: Store<SelectedRows>;
  /** Selects a row or takes it out; with `isRange` all rows from the last one on. */
  toggle: (row: Row, isRange: boolean) => void;
  /** Selects the rows of the page, or takes them out if all are selected. */
  togglePage: () => void;
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
  const store = createStore<SelectedRows>({ ...none, shown: [] });
  let shownFilters: string | null = null;
  let last: string | null = null;
  const set = (changes: Partial<SelectedRows>): void => store.set({ ...store.get(), ...changes });
  const select = (changedKeys: readonly string[], becomesSelected: boolean): void => {
    const { isAll, keys } = store.get();
    const next = new Set(keys);
    for (const key of changedKeys) {
      if (becomesSelected === isAll) next.delete(key);
      else next.add(key);
    }
    set({ isOn: true, keys: next });
  };
  return {
    store,
    toggle(row, isRange) {
      const key = String(rowId(row));
      const { shown } = store.get();
      select(isRange && last !== null ? keysBetween(shown, last, key) : [key], !isSelected(store.get(), key));
      last = key;
    },
    togglePage() {
      const selected = store.get();
      select(selected.shown, countOnPage(selected) < selected.shown.length);
    },
    selectAll: () => set({ isOn: true, isAll: true, keys: new Set() }),
    begin: () => set({ ...none, isOn: true }),
    end: () => set(none),
    show(rows, filters) {
      if (shownFilters !== null && shownFilters !== filters) set(none);
      shownFilters = filters;
      const shown = rows.map((row) => String(rowId(row)));
      // Cards give new rows at each render, which the same ones must not cause.
      if (shown.join() !== store.get().shown.join()) set({ shown });
    },
  };
}

/** The keys from one to another in either direction, both included; the second alone if the first is not shown. */
function keysBetween(keys: readonly string[], from: string, to: string): readonly string[] {
  const [one, other] = [keys.indexOf(from), keys.indexOf(to)];
  return one === -1 ? [to] : keys.slice(Math.min(one, other), Math.max(one, other) + 1);
}
