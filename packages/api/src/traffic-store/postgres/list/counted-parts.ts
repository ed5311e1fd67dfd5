import type { Dimension } from '../../event-filter-rules.ts';
import type { TimeRange } from '../../read-time-range.ts';
import { day, hour, splitWhole } from '../../time-buckets.ts';
import { indexedConditions, type Parameters, sharedConditions, timeConditions } from '../event-conditions.ts';
import { countsFor, outcomesIn, type Rollup } from '../rollups.ts';
import { wholeHours } from './histogram.ts';
import { type Calendar, wholeDays } from './plan-days.ts';

/** The lengths of whole stretches that roll-ups count, longest first. */
const levels = [
  { name: 'day', length: day, conditions: wholeDays },
  { name: 'hour', length: hour, conditions: wholeHours },
] as const;

/** What rows are counted from: a roll-up by day or by hour, or the events. */
export type CountedBy = 'day' | 'hour' | 'event';

/**
 * What parts select: SQL over the needed dimensions and the time of a row, by what the row counts. `longest`: the longest stretch that
 * a row may count. `withOutcomes` adds `successes` and `bots`.
 */
type Selected = { columns: (by: CountedBy) => string; needed: readonly Dimension[]; longest?: CountedBy; withOutcomes?: boolean };

/**
 * Selections that together count every match once, for filters that roll-ups count: whole days and hours from the roll-ups, the rest
 * from the events. Each has the columns and `requests`.
 */
export function countedParts(
  { filter, offset }: Calendar,
  { columns, needed, longest = 'day', withOutcomes = false }: Selected,
  parameters: Parameters,
): string[] {
  const outcomes = (source: Rollup | 'events'): string => (withOutcomes ? `, ${outcomesIn(source)}` : '');
  const parts: string[] = [];
  let rest: TimeRange[] = [filter];
  for (const { name, length, conditions } of levels) {
    const table = longest === 'event' || (longest === 'hour' && name === 'day') ? undefined : countsFor(name, filter, needed);
    if (table === undefined) continue;
    const split = rest.map((range) => splitWhole(range, length, offset));
    for (const { whole } of split) {
      if (whole === null) continue;
      const where = [...conditions(filter, whole, offset, parameters), ...sharedConditions(filter, parameters)].join(' and ');
      parts.push(`select ${columns(name)}, requests${outcomes(table)} from ${table} where ${where}`);
    }
    rest = split.flatMap(({ ragged }) => ragged);
  }
  for (const range of rest) {
    const conditions = [
      'true',
      ...timeConditions(range, parameters),
      ...sharedConditions(filter, parameters),
      ...indexedConditions(filter, parameters),
    ];
    parts.push(`select ${columns('event')}, 1 as requests${outcomes('events')} from events where ${conditions.join(' and ')}`);
  }
  return parts;
}
