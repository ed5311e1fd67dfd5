/**
 * A text cell that no spreadsheet takes for a formula: a leading `=`, `+`, `-`, `@`, TAB or CR gets `'` (api 0.8, S24).
 * Nearly every text begins with a letter, so that one comparison of its first character settles it.
 */
export function guarded(text: string): string {
  return `case when ascii(${text}) < 65 then ${guardedSlowly(text)} else ${text} end`;
}

function guardedSlowly(text: string): string {
  return `case when ascii(${text}) in (61, 43, 45, 64, 9, 13) then '''' || ${text} else ${text} end`;
}

/** A guarded text; what is missing is an empty cell. */
export function textCell(column: string): string {
  return guarded(`coalesce(${column}, '')`);
}

/** The last cell of every row: null, for which COPY writes the mark of a row's end. */
export const rowEndCell = 'null';

/** A cell that cannot begin a formula; what is missing is an empty cell. */
export function plainCell(value: string): string {
  return `coalesce(${value}::text, '')`;
}
