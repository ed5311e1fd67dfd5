import {
  logSearchLine,
  type FoundLogEntry,
  type LogSearchCall,
  type LogSearchEnd,
  type LogSearchLine,
  type LogSearchNotice,
  type LogSearchProgress,
  type LogSearchQuery,
} from '@switchyard/contract/log-search';
import { useEffect, useEffectEvent, useReducer, useRef, useState } from 'react';
import { CallError } from '../../shared/api/call-error.ts';
import { failingInPlace, open } from '../../shared/api/call.ts';
import { readLines } from '../../shared/api/read-lines.ts';

/** What a search has found so far, and how far it is. */
export type LogFindings = {
  status: 'idle' | 'running' | 'cancelled' | 'failed' | 'ended';
  entries: readonly FoundLogEntry[];
  notices: readonly LogSearchNotice[];
  progress: LogSearchProgress | null;
  end: LogSearchEnd | null;
  failure: CallError | null;
};

const nothing: LogFindings = { status: 'idle', entries: [], notices: [], progress: null, end: null, failure: null };

type Change =
  | { kind: 'reset' }
  | { kind: 'begin'; isContinued: boolean }
  | { kind: 'line'; line: LogSearchLine }
  | { kind: 'cancel' }
  /** The failure is null if the answer ended early. */
  | { kind: 'fail'; failure: CallError | null };

function changeFindings(before: LogFindings, change: Change): LogFindings {
  if (change.kind === 'reset') return nothing;
  if (change.kind === 'begin')
    return { ...(change.isContinued ? before : nothing), status: 'running', progress: null, end: null, failure: null };
  if (change.kind === 'cancel') return before.status === 'running' ? { ...before, status: 'cancelled' } : before;
  if (change.kind === 'fail') return { ...before, status: 'failed', failure: change.failure };
  const { line } = change;
  if ('entry' in line) return { ...before, entries: [...before.entries, line.entry] };
  if ('notice' in line) return { ...before, notices: [...before.notices, line.notice] };
  if ('progress' in line) return { ...before, progress: line.progress };
  return { ...before, status: 'ended', end: line.end };
}

type SearchedFor = Omit<LogSearchQuery, 'secrets' | 'cursor'>;

/** Searches for a query, which `key` identifies, and again when it changes; null: there is nothing to search for yet. */
export function useLogSearch(call: LogSearchCall, query: SearchedFor | null, key: string) {
  const [findings, change] = useReducer(changeFindings, nothing);
  const [run, setRun] = useState<{ key: string; cursor?: string }>({ key });
  if (run.key !== key) setRun({ key });
  const running = useRef<AbortController | null>(null);
  const currentQuery = useEffectEvent(() => query);

  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    running.current = stop;
    const sought = currentQuery();
    if (sought === null) {
      change({ kind: 'reset' });
      return undefined;
    }
    change({ kind: 'begin', isContinued: run.cursor !== undefined });
    readSearch(call, { ...sought, cursor: run.cursor }, { signal, onLine: (line) => change({ kind: 'line', line }) }).then(
      (isWhole) => !signal.aborted && !isWhole && change({ kind: 'fail', failure: null }),
      (error: unknown) => !signal.aborted && change({ kind: 'fail', failure: error instanceof CallError ? error : null }),
    );
    return () => stop.abort();
  }, [call, run]);

  return {
    findings,
    cancel: (): void => {
      running.current?.abort();
      change({ kind: 'cancel' });
    },
    /** Searches again from the newest entry. */
    restart: (): void => setRun({ key }),
    /** Searches on from where the search ended. */
    proceed: (): void =>
      setRun({ key, ...(findings.end?.cursor === null || findings.end === null ? {} : { cursor: findings.end.cursor }) }),
  };
}

type Reading = { signal: AbortSignal; onLine: (line: LogSearchLine) => void };

/** Reads the lines of a search. Gives whether the last one came. */
async function readSearch(
  call: LogSearchCall,
  query: SearchedFor & { cursor: string | undefined },
  { signal, onLine }: Reading,
): Promise<boolean> {
  const { response } = await open(call, { query, signal, ...failingInPlace });
  let isWhole = false;
  for await (const text of readLines(response)) {
    if (signal.aborted) return true;
    const line = logSearchLine.parse(JSON.parse(text));
    isWhole = 'end' in line;
    onLine(line);
  }
  return isWhole;
}
