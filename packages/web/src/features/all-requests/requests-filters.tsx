import { countryName } from '@switchyard/contract/countries';
import { ActionIcon, Switch } from '@mantine/core';
import type { AllRequestsQuery } from '@switchyard/contract/all-requests';
import { requestTypes } from '@switchyard/contract/requests';
import { IconDownload, IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { FilterBar } from '../../shared/listing/filter-bar.tsx';
import { manyChips, oneChip, type FilterChip } from '../../shared/listing/filter-chip.ts';
import { SearchField } from '../../shared/listing/search-field.tsx';
import type { FilterDraft } from '../../shared/listing/use-filter-draft.ts';
import { displayDay, pickerDay } from '../../shared/time/filter-day.ts';
import { useServerOffset } from '../../shared/time/server-time.ts';
import { countryOptions } from '../../shared/traffic/country-options.tsx';
import { typeOptions } from '../../shared/traffic/request-type-label.tsx';
import { DatePicker } from '../../shared/ui/date-picker/date-picker.tsx';
import { HoverTooltip } from '../../shared/ui/hover-tooltip.tsx';
import { PickMany } from '../../shared/ui/pick-many.tsx';

const allTypes = typeOptions(requestTypes);

type Props = { draft: FilterDraft<AllRequestsQuery>; activeCount: number; onRefresh: () => void; columns: ReactNode };

/** Filters of the requests of all apps (REQ-003 to REQ-011). */
export function RequestsFilters({ draft, activeCount, onRefresh, columns }: Props) {
  const { values, set } = draft;
  const offset = useServerOffset();
  const start = pickerDay(values.startDate, offset);
  const end = pickerDay(values.endDate, offset);
  return (
    <FilterBar
      draft={draft}
      activeCount={activeCount}
      isClearable={false}
      columns={columns}
      search={
        <SearchField
          value={values.search}
          onChange={(search) => set({ search })}
          placeholder="search by client uid or ip"
          maxLength={100}
        />
      }
      extra={
        <>
          <DownloadButton />
          <ActionIcon variant="default" size={32} aria-label="Refresh" title="Refresh" onClick={onRefresh}>
            <IconRefresh size={16} aria-hidden />
          </ActionIcon>
        </>
      }
    >
      <PickMany label="Type" width={116} options={allTypes} value={values.type ?? []} onChange={(type) => set({ type: none(type) })} />
      <PickMany label="Geo" width={124} options={countryOptions} value={values.geo ?? []} onChange={(geo) => set({ geo: none(geo) })} />
      <DatePicker label="Start day" value={start} until={end} onChange={(startDate) => set({ startDate })} />
      <DatePicker label="End day" value={end} from={start} onChange={(endDate) => set({ endDate })} />
      <Switch
        label="Empty App"
        size="sm"
        h={32}
        checked={values.emptyPostbacksDomain === true}
        onChange={(event) => set({ emptyPostbacksDomain: event.currentTarget.checked ? true : undefined })}
        title="Only requests with an empty postbacks domain"
        styles={{ body: { height: '100%', alignItems: 'center' } }}
      />
    </FilterBar>
  );
}

function none<Value>(values: Value[]): Value[] | undefined {
  return values.length === 0 ? undefined : values;
}

/** Downloads are offered for a search only; until they exist the button says so (REQ-010). */
function DownloadButton() {
  return (
    <HoverTooltip label="Enter a search to download its requests" isFocusable>
      <ActionIcon variant="default" size={32} aria-label="Download" disabled>
        <IconDownload size={16} aria-hidden />
      </ActionIcon>
    </HoverTooltip>
  );
}

/** The filters in effect; a start date kept on this device is one of them (O17). */
export function requestsChips(query: AllRequestsQuery, offset: string): FilterChip<AllRequestsQuery>[] {
  return [
    ...oneChip<AllRequestsQuery>('Search', query.search, { search: undefined }),
    ...oneChip<AllRequestsQuery>('Client', query.clientId, { clientId: undefined }),
    ...manyChips<AllRequestsQuery, NonNullable<AllRequestsQuery['type']>[number]>('Type', query.type, (type) => ({ type })),
    ...manyChips<AllRequestsQuery, string>('Geo', query.geo, (geo) => ({ geo }), countryName),
    ...manyChips<AllRequestsQuery, string>('Stream', query.streamUid, (streamUid) => ({ streamUid })),
    ...oneChip<AllRequestsQuery>('From', displayDay(query.startDate, offset), { startDate: undefined }),
    ...oneChip<AllRequestsQuery>('Until', displayDay(query.endDate, offset), { endDate: undefined }),
    ...oneChip<AllRequestsQuery>('App', query.emptyPostbacksDomain === true ? 'empty' : undefined, {
      emptyPostbacksDomain: undefined,
    }),
  ];
}
