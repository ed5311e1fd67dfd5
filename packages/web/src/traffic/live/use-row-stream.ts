import { startTransition, useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { CallError } from '../../shared/api/call-error.ts';
import { followRows, type Connection, type FollowInput, type StreamPosition } from './follow-rows.ts';
import { pause } from './use-live-rows.ts';

/** A stream that is off, paused because the tab is hidden, or in a state of its connection. */
export type StreamState = 'off' | 'paused' | Connection;

type Input<Row> = Pick<FollowInput<Row>, 'rowsOfEvent' | 'open' | 'onStart' | 'onRows' | 'onGap'> & {
  /** What is followed; another one begins a new stream. Null: nothing is. */
  key: string | null;
  /** The stream ended for good; null: for an unknown reason. */
  onEnd: (outcome: CallError | 'replaced' | null) => void;
};

/** Follows a stream of rows while its page is open, but not while its tab is hidden for long. */
export function useRowStream<Row>({ key, rowsOfEvent, ...input }: Input<Row>): StreamState {
  const [connection, setConnection] = useState<Connection>('connecting');
  const isHidden = useHiddenForLong();
  const position = useMemo((): StreamPosition & { key: string | null } => ({ key, lastEventId: undefined }), [key]);
  const open = useEffectEvent(input.open);
  const start = useEffectEvent(input.onStart);
  const addRows = useEffectEvent(input.onRows);
  const addGap = useEffectEvent(input.onGap);
  const end = useEffectEvent(input.onEnd);
  useEffect(() => {
    if (position.key === null || isHidden) return undefined;
    const stop = new AbortController();
    const { signal } = stop;
    followRows({
      rowsOfEvent,
      position,
      signal,
      open: (lastEventId, ending) => open(lastEventId, ending),
      onConnection: setConnection,
      onStart: () => start(),
      // Transitions are rendered in slices, so that an arrival holds up no key and no scrolling.
      onRows: (rows) => startTransition(() => addRows(rows)),
      onGap: (skippedCount, reason) => startTransition(() => addGap(skippedCount, reason)),
      wait: pause,
      random: Math.random,
    }).then(
      (outcome) => outcome !== null && !signal.aborted && end(outcome),
      () => !signal.aborted && end(null),
    );
    return () => stop.abort();
  }, [position, isHidden, rowsOfEvent]);
  return key === null ? 'off' : isHidden ? 'paused' : connection;
}

/** Milliseconds for which a hidden page keeps its stream, so that a short visit to another tab misses nothing. */
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
