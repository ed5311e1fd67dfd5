import { logEntriesQuery, type LogDayPage, type LogEntry } from '@switchyard/contract/log-viewer';
import { useEffect, useRef, useState } from 'react';
import type { z } from 'zod';
import { call } from '../../shared/api/call.ts';
import { useList, type ListState } from '../../shared/listing/use-list.ts';
import type { LogSource } from './log-source.ts';

/** The query of a day. `wait`, `details` and `secrets` are not part of the address, so that no link shows secrets. */
const addressQuery = logEntriesQuery.omit({ wait: true, details: true, secrets: true });
type LogDayQuery = z.output<typeof addressQuery>;

/** The data of a day other than its entries. */
export type LogDayFacts = Omit<LogDayPage, 'entries'>;
export type LogEntries = ListState<LogDayQuery, LogEntry, { day: LogDayFacts }>;

/** The state of the page of a day. */
export type LogDayReading = {
  list: LogEntries;
  /** Whether an unfinished search continues automatically. */
  isSearching: boolean;
  setSearching: (isSearching: boolean) => void;
  /** Whether secrets are shown, until the page is left. */
  showsSecrets: boolean;
  setShowsSecrets: (showsSecrets: boolean) => void;
};

const rowId = (entry: LogEntry): number => entry.id;

/** Seconds of one search call; short, so that matches appear early (docs/further-calls.md). */
const searchCallSeconds = 1;
/** Milliseconds after which a search pauses until the user continues it. */
const searchTimeout = 10_000;
/** Milliseconds between refreshes of a file that is being indexed, and between search calls. */
const pollIntervals = { reading: 1_000, searching: 250 } as const;

/** The entries of a day by page, level and search, all of which are part of the address. */
export function useLogDay({ name, calls }: LogSource, date: string): LogDayReading {
  const [search, setSearch] = useState({ of: '', continues: true });
  const [showsSecrets, setShowsSecrets] = useState(false);
  const isSearching = search.continues;
  const isRepeated = useRef(false);
  const list: LogEntries = useList({
    name: `${name} ${date}${showsSecrets ? ' with secrets' : ''}`,
    schema: addressQuery,
    rowId,
    load: async (query, signal) => {
      const { data, pagination } = await call(calls.showDay, {
        params: { date },
        query: {
          ...query,
          details: true,
          ...(showsSecrets && { secrets: true }),
          wait: query.query === undefined ? undefined : searchCallSeconds,
        },
        signal,
        isSilent: isRepeated.current,
        showsFailureItself: isMissing,
      });
      const { entries, ...day } = data;
      return { data: entries, pagination, day };
    },
    repeat: ({ day }) => {
      const pause =
        day.search_stopped !== undefined && isSearching ? pollIntervals.searching : day.indexing !== undefined && pollIntervals.reading;
      isRepeated.current = pause !== false;
      return pause;
    },
  });

  const { fingerprint } = list;
  if (search.of !== fingerprint) setSearch({ of: fingerprint, continues: true });
  const isUnfinished = list.more?.day.search_stopped !== undefined;
  useEffect(() => {
    if (!isUnfinished || !search.continues) return undefined;
    const timer = setTimeout(() => setSearch({ ...search, continues: false }), searchTimeout);
    return () => clearTimeout(timer);
  }, [isUnfinished, search]);
  return {
    list,
    isSearching,
    setSearching: (continues) => setSearch({ of: fingerprint, continues }),
    showsSecrets,
    setShowsSecrets,
  };
}

/** The page itself handles a missing day. */
const isMissing = (status: number | null): boolean => status === 404;
