import type { ReactNode } from 'react';

type SortPart =
  | { /** Sort key of the column. */ cellNameOrderAble: string; isOrderAble?: boolean }
  | { cellNameOrderAble?: never; isOrderAble?: false };

/** A column of a list. The names of the first four are the specification's. */
export type ListColumn<Row> = SortPart & {
  /** Text of the header; may be empty for a column of buttons. */
  cellName: string;
  /** A control in the header, in place of its text. */
  head?: ReactNode;
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
  /** Its cells have a narrower form, which style sheets show below `data-compact`, when the table is short of room. */
  hasCompactForm?: boolean;
  align?: 'end' | 'center';
  /** Stays in view while the table scrolls sideways. */
  pin?: 'start' | 'end';
  /** One of the three or four columns that a collapsed card shows. */
  isMain?: boolean;
  /** Is the first of the named columns of a card. */
  isFirstOnCards?: boolean;
  /** Whether a card shows the column's name, as it does for numbers. */
  isNamedOnCards?: boolean;
  /** May not be hidden. */
  isFixed?: boolean;
  /** Is hidden until the reader chooses it. */
  isOptional?: boolean;
  cell: (row: Row) => ReactNode;
};

/** Id of the column of boxes that select rows; a card shows its box beside the other cells. */
export const selectionColumnId = 'selection';

/** Properties of columns of buttons, which stay in view. */
export const actionColumn = { align: 'center', pin: 'end', isMain: true, isFixed: true } as const;

/** Whether a click on the header sorts. */
export function sortKeyOf(column: Pick<ListColumn<never>, 'cellNameOrderAble' | 'isOrderAble'>): string | null {
  return column.cellNameOrderAble !== undefined && column.isOrderAble !== false ? column.cellNameOrderAble : null;
}

/** The name of a column for menus and cards. */
export function columnTitle(column: Pick<ListColumn<never>, 'title' | 'cellName'>): string {
  return column.title ?? column.cellName;
}
