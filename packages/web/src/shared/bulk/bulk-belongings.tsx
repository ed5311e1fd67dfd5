import { Button, Text } from '@mantine/core';
import { bulkChange, getBulkBelongings, type BulkRun } from '@switchyard/contract/bulk';
import { useQuery } from '@tanstack/react-query';
import { BelongingsList, isEmpty } from '../accounts/belongings-list.tsx';
import { call, inBackground } from '../api/call.ts';
import { useHoldsAny } from '../session/use-session.ts';

/** Shows what hangs on the accounts to which a run or an undo will deny access. */
export function BulkBelongings({ run }: { run: Pick<BulkRun, 'id' | 'change' | 'check'> }) {
  const change = bulkChange.safeParse(run.change).data;
  const denial = change?.action === 'account.set_access' && !change.params.hasAccess ? change : undefined;
  const maySwitchAccess = useHoldsAny(...getBulkBelongings.access.anyOf);
  // An undo gives each row its own change, so only the server knows whether it denies access.
  const mayDeny = maySwitchAccess && run.check.changed > 0 && (denial !== undefined || run.change === null);
  const { data, isError, refetch } = useQuery({
    queryKey: ['bulk-run', run.id, 'belongings'],
    queryFn: async ({ signal }) => (await call(getBulkBelongings, { params: { id: run.id }, signal, ...inBackground })).data,
    enabled: mayDeny,
    staleTime: 0,
  });
  if (!mayDeny || data === null) return null;
  if (isError)
    return (
      <Text role="alert">
        What belongs to these accounts could not be loaded.{' '}
        <Button size="compact-sm" variant="default" onClick={() => void refetch()}>
          Try again
        </Button>
      </Text>
    );
  if (data === undefined) return <Text c="dimmed">Loading what belongs to these accounts…</Text>;
  if (isEmpty(data)) return <Text c="dimmed">These accounts share nothing, and have no schedules, rules, silences or tokens.</Text>;
  return (
    <>
      <Text fw={600}>What belongs to these accounts:</Text>
      <BelongingsList belongings={data} act={denial?.params.handOverTo === undefined ? 'denyAndKeep' : 'denyAndHandOver'} />
    </>
  );
}
