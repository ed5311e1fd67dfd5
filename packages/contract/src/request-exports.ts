import { z } from 'zod';
import { anyPermission, csvFile, defineEndpoint } from './endpoint.ts';
import { csvFormat } from './csv-format.ts';
import { defaultRequestSort } from './all-requests.ts';
import { idParams, sortBy, withKnownSort } from './listing.ts';
import { allRequestFilters, requestExportColumns, requestFilters, requestSortKeys } from './requests.ts';

const parts = { ...requestFilters, ...csvFormat, ...sortBy(requestSortKeys, defaultRequestSort) };

/** Message for an export of all requests without `search`. */
export const searchRequired = 'The search field is required.';

/** A missing search is a shape error, reported together with all others. */
const requiredSearch = requestFilters.search.refine((search) => search !== undefined, { error: searchRequired, params: { shape: true } });

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
  summary: 'Requests that match a search, as CSV',
  access: anyPermission('manager_app_all_requests'),
  query: withKnownSort(z.object({ ...parts, ...allRequestFilters, search: requiredSearch }), requestSortKeys, defaultRequestSort),
  answer: csvFile(requestExportColumns),
});
