import { asnFilterChoices, type AsnsQuery } from '@switchyard/contract/asns';
import type { ReactNode } from 'react';
import { FilterBar } from '../../shared/listing/filter-bar.tsx';
import { oneChip, type FilterChip } from '../../shared/listing/filter-chip.ts';
import { SearchField } from '../../shared/listing/search-field.tsx';
import type { FilterDraft } from '../../shared/listing/use-filter-draft.ts';
import { Dropdown } from '../../shared/ui/dropdown.tsx';

const options = asnFilterChoices.map(({ label, value }) => ({ value, name: label }));
type Choice = (typeof options)[number]['value'];

function choiceOf(isBanned: boolean | undefined): Choice {
  if (isBanned === undefined) return '';
  return isBanned ? '1' : '0';
}

function flagOf(choice: Choice | undefined): boolean | undefined {
  return choice === undefined || choice === '' ? undefined : choice === '1';
}

function nameOf(isBanned: boolean | undefined): string | undefined {
  return isBanned === undefined ? undefined : options.find(({ value }) => value === choiceOf(isBanned))?.name;
}

type Props = { draft: FilterDraft<AsnsQuery>; activeCount: number; columns: ReactNode };

/** Search and the two flags (ASN-002 to ASN-007). */
export function AsnsFilters({ draft, activeCount, columns }: Props) {
  const { values, set } = draft;
  return (
    <FilterBar
      draft={draft}
      activeCount={activeCount}
      columns={columns}
      search={
        <SearchField value={values.search} onChange={(search) => set({ search })} placeholder="IP, ASN, domain or name" maxLength={255} />
      }
    >
      <Dropdown
        label="Create"
        width={120}
        options={options}
        value={choiceOf(values.isBanCreate)}
        onChange={(choice) => set({ isBanCreate: flagOf(choice) })}
      />
      <Dropdown
        label="Receive"
        width={120}
        options={options}
        value={choiceOf(values.isBanReceive)}
        onChange={(choice) => set({ isBanReceive: flagOf(choice) })}
      />
    </FilterBar>
  );
}

/** The filters in effect. */
export function asnsChips(query: AsnsQuery): FilterChip<AsnsQuery>[] {
  return [
    ...oneChip<AsnsQuery>('Search', query.search, { search: undefined }),
    ...oneChip<AsnsQuery>('Create', nameOf(query.isBanCreate), { isBanCreate: undefined }),
    ...oneChip<AsnsQuery>('Receive', nameOf(query.isBanReceive), { isBanReceive: undefined }),
  ];
}
