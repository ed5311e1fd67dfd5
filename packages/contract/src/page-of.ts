import { pageForm, type Pagination } from './envelope.ts';

/** A page out of all rows of a list. */
export function pageOf<Row>(
  rows: readonly Row[],
  { page, limit }: { page: number; limit: number },
): { data: Row[]; pagination: Pagination } {
  const data = rows.slice((page - 1) * limit, page * limit);
  return { data, pagination: pageForm({ total: rows.length, count: data.length, limit, page }) };
}
