import { listRoles, type RoleChoice } from '@switchyard/contract/roles';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call, inBackground } from '../api/call.ts';
import { listKey } from '../listing/list-key.ts';
import { useHoldsAny } from '../session/use-session.ts';
import { badgeRoles, type BadgeRole } from './role-badges.ts';

/** The roles of a panel by label, as badges show them; with their permissions where the reader may see roles (api [37]). */
export function useBadgeRoles(choices: readonly RoleChoice[]): ReadonlyMap<string, BadgeRole> {
  const seesPermissions = useHoldsAny('manager_settings_roles');
  const { data } = useQuery({
    queryKey: listKey('roles'),
    queryFn: ({ signal }) => call(listRoles, { signal, ...inBackground }),
    enabled: seesPermissions,
  });
  return useMemo(() => {
    const permissions = new Map(data?.data.map((role) => [role.id, role.permissions]));
    return badgeRoles(choices.map((choice) => ({ ...choice, permissions: permissions.get(choice.id) })));
  }, [choices, data]);
}
