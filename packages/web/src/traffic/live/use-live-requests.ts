import type { RequestRow } from '@switchyard/contract/requests';
import { streamLimits } from '@switchyard/contract/limits';
import { useEffect, useEffectEvent, useMemo, useReducer, useRef, useState } from 'react';
import type { CallError } from '../../shared/api/call-error.ts';
import type { Opened } from '../../shared/api/create-open.ts';
import type { ListState } from '../../shared/listing/use-list.ts';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import { followRequests, isTransient, type Connection, type StreamPosition } from './follow-requests.ts';
import { changeLiveRows, gapsAbove, mergedRows, noLiveRows, type LiveChange, type LiveMoment, type LiveRows } from './live-rows.ts';

/** Where a stream begins, and what ends it. */
export type StreamOptions = { lastEventId: string | undefined; signal: AbortSignal };

type Input<Query> = {
  list: ListState<Query, RequestRow>;
  /** Opens the stream with the filters of a query; `streamFailuresShown` says which failures it shows itself. */
  open: (query: Query, options: StreamOptions) => Promise<Opened>;
};

/** A list of requests on which new ones appear as they are stored. */
export type LiveRequests<Query> = {
  /** The list with what has arrived on top. */
  list: ListState<Query, RequestRow>;
  /** Off, paused because the tab is hidden, or the state of the connection. */
  state: 'off' | 'paused' | Connection;
  /** Why the list cannot be live now; undefined when it can. */
  obstacle: string | undefined;
  toggle: () => void;
  /** How many rows have arrived, and how many of them wait to be shown. */
  arrived: number;
  waiting: number;
  showWaiting: () => void;
  /** Holds the rows in place for a reason, or releases them. */
  hold: (reason: string, isHeld: boolean) => void;
  /** What to say above a row where rows are missing. */
  gapAbove: (row: RequestRow) => string | undefined;
};

/** Failures that the live view handles itself: transient ones are retried, too many streams are explained. */
export function streamFailuresShown(status: number | null): boolean {
  return isTransient(status) || status === tooMany;
}

const tooMany = 429;

function reducer(live: LiveRows<RequestRow>, change: LiveChange<RequestRow>): LiveRows<RequestRow> {
  return changeLiveRows(live, change);
}

/** Adds new requests to a list while the reader wants it, is on the first page and sorts by the newest. */
export function useLiveRequests<Query extends object>({ list, open }: Input<Query>): LiveRequests<Query> {
  const [live, change] = useReducer(reducer, noLiveRows<RequestRow>());
  const [isWanted, setWanted] = useState(false);
  const [connection, setConnection] = useState<Connection>('connecting');
  const isHidden = useHiddenForLong();
  const obstacle = obstacleOf(list);
  const isOn = isWanted && obstacle === undefined;
  const what = `${list.fingerprint} ${list.arrangement.sort?.orderBy ?? ''} ${list.arrangement.limit}`;
  const key = isOn ? what : null;
  const position = useMemo((): StreamPosition & { key: string | null } => ({ key, lastEventId: undefined }), [key]);
  /** What had arrived when the list was last requested; null once it has answered. */
  const askedAt = useRef<LiveMoment | null>(null);

  const reload = (): void => {
    askedAt.current = { arrived: live.arrived, openGap: live.openGap };
    list.reload();
  };

  const [shownKey, setShownKey] = useState(key);
  if (shownKey !== key) {
    setShownKey(key);
    change({ kind: 'reset' });
  }

  const openStream = useEffectEvent((lastEventId: string | undefined, signal: AbortSignal) => open(list.query, { lastEventId, signal }));
  const start = useEffectEvent(reload);
  const finish = useEffectEvent((rejection: CallError) => {
    setWanted(false);
    if (rejection.status === tooMany) {
      notify({ type: 'warning', message: `You already have ${streamLimits.openPerAccount} live lists open. Close one of them first.` });
    }
    // Rows that the account may no longer see must disappear.
    if (rejection.status === 403 || rejection.status === 404) list.reload();
  });
  useEffect(() => {
    if (position.key === null || isHidden) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    followRequests({
      position,
      signal,
      open: (lastEventId, ending) => openStream(lastEventId, ending),
      onConnection: setConnection,
      onStart: () => start(),
      onRows: (rows) => change({ kind: 'rows', rows }),
      onGap: (skipped) => change({ kind: 'gap', skipped }),
      wait: pause,
      random: Math.random,
    }).then(
      (rejection) => rejection !== null && !signal.aborted && finish(rejection),
      () => !signal.aborted && setWanted(false),
    );
    return () => stop.abort();
  }, [position, isHidden]);

  const { isLoading, failure } = list;
  useEffect(() => {
    if (isLoading || askedAt.current === null) return;
    if (failure === null) change({ kind: 'read', ...askedAt.current });
    askedAt.current = null;
  }, [isLoading, failure]);

  const rows = useMemo(() => mergedRows(live, list.rows), [live, list.rows]);
  const gaps = useMemo(() => gapsAbove(live, rows), [live, rows]);
  const added = rows.length - list.rows.length;
  const { pagination } = list;
  return {
    list: {
      ...list,
      rows,
      reload,
      isLive: isOn,
      view: live.shown.length > 0 && (list.view === 'empty' || list.view === 'nothing-found') ? 'rows' : list.view,
      pagination:
        pagination === null || added <= 0
          ? pagination
          : { ...pagination, count: rows.length, total: pagination.total === null ? null : pagination.total + added },
    },
    state: !isOn ? 'off' : isHidden ? 'paused' : connection,
    obstacle,
    toggle: () => setWanted(!isOn),
    arrived: live.arrived,
    waiting: live.arrived - live.seen,
    showWaiting: () => change({ kind: 'show' }),
    hold: (reason, isHeld) => change({ kind: 'hold', reason, isHeld }),
    gapAbove: (row) => gapText(gaps.get(row.id)),
  };
}

function obstacleOf<Query extends object>({ arrangement: { sort }, query, pagination }: ListState<Query, RequestRow>): string | undefined {
  const isNewestFirst = sort?.orderDirection === 'desc' && sort.orderBy !== 'type';
  if (!isNewestFirst) return 'Live needs the newest rows on top: sort by date, newest first';
  const isFirst = !('cursor' in query && query.cursor !== undefined) && (pagination?.currentPage ?? 1) === 1;
  return isFirst ? undefined : 'Live shows the newest rows: go to the first page';
}

function gapText(skipped: number | null | undefined): string | undefined {
  if (skipped === undefined) return undefined;
  if (skipped === null) return 'Some rows are missing here';
  return skipped === 1 ? '1 row is missing here' : `${groupedNumber(skipped)} rows are missing here`;
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Milliseconds for which a hidden page keeps its stream, so that a short look at another tab misses nothing. */
const hiddenTimeout = 60_000;

/** Whether the page has been hidden for longer than `hiddenTimeout`; false as soon as it is visible again. */
export function useHiddenForLong(): boolean {
  const [isHidden, setHidden] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = (): void => {
      clearTimeout(timer);
      if (document.visibilityState === 'hidden') timer = setTimeout(() => setHidden(true), hiddenTimeout);
      else setHidden(false);
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', follow);
    };
  }, []);
  return isHidden;
}
