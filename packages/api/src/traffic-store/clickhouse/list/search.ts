import { isSearched, type PartFilter } from '../../event-filter-rules.ts';
import type { EventSearch } from '../../event-store.ts';
import type { TopReading } from '../../top-fields.ts';
import type { EngineClient } from '../engine-client.ts';
import { searchConditions } from '../event-conditions.ts';
import type { Projection } from '../schema.ts';
import { newParameters, using } from '../statement.ts';

/** One alternative of a search, and the projection that finds its matches; null: the events themselves. */
export type SearchWay = { filter: PartFilter; projection: Projection | null };

/** Thresholds between the ways of reading; measured defaults, which tests set low so that every way is taken. */
export type EngineReading = TopReading & {
  /** A search with more matches than this in one of its alternatives is not read from the projections of searches. */
  rareSearch: number;
};

/**
 * How the matches of a filter that no projection counts are found. Without an index the events are read one by one. Few matches of a
 * search are found by the projection of each alternative. Many are found by the projection of apps, because there an app's do not lie
 * scattered, or in the order of time, where the first ones come soon.
 */
export async function findWays(engine: EngineClient, { rareSearch }: EngineReading, filter: PartFilter): Promise<SearchWay[]> {
  if (!isSearched(filter)) return [{ filter, projection: null }];
  const ways = searchWays(filter);
  const counts = await Promise.all(
    ways.map(async ({ filter: { clientUid, search }, projection }) => {
      const parameters = newParameters();
      const text = `select count() as matches from (select id from events
        where ${searchConditions({ scope: 'all', clientUid, search }, parameters).join(' and ')} limit ${rareSearch + 1} ${using(projection)})`;
      return engine.rows<{ matches: number }>({ text, parameters });
    }),
  );
  if (counts.flat().every(({ matches }) => matches <= rareSearch)) return ways;
  return [{ filter, projection: filter.scope === 'all' ? null : 'of_app' }];
}

/** The alternatives of a search, which may overlap; one where a client is asked for. */
function searchWays(filter: PartFilter): SearchWay[] {
  if (filter.clientUid !== undefined) return [{ filter, projection: 'of_client' }];
  const byKind: Record<EventSearch['kind'], Projection> = { 'client-uid-prefix': 'of_client', 'ip-range': 'of_ip' };
  return (filter.search ?? []).map((search) => ({ filter: { ...filter, search: [search] }, projection: byKind[search.kind] }));
}

/** In so few hours an app's events are found by the key of the table, which saves a statement. */
const fewHours = 12;

/**
 * The projection to read rows of a list that are spread over this number of hours: an app's events are together in `of_app`,
 * everything else is by time.
 */
export function sourceOf({ scope }: PartFilter, hours: number): 'events' | 'of_app' {
  return scope === 'all' || hours <= fewHours ? 'events' : 'of_app';
}
