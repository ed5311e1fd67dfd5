/** A filter in effect, shown as a removable chip (look: active filters can be removed one by one). */
export type FilterChip<Query> = {
  /** Unique among the chips of a list. */
  key: string;
  /** What is filtered, e.g. `Type`. */
  name: string;
  /** The value in effect, e.g. `create`; clear by itself, because it names the button that removes it. */
  value: string;
  /** The change that removes the filter. */
  removal: Partial<Query>;
};

/** A chip for a filter with one value; none while the value is absent. */
export function oneChip<Query>(name: string, value: string | undefined, removal: Partial<Query>): FilterChip<Query>[] {
  return value === undefined ? [] : [{ key: name, name, value, removal }];
}

/** A chip for each value of a filter with many; `keep` gives the change that leaves the remaining values. */
export function manyChips<Query, Value extends string>(
  name: string,
  values: readonly Value[] | undefined,
  keep: (rest: Value[] | undefined) => Partial<Query>,
  show: (value: Value) => string = (value) => value,
): FilterChip<Query>[] {
  return (values ?? []).map((value) => {
    const rest = (values ?? []).filter((other) => other !== value);
    return { key: `${name} ${value}`, name, value: show(value), removal: keep(rest.length === 0 ? undefined : rest) };
  });
}
