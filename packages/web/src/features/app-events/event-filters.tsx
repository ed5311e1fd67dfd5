import { Button, Checkbox } from '@mantine/core';
import type { PostbacksQuery } from '@switchyard/contract/postbacks';
import { IconEraser } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { FilterBar } from '../../shared/listing/filter-bar.tsx';
import { RefreshButton } from '../../shared/listing/refresh-button.tsx';
import type { FilterDraft } from '../../shared/listing/use-filter-draft.ts';
import { RequestFilterFields } from '../../shared/traffic/request-filter-fields.tsx';
import { RequestSearchField } from '../../shared/traffic/request-search-field.tsx';
import { HoverTooltip } from '../../shared/ui/hover-tooltip.tsx';
import type { EventOptions } from './event-options.tsx';

type Props = {
  draft: FilterDraft<PostbacksQuery>;
  options: EventOptions;
  activeCount: number;
  onRefresh: () => void;
  onClearPrevious: () => void;
  isPrecise: boolean;
  onPrecise: (isPrecise: boolean) => void;
  /** Further tools of the list, between 'Apply filter' and refresh. */
  tools?: ReactNode;
  columns: ReactNode;
};

/** Filters and tools of an app's requests (EVT-002 to EVT-015). */
export function EventFilters({ draft, options, activeCount, onRefresh, onClearPrevious, isPrecise, onPrecise, tools, columns }: Props) {
  const { values, set } = draft;
  return (
    <FilterBar
      draft={draft}
      activeCount={activeCount}
      isClearable={false}
      columns={columns}
      search={
        <RequestSearchField
          value={values.search}
          onChange={(search) => set({ search })}
          end={
            options.ip === undefined
              ? undefined
              : { button: <OwnAddress ip={options.ip} onPick={(search) => set({ search })} />, width: 58 }
          }
        />
      }
      extra={
        <>
          {tools}
          <RefreshButton onRefresh={onRefresh} />
          <HoverTooltip label="Before current date">
            <Button variant="default" leftSection={<IconEraser size={16} aria-hidden />} onClick={onClearPrevious}>
              Clear previous data
            </Button>
          </HoverTooltip>
          <Checkbox
            label="Show date with microseconds"
            size="xs"
            checked={isPrecise}
            onChange={(event) => onPrecise(event.currentTarget.checked)}
          />
        </>
      }
    >
      <RequestFilterFields values={values} set={set} types={options.types} countries={options.countries} streams={options.streams} />
    </FilterBar>
  );
}

/** Fills the search with the reader's own address (AMB-130). */
function OwnAddress({ ip, onPick }: { ip: string; onPick: (ip: string) => void }) {
  return (
    <Button size="compact-xs" variant="subtle" title={`Search for your own address ${ip}`} onClick={() => onPick(ip)}>
      My IP
    </Button>
  );
}
