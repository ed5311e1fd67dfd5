import type { Dimension } from '../../event-filter-rules.ts';
import { typeColumn } from '../../grouped-counts.ts';
import type { TypeFigure } from '../../event-store.ts';
import type { TimeRange } from '../../time-range.ts';
import { day, hour, splitWhole } from '../../time-buckets.ts';
import { searchConditions, type Parameters, countedConditions, timeConditions } from '../event-conditions.ts';
import { countsFor, type Outcome, outcomesIn, type Rollup, typeFigureIn } from '../rollups.ts';
import { wholeHours } from './histogram.ts';
import { type Calendar, wholeDays } from './plan-days.ts';

/** The lengths of whole stretches that roll-ups count, longest first. */
const levels = [
  { name: 'day', length: day, conditions: wholeDays },
  { name: 'hour', length: hour, conditions: wholeHours },
] as const;

/** Sources of counted rows: a roll-up by day or by hour, or the events. */
export type CountedBy = 'day' | 'hour' | 'event';

/**
 * The selection of a part: SQL over the needed dimensions and the time of a row, by what the row counts, outcomes and figures of types. `longest`: the longest
 * stretch that a row may count.
 */
type Selection = {
  columns: (by: CountedBy) => readonly string[];
  neededDimensions: readonly Dimension[];
  outcomes: readonly Outcome[];
  typeFigures?: readonly TypeFigure[];
  longest?: CountedBy;
};

/** SQL of a selection, and what it reads. */
export type CountedPart = { text: string; source: Rollup | 'events' };

/**
 * Selections that together count every match once, for filters that roll-ups count: whole days and hours from the roll-ups, the rest
 * from the events. Each has the columns and `requests`.
 */
export function countedParts(
  { filter, offset }: Calendar,
  { columns, neededDimensions, outcomes, typeFigures = [], longest = 'day' }: Selection,
  parameters: Parameters,
): CountedPart[] {
  const parts: CountedPart[] = [];
  const typeColumns = (source: Rollup | 'events'): string[] =>
    typeFigures.map((figure, index) => `${typeFigureIn(source, figure)} as ${typeColumn(index)}`);
  const add = (source: Rollup | 'events', by: CountedBy, conditions: readonly string[]): void => {
    const selectedColumns = [
      ...columns(by),
      by === 'event' ? '1 as requests' : 'requests',
      ...outcomesIn(source, outcomes),
      ...typeColumns(source),
    ];
    parts.push({ text: `select ${selectedColumns.join(', ')} from ${source} where ${conditions.join(' and ')}`, source });
  };
  let rest: TimeRange[] = [filter];
  for (const { name, length, conditions } of levels) {
    const table =
      longest === 'event' || (longest === 'hour' && name === 'day')
        ? undefined
        : countsFor(name, filter, { neededDimensions, typeFigures });
    if (table === undefined) continue;
    const split = rest.map((range) => splitWhole(range, length, offset));
    for (const { whole } of split) {
      if (whole === null) continue;
      add(table, name, [...conditions(filter, whole, offset, parameters), ...countedConditions(filter, parameters)]);
    }
    rest = split.flatMap(({ edges }) => edges);
  }
  for (const range of rest) {
    const sharedConditions = countedConditions(filter, parameters);
    add('events', 'event', ['true', ...timeConditions(range, parameters), ...sharedConditions, ...searchConditions(filter, parameters)]);
  }
  return parts;
}
