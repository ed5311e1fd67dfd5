import type { Dimension } from './event-filter-rules.ts';
import type { EventCounts, EventFigures, EventGroups, FirstGroups, GroupKey } from './event-store.ts';
import { keysIn, type SelectedKeys, toCounts } from './group-columns.ts';

/** The dimension of roll-ups behind each key; null: time, or what only the events know. */
export const dimensionOfGroup: Readonly<Record<GroupKey, Dimension | null>> = {
  app: 'app_id',
  country: 'country',
  stream: 'stream_uid',
  asn: 'asn',
  type: 'type',
  day: null,
  hour: null,
  server: null,
};

/** Columns that the engines select for groups, beside the keys and the figures of types. */
export const groupFigures = ['requests', 'successes', 'bots'] as const;

/** The name of the column of a figure of a type. */
export function typeColumn(index: number): `type_${number}` {
  return `type_${index}`;
}

type Figure = (typeof groupFigures)[number] | ReturnType<typeof typeColumn>;

/** The columns of all figures. */
export function figuresOf(typeFigures: readonly unknown[]): Figure[] {
  return [...groupFigures, ...typeFigures.map((_, index) => typeColumn(index))];
}

const figureColumns = { events: 'requests', successes: 'successes', bots: 'bots' } as const satisfies Record<keyof EventFigures, Figure>;

/** The column by which first groups are ordered. */
export function rankColumn(by: FirstGroups['by']): Figure {
  return typeof by === 'number' ? typeColumn(by) : figureColumns[by];
}

/** Columns as an engine returns them. */
export type SelectedGroups = SelectedKeys & { readonly [Name in Figure]?: readonly number[] };

type Asked = Pick<EventGroups, 'by' | 'typeFigures'>;

/** The counts in selected columns. */
export function toEventCounts(columns: SelectedGroups, { by, typeFigures = [] }: Asked): EventCounts {
  const { requests: events = [], successes = [], bots = [] } = columns;
  const counts = toCounts<EventFigures>(
    { length: events.length, keys: keysIn(columns, by), figures: { events, successes, bots } },
    (row) => ({ events: events[row] ?? 0, successes: successes[row] ?? 0, bots: bots[row] ?? 0 }),
  );
  return Object.assign(counts, { types: typeFigures.map((_, index) => columns[typeColumn(index)] ?? []) });
}

/** Counts of no groups. */
export function noEventCounts(query: Asked): EventCounts {
  return toEventCounts({}, query);
}

/** The first groups, and what the others add up to: the number of all groups and their sums less those of the first ones. */
export function withRest(
  columns: SelectedGroups,
  { groups, sumOf }: { groups: number; sumOf: (figure: Figure) => number },
  asked: Asked,
): EventCounts {
  const counts = toEventCounts(columns, asked);
  const sums = figuresOf(asked.typeFigures ?? []).map((name) => [
    name,
    [(columns[name] ?? []).reduce((left, value) => left - value, sumOf(name))],
  ]);
  const rest: SelectedGroups = Object.fromEntries(sums);
  return Object.assign(counts, { rest: { groups: groups - counts.length, counts: toEventCounts(rest, { ...asked, by: [] }) } });
}
