import { useMemo, useReducer, useState } from 'react';
import type { ListState } from '../../shared/listing/use-list.ts';
import { changeLiveRows, mergedRows, noLiveRows, type LiveChange, type LiveRows } from './live-rows.ts';

type RowWithId = { readonly id: number | string };

/** Display and handling of rows that arrive. */
export type LiveControls = {
  /** How many rows have arrived, and how many of them wait to be shown. */
  arrivedCount: number;
  waiting: number;
  showWaiting: () => void;
  /** Holds the rows in place for a reason, or releases them. */
  hold: (reason: string, isHeld: boolean) => void;
};

/** Puts rows that arrive on top of a list. They are forgotten when the key changes, which is null while the list is not live. */
export function useLiveRows<Query, Row extends RowWithId, More>(list: ListState<Query, Row, More>, key: string | null) {
  const [live, change] = useReducer(reducer<Row>, noLiveRows<Row>());
  const [shownKey, setShownKey] = useState(key);
  if (shownKey !== key) {
    setShownKey(key);
    change({ kind: 'reset' });
  }
  const rows = useMemo(() => mergedRows(live, list.rows), [live, list.rows]);
  const addedCount = rows.length - list.rows.length;
  const { pagination } = list;
  const mergedList: ListState<Query, Row, More> = {
    ...list,
    rows,
    isLive: key !== null,
    view: live.shownRows.length > 0 && (list.view === 'empty' || list.view === 'nothing-found') ? 'rows' : list.view,
    pagination:
      pagination === null || addedCount <= 0
        ? pagination
        : { ...pagination, count: rows.length, total: pagination.total === null ? null : pagination.total + addedCount },
  };
  const controls: LiveControls = {
    arrivedCount: live.arrivedCount,
    waiting: live.arrivedCount - live.seenCount,
    showWaiting: () => change({ kind: 'show' }),
    hold: (reason, isHeld) => change({ kind: 'hold', reason, isHeld }),
  };
  return { live, change, list: mergedList, controls };
}

function reducer<Row extends RowWithId>(live: LiveRows<Row>, change: LiveChange<Row>): LiveRows<Row> {
  return changeLiveRows(live, change);
}

/** Waits, at most until the signal is aborted. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
