import type { AccountRow } from '@switchyard/contract/accounts';
import { useMemo } from 'react';
import { queryClient } from '../../../shared/api/query-client.ts';
import { ColumnMenu } from '../../../shared/listing/column-menu.tsx';
import { ListContent } from '../../../shared/listing/list-content.tsx';
import { listKey } from '../../../shared/listing/list-key.ts';
import { useFilterDraft } from '../../../shared/listing/use-filter-draft.ts';
import { useListTable } from '../../../shared/listing/use-list-table.ts';
import { useList } from '../../../shared/listing/use-list.ts';
import { useOpenPath } from '../../../shared/navigation.tsx';
import { useHoldsAny, useSessionUser } from '../../../shared/session/use-session.ts';
import { accountsListName, freshFor, useReadOnlyIds } from '../account-cache.ts';
import type { AccountPanel } from '../account-panels.ts';
import { useRoles } from '../form/use-roles.ts';
import { accountsColumns } from './accounts-columns.tsx';
import { accountsChips, AccountsFilters } from './accounts-filters.tsx';
import { accountsQuery, type AccountsQuery } from './accounts-query.ts';
import { arrangeAccounts } from './arrange-accounts.ts';
import { CreateButton } from './create-button.tsx';

/** All accounts of a panel, kept for a moment so that turning pages and filtering ask nothing. */
async function loadPage(panel: AccountPanel, query: AccountsQuery) {
  const queryKey = [...listKey(accountsListName(panel)), 'all'];
  const all = await queryClient.fetchQuery({ queryKey, queryFn: ({ signal }) => panel.list(signal), staleTime: freshFor });
  return arrangeAccounts(all, query);
}

/** The accounts of a panel (USER-004 to USER-013, BUY-003 to BUY-005). */
export function AccountsList({ panel }: { panel: AccountPanel }) {
  const edit = useHoldsAny('manager_user_edit');
  const deactivate = useHoldsAny('manager_user_deactivate');
  const reader = useSessionUser();
  const openPath = useOpenPath();
  const roles = useRoles(panel);
  const list = useList({ name: accountsListName(panel), schema: accountsQuery, load: (query) => loadPage(panel, query) });
  const draft = useFilterDraft(list);
  const { ids: readOnlyIds } = useReadOnlyIds(panel);
  const columns = useMemo(
    () => accountsColumns(panel, { edit, deactivate, reader, roles: roles.list, readOnlyIds }),
    [panel, edit, deactivate, reader, roles.list, readOnlyIds],
  );
  const table = useListTable({ name: list.name, columns, rows: list.rows, rowId: (account: AccountRow) => account.id });
  const chips = accountsChips(list.query);
  const noun = accountsListName(panel);

  return (
    <ListContent
      list={list}
      table={table}
      noun={noun}
      filters={
        <AccountsFilters
          draft={draft}
          activeCount={chips.length}
          roles={roles.list.map(({ label }) => label)}
          columns={<ColumnMenu list={table} />}
        />
      }
      chips={chips}
      onRemoveChip={(chip) => list.change(chip.removal)}
      onClearChips={draft.clear}
      onOpen={edit ? (account) => openPath(panel.editPath(account.id)) : undefined}
      empty={{
        title: `No ${noun} yet`,
        text: `${panel.tab} appear here as soon as they are created.`,
        action: <CreateButton panel={panel} />,
      }}
    />
  );
}
