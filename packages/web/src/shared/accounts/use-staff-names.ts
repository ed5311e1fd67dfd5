import { accountListPermissions, listPickUsers } from '@switchyard/contract/users';
import { useQuery } from '@tanstack/react-query';
import { call, inBackground } from '../api/call.ts';
import { useHoldsAny, useSessionUser } from '../session/use-session.ts';

/** Names of staff accounts by id: of those given, and of all of them for readers who may see the list of users. */
export function useStaffNames(stored: readonly { id: number; name: string }[]) {
  const user = useSessionUser();
  const seesUsers = useHoldsAny(...accountListPermissions);
  const mayPick = useHoldsAny(...listPickUsers.access.anyOf) && seesUsers;
  const { data, isError, refetch } = useQuery({
    queryKey: ['users', 'pick'],
    queryFn: ({ signal }) => call(listPickUsers, { signal, ...inBackground }),
    enabled: mayPick,
  });
  const names = new Map([...stored, ...(data?.data ?? [])].map(({ id, name }) => [id, id === user?.id ? `${name} (you)` : name]));
  return { mayPick, names, user, onRetry: isError ? () => void refetch() : undefined };
}
