import type { ReactNode } from 'react';

/** Filters of a list, by parameter. */
export type AnyQuery = Readonly<Record<string, unknown>>;

/** Parameters that arrange the rows of a list without choosing other ones. */
export const arrangements = ['page', 'cursor', 'limit', 'orderBy', 'orderDirection'] as const;
type Arrangement = (typeof arrangements)[number];

/** Props of a control of the filter bar. */
export type FieldProps<Value> = {
  /** Name of the parameter. */
  name: string;
  value: Value;
  /** The value of the filter that `dependsOn` names. */
  other: Value | undefined;
  onChange(this: void, value: Value): void;
};

/** A value in effect as its chip shows it. */
export type ChipText<Value> = {
  /** Distinguishes the chips of one filter. Not needed if there is one. */
  key?: string;
  /** Name of the filter, e.g. `Type`. */
  name: string;
  /** Readable without its chip, because it names the button that removes it. */
  value: string;
  /** The filter's value once the chip is removed; its default unless given. */
  rest?: Value;
};

/**
 * One parameter of a list's query: its control in the filter bar and its chips. Both are methods, so that the filter bar
 * can hold filters of different values.
 */
export type Filter<Value> = {
  /** Absent for a filter that only links and panels set. Must not use hooks. While it is the same function, its control renders only when its values change. */
  field?(this: void, props: FieldProps<Value>): ReactNode;
  /** Another filter of the same kind of value, which the control shows the limits of. */
  dependsOn?: string;
  /** Keeps its control in one line with that of the next filter. */
  isBesideNext?: boolean;
  /** Its name in *Add filter*, where its control is added; also shown while it has a value. Absent: it is always shown. */
  addAs?: string;
  /** The chips of a value that is not the default. */
  chips(this: void, value: NonNullable<Value>): readonly ChipText<Value>[];
};

/** A filter for every parameter of a query that chooses rows: one that has no chip does not compile. */
export type Filters<Query extends AnyQuery> = {
  readonly [Name in Exclude<keyof Query, Arrangement>]-?: Filter<Query[Name]>;
};

/** Filters of any list, as the filter bar and the chips read them. */
export type AnyFilters = Readonly<Record<string, Filter<unknown>>>;

/** A filter in effect, which can be removed by itself. */
export type FilterChip = {
  /** Unique among the chips of a list. */
  key: string;
  name: string;
  value: string;
  /** The change that removes it. */
  removal: AnyQuery;
};

/** The chips of all filters that differ from their defaults, in the order in which the list declares them. */
export function filterChips(filters: AnyFilters, query: AnyQuery, defaults: AnyQuery): FilterChip[] {
  return Object.entries(filters).flatMap(([parameter, filter]) => {
    const value = query[parameter];
    if (value === undefined || value === null || value === defaults[parameter]) return [];
    return filter.chips(value).map((chip) => ({
      key: `${parameter} ${chip.key ?? ''}`,
      name: chip.name,
      value: chip.value,
      removal: { [parameter]: chip.rest ?? defaults[parameter] },
    }));
  });
}

/** A chip for each of several values; removing one leaves the others. */
export function chipsOfMany<Value extends string>(
  name: string,
  values: readonly Value[],
  nameOf: (value: Value) => string,
): ChipText<Value[] | undefined>[] {
  return values.map((value) => {
    const rest = values.filter((other) => other !== value);
    return { key: value, name, value: nameOf(value), ...(rest.length === 0 ? {} : { rest }) };
  });
}
