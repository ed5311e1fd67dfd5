import type { RequestFilters } from '@switchyard/contract/requests';
import { readEventSearch } from './event-search.ts';
import { readTimeRange } from './read-time-range.ts';
import type { AppScope } from '../app-scope.ts';
import type { EventFilter } from './event-store.ts';

/** The filter that a query asks for. Throws FieldErrors when the range of time ends before it starts. */
export function readEventFilter(query: RequestFilters, options: { scope: AppScope; serverOffset: string }): EventFilter {
  return {
    scope: options.scope,
    search: query.search === undefined ? undefined : readEventSearch(query.search),
    clientUid: query.clientId,
    types: query.type,
    countries: query.geo,
    streamUids: query.streamUid,
    ...readTimeRange(query, options.serverOffset),
    emptyPostbacksDomain: query.emptyPostbacksDomain === true ? true : undefined,
  };
}
