import { followAppLog, followConsoleLog, followedLogEntry, type FollowedLogEntry } from '@switchyard/contract/log-search';
import type { LogEntry } from '@switchyard/contract/log-viewer';
import { useMemo, useReducer, useState } from 'react';
import { z } from 'zod';
import { open } from '../../shared/api/call.ts';
import { isTransient, type GapReason } from '../../traffic/live/follow-rows.ts';
import { useRowStream, type StreamState } from '../../traffic/live/use-row-stream.ts';
import type { LogSource } from './log-source.ts';
import type { LogDayReading } from './use-log-day.ts';

const calls = { logs: followConsoleLog, 'app-logs': followAppLog };
const rowsOfEvent = z.array(followedLogEntry);

/** New entries that are kept; older ones are in the list once it is read again. */
const maxArrivals = 500;

/** Where entries are missing. */
export type EntryGap = { skipped: number | null; reason: GapReason };
/** A new entry, and where entries are missing before it. */
export type Arrival = { entry: FollowedLogEntry; gapBefore?: EntryGap };
/** New entries, newest first. `waiting`: those that arrived while the list is paused. `openGap`: nothing came after it so far. */
type Arrivals = { shown: readonly Arrival[]; waiting: readonly Arrival[]; openGap: EntryGap | null; isPaused: boolean; count: number };

type Change =
  | { kind: 'rows'; rows: readonly FollowedLogEntry[] }
  | { kind: 'gap'; gap: EntryGap }
  | { kind: 'pause'; isPaused: boolean }
  | { kind: 'clear' };

const nothing: Arrivals = { shown: [], waiting: [], openGap: null, isPaused: false, count: 0 };

/** Identifies an entry that is sent again because it grew; while a file is being indexed, ids count from its end. */
function identityOf({ date, source, id, datetime }: FollowedLogEntry): string {
  return id < 0 ? '' : `${date} ${source ?? ''} ${id} ${datetime}`;
}

function changeArrivals(before: Arrivals, change: Change): Arrivals {
  if (change.kind === 'clear') return { ...nothing, isPaused: before.isPaused };
  if (change.kind === 'gap') return { ...before, openGap: change.gap };
  if (change.kind === 'pause') {
    const { isPaused } = change;
    return isPaused ? { ...before, isPaused } : { ...before, isPaused, shown: merged(before.shown, before.waiting), waiting: [] };
  }
  const { rows } = change;
  const [oldest, ...others] = rows;
  if (oldest === undefined) return before;
  const arrivals: Arrival[] = [
    { entry: oldest, ...(before.openGap !== null && { gapBefore: before.openGap }) },
    ...others.map((entry) => ({ entry })),
  ];
  const newest = arrivals.toReversed();
  const isKnown = new Set([...before.shown, ...before.waiting].map(({ entry }) => identityOf(entry)));
  const count = before.count + rows.filter((entry) => identityOf(entry) === '' || !isKnown.has(identityOf(entry))).length;
  const next = { ...before, openGap: null, count };
  return before.isPaused ? { ...next, waiting: merged(before.waiting, newest) } : { ...next, shown: merged(before.shown, newest) };
}

/** Puts new entries above others. One that grew stays where it is. */
function merged(before: readonly Arrival[], newest: readonly Arrival[]): Arrival[] {
  const again = new Map(newest.map((arrival) => [identityOf(arrival.entry), arrival.entry]));
  again.delete('');
  const known = new Set(before.map(({ entry }) => identityOf(entry)));
  const added = newest.filter(({ entry }) => identityOf(entry) === '' || !known.has(identityOf(entry)));
  const kept = before.map((arrival) => ({ ...arrival, entry: again.get(identityOf(arrival.entry)) ?? arrival.entry }));
  return [...added, ...kept].slice(0, maxArrivals);
}

/** A day whose new entries are followed. */
export type LogFollowing = {
  state: StreamState;
  obstacle: string | undefined;
  toggle: () => void;
  arrivals: readonly Arrival[];
  openGap: EntryGap | null;
  /** Number of entries that have arrived, and of those that wait. */
  arrivedCount: number;
  waitingCount: number;
  isPaused: boolean;
  setPaused: (isPaused: boolean) => void;
  /** Whether another stream of the account took the place of this one. */
  isReplaced: boolean;
};

type Input = {
  source: LogSource;
  date: string;
  reading: LogDayReading;
  /** How often the user has read the list again, which then has the entries that had arrived. */
  refreshes: number;
};

/** Follows a day with the level and the search of its page, while the reader wants it and is on the first page. */
export function useFollowLog({ source, date, reading: { list, showsSecrets }, refreshes }: Input): LogFollowing {
  const { level, query, format, page } = list.query;
  const [isWanted, setWanted] = useState(false);
  const [isReplaced, setReplaced] = useState(false);
  const [arrivals, change] = useReducer(changeArrivals, nothing);
  const obstacle = page === 1 ? undefined : 'New entries come on the first page';
  const isOn = isWanted && obstacle === undefined;
  const key = isOn ? JSON.stringify([source.name, date, level, query, format, showsSecrets]) : null;
  const [shownFor, setShownFor] = useState({ key, refreshes });
  if (shownFor.key !== key || shownFor.refreshes !== refreshes) {
    setShownFor({ key, refreshes });
    change({ kind: 'clear' });
  }

  const state = useRowStream({
    key,
    rowsOfEvent,
    open: (lastEventId, signal) =>
      open(calls[source.name], {
        params: { date },
        query: { level: level === 'all' ? undefined : [level], query, format, ...(showsSecrets && { secrets: true }), lastEventId },
        signal,
        showsFailureItself: isTransient,
      }),
    onStart: list.reload,
    onRows: (rows) => change({ kind: 'rows', rows }),
    onGap: (skipped, reason) => change({ kind: 'gap', gap: { skipped, reason } }),
    onEnd: (outcome) => {
      setWanted(false);
      if (outcome === 'replaced') setReplaced(true);
      else if (outcome?.status === 403 || outcome?.status === 404) list.reload();
    },
  });

  return {
    state,
    obstacle,
    toggle: () => {
      setReplaced(false);
      setWanted(!isOn);
    },
    arrivals: useMemo(() => arrivals.shown.filter(({ entry }) => !isInList(list.rows, entry, date)), [arrivals.shown, list.rows, date]),
    openGap: arrivals.openGap,
    arrivedCount: arrivals.count,
    waitingCount: arrivals.waiting.length,
    isPaused: arrivals.isPaused,
    setPaused: (isPaused) => change({ kind: 'pause', isPaused }),
    isReplaced,
  };
}

/** Whether the list of the day has an entry, because it was read after the entry was written. */
function isInList(rows: readonly LogEntry[], { id, datetime, source, date }: FollowedLogEntry, listDate: string): boolean {
  return date === listDate && id >= 0 && rows.some((row) => row.id === id && row.datetime === datetime && row.source === source);
}
