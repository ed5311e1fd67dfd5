import type { ColumnSizingState } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import type { ColumnChoice } from './column-choice.ts';
import { fitColumns, leastRoom, leastWidth, needsCompactFigures, type SizedColumn, type Widths } from './column-widths.ts';
import { type ColumnOrder, inOrder, type ListColumn } from './list-column.ts';

/** Measured in the browser: the width of the table, and the content width of each shown column. */
export type Measured = {
  room: number;
  content: Widths;
  /** Earlier measurements are invalid: they used another font. */
  isFresh?: boolean;
};

/** The column widths of a list and how they change. */
export type ColumnWidths = {
  sizing: ColumnSizingState;
  /** Whether figures are written in compact form. */
  isCompact: boolean;
  order: ColumnOrder;
  /** Whether the reader chose any width. */
  isChosen: boolean;
  measured: (measured: Measured) => void;
  /** Applies sizes set by the table library or the keyboard; columns before a changed one keep their width. */
  choose: (next: ColumnSizingState) => void;
  /** Gives a column the width of its content. */
  fit: (id: string) => void;
  leastOf: (id: string) => number;
};

/** Content widths in each form of figures. They only grow while the list is open, so that columns do not jump. */
type Content = Readonly<Record<'full' | 'compact', Widths>>;

function grown(known: Widths, found: Widths): Widths {
  const wider = Object.entries(found).filter(([id, width]) => width > (known[id] ?? 0));
  return wider.length === 0 ? known : { ...known, ...Object.fromEntries(wider) };
}

/** A side panel: none, one that takes room from the table, or one that covers a part of it. */
export type PanelPlace = 'none' | 'beside' | 'over';

/** Sizes the shown columns of a list; chosen widths are stored with the choice of columns. */
export function useColumnWidths(
  { widths: chosen, store: storeChoice }: Pick<ColumnChoice, 'widths' | 'store'>,
  shown: readonly ListColumn<never>[],
  panel: PanelPlace,
): ColumnWidths {
  const [room, setRoom] = useState(0);
  const [content, setContent] = useState<Content>({ full: {}, compact: {} });

  const isCompact = needsCompactFigures(sized(shown, content.full, chosen), room);
  const form = isCompact ? 'compact' : 'full';
  const sizes = useMemo(() => (form === 'full' ? content.full : { ...content.full, ...content.compact }), [content, form]);
  const isShort = room > 0 && leastRoom(sized(shown, sizes, chosen)) > room;
  const order = panel === 'over' || (panel === 'beside' && isShort) ? 'beside-panel' : isShort ? 'important-first' : 'declared';
  const columns = useMemo(() => sized(inOrder(shown, order), sizes, chosen), [shown, sizes, chosen, order]);
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
    const heldWidths = before.map(({ id, width }): [string, number] => [id, chosen[id] ?? Math.round(sizing[id] ?? width)]);
    const width = Math.max(leastWidth(column), Math.min(Math.round(next[column.id] ?? 0), 4_000));
    store({ ...chosen, ...Object.fromEntries(heldWidths), [column.id]: width });
  };
  return {
    sizing,
    isCompact,
    order,
    isChosen: Object.keys(chosen).length > 0,
    measured: (found) => {
      setRoom(found.room);
      setContent((former) => {
        const knownWidths = found.isFresh === true ? { full: {}, compact: {} } : former;
        const next = grown(knownWidths[form], found.content);
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

function sized(shown: readonly ListColumn<never>[], content: Widths, chosen: Widths): SizedColumn[] {
  return shown.map(({ id, width, minWidth, grows, pin, isFigure }) => ({
    id,
    width,
    content: content[id],
    chosen: chosen[id],
    ...(minWidth === undefined ? {} : { minWidth }),
    ...(grows === undefined ? {} : { grows }),
    ...(pin === undefined ? {} : { pin }),
    ...(isFigure === undefined ? {} : { isFigure }),
  }));
}
