import type { PermissionRow } from '@switchyard/contract/roles';

/** Permissions of one category, e.g. `App`. */
export type PermissionGroup = { readonly name: string; readonly permissions: readonly PermissionRow[] };

/** Permissions by their categories; both in the order in which they come. */
export function permissionGroups(permissions: readonly PermissionRow[]): readonly PermissionGroup[] {
  return [...Map.groupBy(permissions, ({ group }) => group)].map(([name, own]) => ({ name, permissions: own }));
}

/** How many permissions of each category, in words: `App 6, User 1`. */
export function groupSummary(permissions: readonly PermissionRow[]): string {
  return permissionGroups(permissions)
    .map(({ name, permissions: own }) => `${name} ${own.length}`)
    .join(', ');
}

/** The chosen ids once all of `ids` are on or off, in ascending order. */
export function withAll(chosenIds: readonly number[], ids: readonly number[], areOn: boolean): readonly number[] {
  const keptIds = chosenIds.filter((id) => !ids.includes(id));
  return (areOn ? [...keptIds, ...ids] : keptIds).toSorted((a, b) => a - b);
}
