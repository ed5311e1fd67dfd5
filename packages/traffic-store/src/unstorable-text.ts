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

/**
 * SQL of JSON text in which U+FFFD replaces each escape that stands for no text. Every backslash is first made to begin an escape, then
 * surrogate pairs are put aside.
 */
export function storableJsonSql(json: string, { literal, replaceText, replacePattern }: ReplacingSql): string {
  const single = replaceText(json, literal(String.raw`\\`), literal(String.raw`\u005c`));
  const pairs = literal(String.raw`\\(u[dD][89abAB][0-9a-fA-F]{2})\\(u[dD][c-fC-F][0-9a-fA-F]{2})`);
  const lone = literal(String.raw`\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})`);
  const replaced = replacePattern(replacePattern(single, pairs, literal(String.raw`\\P\1\\P\2`)), lone, literal('\uFFFD'));
  return replaceText(replaced, literal(String.raw`\P`), literal('\\'));
}

/** How an engine writes texts, and replaces every occurrence of a text or of a regular expression. */
type ReplacingSql = {
  literal: (text: string) => string;
  replaceText: (text: string, from: string, to: string) => string;
  replacePattern: (text: string, from: string, to: string) => string;
};

/** Escapes of NUL and of surrogate halves; texts of PostgreSQL can hold neither. */
const unstorable = /\\u(?:0000|[dD][89a-fA-F])/;

/**
 * Whether strings of JSON text may contain characters that PostgreSQL cannot store as text. Nearly no text has such an escape, and one
 * without any escape is recognised at once; complete surrogate pairs written as escapes are false positives.
 */
export function mayHoldUnstorableText(json: string): boolean {
  return json.includes(String.raw`\u`) && unstorable.test(json);
}
