import type pg from 'pg';
import type { EventFilter, EventSearch } from '../../event-store.ts';
import { mayMatchAll, withoutSearch } from '../../list/match-all.ts';
import { wholeDays } from './plan-days.ts';
import { newParameters, type Parameters, countedConditions } from '../event-conditions.ts';
import { inSnapshot, type Reader } from '../statements.ts';

/** With more excluded days than this, a search is counted from the events as a whole. */
const mostExcludedDays = 8;

/**
 * The days on which a search excludes some event of the filter's apps, from the first and last address and client uid of the days
 * of apps. On all other days the search matches everything. Null if there are many such days, or the search is too narrow to ask.
 * @param reader in the snapshot in which the result is used: the next event may be the first that does not match.
 */
export async function findExcludedDays(reader: Reader, filter: EventFilter, offset: string): Promise<string[] | null> {
  const { search } = filter;
  if (search === undefined || !mayMatchAll(filter)) return null;
  const parameters = newParameters();
  const days = [...wholeDays(filter, filter, offset, parameters), ...countedConditions({ scope: filter.scope }, parameters)].join(' and ');
  const fits = search.map((one) => fitsAll(one, parameters)).join(' or ');
  const { rows } = await reader.query<{ day: string }>({
    text: `select day::text as day from (select distinct day from traffic_app_days where ${days} and not (${fits}) limit ${mostExcludedDays + 1}) as found`,
    values: parameters.values,
  });
  return rows.length > mostExcludedDays ? null : rows.map((row) => row.day);
}

/** Runs `work` with the filter, without its search if that matches everything; in one snapshot where that has to be checked. */
export async function withFewestConditions<T>(
  pool: pg.Pool,
  { filter, offset }: { filter: EventFilter; offset: string },
  work: (reader: Reader, filter: EventFilter) => Promise<T>,
): Promise<T> {
  if (!mayMatchAll(filter)) return work(pool, filter);
  return inSnapshot(pool, async (reader) => {
    const excludedDays = await findExcludedDays(reader, filter, offset);
    return work(reader, excludedDays?.length === 0 ? withoutSearch(filter) : filter);
  });
}

function fitsAll(search: EventSearch, parameters: Parameters): string {
  if (search.kind === 'ip-range') {
    return `(first_ip >= ${parameters.add(search.first)}::inet and last_ip <= ${parameters.add(search.last)}::inet)`;
  }
  const prefix = `lower(${parameters.add(search.prefix)})`;
  return `(starts_with(first_uid, ${prefix}) and starts_with(last_uid, ${prefix}))`;
}
