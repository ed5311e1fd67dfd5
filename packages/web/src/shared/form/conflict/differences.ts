import { isSame, type ThreeStates } from './three-states.ts';

/** A field that somebody else changed; texts as they are shown, `mine` null where I left it alone. */
export type Difference = { readonly label: string; readonly before: string; readonly theirs: string; readonly mine: string | null };

/** A field of a form as conflicts show it: what is compared, and how it reads where that is not its own text. */
export type ComparedField<Values> = {
  readonly label: string;
  readonly of: (values: Values) => unknown;
  readonly text?: (values: Values) => string;
};

function shown<Values>(field: ComparedField<Values>, values: Values): string {
  return field.text?.(values) ?? String(field.of(values));
}

/** What somebody else changed since the form was loaded, and the names of the fields that only I changed. */
export function differencesOf<Values>({ loaded, theirs, mine }: ThreeStates<Values>, fields: readonly ComparedField<Values>[]) {
  const isMine = (field: ComparedField<Values>): boolean => !isSame(field.of(mine), field.of(loaded));
  const isTheirs = (field: ComparedField<Values>): boolean => !isSame(field.of(theirs), field.of(loaded));
  const rows = fields.filter(isTheirs).map((field): Difference => ({
    label: field.label,
    before: shown(field, loaded),
    theirs: shown(field, theirs),
    mine: isMine(field) ? shown(field, mine) : null,
  }));
  return { rows, onlyMine: fields.filter((field) => isMine(field) && !isTheirs(field)).map(({ label }) => label) };
}
