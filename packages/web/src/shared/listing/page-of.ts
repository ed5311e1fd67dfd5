import { pageLinks, type Pagination } from '@switchyard/contract/envelope';

/** A page of rows that arrived as a whole, with the pagination that the server would give. */
export function pageOf<Row>(
  rows: readonly Row[],
  { page, limit }: { page: number; limit: number },
): { data: Row[]; pagination: Pagination } {
  const totalPages = Math.max(1, Math.ceil(rows.length / limit));
  const data = rows.slice((page - 1) * limit, page * limit);
  const pagination: Pagination = {
    total: rows.length,
    count: data.length,
    limit,
    currentPage: page,
    totalPages,
    current_page: page,
    last_page: totalPages,
    links: pageLinks(page, totalPages),
    prev_cursor: null,
    next_cursor: null,
  };
  return { data, pagination };
}
