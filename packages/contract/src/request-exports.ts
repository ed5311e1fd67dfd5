import { z } from 'zod';
import { anyPermission, csvFile, defineEndpoint } from './endpoint.ts';
import { defaultRequestSort } from './all-requests.ts';
import { idParams, sortBy, withKnownSort } from './listing.ts';
import { requestFilters, requestSortKeys } from './requests.ts';

/** The columns of an export of requests, in their order (api [25]). */
export const requestExportColumns = [
  'id',
  'uuid',
  'app_id',
  'app_bundle',
  'stream_uid',
  'stream_name',
  'client_uid',
  'ip',
  'country',
  'bot',
  'type',
  'date_utc',
  'postbacks_domain',
  'user_agent',
  'body_request',
  'body_response',
  'error',
  'additional_data',
] as const;

const parts = { ...requestFilters, ...sortBy(requestSortKeys, defaultRequestSort) };

/** The text for an export of all requests without a search (api [34]); its key is `search`. */
export const searchRequired = 'The search field is required.';

/** Refused as a missing value, not as one of the wrong form, and together with whatever else is wrong. */
const neededSearch = requestFilters.search.refine((search) => search !== undefined, { error: searchRequired, params: { shape: true } });

export const downloadPostbacks = defineEndpoint({
  number: 25,
  method: 'GET',
  path: 'apps/{id}/postbacks/download',
  summary: "An app's requests as CSV",
  access: anyPermission('manager_app_requests'),
  params: idParams,
  query: withKnownSort(z.object(parts), requestSortKeys, defaultRequestSort),
  answer: csvFile(requestExportColumns),
});

export const downloadAllRequests = defineEndpoint({
  number: 34,
  method: 'GET',
  path: 'all-requests/download',
  summary: 'The requests that fit a search as CSV',
  access: anyPermission('manager_app_all_requests'),
  query: withKnownSort(z.object({ ...parts, search: neededSearch }), requestSortKeys, defaultRequestSort),
  answer: csvFile(requestExportColumns),
});
