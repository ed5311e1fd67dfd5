import type { SavedView, ViewColumns } from '@switchyard/contract/saved-views';
import type { ColumnVisibilityState } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import { z } from 'zod';
import { localSettings } from '../local-settings.ts';
import type { Widths } from './column-widths.ts';
import type { ListColumn } from './list-column.ts';

/** Which columns the reader chose, by id. */
type ShownColumns = {
  readonly hidden: readonly string[];
  /** Names of those that are hidden until they are chosen. */
  readonly shown: readonly string[];
};

type ChosenColumns = ShownColumns & { readonly widths: Widths };

/** The chosen columns of a list and their widths: those of the open view, else those stored on this device. */
export type ColumnChoice = ChosenColumns & {
  readonly store: (change: Partial<ChosenColumns>) => void;
  /** Drops what this device has stored for the list without a view. */
  readonly reset: () => void;
  /** Drops what was chosen since the view was saved. */
  readonly revert: () => void;
};

type Column = Pick<ListColumn<never>, 'id' | 'isFixed' | 'isOptional'>;

const names = z.array(z.string());
const storedWidths = z.record(z.string(), z.number().int().min(20).max(4_000));
const editedColumns = z.object({ view: z.number(), hidden: names, shown: names, widths: storedWidths });

/** A view and its columns; it must keep its identity. */
export type ViewWithColumns = Pick<SavedView, 'id'> & { readonly columns: ViewColumns };

function settingsOf(name: string) {
  const hiddenIds = localSettings.json(`hidden_columns_${name}`, names);
  const shownIds = localSettings.json(`shown_columns_${name}`, names);
  const widths = localSettings.json(`column_widths_${name}`, storedWidths);
  return {
    read: (): ChosenColumns => ({ hidden: hiddenIds.get() ?? [], shown: shownIds.get() ?? [], widths: widths.get() ?? {} }),
    write: (change: Partial<ChosenColumns>): void => {
      if (change.hidden !== undefined) hiddenIds.set([...change.hidden]);
      if (change.shown !== undefined) shownIds.set([...change.shown]);
      if (change.widths === undefined) return;
      if (Object.keys(change.widths).length === 0) widths.remove();
      else widths.set(change.widths);
    },
    /** Columns of the last opened view that differ from what is saved, so that they outlast a page load. */
    edited: localSettings.json(`view_columns_${name}`, editedColumns),
  };
}

/**
 * The choice of columns under a list's name. While a view is open it begins with the view's and leaves that of the device
 * alone. It keeps its identity until it changes.
 */
export function useColumnChoice(name: string, view: ViewWithColumns | undefined): ColumnChoice {
  const settings = useMemo(() => settingsOf(name), [name]);
  const [device, setDevice] = useState(() => settings.read());
  const [editedChoice, setEdited] = useState(() => settings.edited.get());
  return useMemo(() => {
    const choice: ChosenColumns = view === undefined ? device : editedChoice?.view === view.id ? editedChoice : view.columns;
    const { hidden, shown, widths } = choice;
    return {
      hidden,
      shown,
      widths,
      store: (change) => {
        const next = { hidden, shown, widths, ...change };
        if (view === undefined) {
          setDevice(next);
          settings.write(change);
        } else {
          const storedChoice = { view: view.id, hidden: [...next.hidden], shown: [...next.shown], widths: next.widths };
          setEdited(storedChoice);
          settings.edited.set(storedChoice);
        }
      },
      reset: () => {
        const standard = { hidden: [], shown: [], widths: {} };
        setDevice(standard);
        settings.write(standard);
      },
      revert: () => {
        setEdited(null);
        settings.edited.remove();
      },
    };
  }, [device, editedChoice, view, settings]);
}

/** Which columns are visible. A fixed column always is, whatever a view says. */
export function visibilityOf(columns: readonly Column[], { hidden, shown }: ShownColumns): ColumnVisibilityState {
  const isVisible = ({ id, isFixed, isOptional }: Column): boolean =>
    isOptional === true ? shown.includes(id) : isFixed === true || !hidden.includes(id);
  return Object.fromEntries(columns.map((column) => [column.id, isVisible(column)]));
}

/** The choice that makes these columns visible. What was chosen about columns that the list does not have now stays. */
export function choiceIn(columns: readonly Column[], visibility: ColumnVisibilityState, former: ShownColumns): ShownColumns {
  const ids = (isOptional: boolean, isVisible: boolean): string[] =>
    columns.filter((column) => (column.isOptional ?? false) === isOptional && visibility[column.id] === isVisible).map(({ id }) => id);
  const absent = (id: string): boolean => !columns.some((column) => column.id === id);
  return {
    hidden: [...former.hidden.filter(absent), ...ids(false, false)],
    shown: [...former.shown.filter(absent), ...ids(true, true)],
  };
}
