import {
  accountTokensQuery,
  expiringSoonDays,
  listTokensPage,
  revokeToken,
  type AccountToken,
  type AccountTokensQuery,
} from '@switchyard/contract/account-tokens';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../../shared/api/call.ts';
import { choiceFilter, searchFilter } from '../../../shared/listing/filter-fields.tsx';
import type { Filters } from '../../../shared/listing/filter.ts';
import { ListPage } from '../../../shared/listing/list.tsx';
import { useList } from '../../../shared/listing/use-list.ts';
import { useHoldsAny } from '../../../shared/session/use-session.ts';
import { useDisplayDate } from '../../../shared/time/server-time.ts';
import { accountTokensKey, accountTokensName } from '../../../shared/tokens/account-tokens-key.ts';
import { askToRevoke } from '../../../shared/tokens/ask-to-revoke.ts';
import { accountTokensColumns } from './account-tokens-columns.tsx';

const rowId = ({ id }: AccountToken): number => id;

const filters: Filters<AccountTokensQuery> = {
  search: searchFilter({ placeholder: 'Token, name or email of the account' }),
  use: choiceFilter({
    label: 'Last use',
    width: 140,
    options: [
      { value: 'never', name: 'Never used' },
      { value: 'used', name: 'Used' },
    ],
  }),
  expiry: choiceFilter({
    label: 'Expiry',
    width: 176,
    options: [
      { value: 'none', name: 'Without expiry' },
      { value: 'soon', name: `Within ${expiringSoonDays} days` },
      { value: 'expired', name: 'Expired' },
    ],
  }),
  kind: choiceFilter({
    label: 'Kind',
    width: 168,
    options: [
      { value: 'personal', name: 'Of a person' },
      { value: 'service', name: 'Service account' },
    ],
  }),
};

/** API tokens of the accounts that the reader may change. */
export function AccountTokensPage() {
  const client = useQueryClient();
  const displayDate = useDisplayDate();
  const managesServices = useHoldsAny('manager_settings_roles');
  const list = useList({
    name: accountTokensName,
    schema: accountTokensQuery,
    rowId,
    load: (query, signal) => call(listTokensPage, { query, signal }),
  });
  const columns = useMemo(() => {
    const onRevoke = (token: AccountToken): void =>
      askToRevoke(token, {
        revoke: () => call(revokeToken, { params: { id: token.id } }),
        reload: () => client.invalidateQueries({ queryKey: accountTokensKey }),
      });
    return accountTokensColumns({ displayDate, onRevoke, managesServices });
  }, [client, displayDate, managesServices]);
  return (
    <ListPage
      list={list}
      noun="API tokens"
      columns={columns}
      filters={filters}
      empty={{ title: 'No API tokens yet', text: 'Tokens created in My account, and service accounts, appear here.' }}
    />
  );
}
