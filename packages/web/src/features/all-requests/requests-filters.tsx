import type { AllRequestsQuery } from '@switchyard/contract/all-requests';
import { requestTypes } from '@switchyard/contract/requests';
import type { ReactNode } from 'react';
import { FilterBar } from '../../shared/listing/filter-bar.tsx';
import { RefreshButton } from '../../shared/listing/refresh-button.tsx';
import type { FilterDraft } from '../../shared/listing/use-filter-draft.ts';
import { countryOptions } from '../../shared/traffic/country-options.tsx';
import { RequestFilterFields } from '../../shared/traffic/request-filter-fields.tsx';
import { RequestSearchField } from '../../shared/traffic/request-search-field.tsx';
import { typeOptions } from '../../shared/traffic/request-type-label.tsx';

const allTypes = typeOptions(requestTypes);

type Props = {
  draft: FilterDraft<AllRequestsQuery>;
  activeCount: number;
  onRefresh: () => void;
  /** Further tools of the list, between 'Apply filter' and refresh. */
  tools: ReactNode;
  columns: ReactNode;
};

/** Filters of the requests of all apps (REQ-003 to REQ-011). */
export function RequestsFilters({ draft, activeCount, onRefresh, tools, columns }: Props) {
  const { values, set } = draft;
  return (
    <FilterBar
      draft={draft}
      activeCount={activeCount}
      isClearable={false}
      columns={columns}
      search={<RequestSearchField value={values.search} onChange={(search) => set({ search })} />}
      extra={
        <>
          {tools}
          <RefreshButton onRefresh={onRefresh} />
        </>
      }
    >
      <RequestFilterFields values={values} set={set} types={allTypes} countries={countryOptions} />
    </FilterBar>
  );
}
