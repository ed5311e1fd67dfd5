import { requestRow, type RequestRow } from '@switchyard/contract/requests';
import { streamLimits } from '@switchyard/contract/limits';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { OpenResponse } from '../../shared/api/create-open.ts';
import type { ListState } from '../../shared/listing/use-list.ts';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { closeNotificationOf, notify } from '../../shared/ui/notifications/notification-center.ts';
import { z } from 'zod';
import { type ArrivedRow, gapsAbove, type LiveMoment } from './live-rows.ts';
import { useLiveRows, type LiveControls } from './use-live-rows.ts';
import { useRowStream, type StreamState } from './use-row-stream.ts';

/** Where a stream begins, and what ends it. */
export type StreamOptions = { lastEventId: string | undefined; signal: AbortSignal };

type Input<Query> = {
  list: ListState<Query, RequestRow>;
  /** Opens the stream with the filters of a query. Transient failures are not shown, because they are retried. */
  open: (query: Query, options: StreamOptions) => Promise<OpenResponse>;
  /** Further input of the rows beside the query; the stream begins again when it changes. */
  variant: string;
};

/** A list of requests on which new ones appear as they are stored. */
export type LiveRequests<Query> = LiveControls & {
  /** The list with what has arrived on top. */
  list: ListState<Query, RequestRow>;
  state: StreamState;
  /** Why the list cannot be live now; undefined when it can. */
  obstacle: string | undefined;
  toggle: () => void;
  /** The rows that have arrived and are not yet in the list as it was read. */
  arrivals: readonly ArrivedRow<RequestRow>[];
  /** Text above a row where rows are missing. */
  gapAbove: (row: RequestRow) => string | undefined;
};

const rowsOfEvent = z.array(requestRow);

/** Identifies the notification that the stream was replaced. */
const replacedKey = 'live-replaced';

/** Adds new requests to a list while the reader wants it, is on the first page and sorts by the newest. */
export function useLiveRequests<Query extends object>({ list, open, variant }: Input<Query>): LiveRequests<Query> {
  const [isWanted, setWanted] = useState(false);
  const obstacle = obstacleOf(list);
  const isOn = isWanted && obstacle === undefined;
  const what = `${list.fingerprint} ${list.arrangement.sort?.orderBy ?? ''} ${list.arrangement.limit} ${variant}`;
  const key = isOn ? what : null;
  const { live, change, list: shownList, controls } = useLiveRows(list, key);
  /** The rows that had arrived when the list was last requested; null once it is loaded. */
  const askedAt = useRef<LiveMoment | null>(null);

  const reload = (): void => {
    askedAt.current = { arrivedCount: live.arrivedCount, openGap: live.openGap };
    list.reload();
  };

  const offerToTakeBack = (): void => {
    notify({
      type: 'warning',
      message: `Live updates moved to another tab. At most ${streamLimits.openPerAccount} lists can be live.`,
      key: replacedKey,
      closesByItself: false,
      button: { label: 'Take them back', press: () => setWanted(true) },
    });
  };
  // The offer belongs to this page, and is void once the list is live again.
  useEffect(() => {
    if (isWanted) closeNotificationOf(replacedKey);
  }, [isWanted]);
  useEffect(() => () => closeNotificationOf(replacedKey), []);
  const state = useRowStream({
    key,
    rowsOfEvent,
    open: (lastEventId, signal) => open(list.query, { lastEventId, signal }),
    onStart: reload,
    onRows: (rows) => change({ kind: 'rows', rows }),
    onGap: (skippedCount) => change({ kind: 'gap', skipped: skippedCount }),
    onEnd: (outcome) => {
      setWanted(false);
      if (outcome === 'replaced') offerToTakeBack();
      // Rows that the account may no longer see must disappear.
      else if (outcome?.status === 403 || outcome?.status === 404) list.reload();
    },
  });

  const { isLoading, failure } = list;
  useEffect(() => {
    if (isLoading || askedAt.current === null) return;
    if (failure === null) change({ kind: 'read', ...askedAt.current });
    askedAt.current = null;
  }, [isLoading, failure, change]);

  const gaps = useMemo(() => gapsAbove(live, shownList.rows), [live, shownList.rows]);
  return {
    ...controls,
    list: { ...shownList, reload },
    state,
    obstacle,
    toggle: () => setWanted(!isOn),
    arrivals: useMemo(() => [...live.waiting, ...live.shownRows], [live]),
    gapAbove: (row) => gapText(gaps.get(row.id)),
  };
}

function obstacleOf<Query extends object>({ arrangement: { sort }, query, pagination }: ListState<Query, RequestRow>): string | undefined {
  const isNewestFirst = sort?.orderDirection === 'desc' && sort.orderBy !== 'type';
  if (!isNewestFirst) return 'Live needs the newest rows on top: sort by date, newest first';
  const isFirst = !('cursor' in query && query.cursor !== undefined) && (pagination?.currentPage ?? 1) === 1;
  return isFirst ? undefined : 'Live shows the newest rows: go to the first page';
}

function gapText(skippedCount: number | null | undefined): string | undefined {
  if (skippedCount === undefined) return undefined;
  if (skippedCount === null) return 'Some rows are missing here';
  return skippedCount === 1 ? '1 row is missing here' : `${groupedNumber(skippedCount)} rows are missing here`;
}
