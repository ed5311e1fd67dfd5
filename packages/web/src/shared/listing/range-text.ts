import type { Pagination } from '@switchyard/contract/envelope';

/** Writes whole numbers in groups, as the reader's language does. */
export const grouped = new Intl.NumberFormat();

/** `21–40 of 1,234`; lists that do not know their total say how many rows are shown. */
export function rangeText({ total, count, limit, currentPage }: Pagination): string {
  if (total === null || currentPage === null) return count === 1 ? '1 row' : `${grouped.format(count)} rows`;
  if (count === 0) return `0 of ${grouped.format(total)}`;
  const first = (currentPage - 1) * limit + 1;
  return `${grouped.format(first)}–${grouped.format(first + count - 1)} of ${grouped.format(total)}`;
}
