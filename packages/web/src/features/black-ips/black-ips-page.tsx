import { Button } from '@mantine/core';
import { blackIpsQuery, listBlackIps, type BlackIpRow, type BlackIpsQuery } from '@switchyard/contract/black-ips';
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { call } from '../../shared/api/call.ts';
import { ColumnMenu } from '../../shared/listing/column-menu.tsx';
import { FilterBar } from '../../shared/listing/filter-bar.tsx';
import { oneChip } from '../../shared/listing/filter-chip.ts';
import { ListPage } from '../../shared/listing/list-page.tsx';
import { SearchField } from '../../shared/listing/search-field.tsx';
import { useFilterDraft } from '../../shared/listing/use-filter-draft.ts';
import { useListTable } from '../../shared/listing/use-list-table.ts';
import { useList } from '../../shared/listing/use-list.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { AddIpsPopup } from './add-ips-popup.tsx';
import { blackIpsColumns } from './black-ips-columns.tsx';

const rowId = ({ ip }: BlackIpRow): string => ip;

/** Addresses that every traffic server turns away (BIP-001 to BIP-008). */
export function BlackIpsPage() {
  const list = useList({ name: 'black-ips', schema: blackIpsQuery, load: (query, signal) => call(listBlackIps, { query, signal }) });
  const draft = useFilterDraft(list);
  const displayDate = useDisplayDate();
  const [isAdding, setAdding] = useState(false);
  const columns = useMemo(() => blackIpsColumns(displayDate), [displayDate]);
  const table = useListTable({ name: list.name, columns, rows: list.rows, rowId });
  const chips = oneChip<BlackIpsQuery>('Search', list.query.search, { search: undefined });
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
      Add IPs
    </Button>
  );
  return (
    <>
      <ListPage
        list={list}
        table={table}
        noun="black-listed addresses"
        actions={add}
        filters={
          <FilterBar
            draft={draft}
            activeCount={chips.length}
            columns={<ColumnMenu list={table} />}
            search={
              <SearchField
                value={draft.values.search}
                onChange={(search) => draft.set({ search })}
                placeholder="IP or reason"
                maxLength={255}
              />
            }
          />
        }
        chips={chips}
        onRemoveChip={(chip) => list.change(chip.removal)}
        onClearChips={draft.clear}
        empty={{
          title: 'No address is black-listed',
          text: 'Traffic servers turn away whoever comes from an address on this list.',
          action: add,
        }}
      />
      <AddIpsPopup isOpen={isAdding} onClose={() => setAdding(false)} />
    </>
  );
}
