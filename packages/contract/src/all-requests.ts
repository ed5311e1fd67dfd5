import { z } from 'zod';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { defaultLimits } from './limits.ts';
import { cursor, limit, sortBesideCursor, sortBy, withKnownSort } from './listing.ts';
import { requestHistogram } from './request-histogram.ts';
import { requestFilters, requestRow, requestSortKeys } from './requests.ts';

const parts = { ...requestFilters, cursor, limit: limit(defaultLimits.allRequests) };

/** Newest first. */
export const defaultRequestSort = { orderBy: 'concatenated_date', orderDirection: 'desc' } as const;

/** The list as a reader arranges it. */
export const allRequestsQuery = z.object({ ...parts, ...sortBy(requestSortKeys, defaultRequestSort) });
export type AllRequestsQuery = z.output<typeof allRequestsQuery>;

export const listAllRequests = defineEndpoint({
  number: 33,
  method: 'GET',
  path: 'all-requests',
  summary: 'Requests of all apps in scope',
  access: anyPermission('manager_app_all_requests'),
  // A cursor keeps its sort, so the call must know a sort that was sent from one that was not.
  query: withKnownSort(
    z.object({ ...parts, ...sortBesideCursor(requestSortKeys, defaultRequestSort) }),
    requestSortKeys,
    defaultRequestSort,
  ),
  answer: { kind: 'cursor', row: requestRow },
});

export const countAllRequests = defineEndpoint({
  number: 36,
  method: 'GET',
  path: 'all-requests/histogram',
  summary: 'Requests of all apps in scope over time, by type',
  access: anyPermission('manager_app_all_requests'),
  query: z.object(requestFilters),
  answer: { kind: 'data', status: 200, schema: requestHistogram },
});
