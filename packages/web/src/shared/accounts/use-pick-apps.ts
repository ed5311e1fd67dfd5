import { listPickApps } from '@switchyard/contract/pick-lists';
import { useQuery } from '@tanstack/react-query';
import { call } from '../api/call.ts';

/** The apps to choose from, by name. */
export function usePickApps() {
  return useQuery({ queryKey: ['apps', 'pick'], queryFn: ({ signal }) => call(listPickApps, { signal, isSilent: true }), staleTime: 0 });
}
