import { z } from 'zod';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { defaultLimits } from './limits.ts';
import { cursor, limit, sortBy } from './listing.ts';
import { requestFilters, requestRow, requestSortKeys } from './requests.ts';

export const allRequestsQuery = z.object({
  ...requestFilters,
  cursor,
  limit: limit(defaultLimits.allRequests),
  ...sortBy(requestSortKeys, { orderBy: 'concatenated_date', orderDirection: 'desc' }),
});
export type AllRequestsQuery = z.output<typeof allRequestsQuery>;

export const listAllRequests = defineEndpoint({
  number: 33,
  method: 'GET',
  path: 'all-requests',
  summary: 'Requests of all apps in scope',
  access: anyPermission('manager_app_all_requests'),
  query: allRequestsQuery,
  answer: { kind: 'cursor', row: requestRow },
});
