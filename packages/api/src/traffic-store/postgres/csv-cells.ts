/**
 * A text cell that no spreadsheet takes for a formula: a leading `=`, `+`, `-`, `@`, TAB or CR gets `'` (api 0.8, S24).
 * `ascii` gives the code of the first character alone, which is the cheapest look at it.
 */
export function guarded(text: string): string {
  return `case when ascii(${text}) in (61, 43, 45, 64, 9, 13) then '''' || ${text} else ${text} end`;
}

/** Empty text is an empty cell; COPY would write it as `""`. */
export function textCell(column: string): string {
  return guarded(`nullif(${column}, '')`);
}
