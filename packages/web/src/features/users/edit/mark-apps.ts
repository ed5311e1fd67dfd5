import type { AccountApp } from '@switchyard/contract/accounts';
import type { AppLine } from './apps-table.tsx';

/** The lines of a table: every app that is attached, marked where it is to be removed, then those to be added. */
export function appLines(
  attached: readonly AccountApp[],
  chosen: ReadonlySet<number>,
  pool: readonly Omit<AccountApp, 'deleted_at'>[],
): AppLine[] {
  const kept = new Set(attached.map(({ id }) => id));
  return [
    ...attached.map((app): AppLine => ({ ...app, mark: chosen.has(app.id) ? null : 'removed' })),
    ...pool
      .filter(({ id }) => chosen.has(id) && !kept.has(id))
      .map(({ id, name, bundle }): AppLine => ({ id, name, bundle, deleted_at: null, mark: 'new' })),
  ];
}

/** A set with an id more, or less where it held it. */
export function toggled(ids: ReadonlySet<number>, id: number): ReadonlySet<number> {
  return new Set(ids.has(id) ? [...ids].filter((other) => other !== id) : [...ids, id]);
}

function words(number: number, what: string): string[] {
  return number === 0 ? [] : [`${number} ${number === 1 ? 'app' : 'apps'} ${what}`];
}

/** What is not saved yet, in words for the foot of the form. */
export function changesInWords(lines: readonly AppLine[]): string[] {
  const count = (mark: AppLine['mark']): number => lines.filter((line) => line.mark === mark).length;
  return [...words(count('new'), 'added'), ...words(count('removed'), 'removed')];
}
