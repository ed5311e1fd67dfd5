/** State of a database or an event store for this version. `pending`: migrations that the next start runs. `problem` is one line, null if the version may run. */
export type MigrationState = { isComplete: boolean; isNewer: boolean; pending: readonly string[]; problem: string | null };

/**
 * Versions run side by side during an upgrade, so an unknown migration is no problem by itself: it only adds to the schema. The
 * name of one that drops something ends with `-needs-NNNN`, the oldest migration that a version must know to run after it.
 */
export function compareMigrations(
  executedNames: readonly string[],
  names: readonly string[],
  subject: 'Database' | 'ClickHouse',
): MigrationState {
  const knownNames = names.toSorted();
  const newest = knownNames.at(-1) ?? '';
  const pending = knownNames.filter((name) => !executedNames.includes(name));
  const [missingName] = pending;
  const unknownNames = executedNames.filter((name) => !knownNames.includes(name));
  const tooNew = unknownNames.find((name) => (/-needs-(\d{4})$/.exec(name)?.[1] ?? '') > newest.slice(0, 4));
  const state = { isComplete: missingName === undefined && tooNew === undefined, isNewer: unknownNames.length > 0, pending };
  if (tooNew !== undefined)
    return { ...state, problem: `${subject}: needs a newer Switchyard (${tooNew} ran, this version knows up to ${newest})` };
  if (state.isNewer && missingName !== undefined)
    return { ...state, problem: `${subject}: belongs to another Switchyard (${unknownNames.join(', ')} ran, ${missingName} did not)` };
  return { ...state, problem: null };
}
