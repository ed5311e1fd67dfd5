import { isCounted, isSearched, type PartFilter } from '../../event-filter-rules.ts';
import type { EventSearch } from '../../event-store.ts';
import type { Projection } from '../schema.ts';

/** One alternative of a search, and the projection that finds its matches; null: the events are read one by one. */
export type SearchWay = { filter: PartFilter; projection: Projection | null };

/** The alternatives of a search, which may overlap; one where a client is asked for, or where nothing has an index. */
export function searchWays(filter: PartFilter): SearchWay[] {
  if (filter.clientUid !== undefined) return [{ filter, projection: 'of_client' }];
  if (!isSearched(filter)) return [{ filter, projection: null }];
  const byKind: Record<EventSearch['kind'], Projection> = { 'client-uid-prefix': 'of_client', 'ip-range': 'of_ip' };
  return (filter.search ?? []).map((search) => ({ filter: { ...filter, search: [search] }, projection: byKind[search.kind] }));
}

/** Where a list without a search is read: one app's rows lie together in `of_app`, everything else by time. */
export function sourceOf({ scope, ...filter }: PartFilter): 'events' | 'of_app' {
  return isCounted({ scope, ...filter }) && scope !== 'all' ? 'of_app' : 'events';
}
