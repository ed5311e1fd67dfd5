import type { ReactNode } from 'react';

type SortPart =
  | { /** Sort key of the column. */ cellNameOrderAble: string; isOrderAble?: boolean }
  | { cellNameOrderAble?: never; isOrderAble?: false };

/** A column of a list. The names of the first four are the specification's. */
export type ListColumn<Row> = SortPart & {
  /** Text of the header; may be empty for a column of buttons. */
  cellName: string;
  /** Explains the header on hover and focus. */
  tooltip?: string;
  /** Unique in the list; stored on the device when the column is hidden. */
  id: string;
  /** Name of the column in its menu and on cards, when the header is too short. */
  title?: string;
  /** Width in pixels until the content is measured, and the comfortable width of a text that may be cut. */
  width: number;
  /** The text may be cut down to this width when the table is short of room; other columns are as wide as their content. */
  minWidth?: number;
  /** Takes a share of the spare width. */
  grows?: boolean;
  /** Numbers, written in compact form (1.52M) when the table is short of room. */
  isFigure?: boolean;
  align?: 'end' | 'center';
  /** Stays in view while the table scrolls sideways. */
  pin?: 'start' | 'end';
  /** One of the three or four columns that a collapsed card shows. */
  isMain?: boolean;
  /** Whether a card shows the column's name, as it does for numbers. */
  isNamedOnCards?: boolean;
  /** May not be hidden. */
  isFixed?: boolean;
  /** Is hidden until the reader chooses it. */
  isOptional?: boolean;
  /** Comes last while the table is too narrow for all columns, so that more important ones stay in view. */
  givesWay?: boolean;
  /** Its place among the columns that come first while a side panel takes the room of others, from 1. */
  placeBesidePanel?: number;
  cell: (row: Row) => ReactNode;
};

/** Properties of columns of buttons, which stay in view. */
export const actionColumn = { align: 'center', pin: 'end', isMain: true, isFixed: true } as const;

/** Whether a click on the header sorts. */
export function sortKeyOf(column: Pick<ListColumn<never>, 'cellNameOrderAble' | 'isOrderAble'>): string | null {
  return column.cellNameOrderAble !== undefined && column.isOrderAble !== false ? column.cellNameOrderAble : null;
}

/** The order of columns: as declared, with the important ones first, or with those first that stay in view beside a side panel. */
export type ColumnOrder = 'declared' | 'important-first' | 'beside-panel';

/** The columns in an order. */
export function inOrder<Row>(columns: readonly ListColumn<Row>[], order: ColumnOrder): readonly ListColumn<Row>[] {
  if (order === 'declared') return columns;
  return order === 'beside-panel' ? besidePanel(columns) : importantFirst(columns);
}

function besidePanel<Row>(columns: readonly ListColumn<Row>[]): readonly ListColumn<Row>[] {
  if (columns.every(({ placeBesidePanel }) => placeBesidePanel === undefined)) return columns;
  const place = ({ placeBesidePanel = Infinity }: ListColumn<Row>): number => placeBesidePanel;
  // A pinned column would take the room of those that stay.
  return columns.toSorted((a, b) => Math.sign(place(a) - place(b)) || 0).map(({ pin: _pin, ...column }) => column);
}

function importantFirst<Row>(columns: readonly ListColumn<Row>[]): readonly ListColumn<Row>[] {
  const place = ({ pin, givesWay }: ListColumn<Row>): number => (pin === 'end' ? 2 : givesWay === true ? 1 : 0);
  return columns.toSorted((a, b) => place(a) - place(b));
}

/** The name of a column for menus and cards. */
export function columnTitle(column: Pick<ListColumn<never>, 'title' | 'cellName'>): string {
  return column.title ?? column.cellName;
}
