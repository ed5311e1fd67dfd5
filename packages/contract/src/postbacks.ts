import { z } from 'zod';
import { defaultRequestSort } from './all-requests.ts';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { defaultLimits } from './limits.ts';
import { idParams, limit, page, sortBy, withKnownSort } from './listing.ts';
import { histogramRange, originQuery, requestHistogram, eventTabTypes, requestFilters, requestRow, requestSortKeys } from './requests.ts';

/** Filters, sort and page of the Event tab. */
export const postbacksQuery = z.object({
  ...requestFilters,
  page,
  limit: limit(defaultLimits.postbacks),
  ...sortBy(requestSortKeys, defaultRequestSort),
});
export type PostbacksQuery = z.output<typeof postbacksQuery>;

export const listPostbacks = defineEndpoint({
  number: 24,
  method: 'GET',
  path: 'apps/{id}/postbacks',
  summary: 'Requests of one app',
  access: anyPermission('manager_app_requests'),
  params: idParams,
  query: withKnownSort(postbacksQuery.extend(originQuery), requestSortKeys, defaultRequestSort),
  answer: { kind: 'page', row: requestRow },
});

export const countPostbacks = defineEndpoint({
  number: 27,
  method: 'GET',
  path: 'apps/{id}/postbacks/histogram',
  summary: 'Requests of one app over time, by type',
  access: anyPermission('manager_app_requests'),
  params: idParams,
  query: z.object({ ...requestFilters, range: histogramRange }),
  answer: { kind: 'data', status: 200, schema: requestHistogram },
});

/** A filter option: `name` is shown, `uid` is sent. */
const filterOption = z.object({ name: z.string(), uid: z.string() });

/** Filter options of the Event tab. `ip` is the caller's own address. */
const postbackFilters = z.object({
  type: z.array(filterOption),
  geo: z.array(filterOption),
  streamUid: z.array(filterOption),
  ip: z.string(),
});
export type PostbackFilters = z.output<typeof postbackFilters>;

/** Request types as filter options. */
export const typeFilterOptions: PostbackFilters['type'] = eventTabTypes.map((type) => ({ name: type, uid: type }));

export const listPostbackFilters = defineEndpoint({
  number: 28,
  method: 'GET',
  path: 'apps/{id}/postbacks/filters',
  summary: 'Filter options for the requests of one app',
  access: anyPermission('manager_app_requests'),
  params: idParams,
  answer: { kind: 'data', status: 200, schema: postbackFilters },
});
