import { Switch } from '@mantine/core';
import { appStatuses, type AppsQuery } from '@switchyard/contract/apps';
import { oneChip, type FilterChip } from '../../../shared/listing/filter-chip.ts';
import { FilterBar } from '../../../shared/listing/filter-bar.tsx';
import { SearchField } from '../../../shared/listing/search-field.tsx';
import type { FilterDraft } from '../../../shared/listing/use-filter-draft.ts';
import { Dropdown } from '../../../shared/ui/dropdown.tsx';
import type { ReactNode } from 'react';

const statusNames: Record<AppsQuery['status'], string> = { active: 'Active', deleted: 'Deleted', all: 'All' };
const statusOptions = appStatuses.map((status) => ({ value: status, name: statusNames[status] }));

type Props = { draft: FilterDraft<AppsQuery>; activeCount: number; columns: ReactNode };

/** Search, status and the Cache toggle of the apps list (APPS-004 to APPS-010). */
export function AppsFilters({ draft, activeCount, columns }: Props) {
  const { values, set } = draft;
  return (
    <FilterBar
      draft={draft}
      activeCount={activeCount}
      columns={columns}
      search={
        <SearchField
          value={values.search}
          onChange={(search) => set({ search })}
          placeholder="Name, bundle, domain or id"
          maxLength={255}
        />
      }
    >
      <Dropdown
        label="Status"
        width={120}
        options={statusOptions}
        value={values.status}
        onChange={(status) => status !== undefined && set({ status })}
      />
      <Switch
        label="Cache"
        size="sm"
        h={32}
        checked={values.isCache}
        onChange={(event) => set({ isCache: event.currentTarget.checked })}
        title="On: figures at most five minutes old. Off: counted anew."
        styles={{ body: { height: '100%', alignItems: 'center' } }}
      />
    </FilterBar>
  );
}

/** The filters of the apps list that differ from their defaults. */
export function appsChips(query: AppsQuery): FilterChip<AppsQuery>[] {
  return [
    ...oneChip<AppsQuery>('Search', query.search, { search: undefined }),
    ...oneChip<AppsQuery>('Status', query.status === 'active' ? undefined : statusNames[query.status], { status: 'active' }),
    ...oneChip<AppsQuery>('Figures', query.isCache ? undefined : 'counted anew', { isCache: true }),
  ];
}
