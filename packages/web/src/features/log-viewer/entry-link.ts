import type { LogEntry } from '@switchyard/contract/log-viewer';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { call, inBackground } from '../../shared/api/call.ts';
import { failureStatus } from '../../shared/listing/use-list.ts';
import { useOpenPath, useParameter } from '../../shared/navigation.tsx';
import { stringifySearch } from '../../shared/search-codec.ts';
import { notify } from '../../shared/ui/notifications/notification-center.ts';
import type { LogSource } from './log-source.ts';
import type { LogEntries } from './use-log-day.ts';

const parameter = 'entry';

type Identity = Pick<LogEntry, 'id' | 'datetime' | 'source'>;

function writeIdentity({ id, datetime, source = '' }: Identity): string {
  return `${id} ${source} ${datetime}`;
}

function readIdentity(text: string | null): Required<Identity> | null {
  const [, id, source = '', datetime = ''] = /^(\d{1,12}) (\S*) (.*)$/.exec(text ?? '') ?? [];
  return id === undefined ? null : { id: Number(id), source, datetime };
}

/**
 * The address of an entry among its neighbours, in all levels; ids are those of the format in which the day is read. It stays the same while
 * the file grows and when it is rotated.
 */
export function entryPath({ source, date, query: { format } }: EntryPlace, entry: Identity): string {
  return source.dayPath(date) + stringifySearch({ format, [parameter]: writeIdentity(entry) });
}

export type EntryPlace = { source: LogSource; date: string; query: Pick<LogEntries['query'], 'format'> };
type Place = EntryPlace & { query: LogEntries['query'] };

/**
 * The entry that the address names, whose page opens; null: it names none. The address keeps the name until the reader goes to another page
 * or chooses a level or a search.
 */
export function useLinkedEntry({ source, date, query }: Place): ((entry: Identity) => boolean) | null {
  const { limit, format } = query;
  const [text, setText] = useParameter(parameter);
  const identity = readIdentity(text);
  const openPath = useOpenPath();
  const { data, error } = useQuery({
    queryKey: ['log-entry', source.name, date, text, limit, format],
    queryFn: async ({ signal }) => {
      const { id, datetime, source: file } = identity ?? { id: 0, datetime: '', source: '' };
      return call(source.calls.findEntry, {
        params: { date, id },
        query: { datetime, source: file, limit, format },
        signal,
        ...inBackground,
      });
    },
    enabled: identity !== null,
    staleTime: Infinity,
    retry: false,
  });
  const page = data?.data.page;
  const target = page === undefined ? null : source.dayPath(date) + stringifySearch({ page, limit, format, [parameter]: text ?? '' });
  const open = useEffectEvent((address: string) => openPath(address, { replace: true }));
  const tell = useEffectEvent((failure: Error) => {
    const isGone = failureStatus(failure) === 404;
    notify({
      type: 'warning',
      message: isGone ? 'The entry of this link is no longer in the log' : `The entry of this link: ${failure.message}`,
    });
  });
  useEffect(() => {
    if (target !== null) open(target);
  }, [target]);
  useEffect(() => {
    if (error !== null) tell(error);
  }, [error]);
  const isThere = page !== undefined && query.page === page && query.level === 'all' && query.query === undefined;
  const [placed, setPlaced] = useState<string | null>(null);
  if (isThere && placed !== text) setPlaced(text);
  const hasLeft = text !== null && placed === text && !isThere;
  useEffect(() => {
    if (hasLeft) setText(null);
  }, [hasLeft, setText]);
  return identity === null ? null : ({ id, datetime }) => id === identity.id && datetime === identity.datetime;
}
