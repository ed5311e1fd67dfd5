import type { ReactNode } from 'react';

type SortPart =
  | { /** Sort key of the column (WID-007). */ cellNameOrderAble: string; isOrderAble?: boolean }
  | { cellNameOrderAble?: never; isOrderAble?: false };

/** A column of a list. The names of the first four are the specification's (WID-006 to WID-008). */
export type ListColumn<Row> = SortPart & {
  /** What the header says; may be empty for a column of buttons. */
  cellName: string;
  /** What the header means, shown on hover and focus. */
  tooltip?: string;
  /** Unique in the list; kept on the device for columns that are hidden. */
  id: string;
  /** What the column is called where its header is too short: the column menu and the cards. */
  title?: string;
  /** Pixels until the content is known, and what a text that may be cut keeps comfortably. */
  width: number;
  /** The text may be cut down to so many pixels where the table is short of room; all other columns are as wide as their content. */
  minWidth?: number;
  /** Takes a share of what is left of the table. */
  grows?: boolean;
  /** Numbers, which the table writes in compact form (1.52M) where it is short of room. */
  isFigure?: boolean;
  align?: 'end' | 'center';
  /** Stays in view while the table scrolls sideways. */
  pin?: 'start' | 'end';
  /** One of the three or four that a card shows at once on a phone. */
  isMain?: boolean;
  /** Whether a card says its name beside it, as it does of numbers. */
  isNamedOnCards?: boolean;
  /** May not be hidden. */
  isFixed?: boolean;
  cell: (row: Row) => ReactNode;
};

/** Whether a click on the header sorts (WID-013). */
export function sortKeyOf(column: Pick<ListColumn<never>, 'cellNameOrderAble' | 'isOrderAble'>): string | null {
  return column.cellNameOrderAble !== undefined && column.isOrderAble !== false ? column.cellNameOrderAble : null;
}

/** The name of a column for menus and cards. */
export function columnTitle(column: Pick<ListColumn<never>, 'title' | 'cellName'>): string {
  return column.title ?? column.cellName;
}
