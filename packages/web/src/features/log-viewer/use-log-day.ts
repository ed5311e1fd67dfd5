import { logEntriesQuery, type LogDayPage, type LogEntry } from '@switchyard/contract/log-viewer';
import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { call } from '../../shared/api/call.ts';
import { useList, type List } from '../../shared/listing/use-list.ts';
import type { LogSource } from './log-source.ts';

/** What the address says of a day; how long a search may take is not the reader's to say. */
const addressQuery = logEntriesQuery.omit({ wait: true });
type LogDayQuery = z.output<typeof addressQuery>;

/** What a day tells beside the entries in view. */
export type LogDayFacts = Omit<LogDayPage, 'entries'>;
export type LogEntries = List<LogDayQuery, LogEntry, { day: LogDayFacts }>;

/** A day as its page reads it. */
export type LogDayReading = {
  list: LogEntries;
  /** Whether a search that has not come to the end of the file goes on by itself. */
  isSearching: boolean;
  setSearching: (isSearching: boolean) => void;
};

/** Seconds that one call of a search takes, so that what it finds shows early (docs/further-calls.md). */
const secondsOfCall = 1;
/** Milliseconds after which a search waits to be told to go on (S26). */
const searchFor = 10_000;
/** Milliseconds between two looks at a file that is still being read, and between two calls of a search. */
const pauses = { reading: 1_000, searching: 250 } as const;

/** The entries of a day by page, level and search, all of which stand in the address (LOG-004). */
export function useLogDay({ name, calls }: LogSource, date: string): LogDayReading {
  const [search, setSearch] = useState({ of: '', goesOn: true });
  const isSearching = search.goesOn;
  const isRepeated = useRef(false);
  const list: LogEntries = useList({
    name: `${name} ${date}`,
    schema: addressQuery,
    load: async (query, signal) => {
      const { data, pagination } = await call(calls.showDay, {
        params: { date },
        query: { ...query, wait: query.query === undefined ? undefined : secondsOfCall },
        signal,
        isSilent: isRepeated.current,
        showsFailureItself: isMissing,
      });
      const { entries, ...day } = data;
      return { data: entries, pagination, day };
    },
    repeat: ({ day }) => {
      const pause = day.search_stopped !== undefined && isSearching ? pauses.searching : day.indexing !== undefined && pauses.reading;
      isRepeated.current = pause !== false;
      return pause;
    },
  });

  const { fingerprint } = list;
  if (search.of !== fingerprint) setSearch({ of: fingerprint, goesOn: true });
  const isUnfinished = list.more?.day.search_stopped !== undefined;
  useEffect(() => {
    if (!isUnfinished || !search.goesOn) return undefined;
    const timer = setTimeout(() => setSearch({ ...search, goesOn: false }), searchFor);
    return () => clearTimeout(timer);
  }, [isUnfinished, search]);
  return { list, isSearching, setSearching: (goesOn) => setSearch({ of: fingerprint, goesOn }) };
}

/** The page says itself that a day is gone. */
const isMissing = (status: number | null): boolean => status === 404;
