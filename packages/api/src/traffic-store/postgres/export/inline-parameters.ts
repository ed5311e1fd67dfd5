import pg from 'pg';
import type { Query } from '../list/event-queries.ts';

/**
 * The query with its parameters written into its text, for COPY, which takes none. The one place where values become
 * SQL: text only through the driver's own escaping (S15). The query's text holds no `$` but those of placeholders.
 */
export function inlineParameters({ text, values }: Query): string {
  return text.replaceAll(/\$(\d+)/g, (_placeholder, number: string) => {
    const index = Number(number) - 1;
    if (index < 0 || index >= values.length) throw new Error(`The query has no parameter ${number}`);
    return literal(values[index]);
  });
}

function literal(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && Number.isFinite(value)) return `(${value})`;
  if (typeof value === 'string') return escaped(value);
  if (Array.isArray(value)) return `array[${value.map(literal).join(', ')}]`;
  throw new TypeError(`A ${typeof value} cannot be written into a query`);
}

function escaped(text: string): string {
  // It would end the statement, not only the text.
  if (text.includes('\0')) throw new TypeError('Text with NUL cannot be written into a query');
  return pg.escapeLiteral(text);
}
