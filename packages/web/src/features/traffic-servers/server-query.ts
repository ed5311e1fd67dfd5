import { getServer, getServerSecretDates } from '@switchyard/contract/traffic-servers';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../shared/api/call.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { listKey } from '../../shared/listing/list-key.ts';

/** A server as it is now; never an older one out of the cache, because a form begins with it. */
export function useServer(id: number) {
  return useQuery({
    queryKey: ['server', id],
    queryFn: ({ signal }) => call(getServer, { params: { id }, signal }),
    gcTime: 0,
    staleTime: Infinity,
  });
}

/** When the secrets of a server were set; the form does without while it is unknown. */
export function useSecretDates(id: number | undefined) {
  const { data } = useQuery({
    queryKey: ['server-secrets', id ?? 0],
    queryFn: ({ signal }) =>
      call(getServerSecretDates, { params: { id: id ?? 0 }, signal, isSilent: true, showsFailureItself: (status) => status !== 401 }),
    enabled: id !== undefined,
    gcTime: 0,
  });
  return data?.data;
}

/** Has the list of servers read again. */
export async function forgetServers(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: listKey('servers') });
}
