import type { ListColumn } from './list-column.ts';

/** Widths in pixels by column id. */
export type Widths = Readonly<Record<string, number>>;

/** A shown column with its content width once measured, and the width that the reader chose. */
export type SizedColumn = Pick<ListColumn<never>, 'id' | 'width' | 'minWidth' | 'grows' | 'pin' | 'isFigure' | 'hasCompactForm'> & {
  content?: number | undefined;
  chosen?: number | undefined;
};

/** The most width that a text takes from other columns; it gets more only from spare width. */
const longestText = 420;

/** The least width that a reader can give to a column whose text may be cut. */
const narrowest = 56;

/** The narrowest a column may become: its content, unless its text may be cut. */
export function leastWidth({ width, minWidth, content }: SizedColumn): number {
  return minWidth === undefined ? (content ?? width) : Math.min(minWidth, narrowest);
}

function startWidth(column: SizedColumn): number {
  const { width, minWidth, content, chosen } = column;
  if (chosen !== undefined) return Math.max(chosen, leastWidth(column));
  if (content === undefined) return width;
  return minWidth === undefined ? content : Math.min(content, longestText);
}

/**
 * Widths of the shown columns in a table with so much room. Every column gets the width of its content. What is then left
 * goes to the columns that grow; what is missing is taken from the widest texts that may be cut, down to their least width.
 * Where that is not enough the table scrolls sideways, and as many columns as possible are in view before it does, the
 * last of them whole.
 */
export function fitColumns(columns: readonly SizedColumn[], room: number): Widths {
  const widths = new Map(columns.map((column) => [column.id, startWidth(column)]));
  const rest = room - sum(widths.values());
  if (rest < 0) {
    const inView = firstInView(columns, widths, room);
    cutTexts(inView, widths, sum(inView.map(({ id }) => widths.get(id) ?? 0)) - room);
  } else if (rest > 0) share(receivers(columns), widths, rest);
  return Object.fromEntries(widths);
}

/** Whether figures and cells have to be written in compact form, because texts would become narrower than their comfortable width. */
export function needsCompactForm(columns: readonly SizedColumn[], room: number): boolean {
  if (room === 0 || !columns.some(({ isFigure, hasCompactForm }) => isFigure === true || hasCompactForm === true)) return false;
  return sum(columns.map((column) => (isCuttable(column) ? Math.min(startWidth(column), column.width) : startWidth(column)))) > room;
}

function isCuttable({ minWidth, chosen }: SizedColumn): boolean {
  return minWidth !== undefined && chosen === undefined;
}

/** The columns that are in view before the table is scrolled, with all texts at their least width; those at the far end always are. */
function firstInView(columns: readonly SizedColumn[], widths: ReadonlyMap<string, number>, room: number): readonly SizedColumn[] {
  const least = (column: SizedColumn): number =>
    Math.min(widths.get(column.id) ?? 0, isCuttable(column) ? (column.minWidth ?? 0) : Infinity);
  const atEnd = columns.filter(({ pin }) => pin === 'end');
  let freeWidth = room - sum(atEnd.map(least));
  const others = columns.filter(({ pin }) => pin !== 'end');
  const fitting = others.findIndex((column) => {
    freeWidth -= least(column);
    return freeWidth < 0;
  });
  return [...others.slice(0, fitting === -1 ? others.length : fitting), ...atEnd];
}

/** Lowers the widest texts to a common width until enough is saved, or all of them are at their least. */
function cutTexts(columns: readonly SizedColumn[], widths: Map<string, number>, missing: number): void {
  const texts = columns.filter(isCuttable).map(({ id, minWidth = 0 }) => ({ id, least: minWidth, start: widths.get(id) ?? 0 }));
  const savedWidth = (level: number): number => sum(texts.map(({ least, start }) => start - Math.min(start, Math.max(least, level))));
  let [low, high] = [0, Math.max(0, ...texts.map(({ start }) => start))];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (savedWidth(middle) >= missing) low = middle;
    else high = middle;
  }
  for (const { id, least, start } of texts) widths.set(id, Math.min(start, Math.max(least, low)));
  const spare = savedWidth(low) - missing;
  // Always fewer pixels than texts at that width: one more would save too little.
  const cutColumns = texts.filter(({ id, start }) => (widths.get(id) ?? 0) === low && start > low);
  for (const { id, start } of cutColumns.slice(0, Math.max(0, spare))) widths.set(id, Math.min(start, low + 1));
}

/** The columns that get spare width: those that grow, else texts, else the last column that is not pinned. */
function receivers(columns: readonly SizedColumn[]): readonly SizedColumn[] {
  const free = columns.filter(({ chosen }) => chosen === undefined);
  const growing = free.filter(({ grows }) => grows === true);
  if (growing.length > 0) return growing;
  const texts = free.filter(isCuttable);
  return texts.length > 0 ? texts : columns.filter(({ pin }) => pin === undefined).slice(-1);
}

function share(columns: readonly SizedColumn[], widths: Map<string, number>, rest: number): void {
  const total = sum(columns.map(({ id }) => widths.get(id) ?? 0));
  let freeWidth = rest;
  for (const [at, { id }] of columns.entries()) {
    const width = widths.get(id) ?? 0;
    const part = at === columns.length - 1 ? freeWidth : Math.floor((rest * width) / total);
    widths.set(id, width + part);
    freeWidth -= part;
  }
}

function sum(values: Iterable<number>): number {
  return [...values].reduce((total, value) => total + value, 0);
}
