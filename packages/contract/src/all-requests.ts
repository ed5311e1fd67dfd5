import { z } from 'zod';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { defaultLimits } from './limits.ts';
import { cursor, limit, sortBesideCursor, sortBy, withKnownSort } from './listing.ts';
import { allRequestFilters, histogramRange, originQuery, requestHistogram, requestRow, requestSortKeys } from './requests.ts';

const parts = { ...allRequestFilters, cursor, limit: limit(defaultLimits.allRequests) };

/** Newest first. */
export const defaultRequestSort = { orderBy: 'concatenated_date', orderDirection: 'desc' } as const;

/** Filters, sort and page of the list. */
export const allRequestsQuery = z.object({ ...parts, ...sortBy(requestSortKeys, defaultRequestSort) });
export type AllRequestsQuery = z.output<typeof allRequestsQuery>;

export const listAllRequests = defineEndpoint({
  number: 33,
  method: 'GET',
  path: 'all-requests',
  summary: 'Requests of all apps in scope',
  access: anyPermission('manager_app_all_requests'),
  // A cursor contains its sort, so the call must distinguish an absent sort from a default one.
  query: withKnownSort(
    z.object({ ...parts, ...originQuery, ...sortBesideCursor(requestSortKeys, defaultRequestSort) }),
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
  query: z.object({ ...allRequestFilters, range: histogramRange }),
  answer: { kind: 'data', status: 200, schema: requestHistogram },
});
