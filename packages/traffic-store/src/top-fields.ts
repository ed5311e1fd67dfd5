import { noValue } from '@switchyard/contract/requests';
import type { Dimension } from './event-filter-rules.ts';
import type { TopField, TopValues, ValueCount } from './event-store.ts';

/** The dimensions of roll-ups that count each field; undefined: only the events know its values. */
export const countedTopFields: Readonly<Partial<Record<TopField, readonly Dimension[]>>> = {
  app: ['app_id'],
  country: ['country'],
  type: ['type'],
  stream: ['stream_uid'],
  asn: ['asn'],
};

/**
 * How many of the newest matches are read if roll-ups do not count a field: few enough that reading them takes less than the
 * statement timeout.
 */
export type MostNewest = Readonly<Record<TopField, number>>;

/** For tests: fewer rows than usual. */
export type TopReading = { topRows?: number | undefined };

/** How many of the newest matches are read for a field. */
export function mostNewest(usual: MostNewest, field: TopField, { topRows }: TopReading): number {
  return Math.min(topRows ?? Infinity, usual[field]);
}

/** Maximum length of an exception type. */
export const errorKindLength = 255;

/** The value of events without a label. */
export const withoutLabel = noValue;

/** The answer of `findTopValues` from its rows. Each row has the number of events that were read. */
export function toTopValues(valueRows: readonly (ValueCount & { rows: number })[], most: number | null): TopValues {
  const rows = valueRows[0]?.rows ?? 0;
  return {
    values: valueRows.map(({ value, count }) => ({ value, count })),
    rows,
    counted: most !== null && rows >= most ? 'newest' : 'all',
  };
}

/** Events by their own type, and how many of them have an error. */
export type TypeGroup = { type: string; count: number; errors: number };

/** Top types from counts by type. `error` then counts every event with an error. */
export function topTypes(groups: readonly TypeGroup[], { limit, most }: { limit: number | null; most: number | null }): TopValues {
  const counts = new Map<string, number>();
  const add = (value: string, count: number): unknown => counts.set(value, (counts.get(value) ?? 0) + count);
  for (const { type, count, errors } of groups) {
    if (type !== 'error') add(type, count);
    if (errors > 0) add('error', errors);
  }
  const rows = groups.reduce((sum, { count }) => sum + count, 0);
  const values = Array.from(counts, ([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, limit ?? undefined);
  return { values, rows, counted: most !== null && rows >= most ? 'newest' : 'all' };
}
