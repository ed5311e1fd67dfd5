/** Invisible characters before a sign, which programs skip: controls, formats such as zero-width ones and BOM, no-break spaces. */
const skipped =
  '\\u0001-\\u001F\\u007F-\\u00A0\\u00AD\\u0600-\\u0605\\u061C\\u06DD\\u070F\\u180E\\u2007\\u200B-\\u200F\\u202A-\\u202F\\u2060-\\u206F\\uFEFF\\uFFF9-\\uFFFB';
/** Signs that begin a formula, with their full-width forms; a TAB or CR at the beginning counts as one. */
const formula = `^([\\t\\r]|[${skipped}]*[-=+@\\uFF0B\\uFF0D\\uFF1D\\uFF20])`;

/**
 * A text cell that no spreadsheet takes for a formula: one that begins with a sign, or with a sign behind invisible
 * characters, gets `'` (api 0.8, S24, S42). Nearly every text begins with an ASCII letter or a digit, so that one look at its
 * first character settles it.
 */
export function guarded(text: string): string {
  return `case when ascii(${text}) between 65 and 126 or ascii(${text}) between 48 and 57 then ${text} else ${guardedSlowly(text)} end`;
}

function guardedSlowly(text: string): string {
  return `case when ${text} <> '' and ${text} ~ '${formula}' then '''' || ${text} else ${text} end`;
}

/** A guarded text; what is missing is an empty cell. */
export function textCell(column: string): string {
  return quotedAsNeeded(column, guarded(`coalesce(${column}, '')`));
}

/** The setting of the transaction that holds the mark of the export. */
export const markSetting = 'switchyard.export_mark';

/**
 * A cell in quotes when its text holds `;` or TAB, at which some programs split cells though the file is separated by commas
 * (S42). COPY quotes what holds CR, so the mark and a CR go behind the text, and `createLineEnds` takes both away.
 */
export function quotedAsNeeded(text: string, cell: string): string {
  return `case when strpos(${text}, ';') > 0 or strpos(${text}, chr(9)) > 0 then ${cell} || current_setting('${markSetting}') || chr(13) else ${cell} end`;
}

/** The last cell of every row: null, for which COPY writes the mark of a row's end. */
export const rowEndCell = 'null';

/** A cell that cannot begin a formula; what is missing is an empty cell. */
export function plainCell(value: string): string {
  return `coalesce(${value}::text, '')`;
}
