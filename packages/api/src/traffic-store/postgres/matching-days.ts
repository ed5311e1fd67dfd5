import { dayOf, dayRange, type Microseconds } from '@switchyard/contract/dates';
import type pg from 'pg';
import type { RequestFilter } from '../traffic-store.ts';
import { newParameters, sharedConditions } from './request-conditions.ts';

export type TimeRange = { from: Microseconds; until: Microseconds };

/** How many days of roll-ups are read at first; each further step reads four times as many. */
const firstStep = 2;
const stepFactor = 4;

/** Whether the roll-ups can tell days with matches from days without: the filter asks only what they count. */
export function isCounted(filter: RequestFilter): boolean {
  return filter.search === undefined && filter.clientUid === undefined;
}

/** Whether the filter asks anything at all, so that skipping days can save work. */
export function narrows(filter: RequestFilter): boolean {
  return (
    filter.scope !== 'all' ||
    filter.types !== undefined ||
    filter.countries !== undefined ||
    filter.streamUids !== undefined ||
    filter.emptyPostbacksDomain === true
  );
}

/**
 * The days that hold the first `wanted` matches in the given direction, as ranges in that order, found from
 * the roll-ups alone: walking them costs the number of their rows, not of the events. Days at the ends of the
 * filter's own range are included when they hold any match, since the roll-ups know whole days only; for the
 * same reason the first day does not count towards `wanted`.
 */
export async function findMatchingDays(
  pool: pg.Pool,
  query: { filter: RequestFilter; offset: string; direction: 'asc' | 'desc'; wanted: number },
): Promise<TimeRange[]> {
  const { filter, offset, direction } = query;
  const bounds = await calendarBounds(pool, filter, offset);
  if (bounds === null) return [];
  const table = filter.countries === undefined && filter.streamUids === undefined ? 'traffic_days' : 'traffic_breakdown';
  const parameters = newParameters();
  const [from, until] = [parameters.add(null), parameters.add(null)];
  const where = [`day between ${from}::date and ${until}::date`, ...sharedConditions(filter, parameters)].join(' and ');
  const text = `select day::text as day, sum(requests)::bigint as requests from ${table} where ${where} group by day order by day ${direction}`;

  const found: TimeRange[] = [];
  let sure = 0;
  let reached = direction === 'desc' ? bounds.last : bounds.first;
  for (let step = firstStep; reached >= bounds.first && reached <= bounds.last && sure < query.wanted; step *= stepFactor) {
    const edge = shiftDay(reached, direction === 'desc' ? 1 - step : step - 1);
    const range =
      direction === 'desc' ? [edge < bounds.first ? bounds.first : edge, reached] : [reached, edge > bounds.last ? bounds.last : edge];
    const { rows } = await pool.query<{ day: string; requests: number }>({ text, values: [...range, ...parameters.values.slice(2)] });
    for (const row of rows) {
      if (sure >= query.wanted) break;
      const isAnEnd = row.day === bounds.first || row.day === bounds.last;
      if (!isAnEnd) sure += row.requests;
      found.push(dayRange(row.day, offset));
    }
    reached = shiftDay(edge, direction === 'desc' ? -1 : 1);
  }
  return found;
}

/** First and last day that can hold a match, or null when no day can. */
async function calendarBounds(pool: pg.Pool, filter: RequestFilter, offset: string): Promise<{ first: string; last: string } | null> {
  const { rows } = await pool.query<{ first: string | null; last: string | null }>({
    name: 'traffic-calendar-bounds',
    text: 'select (select min(day) from traffic_days)::text as first, (select max(day) from traffic_days)::text as last',
  });
  const first = rows[0]?.first ?? null;
  const last = rows[0]?.last ?? null;
  if (first === null || last === null) return null;
  const asked = {
    first: filter.from === undefined ? first : dayOf(filter.from, offset),
    last: filter.until === undefined ? last : dayOf(filter.until - 1, offset),
  };
  const bounds = { first: asked.first > first ? asked.first : first, last: asked.last < last ? asked.last : last };
  return bounds.first > bounds.last ? null : bounds;
}

function shiftDay(day: string, days: number): string {
  return dayOf(dayRange(day, '+00:00').from + days * 86_400_000_000, '+00:00');
}
