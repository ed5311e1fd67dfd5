import type { RequestRow } from '@switchyard/contract/requests';
import { streamLimits } from '@switchyard/contract/limits';
import { useEffect, useEffectEvent, useMemo, useReducer, useRef, useState } from 'react';
import type { CallError } from '../../api/call-error.ts';
import type { Opened } from '../../api/create-open.ts';
import type { List } from '../../listing/use-list.ts';
import { groupedNumber } from '../counter-text.ts';
import { notify } from '../../ui/notifications/notification-center.ts';
import { followRequests, isPassing, type Connection, type StreamPosition } from './follow-requests.ts';
import { changeLiveRows, gapsAbove, mergedRows, noLiveRows, type LiveChange, type LiveMoment, type LiveRows } from './live-rows.ts';
import { useAsleep } from './use-asleep.ts';

type Input<Query> = {
  list: List<Query, RequestRow>;
  /** Opens the stream with the filters of a query; the followed list's refusals are for `showsFailureItself`. */
  open: (query: Query, stream: { lastEventId: string | undefined; signal: AbortSignal }) => Promise<Opened>;
};

/** A list of requests on which new ones appear as they are stored. */
export type LiveRequests<Query> = {
  /** The list with what has arrived on top. */
  list: List<Query, RequestRow>;
  /** Off, held back by a hidden tab, or how the connection stands. */
  state: 'off' | 'asleep' | Connection;
  /** Why the list cannot be live now, if it cannot. */
  obstacle: string | undefined;
  toggle: () => void;
  /** How many rows have arrived, and how many of them wait to be shown. */
  arrived: number;
  waiting: number;
  showWaiting: () => void;
  /** Holds the rows still for a reason, or no longer. */
  hold: (reason: string, isHeld: boolean) => void;
  /** What to say above a row when others were left out there. */
  gapAbove: (row: RequestRow) => string | undefined;
};

/** Refusals that following shows itself: those that pass are tried again, too many streams are explained. */
export function followerShows(status: number | null): boolean {
  return isPassing(status) || status === tooMany;
}

const tooMany = 429;

function reducer(live: LiveRows<RequestRow>, change: LiveChange<RequestRow>): LiveRows<RequestRow> {
  return changeLiveRows(live, change);
}

/** Follows new requests of a list while the reader wants it, sees the first page and has the newest on top. */
export function useLiveRequests<Query extends object>({ list, open }: Input<Query>): LiveRequests<Query> {
  const [live, change] = useReducer(reducer, noLiveRows<RequestRow>());
  const [isWanted, setWanted] = useState(false);
  const [connection, setConnection] = useState<Connection>('connecting');
  const isAsleep = useAsleep();
  const obstacle = obstacleOf(list);
  const isOn = isWanted && obstacle === undefined;
  const what = `${list.fingerprint} ${list.arrangement.sort?.orderBy ?? ''} ${list.arrangement.limit}`;
  const key = isOn ? what : null;
  const position = useMemo((): StreamPosition & { key: string | null } => ({ key, lastEventId: undefined }), [key]);
  /** How far it was when the list was last asked for; null when it has answered since. */
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
  const finish = useEffectEvent((refusal: CallError) => {
    setWanted(false);
    if (refusal.status === tooMany) {
      notify({ type: 'warning', message: `You watch ${streamLimits.openPerAccount} live lists already. Close one of them first.` });
    }
    // What the account may no longer see must not stay in view.
    if (refusal.status === 403 || refusal.status === 404) list.reload();
  });
  useEffect(() => {
    if (position.key === null || isAsleep) return undefined;
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
      (refusal) => refusal !== null && !signal.aborted && finish(refusal),
      () => !signal.aborted && setWanted(false),
    );
    return () => stop.abort();
  }, [position, isAsleep]);

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
    state: !isOn ? 'off' : isAsleep ? 'asleep' : connection,
    obstacle,
    toggle: () => setWanted(!isOn),
    arrived: live.arrived,
    waiting: live.arrived - live.seen,
    showWaiting: () => change({ kind: 'show' }),
    hold: (reason, isHeld) => change({ kind: 'hold', reason, isHeld }),
    gapAbove: (row) => gapText(gaps.get(row.id)),
  };
}

function obstacleOf<Query extends object>({ arrangement: { sort }, query, pagination }: List<Query, RequestRow>): string | undefined {
  const isNewestFirst = sort?.orderDirection === 'desc' && sort.orderBy !== 'type';
  if (!isNewestFirst) return 'Live needs the newest rows on top: sort by date, newest first';
  const isFirst = !('cursor' in query && query.cursor !== undefined) && (pagination?.currentPage ?? 1) === 1;
  return isFirst ? undefined : 'Live shows the newest rows: go to the first page';
}

function gapText(skipped: number | null | undefined): string | undefined {
  if (skipped === undefined) return undefined;
  if (skipped === null) return 'Some rows were left out here';
  return skipped === 1 ? '1 row was left out here' : `${groupedNumber(skipped)} rows were left out here`;
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
