import { listPickApps } from '@switchyard/contract/pick-lists';
import { useQuery } from '@tanstack/react-query';
import { call } from '../api/call.ts';

/** The apps to choose from, by name. Not loaded while `isEnabled` is false. */
export function usePickApps({ isEnabled = true }: { isEnabled?: boolean } = {}) {
  return useQuery({
    queryKey: ['apps', 'pick'],
    queryFn: ({ signal }) => call(listPickApps, { signal, isSilent: true }),
    staleTime: 0,
    enabled: isEnabled,
  });
}
