import type { RevisionComparison } from '@switchyard/contract/history';
import { useQuery } from '@tanstack/react-query';
import { call, inBackground } from '../../shared/api/call.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import type { HistoryKind } from './history-kinds.ts';

type Compared = { kind: HistoryKind; id: number; from?: number | undefined; to?: number | undefined };

/** The differences of two revisions, or of one and the present state; they are loaded again with the list of revisions. */
export function useComparison({ kind, id, from, to }: Compared) {
  return useQuery<RevisionComparison>({
    queryKey: [...listKey(`history-${kind.entity}-${id}`), 'compare', from ?? null, to ?? null],
    queryFn: async ({ signal }) => {
      const query = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
      return (await call(kind.calls.compare, { params: { id }, query, signal, ...inBackground })).data;
    },
  });
}
