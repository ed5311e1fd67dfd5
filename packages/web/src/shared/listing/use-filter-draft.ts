import { useCallback, useState } from 'react';
import type { ListState } from './use-list.ts';

/** The values of the filter bar: the filters in effect with the changes that are not applied yet. */
export type FilterDraft<Query> = {
  values: Query;
  /** Stays the same function. */
  set(this: void, patch: Partial<Query>): void;
  /** Loads the first page with the chosen filters, and with those given; without a change it reloads the list. */
  apply(this: void, patch?: Partial<Query>): void;
  /** Resets every filter to its default at once. */
  clear: () => void;
  isChanged: boolean;
  /** The rows of the chosen filters are loading; an automatic reload does not count. */
  isLoading: boolean;
};

/** What a draft needs of its list. */
export type DraftedList<Query> = Pick<
  ListState<Query, never>,
  'query' | 'fingerprint' | 'isLoading' | 'isBehind' | 'view' | 'isFiltered' | 'change' | 'clearFilters' | 'reload'
>;

/**
 * Filters are chosen first and applied together. The draft is dropped when the filters in effect change by other means: a
 * chip, the back button, a link.
 */
export function useFilterDraft<Query extends object>(list: DraftedList<Query>): FilterDraft<Query> {
  const [edits, setEdits] = useState<Partial<Query>>({});
  const [seenFingerprint, setSeenFingerprint] = useState(list.fingerprint);
  if (seenFingerprint !== list.fingerprint) {
    setSeenFingerprint(list.fingerprint);
    setEdits({});
  }
  const [progress, setProgress] = useState<'idle' | 'asked' | 'loading'>('idle');
  if (progress === 'asked' && list.isLoading) setProgress('loading');
  if (progress === 'loading' && !list.isLoading) setProgress('idle');
  const set = useCallback((patch: Partial<Query>) => setEdits((before) => ({ ...before, ...patch })), []);
  const values = { ...list.query, ...edits };
  const isChanged = differs(list.query, values);
  return {
    values,
    set,
    apply: (patch) => {
      setEdits({});
      setProgress('asked');
      if (differs(list.query, { ...values, ...patch })) list.change({ ...edits, ...patch });
      else list.reload();
    },
    clear: () => {
      setEdits({});
      setProgress('asked');
      if (list.isFiltered) list.clearFilters();
      else list.reload();
    },
    isChanged,
    isLoading: list.view === 'loading' || list.isBehind === true || (progress === 'loading' && list.isLoading),
  };
}

function differs(a: object, b: object): boolean {
  return asText(a) !== asText(b);
}

function asText(query: object): string {
  return JSON.stringify(Object.entries(query).filter(([, value]) => value !== undefined && value !== ''));
}
