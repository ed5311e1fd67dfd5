import { formatDateTime } from '@switchyard/contract/dates';
import { day } from './time-buckets.ts';

/** A key of a group: a text, or the number of an id. */
export type KeyValue = string | number;

/** A group with its keys as texts and its figures. */
type GroupRow<Figures> = { keys: string[] } & Figures;

/** A column for each key and figure of groups. */
export type GroupColumns<Figures extends object> = {
  readonly length: number;
  readonly keys: readonly (readonly KeyValue[])[];
  readonly figures: { readonly [Name in keyof Figures]: readonly Figures[Name][] };
};

/**
 * Counts by group as columns: objects for each of a hundred thousand groups take longer to make than the database takes to count them.
 * Iteration makes them.
 */
export type Counts<Figures extends object> = GroupColumns<Figures> & Iterable<GroupRow<Figures>>;

/** Counts of these columns; `figuresAt` gives the figures of a row. */
export function toCounts<Figures extends object>(columns: GroupColumns<Figures>, figuresAt: (row: number) => Figures): Counts<Figures> {
  const { length, keys } = columns;
  return {
    ...columns,
    *[Symbol.iterator]() {
      for (let row = 0; row < length; row += 1) yield { keys: keys.map((column) => String(column[row])), ...figuresAt(row) };
    },
  };
}

/** The name of the column of a key in a statement. */
export function keyColumn(index: number): `key_${number}` {
  return `key_${index}`;
}

/** The columns of keys in a result. */
export type SelectedKeys = { readonly [Key in ReturnType<typeof keyColumn>]?: readonly KeyValue[] };

/** The keys in a result, in the order of `by`. Engines return days as numbers since 1970. */
export function keysIn(columns: SelectedKeys, by: readonly string[]): GroupColumns<object>['keys'] {
  return by.map((key, index) => {
    const values = columns[keyColumn(index)] ?? [];
    return key === 'day' ? dayTexts(values) : values;
  });
}

/** Each text is made once, so that readers find it faster. */
function dayTexts(numbers: readonly KeyValue[]): string[] {
  const texts = new Map<KeyValue, string>();
  return numbers.map((number) => {
    const known = texts.get(number);
    if (known !== undefined) return known;
    const text = formatDateTime(Number(number) * day).slice(0, 'YYYY-MM-DD'.length);
    texts.set(number, text);
    return text;
  });
}
