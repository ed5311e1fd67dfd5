import { listPickBuyers } from '@switchyard/contract/pick-lists';
import { listPickUsers } from '@switchyard/contract/users';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../../shared/api/call.ts';
import { takenKey } from '../account-cache.ts';
import type { AccountPanel } from '../account-panels.ts';
import type { Taken } from './account-form-rules.ts';

type Named = { id: number; name: string; email: string };

async function loadNamed(signal: AbortSignal): Promise<{ user: Named[]; buyer: Named[] }> {
  const quietly = { signal, isSilent: true } as const;
  const [users, buyers] = await Promise.all([call(listPickUsers, quietly), call(listPickBuyers, quietly)]);
  return { user: users.data, buyer: buyers.data };
}

const none: Taken = { names: new Set(), emails: new Set() };

/**
 * Names and addresses that other accounts use, read when a form opens (AMB-177). Until they are there nothing counts
 * as taken: the server judges again when the account is saved.
 */
export function useTaken({ panel }: AccountPanel, exceptId: number | undefined): Taken {
  const { data } = useQuery({ queryKey: takenKey, queryFn: ({ signal }) => loadNamed(signal), staleTime: 0 });
  return useMemo(() => {
    if (data === undefined) return none;
    const others = (list: Named[]): Named[] => list.filter(({ id }) => id !== exceptId);
    return {
      names: new Set(others(data[panel]).map(({ name }) => name.trim())),
      emails: new Set(others([...data.user, ...data.buyer]).map(({ email }) => email.trim().toLowerCase())),
    };
  }, [data, panel, exceptId]);
}
