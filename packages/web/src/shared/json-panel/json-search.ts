/** A JSON value reduced to the matches of a search, and the number of matching keys and values. */
export type JsonMatch = { value: unknown; count: number };

function isBranch(value: unknown): value is Readonly<Record<string, unknown>> | readonly unknown[] {
  return typeof value === 'object' && value !== null;
}

/**
 * The branches of a JSON value whose keys or values contain the term (case-insensitive); a branch whose key matches
 * stays whole. Null when nothing matches; an empty term matches everything.
 */
export function searchJson(value: unknown, term: string): JsonMatch | null {
  const needle = term.trim().toLowerCase();
  return needle === '' ? { value, count: 0 } : search(value, needle);
}

function search(value: unknown, needle: string): JsonMatch | null {
  if (!isBranch(value)) return String(value).toLowerCase().includes(needle) ? { value, count: 1 } : null;
  if (Array.isArray(value)) {
    const matches = value.flatMap((element: unknown) => search(element, needle) ?? []);
    return matches.length === 0 ? null : { value: matches.map((match) => match.value), count: total(matches) };
  }
  const matches = Object.entries(value).flatMap(([key, child]) => {
    const inKey = key.toLowerCase().includes(needle);
    const inValue = search(child, needle);
    if (inKey) return [{ key, value: child, count: 1 + (inValue?.count ?? 0) }];
    return inValue === null ? [] : [{ key, ...inValue }];
  });
  // A null prototype keeps a key such as `__proto__`, which traffic may carry, an ordinary key.
  const matchingPart: Record<string, unknown> = Object.create(null);
  for (const match of matches) matchingPart[match.key] = match.value;
  return matches.length === 0 ? null : { value: matchingPart, count: total(matches) };
}

function total(matches: readonly { count: number }[]): number {
  return matches.reduce((sum, match) => sum + match.count, 0);
}

/**
 * A stored body as the panel shows it: an object or array as a tree, text that is a JSON object or array as a tree
 * too, everything else as text; null when there is nothing to show.
 */
export function readBody(body: unknown): { tree: object } | { text: string } | null {
  if (body === null || body === undefined || body === '') return null;
  if (typeof body === 'object') return { tree: body };
  if (typeof body !== 'string') return { text: JSON.stringify(body) };
  const content = parseBranch(body);
  return content === null ? { text: body } : { tree: content };
}

function parseBranch(text: string): object | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    const content: unknown = JSON.parse(text);
    return typeof content === 'object' ? content : null;
  } catch {
    return null;
  }
}
