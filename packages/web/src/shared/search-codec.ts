import { isLiteralList } from '@switchyard/contract/listing';

/** Query parameters as the router holds them: a text, or texts where a parameter is repeated. */
export type Search = Record<string, string | string[]>;

/**
 * Reads `?a=1&b=x&b=y` as `{a: '1', b: ['x', 'y']}`. Values stay texts: the router's own codec turns long
 * digits into rounded numbers, which would break ids and searches. The contract's schemas give the types.
 */
export function parseSearch(search: string): Search {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(search)) {
    const list = values.get(name);
    if (list) list.push(value);
    else values.set(name, [value]);
  }
  // fromEntries defines own properties, so a parameter named __proto__ is a parameter like any other.
  return Object.fromEntries([...values].map(([name, list]) => [name, list.length === 1 && list[0] !== undefined ? list[0] : list]));
}

function texts(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(texts);
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return [String(value)];
  return [];
}

/** The reverse of `parseSearch`, with the leading `?` when there is anything; empty values are left out. */
export function stringifySearch(search: Record<string, unknown>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    const values = texts(value);
    const key = isLiteralList(name, values) ? `${name}[]` : name;
    for (const text of values) parameters.append(key, text);
  }
  const query = parameters.toString();
  return query === '' ? '' : `?${query}`;
}
