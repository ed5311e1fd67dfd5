import type { RequestFilters } from '@switchyard/contract/requests';
import { readRequestSearch } from './request-search.ts';
import { readTimeRange } from './read-time-range.ts';
import type { AppScope, RequestFilter } from './traffic-store.ts';

/** The filter that a query asks for (api 0.13). Throws FieldErrors when the range of time ends before it starts. */
export function readRequestFilter(query: RequestFilters, options: { scope: AppScope; serverOffset: string }): RequestFilter {
  return {
    scope: options.scope,
    search: query.search === undefined ? undefined : readRequestSearch(query.search),
    clientUid: query.clientId,
    types: query.type,
    countries: query.geo,
    streamUids: query.streamUid,
    ...readTimeRange(query, options.serverOffset),
    emptyPostbacksDomain: query.emptyPostbacksDomain === true ? true : undefined,
  };
}
