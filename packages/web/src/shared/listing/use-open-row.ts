import { useCallback, useState } from 'react';
import type { ListState } from './use-list.ts';

/** Filters and sort in effect as one text; the side panel closes when they change. */
export function shownResult({
  fingerprint,
  arrangement: { sort },
}: Pick<ListState<unknown, unknown>, 'fingerprint' | 'arrangement'>): string {
  return `${fingerprint} ${sort?.orderBy ?? ''} ${sort?.orderDirection ?? ''}`;
}

type OpenableList<Row> = Pick<ListState<unknown, Row>, 'rows' | 'rowId' | 'fingerprint' | 'arrangement'>;

/** The row of a list that its side panel shows. */
export type OpenRow<Row> = {
  row: Row | undefined;
  open: (row: Row) => void;
  close: () => void;
  /** To the row above (-1) or below (1); stays at the ends. */
  step: (by: -1 | 1) => void;
};

/**
 * Which row of a list is open. It is identified by its id, so that it stays open when the list is reloaded; it closes when the
 * row is no longer in the list, and when filters or sort change.
 */
export function useOpenRow<Row>(list: OpenableList<Row>): OpenRow<Row> {
  const { rows, rowId } = list;
  const [id, setId] = useState<string | number | null>(null);
  const result = shownResult(list);
  const [seenResult, setSeenResult] = useState(result);
  if (seenResult !== result) {
    setSeenResult(result);
    setId(null);
  }
  const index = id === null ? -1 : rows.findIndex((row) => rowId(row) === id);
  const open = useCallback((row: Row) => setId(rowId(row)), [rowId]);
  return {
    row: rows[index],
    open,
    close: () => setId(null),
    step: (by) => {
      const next = rows[index + by];
      if (index >= 0 && next !== undefined) open(next);
    },
  };
}
