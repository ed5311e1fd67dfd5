import type { ColumnSizingState } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import { z } from 'zod';
import { localSettings } from '../local-settings.ts';
import { fitColumns, leastWidth, needsCompactFigures, type SizedColumn, type Widths } from './column-widths.ts';
import type { ListColumn } from './list-column.ts';

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
  /** Whether the reader chose any width. */
  isChosen: boolean;
  measured: (measured: Measured) => void;
  /** Applies sizes set by the table library or the keyboard; columns before a changed one keep their width. */
  choose: (next: ColumnSizingState) => void;
  /** Gives a column the width of its content. */
  fit: (id: string) => void;
  leastOf: (id: string) => number;
};

const storedWidths = z.record(z.string(), z.number().int().min(20).max(4_000));

/** Content widths in each form of figures. They only grow while the list is open, so that columns do not jump. */
type Content = Readonly<Record<'full' | 'compact', Widths>>;

function grown(known: Widths, found: Widths): Widths {
  const wider = Object.entries(found).filter(([id, width]) => width > (known[id] ?? 0));
  return wider.length === 0 ? known : { ...known, ...Object.fromEntries(wider) };
}

/** Sizes the shown columns of a list; chosen widths are stored on this device under the list's name. */
export function useColumnWidths(name: string, shown: readonly ListColumn<never>[]): ColumnWidths {
  const setting = useMemo(() => localSettings.json(`column_widths_${name}`, storedWidths), [name]);
  const [chosen, setChosen] = useState<Widths>(() => setting.get() ?? {});
  const [room, setRoom] = useState(0);
  const [content, setContent] = useState<Content>({ full: {}, compact: {} });

  const isCompact = needsCompactFigures(sized(shown, content.full, chosen), room);
  const form = isCompact ? 'compact' : 'full';
  const columns = useMemo(
    () => sized(shown, form === 'full' ? content.full : { ...content.full, ...content.compact }, chosen),
    [shown, content, form, chosen],
  );
  const sizing = useMemo(() => fitColumns(columns, room), [columns, room]);

  const store = (next: Widths): void => {
    setChosen(next);
    if (Object.keys(next).length === 0) setting.remove();
    else setting.set(next);
  };
  const leastOf = (id: string): number => {
    const column = columns.find((one) => one.id === id);
    return column === undefined ? 0 : leastWidth(column);
  };
  const choose = (next: ColumnSizingState): void => {
    const changed = columns.findIndex(({ id }) => next[id] !== undefined && next[id] !== sizing[id]);
    const column = columns[changed];
    if (column === undefined) return;
    const before = columns.slice(0, changed).filter(({ minWidth }) => minWidth !== undefined);
    const held = before.map(({ id, width }): [string, number] => [id, chosen[id] ?? Math.round(sizing[id] ?? width)]);
    const width = Math.max(leastWidth(column), Math.min(Math.round(next[column.id] ?? 0), 4_000));
    store({ ...chosen, ...Object.fromEntries(held), [column.id]: width });
  };
  return {
    sizing,
    isCompact,
    isChosen: Object.keys(chosen).length > 0,
    measured: (found) => {
      setRoom(found.room);
      setContent((former) => {
        const known = found.isFresh === true ? { full: {}, compact: {} } : former;
        const next = grown(known[form], found.content);
        return next === known[form] ? known : { ...known, [form]: next };
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
