import type { ViewColumns } from '@switchyard/contract/saved-views';
import type { ListColumn } from '../list-column.ts';

type Column = Pick<ListColumn<never>, 'id' | 'isFixed' | 'isOptional'>;

/** The chosen columns of a list as a view stores them, in the list's order and without those that it does not have. */
export function captureColumns(declaredColumns: readonly Column[], { hidden, shown, widths }: Readonly<ColumnsLike>): ViewColumns {
  const ids = declaredColumns.map(({ id }) => id);
  const optional = declaredColumns.filter(({ isOptional }) => isOptional === true).map(({ id }) => id);
  const hideable = declaredColumns.filter(({ isFixed, isOptional }) => isFixed !== true && isOptional !== true).map(({ id }) => id);
  return {
    hidden: hideable.filter((id) => hidden.includes(id)),
    shown: optional.filter((id) => shown.includes(id)),
    widths: Object.fromEntries(ids.flatMap((id) => (Object.hasOwn(widths, id) ? [[id, widths[id] ?? 0]] : []))),
  };
}

type ColumnsLike = { hidden: readonly string[]; shown: readonly string[]; widths: Readonly<Record<string, number>> };

/** Whether two captured choices of columns are the same. */
export function areSameColumns(a: ViewColumns, b: ViewColumns): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The ids of columns that a view names and the list does not have. */
export function unknownColumns(declaredColumns: readonly Column[], { hidden, shown, widths }: ColumnsLike): string[] {
  const declaredIds = new Set(declaredColumns.map(({ id }) => id));
  return [...new Set([...hidden, ...shown, ...Object.keys(widths)])].filter((id) => !declaredIds.has(id));
}
