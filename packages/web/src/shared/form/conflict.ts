import { z } from 'zod';
import { CallError } from '../api/call-error.ts';

/** Three states of a form: as it was loaded, as somebody else saved it meanwhile, and as it is edited here. */
export type ThreeStates<T> = { readonly loaded: T; readonly theirs: T; readonly mine: T };

/** A field of a form as conflicts show it: its label, the value that is compared, and its text where that is not the value itself. */
export type ComparedField<Values> = {
  readonly label: string;
  readonly value: (values: Values) => unknown;
  readonly text?: (values: Values) => string;
};

/** A field that somebody else changed, as texts; `mine` is null if it was not edited here. */
export type Difference = { readonly label: string; readonly before: string; readonly theirs: string; readonly mine: string | null };

/** Differences in a conflict: the fields that somebody else changed, and the labels of those that were only edited here. */
export type Differences = { readonly rows: readonly Difference[]; readonly onlyMine: readonly string[] };

/** Compares two values of a form, including nested values. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Labels of the fields whose values differ. */
export function changedLabels<Values>(fields: readonly ComparedField<Values>[], loadedValues: Values, values: Values): string[] {
  return fields.filter(({ value }) => !isSame(value(loadedValues), value(values))).map(({ label }) => label);
}

/** Compares the edited form and the version that somebody else saved with the version that was loaded. */
export function compareStates<Values>(
  { loaded, theirs, mine }: ThreeStates<Values>,
  fields: readonly ComparedField<Values>[],
): Differences {
  const mineChanged = changedLabels(fields, loaded, mine);
  const theirsChanged = changedLabels(fields, loaded, theirs);
  const textOf = (field: ComparedField<Values>, values: Values): string => field.text?.(values) ?? String(field.value(values));
  const rows = fields
    .filter(({ label }) => theirsChanged.includes(label))
    .map((field) => ({
      label: field.label,
      before: textOf(field, loaded),
      theirs: textOf(field, theirs),
      mine: mineChanged.includes(field.label) ? textOf(field, mine) : null,
    }));
  return { rows, onlyMine: mineChanged.filter((label) => !theirsChanged.includes(label)) };
}

/** Merges two edits field by field: fields that were edited here win, all others keep the version of somebody else. */
export function mergeFields<T extends object>({ loaded, theirs, mine }: ThreeStates<T>): T {
  const mergedValues = { ...theirs };
  for (const key of Object.keys(mine).filter((name): name is Extract<keyof T, string> => name in mine)) {
    mergedValues[key] = isSame(mine[key], loaded[key]) ? theirs[key] : mine[key];
  }
  return mergedValues;
}

/** Merges two edits of a set of ids: adds and removes here what was added and removed here. Ascending order. */
export function mergeIds({ loaded, theirs, mine }: ThreeStates<readonly number[]>): readonly number[] {
  const [before, now] = [new Set(loaded), new Set(mine)];
  const keptIds = theirs.filter((id) => now.has(id) || !before.has(id));
  const addedIds = mine.filter((id) => !before.has(id));
  return [...new Set([...keptIds, ...addedIds])].toSorted((a, b) => a - b);
}

/** Reads the version that somebody else saved from a 412 response; null for every other failure. */
export function currentVersion<S extends z.ZodType>(error: unknown, schema: S): z.output<S> | null {
  if (!(error instanceof CallError) || error.status !== 412) return null;
  const parsedBody = z.object({ data: z.object({ current: z.unknown() }) }).safeParse(error.body);
  return schema.safeParse(parsedBody.data?.data.current).data ?? null;
}
