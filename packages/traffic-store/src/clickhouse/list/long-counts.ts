import { offsetMinutes } from '@switchyard/contract/dates';
import { type Dimension, dimensionsOf, isCounted } from '../../event-filter-rules.ts';
import { dimensionOfGroup } from '../../grouped-counts.ts';
import type { EventGroups } from '../../event-store.ts';
import type { TimeRange } from '../../time-range.ts';
import { day, splitWeeks, splitWhole } from '../../time-buckets.ts';
import { dateOf } from '../event-conditions.ts';
import { type Projection, typeFigureSql } from '../schema.ts';
import type { Parameters } from '../statement.ts';

/** A projection that counts the figures of groups by days or weeks of UTC instead of by hours: a tenth of the rows or less. */
export type LongCounts = {
  readonly projection: Projection;
  readonly split: (range: TimeRange) => ReturnType<typeof splitWhole>;
  /** Conditions on the days or weeks of a range that begins and ends with one. */
  readonly conditions: (range: TimeRange, parameters: Parameters) => string[];
  /** SQL of the figures of types that are asked for. */
  readonly typeFigures: readonly string[];
};

type Known = Omit<LongCounts, 'typeFigures'> & { readonly dimensions: readonly Dimension[]; readonly hasDays: boolean };

/** Conditions that an expression of the date lies in a range. */
function datesIn(date: string): LongCounts['conditions'] {
  return ({ from, until }, parameters) => [
    ...(from === undefined ? [] : [`${date} >= ${dateOf(from, parameters)}`]),
    ...(until === undefined ? [] : [`${date} < ${dateOf(until, parameters)}`]),
  ];
}

/** The ones with fewer rows first. Weeks are partitions. */
const longCounts: readonly Known[] = [
  {
    projection: 'by_app_day',
    dimensions: ['app_id'],
    hasDays: true,
    split: (range) => splitWhole(range, day, '+00:00'),
    conditions: datesIn('toDate(occurred_at)'),
  },
  {
    projection: 'by_week',
    dimensions: ['app_id', 'country', 'stream_uid'],
    hasDays: false,
    split: splitWeeks,
    conditions: datesIn('_partition_value.1'),
  },
];

/** The projection that knows all that is asked for; null if only counts by hours and flags do. Hours of all apps are fewer than days of each. */
export function longCountsFor(
  { filter, by, typeFigures }: Required<Pick<EventGroups, 'filter' | 'by' | 'typeFigures'>>,
  offset: string,
): LongCounts | null {
  const isOfDays = by.includes('day');
  const dimensions = new Set([...dimensionsOf(filter), ...by.flatMap((key) => dimensionOfGroup[key] ?? [])]);
  if (dimensions.size === 0 || !isCounted(filter) || by.includes('hour') || by.includes('server')) return null;
  if (isOfDays && offsetMinutes(offset) !== 0) return null;
  const counts = longCounts.find(
    ({ hasDays, dimensions: known }) => (hasDays || !isOfDays) && [...dimensions].every((name) => known.includes(name)),
  );
  const figures = typeFigures.map(typeFigureSql);
  return counts !== undefined && figures.every((figure) => figure !== null) ? { ...counts, typeFigures: figures } : null;
}
