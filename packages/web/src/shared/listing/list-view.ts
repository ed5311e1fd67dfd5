/** What the panel of a list shows. */
export type ListView = 'loading' | 'rows' | 'empty' | 'nothing-found' | 'past-end' | 'failed' | 'forbidden' | 'reversed-days';

type Situation = {
  /** Nothing has arrived yet, not even the rows of another page. */
  pending: boolean;
  /** Status of the failed call; 0 when there was no answer, null when it did not fail. */
  failure: number | null;
  /** Rows at hand, those of the page before included; null when there are none to show. */
  rowCount: number | null;
  /** Exact number of rows in all, where the list knows it. */
  total: number | null;
  filtered: boolean;
  /** The filters ask for a range of days that ends before it starts; the server is then not asked. */
  reversed?: boolean;
};

/**
 * The one state a list is in. Rows at hand stay in view when a reload fails; a refused permission hides them (AMB-062).
 */
export function listView(now: Situation): ListView {
  if (now.reversed === true) return 'reversed-days';
  if (now.failure === 403) return 'forbidden';
  if (now.rowCount === null) return now.failure === null || now.pending ? 'loading' : 'failed';
  if (now.rowCount > 0) return 'rows';
  if (now.total !== null && now.total > 0) return 'past-end';
  return now.filtered ? 'nothing-found' : 'empty';
}
