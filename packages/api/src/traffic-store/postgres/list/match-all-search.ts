import type pg from 'pg';
import type { RequestFilter, RequestSearch } from '../../traffic-store.ts';
import { wholeDays } from './day-counts.ts';
import { newParameters, type Parameters, sharedConditions } from '../event-conditions.ts';
import { countedUid } from '../rollups.ts';
import { inSnapshot, type Reader } from '../snapshot.ts';

/** Of more days than these a search is counted from the events as a whole. */
const mostDaysLeftOut = 8;

/**
 * The days on which a search leaves out some request of the filter's apps, as the days of apps know by their first and last
 * address and client uid; on all others it is like no search at all. Null when there are many or nobody asked.
 * @param reader in the snapshot in which the answer will be used: the next request may be the first that does not fit.
 */
export async function daysLeftOut(reader: Reader, filter: RequestFilter, offset: string): Promise<string[] | null> {
  const { search } = filter;
  if (search === undefined || !mayFitAll(filter)) return null;
  const parameters = newParameters();
  const days = [...wholeDays(filter, filter, offset, parameters), ...sharedConditions({ scope: filter.scope }, parameters)].join(' and ');
  const fits = search.map((one) => fitsAll(one, parameters)).join(' or ');
  const { rows } = await reader.query<{ day: string }>({
    text: `select day::text as day from (select distinct day from traffic_app_days where ${days} and not (${fits}) limit ${mostDaysLeftOut + 1}) as found`,
    values: parameters.values,
  });
  return rows.length > mostDaysLeftOut ? null : rows.map((row) => row.day);
}

/** The filter without its search. */
export function withoutSearch(filter: RequestFilter): RequestFilter {
  return { ...filter, search: undefined };
}

/** Runs `work` with the filter, or without its search where that is idle; in one snapshot where that has to be asked. */
export async function withFewestConditions<T>(
  pool: pg.Pool,
  { filter, offset }: { filter: RequestFilter; offset: string },
  work: (reader: Reader, filter: RequestFilter) => Promise<T>,
): Promise<T> {
  if (!mayFitAll(filter)) return work(pool, filter);
  return inSnapshot(pool, async (reader) => {
    const leftOut = await daysLeftOut(reader, filter, offset);
    return work(reader, leftOut?.length === 0 ? withoutSearch(filter) : filter);
  });
}

/** Whether it is worth asking which days a search leaves out: a single address or a long text is not what all requests have. */
export function mayFitAll({ search, clientUid }: RequestFilter): boolean {
  if (clientUid !== undefined) return false;
  return search?.some((one) => (one.kind === 'ip-range' ? one.first !== one.last : one.prefix.length <= countedUid)) === true;
}

function fitsAll(search: RequestSearch, parameters: Parameters): string {
  if (search.kind === 'ip-range') {
    return `(first_ip >= ${parameters.add(search.first)}::inet and last_ip <= ${parameters.add(search.last)}::inet)`;
  }
  const prefix = `lower(${parameters.add(search.prefix)})`;
  return `(starts_with(first_uid, ${prefix}) and starts_with(last_uid, ${prefix}))`;
}
