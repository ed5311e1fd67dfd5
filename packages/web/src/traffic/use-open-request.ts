import { getRequest } from '@switchyard/contract/investigation';
import type { RequestRow } from '@switchyard/contract/requests';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { z } from 'zod';
import { call, inBackground } from '../shared/api/call.ts';
import { openRowParameter } from '../shared/listing/list-query.ts';
import { shownResult, type OpenRow } from '../shared/listing/use-open-row.ts';
import type { ListState } from '../shared/listing/use-list.ts';
import { useParameter } from '../shared/navigation.tsx';
import { readRequestId } from './request-id.ts';

/** A request with what is known beside its row. */
export type RequestDetails = z.output<typeof getRequest.answer.schema>;

/** The request that the side panel shows. Its row may be on another page, or not loaded yet. */
export type OpenRequest = OpenRow<RequestRow> & {
  id: number | null;
  details: RequestDetails | undefined;
  /** Why the details are not there; null while they load. */
  failure: Error | null;
  retry: () => void;
};

/** Milliseconds without a further step after which the address follows: browsers limit how often it may change. */
const addressDelay = 150;

/**
 * Which request is open: the one that the address names, so that a link or a reload opens it again. The panel follows at
 * once, the address as soon as the reader stays on a request.
 */
export function useOpenRequest(list: Pick<ListState<unknown, RequestRow>, 'rows' | 'fingerprint' | 'arrangement'>): OpenRequest {
  const { rows } = list;
  const [parameter, setParameter] = useParameter(openRowParameter);
  const named = readRequestId(parameter);
  const [id, setId] = useState(named);
  // What this list wrote last: any other value in the address came from a link, the history or a changed filter.
  const [written, setWritten] = useState(named);
  const [seen, setSeen] = useState(named);
  if (seen !== named) {
    setSeen(named);
    if (named !== written) {
      setWritten(named);
      setId(named);
    }
  }
  // A request that the address does not name yet closes with the others.
  const result = shownResult(list);
  const [seenResult, setSeenResult] = useState(result);
  if (seenResult !== result) {
    setSeenResult(result);
    setWritten(named);
    setId(named);
  }
  useEffect(() => {
    if (id === named) return undefined;
    const timer = setTimeout(() => {
      setWritten(id);
      setParameter(id === null ? null : String(id));
    }, addressDelay);
    return () => clearTimeout(timer);
  }, [id, named, setParameter]);

  const read = useRequestDetails(id);
  const index = rows.findIndex((row) => row.id === id);
  const open = useCallback((row: RequestRow) => setId(row.id), []);
  return {
    id,
    ...read,
    row: rows[index] ?? read.details,
    open,
    close: () => setId(null),
    step: (by) => {
      const next = rows[index + by];
      if (index >= 0 && next !== undefined) open(next);
    },
  };
}

/** What is known of a request beside its row; nothing is read without an id. */
export function useRequestDetails(id: number | null): Pick<OpenRequest, 'details' | 'failure' | 'retry'> {
  const { data, error, refetch } = useQuery({
    queryKey: ['request', id],
    queryFn: ({ signal }) => call(getRequest, { params: { id: id ?? 0 }, signal, ...inBackground }),
    enabled: id !== null,
  });
  return { details: data?.data, failure: error, retry: () => void refetch() };
}
