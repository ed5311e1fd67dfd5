import { holdsAny, permissionCatalogue, type Permission } from '@switchyard/contract/permissions';
import { useSessionUser } from './use-session.ts';

/** The permissions without which the reader may not use a control, in words for readers who manage roles; empty for all others. */
export function useNeededPermission(...anyOf: readonly Permission[]): string {
  const user = useSessionUser();
  if (user === null || holdsAny(user.permissions, anyOf) || !holdsAny(user.permissions, ['manager_settings_roles'])) return '';
  const names = permissionCatalogue.flatMap(({ label, description }) => (anyOf.includes(label) ? [`${description} (${label})`] : []));
  return `Needs the permission: ${names.join(' or ')}`;
}
