import type { Panel } from '@switchyard/contract/permissions';
import { getRole, listBuyerPermissions, listRoles, listUserPermissions } from '@switchyard/contract/roles';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../shared/api/call.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { listKey } from '../../shared/listing/list-key.ts';

/** The roles of both panels. */
export function useRoles() {
  return useQuery({ queryKey: listKey('roles'), queryFn: ({ signal }) => call(listRoles, { signal }) });
}

/** A role as the server has it; never an older one out of the cache, because a form begins with it. */
export function useRole(id: number) {
  return useQuery({
    queryKey: ['role', id],
    queryFn: ({ signal }) => call(getRole, { params: { id }, signal }),
    gcTime: 0,
    staleTime: Infinity,
  });
}

/** The permissions that roles of a panel can hold, by id (ROLE-029). */
export function usePermissions(panel: Panel) {
  const endpoint = panel === 'user' ? listUserPermissions : listBuyerPermissions;
  return useQuery({ queryKey: ['permissions', panel], queryFn: ({ signal }) => call(endpoint, { signal }), staleTime: Infinity });
}

/** Has the lists of roles read again when they are next shown. */
export async function forgetRoles(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: listKey('roles') });
}
