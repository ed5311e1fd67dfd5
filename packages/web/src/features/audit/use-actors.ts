import type { AuditRow } from '@switchyard/contract/audit-trail';
import { listPickUsers } from '@switchyard/contract/users';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../shared/api/call.ts';
import type { PickOption } from '../../shared/ui/pick-options.tsx';

/**
 * Accounts that may have done something, by name: the staff, and whoever stands in the rows (buyers, deleted accounts).
 * When the staff cannot be asked for, those in the rows are enough to go on.
 */
export function useActors(rows: readonly AuditRow[]): readonly PickOption<string>[] {
  const { data } = useQuery({
    queryKey: ['pick-users'],
    queryFn: ({ signal }) => call(listPickUsers, { signal, isSilent: true, showsFailureItself: (status) => status !== 401 }),
  });
  return useMemo(() => {
    const seen = rows.flatMap(({ actor }) => (actor === null ? [] : [actor]));
    const names = new Map([...seen, ...(data?.data ?? [])].map(({ id, name }) => [String(id), name]));
    return [...names].map(([value, name]) => ({ value, name })).toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
  }, [rows, data]);
}
