import { acknowledgeSealLoss, getAuditSeal, verifyAuditSeals, type AuditSealState } from '@switchyard/contract/audit-seals';
import { useQuery } from '@tanstack/react-query';
import { call, inBackground } from '../../shared/api/call.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { listKey } from '../../shared/listing/list-key.ts';

const key = [...listKey('audit'), 'seal'];
/** Milliseconds between two requests for the state of a running comparison. */
const pollingMs = 1000;

/** The state of the seals; undefined while it is not known. */
export function useSeal(): AuditSealState | undefined {
  const { data } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await call(getAuditSeal, { signal, ...inBackground })).data,
    refetchInterval: ({ state }) => (state.data?.is_verifying === true ? pollingMs : false),
  });
  return data;
}

/** Begins a comparison of all entries. */
export async function verifySeals(): Promise<void> {
  queryClient.setQueryData(key, (await call(verifyAuditSeals)).data);
}

/** Lets the console seal on without a seal that is missing, and loads the list, which has an entry about it. */
export async function acknowledgeLoss(sealId: string): Promise<void> {
  queryClient.setQueryData(key, (await call(acknowledgeSealLoss, { body: { seal_id: sealId } })).data);
  await queryClient.invalidateQueries({ queryKey: listKey('audit') });
}
