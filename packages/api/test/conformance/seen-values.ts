/** Values that answers held, by the name of their field; so that later requests name things that exist. */
export type SeenValues = {
  take(answer: unknown, path: string): void;
  /** Values for a path below `collection`: values of such a field in the answers of the collection, else any of them. */
  in(collection: string, name: string): readonly (string | number)[];
  /** At most 20 of the values seen under a name, latest last. */
  of(name: string): readonly (string | number)[];
};

/** Values seen so far, with the initial ones. */
export function createSeenValues(initialValues: Readonly<Record<string, readonly (string | number)[]>> = {}): SeenValues {
  const values = new Map<string, (string | number)[]>(Object.entries(initialValues).map(([name, initial]) => [name, [...initial]]));

  function note(name: string, value: unknown): void {
    if (Array.isArray(value)) for (const item of value.slice(0, 10)) note(name, item);
    else if (typeof value === 'object' && value !== null) for (const [key, item] of Object.entries(value)) note(key, item);
    else if ((typeof value === 'string' && value.length <= 100) || typeof value === 'number') keep(name, value);
  }

  function keep(name: string, value: string | number): void {
    const knownValues = values.get(name) ?? [];
    if (!knownValues.includes(value)) values.set(name, [...knownValues, value].slice(-20));
  }

  function takeRows(path: string, data: unknown): void {
    for (const row of Array.isArray(data) ? data.slice(-10) : [data]) {
      if (typeof row !== 'object' || row === null) continue;
      for (const [key, value] of Object.entries(row)) {
        if (typeof value !== 'string' && typeof value !== 'number') continue;
        keep(`${path} ${key}`, value);
        keep(path, value);
      }
    }
  }

  const of = (name: string) => values.get(name) ?? [];
  return {
    take(answer, path) {
      note('', answer);
      if (typeof answer !== 'object' || answer === null || !('data' in answer)) return;
      takeRows(path, answer.data);
      // Some lists have other data beside them.
      const lists = typeof answer.data === 'object' && answer.data !== null ? Object.values(answer.data).filter(Array.isArray) : [];
      for (const list of lists.slice(0, 1)) takeRows(path, list);
    },
    in(collection, name) {
      const namedValues = [...of(`${collection} ${name}`), ...(name.endsWith('Id') ? of(`${collection} id`) : [])];
      return namedValues.length > 0 ? namedValues : of(collection);
    },
    of,
  };
}
