/** States of a list: rows, or the reason why there are none. */
export type ListView = 'loading' | 'rows' | 'empty' | 'nothing-found' | 'past-end' | 'failed' | 'forbidden' | 'reversed-days';

type Situation = {
  /** Nothing has arrived yet, not even rows of another page. */
  pending: boolean;
  /** Status of the failed call; 0 when there was no answer, null when it did not fail. */
  failure: number | null;
  /** Rows to show, including those of the previous page; null when there are none yet. */
  rowCount: number | null;
  /** The total number of rows, where the list knows it. */
  total: number | null;
  filtered: boolean;
  /** The filters give a range of days that ends before it starts; nothing is loaded then. */
  reversed?: boolean;
};

/**
 * The state of a list. Rows stay in view when a reload fails; a missing permission hides them.
 */
export function listView(now: Situation): ListView {
  if (now.reversed === true) return 'reversed-days';
  if (now.failure === 403) return 'forbidden';
  if (now.rowCount === null) return now.failure === null || now.pending ? 'loading' : 'failed';
  if (now.rowCount > 0) return 'rows';
  if (now.total !== null && now.total > 0) return 'past-end';
  return now.filtered ? 'nothing-found' : 'empty';
}
