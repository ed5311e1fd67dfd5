/** The start of every cache key of a list; a write invalidates it to reload the list. */
export function listKey(name: string): readonly [string, string] {
  return ['list', name];
}
