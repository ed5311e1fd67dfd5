import { dayOf, type Microseconds } from '@switchyard/contract/dates';
import type { RequestType } from '@switchyard/contract/requests';
import type { TimeRange } from '../../read-time-range.ts';
import { day, splitWhole } from '../../time-buckets.ts';
import { dayRollupFor } from '../rollups.ts';
import { spansOf } from './matching-days.ts';
import { type PartFilter, isCounted } from '../../event-filter-rules.ts';
import { indexedConditions, newParameters, type Parameters, sharedConditions, timeConditions } from '../event-conditions.ts';
import { keptName } from '../run-query.ts';
import type { Reader } from '../snapshot.ts';

/** How many matches a day holds, exactly, and between which ids they arrived. */
export type CountedDay = { day: string; type: RequestType | null; requests: number; first_id: number; last_id: number };

/**
 * Matches by day, exactly; by day and type where asked. Whole days come from the roll-ups, so it costs as much as there
 * are days; the parts of days at the ends of the range, and searches, are counted from the events.
 * @param query `leftOut`: the days of which a search leaves something out (daysLeftOut); null: any may be.
 */
export async function countByDay(
  reader: Reader,
  { filter, offset, byType, leftOut }: { filter: PartFilter; offset: string; byType: boolean; leftOut: readonly string[] | null },
): Promise<CountedDay[]> {
  const parameters = newParameters();
  const days = { offset, byType, leftOut: leftOut ?? [] };
  const isRolledUp = isCounted(filter) || leftOut !== null;
  const parts = isRolledUp ? rolledUp(filter, days, parameters) : [fromEvents(filter, filter, days, parameters)];
  if (parts.length === 0) return [];
  const text = `select day::text as day, ${byType ? 'type' : 'null as type'}, sum(requests)::bigint as requests, min(first_id) as first_id,
    max(last_id) as last_id from (${parts.join(' union all ')}) as counted group by day${byType ? ', type' : ''} order by day`;
  // A search is planned for its own values: one address and a wide block want different indexes.
  const name = isCounted(filter) ? { name: keptName(text) } : {};
  const { rows } = await reader.query<CountedDay>({ ...name, text, values: parameters.values });
  return rows;
}

/** How many rows match, from the counts by day. */
export function totalOf(days: readonly CountedDay[]): number {
  return days.reduce((sum, { requests }) => sum + requests, 0);
}

type Days = { offset: string; byType: boolean; leftOut: readonly string[] };

function rolledUp(filter: PartFilter, ofDays: Days, parameters: Parameters): string[] {
  const { offset, leftOut } = ofDays;
  const { whole, ragged } = splitWhole(filter, day, offset);
  if (whole === null) return ragged.map((span) => fromEvents(filter, span, ofDays, parameters));
  const conditions = [
    ...wholeDays(filter, whole, offset, parameters),
    ...sharedConditions(filter, parameters),
    ...(leftOut.length === 0 ? [] : [`day <> all(${parameters.add(leftOut)}::date[])`]),
  ];
  const days = `select day, type, requests, first_id, last_id from ${dayRollupFor(filter)} where ${conditions.join(' and ')}`;
  const searched = spansOf(
    leftOut.map((name) => ({ day: name })),
    { filter: { ...filter, ...whole }, offset },
  );
  return [days, ...[...ragged, ...searched].map((span) => fromEvents(filter, span, ofDays, parameters))];
}

/** Whole days of a range as conditions on a roll-up by day. */
export function wholeDays({ scope }: PartFilter, { from, until }: TimeRange, offset: string, parameters: Parameters): string[] {
  const [min, max] = ['(select min(day) from traffic_day_types)', '(select max(day) from traffic_day_types)'];
  const dayAt = (instant: Microseconds) => `${parameters.add(dayOf(instant, offset))}::date`;
  const first = from === undefined ? min : `greatest(${dayAt(from)}, ${min})`;
  const last = until === undefined ? max : `least(${dayAt(until - 1)}, ${max})`;
  if (scope === 'all' || scope.length !== 1) return [`day between ${first} and ${last}`];
  // The key begins with the day: naming each lets an index go to one app's rows of each and pass all others.
  return [`day = any(array(select generate_series(${first}, ${last}, interval '1 day')::date))`];
}

/** Each event is put into its day by one subtraction and one division; what day that is is asked once a day. */
function fromEvents(filter: PartFilter, range: TimeRange, { offset, byType }: Days, parameters: Parameters): string {
  const conditions = [
    ...sharedConditions(filter, parameters),
    ...indexedConditions(filter, parameters),
    ...timeConditions(range, parameters),
  ];
  const shift = `${parameters.add(offset)}::interval`;
  const binned = `select date_bin('1 day', occurred_at, timestamptz 'epoch' - ${shift}) as start, ${byType ? 'type' : 'null::request_type as type'},
    count(*) as requests, min(id) as first_id, max(id) as last_id
    from events ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`} group by 1, 2`;
  return `select (start at time zone 'UTC' + ${shift})::date as day, type, requests, first_id, last_id from (${binned}) as binned`;
}
