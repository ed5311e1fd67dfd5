import { Button } from '@mantine/core';
import { createServiceAccount, listServiceAccounts, type ServiceAccount } from '@switchyard/contract/api-tokens';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { call, failingInPlace } from '../../../shared/api/call.ts';
import { listKey } from '../../../shared/listing/list-key.ts';
import { List } from '../../../shared/listing/list.tsx';
import { useWholeList } from '../../../shared/listing/use-whole-list.ts';
import { Page } from '../../../shared/page/page.tsx';
import { useSessionUser } from '../../../shared/session/use-session.ts';
import { useDisplayDate } from '../../../shared/time/server-time.ts';
import { TokenDialog } from '../../../shared/tokens/token-dialog.tsx';
import { tokenBody, type TokenValues } from '../../../shared/tokens/token-values.ts';
import { ServiceAccountDialog } from './service-account-dialog.tsx';
import { serviceAccountsColumns } from './service-accounts-columns.tsx';
import classes from './service-accounts.module.css';

const key = listKey('service-accounts');
const rowId = ({ id }: ServiceAccount): number => id;

/** Tokens of programs that administrators manage together. */
export function ServiceAccountsPage() {
  const client = useQueryClient();
  const result = useQuery({ queryKey: key, queryFn: ({ signal }) => call(listServiceAccounts, { signal }) });
  const rows = result.data?.data;
  const list = useWholeList({ name: 'service-accounts', result, rows, rowId });
  const displayDate = useDisplayDate();
  const [isAdding, setIsAdding] = useState(false);
  const [openId, setOpenId] = useState<number | null>(null);
  const columns = useMemo(() => serviceAccountsColumns({ displayDate, onOpen: ({ id }) => setOpenId(id) }), [displayDate]);
  const allAppsLabel = useSessionUser()?.hasAllApps === true ? 'All apps, including future ones' : null;
  const reload = (): void => void client.invalidateQueries({ queryKey: key });

  const create = async (values: TokenValues): Promise<string> => {
    const body = { ...tokenBody(values), expires_in_days: values.days ?? null };
    const { data } = await call(createServiceAccount, { body, ...failingInPlace });
    reload();
    return data.secret;
  };
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsAdding(true)}>
      Create service account
    </Button>
  );
  return (
    <Page>
      <div className={classes['head']}>
        <p className={classes['lead']}>Tokens for systems that call the API. Administrators manage them together.</p>
        {add}
      </div>
      <List
        list={list}
        noun="service accounts"
        columns={columns}
        filters={{}}
        pages="none"
        onOpen={({ id }) => setOpenId(id)}
        empty={{ title: 'No service accounts yet', text: 'A service account lets a program call the API without a person.', action: add }}
      />
      <TokenDialog
        isOpen={isAdding}
        title="Create service account"
        mayNeverExpire
        allAppsLabel={allAppsLabel}
        create={create}
        onClose={() => setIsAdding(false)}
      />
      <ServiceAccountDialog
        account={rows?.find(({ id }) => id === openId) ?? null}
        allAppsLabel={allAppsLabel}
        onClose={() => setOpenId(null)}
        onChanged={reload}
      />
    </Page>
  );
}
