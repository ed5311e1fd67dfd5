import { useCallback, useState } from 'react';

/** The row of a list that its side panel shows. */
export type OpenRow<Row> = {
  row: Row | undefined;
  open: (row: Row) => void;
  close: () => void;
  /** To the row above (-1) or below (1); stays at the ends. */
  step: (by: -1 | 1) => void;
};

type Input<Row> = {
  rows: readonly Row[];
  /** Must stay the same function. */
  rowId: (row: Row) => string | number;
  /** The panel closes whenever this changes, e.g. filters and sort (REQ-031). */
  closesOn: string;
};

/** Keeps which row is open by its id, so that it stays open when the list is read again; a row that is gone closes it. */
export function useOpenRow<Row>({ rows, rowId, closesOn }: Input<Row>): OpenRow<Row> {
  const [id, setId] = useState<string | number | null>(null);
  const [seen, setSeen] = useState(closesOn);
  if (seen !== closesOn) {
    setSeen(closesOn);
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
