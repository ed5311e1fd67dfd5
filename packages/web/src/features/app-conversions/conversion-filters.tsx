import { Checkbox } from '@mantine/core';
import type { ConversionsQuery } from '@switchyard/contract/conversions';
import type { ReactNode } from 'react';
import { FilterBar } from '../../shared/listing/filter-bar.tsx';
import { oneChip, type FilterChip } from '../../shared/listing/filter-chip.ts';
import { TextFilter } from '../../shared/listing/text-filter.tsx';
import type { FilterDraft } from '../../shared/listing/use-filter-draft.ts';
import { dayChips, DayFilters } from '../../shared/traffic/day-filters.tsx';
import { Dropdown } from '../../shared/ui/dropdown.tsx';
import type { ConversionOptions } from './conversion-options.ts';

/** Longest text that the two uids may be looked for by (api [30]). */
const longest = 128;

type Props = {
  draft: FilterDraft<ConversionsQuery>;
  options: ConversionOptions;
  activeCount: number;
  tools: ReactNode;
  columns: ReactNode;
};

/** Filters of an app's conversions (CONV-002 to CONV-006), and the days of their creation. */
export function ConversionFilters({ draft, options, activeCount, tools, columns }: Props) {
  const { values, set } = draft;
  return (
    <FilterBar
      draft={draft}
      activeCount={activeCount}
      columns={columns}
      search={
        <TextFilter
          label="Stream uid"
          name="streamUid"
          value={values.streamUid}
          onChange={(streamUid) => set({ streamUid })}
          maxLength={longest}
        />
      }
      extra={tools}
    >
      <TextFilter
        label="Client uid"
        name="clientUid"
        width={132}
        value={values.clientUid}
        onChange={(clientUid) => set({ clientUid })}
        maxLength={longest}
      />
      <Dropdown
        label="Status conversion"
        width={136}
        placeholder="Any"
        isClearable
        options={options.kinds}
        value={values.statusConversion}
        onChange={(statusConversion) => set({ statusConversion })}
      />
      <Dropdown
        label="Status"
        width={120}
        placeholder="Any"
        isClearable
        options={options.statuses}
        value={values.status}
        onChange={(status) => set({ status })}
      />
      <DayFilters values={values} set={set} />
      <Checkbox
        label="Is send"
        title="Not touched: sent or not; checked: only sent; unchecked: only not sent"
        size="sm"
        h={32}
        styles={{ body: { height: '100%', alignItems: 'center' } }}
        // Untouched it asks for nothing (AMB-149).
        indeterminate={values.isSend === undefined}
        checked={values.isSend === true}
        onChange={() => set({ isSend: values.isSend !== true })}
      />
    </FilterBar>
  );
}

/** The filters in effect. */
export function conversionChips(query: ConversionsQuery, offset: string): FilterChip<ConversionsQuery>[] {
  const isSend = query.isSend === undefined ? undefined : query.isSend ? 'sent' : 'not sent';
  return [
    ...oneChip<ConversionsQuery>('Stream uid', query.streamUid, { streamUid: undefined }),
    ...oneChip<ConversionsQuery>('Client uid', query.clientUid, { clientUid: undefined }),
    ...oneChip<ConversionsQuery>('Status conversion', query.statusConversion, { statusConversion: undefined }),
    ...oneChip<ConversionsQuery>('Status', query.status, { status: undefined }),
    ...dayChips(query, offset),
    ...oneChip<ConversionsQuery>('Is send', isSend, { isSend: undefined }),
  ];
}
