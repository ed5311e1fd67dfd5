import { listAccountsPage, type PagedAccount } from '@switchyard/contract/users';
import { useMemo } from 'react';
import { useBadgeRoles } from '../../../shared/accounts/use-badge-roles.ts';
import { call } from '../../../shared/api/call.ts';
import { useBulkChanges } from '../../../shared/bulk/use-bulk-changes.tsx';
import { List } from '../../../shared/listing/list.tsx';
import { useList } from '../../../shared/listing/use-list.ts';
import { useSavedViews } from '../../../shared/listing/views/use-saved-views.ts';
import { useOpenPath } from '../../../shared/navigation.tsx';
import { useHoldsAny, useSessionUser } from '../../../shared/session/use-session.ts';
import { accountsListName } from '../account-cache.ts';
import { buyers, staff, type AccountPanel } from '../account-panels.ts';
import { useRoles } from '../form/role-choices.tsx';
import { accountBulkItems } from './account-bulk-items.tsx';
import { accountsColumns } from './accounts-columns.tsx';
import { accountsQuery, type AccountsQuery } from '@switchyard/contract/accounts-query';
import { CreateButton } from './create-button.tsx';
import { choiceFilter, searchFilter } from '../../../shared/listing/filter-fields.tsx';
import type { Filters } from '../../../shared/listing/filter.ts';

const rowId = (account: PagedAccount): number => account.id;
const nameOf = (account: PagedAccount): string => account.name;
const bulkItems = { user: accountBulkItems(staff), buyer: accountBulkItems(buyers) };

/** The accounts of a panel. */
export function AccountsList({ panel }: { panel: AccountPanel }) {
  const edit = useHoldsAny('manager_user_edit');
  const deactivate = useHoldsAny('manager_user_deactivate');
  const reader = useSessionUser();
  const openPath = useOpenPath();
  const roles = useRoles(panel);
  const views = useSavedViews(accountsListName(panel), accountsQuery);
  const list = useList({
    name: accountsListName(panel),
    schema: accountsQuery,
    rowId,
    views,
    load: ({ secondFactor, ...query }, signal) =>
      call(listAccountsPage, { query: { ...query, secondFactor: edit ? secondFactor : undefined, panel: panel.panel }, signal }),
  });
  const badges = useBadgeRoles(roles.list);
  const noun = accountsListName(panel);
  const bulk = useBulkChanges({
    list,
    // Bulk changes do not choose accounts by their second factor.
    filter: list.query.secondFactor === undefined ? `panel=${panel.panel}&${list.fingerprint}` : null,
    noun,
    nameOf,
    items: bulkItems[panel.panel],
  });
  const columns = useMemo(
    () => [...bulk.columns, ...accountsColumns(panel, { edit, deactivate, reader, roles: roles.list, badges })],
    [bulk.columns, panel, edit, deactivate, reader, roles.list, badges],
  );

  return (
    <List
      list={list}
      noun={noun}
      columns={columns}
      filters={accountsFilters({
        roles: roles.list.map(({ label }) => label),
        onRetryRoles: roles.state === 'failed' ? roles.retry : undefined,
        showsFactors: edit,
      })}
      onSelect={bulk.onSelect}
      above={bulk.bar}
      onOpen={edit ? (account) => openPath(panel.editPath(account.id)) : undefined}
      empty={{
        title: `No ${noun} yet`,
        text: `${panel.tab} appear here as soon as they are created.`,
        action: <CreateButton panel={panel} />,
      }}
    />
  );
}

const accessOptions = [
  { value: 'granted', name: 'Granted' },
  { value: 'denied', name: 'Denied' },
] as const;

const factorOptions = [
  { value: 'set_up', name: 'Set up' },
  { value: 'none', name: 'None' },
  { value: 'due', name: 'None, but required' },
] as const;

/**
 * Search, role, access and second factor of a list of accounts; `roles` are the labels of the panel's roles, and `onRetryRoles`
 * loads them again where that has failed.
 */
function accountsFilters({
  roles,
  onRetryRoles,
  showsFactors,
}: {
  roles: readonly string[];
  onRetryRoles: (() => void) | undefined;
  showsFactors: boolean;
}): Filters<AccountsQuery> {
  const factor = choiceFilter({ label: 'Second factor', width: 176, options: factorOptions });
  return {
    search: searchFilter({ placeholder: 'Name, email or id' }),
    role: choiceFilter({ label: 'Role', width: 168, options: roles.map((role) => ({ value: role, name: role })), onRetry: onRetryRoles }),
    access: choiceFilter({ label: 'Access', width: 140, options: accessOptions }),
    secondFactor: showsFactors ? factor : { chips: factor.chips },
  };
}
