import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { CallError } from '../../shared/api/call-error.ts';
import { inBackground } from '../../shared/api/call.ts';
import type { ListState } from '../../shared/listing/use-list.ts';
import type { LiveRequests } from '../../traffic/live/use-live-requests.ts';
import { pause, useLiveRows } from '../../traffic/live/use-live-rows.ts';
import type { Subject, TimelineQuery } from './subject.ts';
import { entriesOf, type Entry, type TimelineInfo } from './timeline-entry.ts';

/** Milliseconds between two calls for newer entries; doubled with every failure up to the longest pause. */
const pollEvery = 3_000;
const longestPause = 60_000;

type List = ListState<TimelineQuery, Entry, TimelineInfo>;

/** A timeline on which new entries appear: what `LiveToggle` and `NewRowsButton` need, and the list with them on top. */
type LiveTimeline = Omit<LiveRequests<never>, 'list' | 'gapAbove' | 'arrivals'> & { list: List };

/**
 * Asks for newer entries of a timeline every few seconds while the reader wants it, is on the first page and the tab is visible.
 * Where entries were left out, the whole timeline is loaded again.
 */
export function useLiveTimeline(list: List, subject: Subject): LiveTimeline {
  const [isWanted, setWanted] = useState(false);
  const [connection, setConnection] = useState<'live' | 'lost'>('live');
  const isVisible = useIsVisible();
  const obstacle = list.query.cursor === undefined ? undefined : 'Live shows the newest entries: go to the first page';
  const isOn = isWanted && obstacle === undefined;
  const key = isOn ? `${subject.name} ${list.fingerprint}` : null;
  const { change, list: shownList, controls } = useLiveRows(list, key);

  const { newest = null } = list.more ?? {};
  const [readNewest, setReadNewest] = useState(newest);
  if (readNewest !== newest) {
    // The list was read again: it contains what had arrived.
    setReadNewest(newest);
    change({ kind: 'reset' });
  }
  const start = isOn && isVisible && list.isBehind !== true ? newest : null;
  const ask = useEffectEvent(async (after: string, signal: AbortSignal): Promise<string> => {
    const { data } = await subject.list({ kind: list.query.kind, after }, { signal, ...inBackground });
    if (signal.aborted) return after;
    setConnection('live');
    if (data.has_gap) list.reload();
    else change({ kind: 'rows', rows: entriesOf(data.rows).toReversed() });
    return data.newest ?? after;
  });
  const fail = useEffectEvent((error: unknown): boolean => {
    setConnection('lost');
    const isRefused = error instanceof CallError && error.status !== null && error.status >= 400 && error.status < 500;
    if (isRefused) setWanted(false);
    return isRefused;
  });
  useEffect(() => {
    if (start === null) return undefined;
    const stop = new AbortController();
    void poll({ start, signal: stop.signal, ask: (after) => ask(after, stop.signal), fail: (error) => fail(error) });
    return () => stop.abort();
  }, [start]);

  return {
    ...controls,
    list: shownList,
    state: !isOn ? 'off' : isVisible ? connection : 'paused',
    obstacle,
    toggle: () => setWanted(!isOn),
  };
}

type Polling = {
  start: string;
  signal: AbortSignal;
  /** Asks for what is newer than a position and gives the next one. */
  ask: (after: string) => Promise<string>;
  /** Whether a failure ends the polling. */
  fail: (error: unknown) => boolean;
};

/** Asks again and again until the signal is aborted. */
async function poll({ start, signal, ask, fail }: Polling): Promise<void> {
  let after = start;
  let wait = pollEvery;
  for (;;) {
    await pause(wait, signal);
    if (signal.aborted) return;
    try {
      after = await ask(after);
      wait = pollEvery;
    } catch (error) {
      if (isAborted(signal) || fail(error)) return;
      wait = Math.min(longestPause, wait * 2);
    }
  }
}

/** A function, so that the signal is read again after every await. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

function followVisibility(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange);
  return () => document.removeEventListener('visibilitychange', onChange);
}

/** Whether the reader can see this tab. */
function useIsVisible(): boolean {
  return useSyncExternalStore(followVisibility, () => document.visibilityState === 'visible');
}
