import { permissionId, type Permission } from '@switchyard/contract/permissions';

type Preset = { readonly name: string; readonly permissions: readonly Permission[] };

/** Sets of permissions that tokens often need. */
export const tokenPresets: readonly Preset[] = [
  {
    name: 'Read only',
    permissions: [
      'manager_app_requests',
      'manager_app_statistics',
      'manager_app_pushes',
      'manager_app_conversions',
      'manager_dev_docs',
      'manager_app_all_requests',
    ],
  },
  {
    name: 'Ingestion checks',
    permissions: [
      'manager_app_requests',
      'manager_app_pushes',
      'manager_app_conversions',
      'manager_dev_request_encryption',
      'manager_app_all_requests',
    ],
  },
];

/** The ids of a preset that an account may give, ascending: those that it holds. */
export function presetIds({ permissions }: Preset, heldLabels: readonly string[]): number[] {
  return permissions
    .filter((label) => heldLabels.includes(label))
    .map(permissionId)
    .toSorted((a, b) => a - b);
}

/** The permissions of a preset that an account does not hold. */
export function missingOf({ permissions }: Preset, heldLabels: readonly string[]): Permission[] {
  return permissions.filter((label) => !heldLabels.includes(label));
}
