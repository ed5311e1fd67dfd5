import type { ReactNode } from 'react';
import { FilterBar } from '../../../shared/listing/filter-bar.tsx';
import { oneChip, type FilterChip } from '../../../shared/listing/filter-chip.ts';
import { SearchField } from '../../../shared/listing/search-field.tsx';
import type { FilterDraft } from '../../../shared/listing/use-filter-draft.ts';
import { Dropdown } from '../../../shared/ui/dropdown.tsx';
import type { AccountsQuery } from './accounts-query.ts';

const accessOptions = [
  { value: 'granted', name: 'Granted' },
  { value: 'denied', name: 'Denied' },
] as const;

type Props = {
  draft: FilterDraft<AccountsQuery>;
  activeCount: number;
  /** Labels of the panel's roles. */
  roles: readonly string[];
  columns: ReactNode;
};

/** Search, role and access of a list of accounts. */
export function AccountsFilters({ draft, activeCount, roles, columns }: Props) {
  const { values, set } = draft;
  return (
    <FilterBar
      draft={draft}
      activeCount={activeCount}
      columns={columns}
      search={<SearchField value={values.search} onChange={(search) => set({ search })} placeholder="Name, email or id" maxLength={255} />}
    >
      <Dropdown
        label="Role"
        width={168}
        placeholder="Any"
        options={roles.map((role) => ({ value: role, name: role }))}
        value={values.role}
        onChange={(role) => set({ role })}
        isClearable
      />
      <Dropdown
        label="Access"
        width={140}
        placeholder="Any"
        options={accessOptions}
        value={values.access}
        onChange={(access) => set({ access })}
        isClearable
      />
    </FilterBar>
  );
}

/** The filters of a list of accounts in effect. */
export function accountsChips(query: AccountsQuery): FilterChip<AccountsQuery>[] {
  return [
    ...oneChip<AccountsQuery>('Search', query.search, { search: undefined }),
    ...oneChip<AccountsQuery>('Role', query.role, { role: undefined }),
    ...oneChip<AccountsQuery>('Access', query.access, { access: undefined }),
  ];
}
