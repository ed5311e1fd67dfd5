import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { AppScope } from '@switchyard/contract/app-scope';

/**
 * Whether a text of the database, given as SQL in lower case, contains a search text in any case; `%`, `_` and `\\` are literal. A
 * trigram index knows three characters; fewer need every row, which `strpos` reads twice as fast.
 */
export function containsText(lowerText: RawBuilder<string>, search: string): RawBuilder<SqlBool> {
  if (search.length < 3) return sql<SqlBool>`strpos(${lowerText}, lower(${search})) > 0`;
  const literal = search.replaceAll(/[\\%_]/g, String.raw`\$&`);
  return sql<SqlBool>`${lowerText} like lower(${`%${literal}%`})`;
}

/** Whether a text of the database contains a search text, or one that looks the same, in any case. Reads every row. */
export function containsAlike(text: RawBuilder<string>, search: string): RawBuilder<SqlBool> {
  return containsComparable(sql<string>`comparable_text(${text})`, search);
}

/** The same of a comparable text. Its lower case has two forms of a sigma, by its place in the word, and of an I with a dot. */
export function containsComparable(comparable: RawBuilder<string>, search: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`strpos(${folded(comparable)}, ${folded(sql`comparable_text(${search})`)}) > 0`;
}

function folded(text: RawBuilder<unknown>) {
  return sql`replace(replace(${text}, 'i\u0307', 'i'), 'ς', 'σ')`;
}

/** Whether the app id in a column, e.g. `apps.id`, lies within a scope. */
export function isInScope(column: string, scope: AppScope): RawBuilder<SqlBool> {
  return scope === 'all' ? sql<SqlBool>`true` : sql<SqlBool>`${sql.ref(column)} = any(${scope}::int[])`;
}

/** A column of names as lists are sorted by it: in any letter case, É beside E, and 2 before 10. The same whatever the database's locale. */
export function inNaturalOrder(column: string): RawBuilder<unknown> {
  return sql`lower(${sql.ref(column)}) collate natural_order`;
}
