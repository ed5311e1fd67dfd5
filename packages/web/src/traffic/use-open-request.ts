import { getRequest } from '@switchyard/contract/request-by-id';
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
  const addressId = readRequestId(parameter);
  const [id, setId] = useState(addressId);
  // The value that this list wrote last: any other in the address came from a link, the history or a changed filter.
  const [writtenId, setWrittenId] = useState(addressId);
  const [seenId, setSeenId] = useState(addressId);
  if (seenId !== addressId) {
    setSeenId(addressId);
    if (addressId !== writtenId) {
      setWrittenId(addressId);
      setId(addressId);
    }
  }
  // A request that the address does not name yet closes with the others.
  const result = shownResult(list);
  const [seenResult, setSeenResult] = useState(result);
  if (seenResult !== result) {
    setSeenResult(result);
    setWrittenId(addressId);
    setId(addressId);
  }
  useEffect(() => {
    if (id === addressId) return undefined;
    const timer = setTimeout(() => {
      setWrittenId(id);
      setParameter(id === null ? null : String(id));
    }, addressDelay);
    return () => clearTimeout(timer);
  }, [id, addressId, setParameter]);

  const loadedDetails = useRequestDetails(id);
  const index = rows.findIndex((row) => row.id === id);
  const open = useCallback((row: RequestRow) => setId(row.id), []);
  return {
    id,
    ...loadedDetails,
    row: rows[index] ?? loadedDetails.details,
    open,
    close: () => setId(null),
    step: (by) => {
      const next = rows[index + by];
      if (index >= 0 && next !== undefined) open(next);
    },
  };
}

/** Details of a request beside its row; nothing is loaded without an id. */
export function useRequestDetails(id: number | null): Pick<OpenRequest, 'details' | 'failure' | 'retry'> {
  const { data, error, refetch } = useQuery({
    queryKey: ['request', id],
    queryFn: ({ signal }) => call(getRequest, { params: { id: id ?? 0 }, signal, ...inBackground }),
    enabled: id !== null,
  });
  return { details: data?.data, failure: error, retry: () => void refetch() };
}
