import type { SortDirection } from '@switchyard/contract/listing';

/** The emitted sort: a column's key and a direction (WID-012). */
export type SortOrder = { orderBy: string; orderDirection: SortDirection };

/**
 * The sort after a click on a header: the same column turns the direction round, another column starts
 * descending (WID-009 to WID-011).
 */
export function nextSort(current: SortOrder, clicked: string): SortOrder {
  const descending = current.orderBy === clicked && current.orderDirection === 'desc';
  return { orderBy: clicked, orderDirection: descending ? 'asc' : 'desc' };
}

/** The sort of a column as `aria-sort` says it. */
export function ariaSort(current: SortOrder, column: string): 'ascending' | 'descending' | 'none' {
  if (current.orderBy !== column) return 'none';
  return current.orderDirection === 'asc' ? 'ascending' : 'descending';
}
