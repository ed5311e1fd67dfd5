import { conversionsQuery, listConversions, type ConversionRow } from '@switchyard/contract/conversions';
import { useMemo } from 'react';
import { call } from '../../shared/api/call.ts';
import { ColumnMenu } from '../../shared/listing/column-menu.tsx';
import { ListContent } from '../../shared/listing/list-content.tsx';
import { RefreshButton } from '../../shared/listing/refresh-button.tsx';
import { useFilterDraft } from '../../shared/listing/use-filter-draft.ts';
import { useListTable } from '../../shared/listing/use-list-table.ts';
import { useList } from '../../shared/listing/use-list.ts';
import { useDisplayDate, useServerOffset } from '../../shared/time/server-time.ts';
import { conversionColumns } from './conversion-columns.tsx';
import { ConversionDownload } from './conversion-download.tsx';
import { conversionChips, ConversionFilters } from './conversion-filters.tsx';
import { useConversionOptions } from './conversion-options.ts';

const rowId = (row: ConversionRow): number => row.id;

/** Conversions of one app (CONV-001 to CONV-025). */
export function ConversionTab({ app }: { app: { id: number } }) {
  const list = useList({
    name: `conversions-${app.id}`,
    schema: conversionsQuery,
    load: (query, signal) => call(listConversions, { params: { id: app.id }, query, signal }),
  });
  const draft = useFilterDraft(list);
  const options = useConversionOptions(list.name);
  const displayDate = useDisplayDate();
  const chips = conversionChips(list.query, useServerOffset());
  const columns = useMemo(() => conversionColumns(displayDate), [displayDate]);
  const table = useListTable({ name: 'conversions', columns, rows: list.rows, rowId });

  return (
    <ListContent
      list={list}
      table={table}
      noun="conversions"
      filters={
        <ConversionFilters
          draft={draft}
          options={options}
          activeCount={chips.length}
          tools={
            <>
              <ConversionDownload appId={app.id} draft={draft} />
              <RefreshButton onRefresh={list.reload} />
            </>
          }
          columns={<ColumnMenu list={table} />}
        />
      }
      chips={chips}
      onRemoveChip={(chip) => list.change(chip.removal)}
      onClearChips={draft.clear}
      empty={{ title: 'No conversions yet', text: 'Conversions of this app appear here as soon as traffic servers report them.' }}
    />
  );
}
