import type { PermissionRow, Role } from '@switchyard/contract/roles';
import type { ComparedField } from '../../shared/form/conflict/differences.ts';
import { isSame, mergeIds, mergeParts, type ThreeStates } from '../../shared/form/conflict/three-states.ts';

/** What the form of a role holds; ids in ascending order. */
export type RoleValues = { readonly name: string; readonly permissionIds: readonly number[] };

/** The form of a role, or the empty form of a new one. */
export function valuesOf(role: Pick<Role, 'name' | 'permission_ids'> | undefined): RoleValues {
  if (role === undefined) return { name: '', permissionIds: [] };
  return { name: role.name, permissionIds: role.permission_ids.toSorted((a, b) => a - b) };
}

/** The fields with their labels, in the order of the form. */
export function fieldsOf(permissions: readonly PermissionRow[]): readonly ComparedField<RoleValues>[] {
  const labels = new Map<number, string>(permissions.map(({ id, label }) => [id, label]));
  return [
    { label: 'Title', of: ({ name }) => name.trim(), text: ({ name }) => name },
    {
      label: 'Permissions',
      of: (values) => values.permissionIds,
      text: (values) => values.permissionIds.map((id) => labels.get(id) ?? `#${id}`).join(', '),
    },
  ];
}

/** Labels of the fields that differ; blanks around a name are no change, because they are not stored. */
export function changedFields(loaded: RoleValues, values: RoleValues): string[] {
  return fieldsOf([])
    .filter(({ of }) => !isSame(of(loaded), of(values)))
    .map(({ label }) => label);
}

/** The field that a key of a 422 answer means; undefined when the form has none. */
export function fieldOf(key: string): keyof RoleValues | undefined {
  if (key === 'permission_ids') return 'permissionIds';
  return key === 'name' ? key : undefined;
}

/** Whether it could be stored: a name that is not blank and at least one permission (ROLE-021 to ROLE-024). */
export function isComplete({ name, permissionIds }: RoleValues): boolean {
  return name.trim() !== '' && permissionIds.length > 0;
}

/** What is sent (ROLE-025, ROLE-026). */
export function toBody({ name, permissionIds }: RoleValues) {
  return { name: name.trim(), permission_ids: [...permissionIds] };
}

/** The form as it is saved over somebody else's changes: what I changed is mine, the rest stays theirs. */
export function mergeRole(states: ThreeStates<RoleValues>): RoleValues {
  const { loaded, theirs, mine } = states;
  const permissionIds = mergeIds({ loaded: loaded.permissionIds, theirs: theirs.permissionIds, mine: mine.permissionIds });
  return { ...mergeParts(states), permissionIds };
}
