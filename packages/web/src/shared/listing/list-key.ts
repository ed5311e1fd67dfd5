/** Where every answer of a list begins in the cache, so that a write can have the list read again. */
export function listKey(name: string): readonly [string, string] {
  return ['list', name];
}
