import { z } from 'zod';
import { defaultRequestSort } from './all-requests.ts';
import { anyPermission, defineEndpoint } from './endpoint.ts';
import { defaultLimits } from './limits.ts';
import { idParams, limit, page, sortBy, withKnownSort } from './listing.ts';
import { requestHistogram } from './request-histogram.ts';
import { eventTabTypes, requestFilters, requestRow, requestSortKeys } from './requests.ts';

/** The list of the Event tab as a reader arranges it. */
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
  query: withKnownSort(postbacksQuery, requestSortKeys, defaultRequestSort),
  answer: { kind: 'page', row: requestRow },
  refusals: [404],
});

export const countPostbacks = defineEndpoint({
  number: 27,
  method: 'GET',
  path: 'apps/{id}/postbacks/histogram',
  summary: 'Requests of one app over time, by type',
  access: anyPermission('manager_app_requests'),
  params: idParams,
  query: z.object(requestFilters),
  answer: { kind: 'data', status: 200, schema: requestHistogram },
  refusals: [404],
});

/** A value to filter by: shown by name, sent by uid (EVT-007). */
const filterOption = z.object({ name: z.string(), uid: z.string() });

/** What the Event tab of an app offers to filter by; `ip` is the caller's own address (api [28], AMB-130). */
const postbackFilters = z.object({
  type: z.array(filterOption),
  geo: z.array(filterOption),
  streamUid: z.array(filterOption),
  ip: z.string(),
});
export type PostbackFilters = z.output<typeof postbackFilters>;

/** The types as options, named as they are (EVT-004). */
export const typeFilterOptions: PostbackFilters['type'] = eventTabTypes.map((type) => ({ name: type, uid: type }));

export const listPostbackFilters = defineEndpoint({
  number: 28,
  method: 'GET',
  path: 'apps/{id}/postbacks/filters',
  summary: 'Values to filter the requests of one app by',
  access: anyPermission('manager_app_requests'),
  params: idParams,
  answer: { kind: 'data', status: 200, schema: postbackFilters },
  refusals: [404],
});
