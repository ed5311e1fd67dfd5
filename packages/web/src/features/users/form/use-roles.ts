import type { RoleChoice } from '@switchyard/contract/roles';
import { useQuery } from '@tanstack/react-query';
import type { AccountPanel } from '../account-panels.ts';

/** The roles that accounts of a panel can have, and how far they are. */
export type RolesOnOffer = {
  readonly state: 'loading' | 'failed' | 'ready';
  readonly list: readonly RoleChoice[];
  readonly retry: () => void;
};

const none: readonly RoleChoice[] = [];

/** Asks which roles the accounts of a panel can have (api [42], [43]). */
export function useRoles(panel: AccountPanel): RolesOnOffer {
  const { data, error, refetch } = useQuery({
    queryKey: ['roles', 'choices', panel.panel],
    queryFn: ({ signal }) => panel.roles(signal),
    staleTime: 0,
  });
  const state = data !== undefined ? 'ready' : error === null ? 'loading' : 'failed';
  return { state, list: data ?? none, retry: () => void refetch() };
}
