import type { ColumnSizingState } from '@tanstack/react-table';
import { useEffect, useMemo, useState } from 'react';
import type { ColumnChoice } from './column-choice.ts';
import { fitColumns, leastWidth, needsCompactForm, type SizedColumn, type Widths } from './column-widths.ts';
import type { ListColumn } from './list-column.ts';

/** Measured in the browser: the width of the table, and the content width of each shown column. */
export type MeasuredWidths = {
  room: number;
  content: Widths;
  /** Earlier measurements are invalid: they used another font. */
  isFresh?: boolean;
};

/** The column widths of a list and how they change. */
export type ColumnWidths = {
  sizing: ColumnSizingState;
  /** Whether figures, and cells that have one, are in compact form. */
  isCompact: boolean;
  /** Whether the reader chose any width. */
  isChosen: boolean;
  measure: (widths: MeasuredWidths) => void;
  /** The width of each column's widest content so far, where it was measured. */
  content: Widths;
  /** Whether every shown column was measured, with figures as they are written. */
  areMeasured: boolean;
  /** Applies sizes set by the table library or the keyboard; columns before a changed one keep their width. */
  choose: (next: ColumnSizingState) => void;
  /** Gives a column the width of its content. */
  fit: (id: string) => void;
  leastOf: (id: string) => number;
};

/** Content widths in each form of figures. They only grow while the list is open, so that columns do not jump. */
type Content = Readonly<Record<'full' | 'compact', Widths>>;

/** Measured widths by rows: a list that opens again with the same rows is neither measured nor rendered in both forms. */
const measuredRows = new WeakMap<readonly unknown[], { room: number; content: Content }>();

function grow(knownWidths: Widths, measuredWidths: Widths): Widths {
  const wider = Object.entries(measuredWidths).filter(([id, width]) => width > (knownWidths[id] ?? 0));
  return wider.length === 0 ? knownWidths : { ...knownWidths, ...Object.fromEntries(wider) };
}

/** Sizes the shown columns of a list; chosen widths are stored with the choice of columns. */
export function useColumnWidths(
  { widths: chosenWidths, store: storeChoice }: Pick<ColumnChoice, 'widths' | 'store'>,
  shownColumns: readonly ListColumn<never>[],
  rows: readonly unknown[],
): ColumnWidths {
  const [earlier] = useState(() => measuredRows.get(rows));
  const [room, setRoom] = useState(earlier?.room ?? 0);
  const [content, setContent] = useState<Content>(earlier?.content ?? { full: {}, compact: {} });
  useEffect(() => {
    // Lists without rows share an empty array.
    if (rows.length > 0) measuredRows.set(rows, { room, content });
  }, [rows, room, content]);

  const isCompact = needsCompactForm(sizeColumns(shownColumns, content.full, chosenWidths), room);
  const form = isCompact ? 'compact' : 'full';
  const sizes = useMemo(() => (form === 'full' ? content.full : { ...content.full, ...content.compact }), [content, form]);
  const columns = useMemo(() => sizeColumns(shownColumns, sizes, chosenWidths), [shownColumns, sizes, chosenWidths]);
  const sizing = useMemo(() => fitColumns(columns, room), [columns, room]);

  const store = (widths: Widths): void => storeChoice({ widths });
  const leastOf = (id: string): number => {
    const column = columns.find((one) => one.id === id);
    return column === undefined ? 0 : leastWidth(column);
  };
  const choose = (next: ColumnSizingState): void => {
    const changedIndex = columns.findIndex(({ id }) => next[id] !== undefined && next[id] !== sizing[id]);
    const column = columns[changedIndex];
    if (column === undefined) return;
    const before = columns.slice(0, changedIndex).filter(({ minWidth }) => minWidth !== undefined);
    const heldWidths = before.map(({ id, width }): [string, number] => [id, chosenWidths[id] ?? Math.round(sizing[id] ?? width)]);
    const width = Math.max(leastWidth(column), Math.min(Math.round(next[column.id] ?? 0), 4_000));
    store({ ...chosenWidths, ...Object.fromEntries(heldWidths), [column.id]: width });
  };
  return {
    sizing,
    isCompact,
    content: sizes,
    areMeasured: shownColumns.every(({ id }) => content[form][id] !== undefined),
    isChosen: Object.keys(chosenWidths).length > 0,
    measure: (measuredWidths) => {
      setRoom(measuredWidths.room);
      setContent((former) => {
        const knownWidths = measuredWidths.isFresh === true ? { full: {}, compact: {} } : former;
        const next = grow(knownWidths[form], measuredWidths.content);
        return next === knownWidths[form] ? knownWidths : { ...knownWidths, [form]: next };
      });
    },
    choose: (next) => (Object.keys(next).length === 0 ? store({}) : choose(next)),
    fit: (id) => {
      const width = columns.find((one) => one.id === id)?.content;
      if (width !== undefined) choose({ ...sizing, [id]: width });
    },
    leastOf,
  };
}

function sizeColumns(shownColumns: readonly ListColumn<never>[], content: Widths, chosenWidths: Widths): SizedColumn[] {
  return shownColumns.map(({ id, width, minWidth, grows, pin, isFigure, hasCompactForm }) => ({
    id,
    width,
    content: content[id],
    chosen: chosenWidths[id],
    ...(minWidth === undefined ? {} : { minWidth }),
    ...(grows === undefined ? {} : { grows }),
    ...(pin === undefined ? {} : { pin }),
    ...(isFigure === undefined ? {} : { isFigure }),
    ...(hasCompactForm === undefined ? {} : { hasCompactForm }),
  }));
}
