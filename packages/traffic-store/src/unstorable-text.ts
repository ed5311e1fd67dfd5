/**
 * What is left out of JSON of a string before `unstorablePattern` looks for escapes that stand for no text: escaped backslashes and
 * surrogate pairs. Regular expressions that PostgreSQL and RE2 read alike.
 */
export const storablePattern = String.raw`\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}`;
export const unstorablePattern = String.raw`\\u(0000|[dD][89a-fA-F])`;

/** SQL for PostgreSQL: whether strings of a column of JSON have escapes that it cannot turn into text. */
export function isUnstorableSql(column: string): string {
  const rest = `regexp_replace(${column}::text, '${storablePattern}', '', 'g')`;
  return `(position('\\u' in ${column}::text) > 0 and ${rest} ~ '${unstorablePattern}')`;
}

/** Escapes of NUL and of surrogate halves; texts of PostgreSQL can hold neither. */
const unstorable = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * Whether strings of JSON text may contain characters that PostgreSQL cannot store as text. Nearly no text has such an escape, and one
 * without any escape is recognised at once; complete surrogate pairs written as escapes are false positives.
 */
export function mayHoldUnstorableText(json: string): boolean {
  return json.includes(String.raw`\u`) && unstorable.test(json);
}
