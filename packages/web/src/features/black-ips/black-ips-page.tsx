import { Button } from '@mantine/core';
import { blackIpsQuery, listBlackIps, type BlackIpRow, type BlackIpsQuery } from '@switchyard/contract/black-ips';
import { IconPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { call } from '../../shared/api/call.ts';
import { searchFilter } from '../../shared/listing/filter-fields.tsx';
import type { Filters } from '../../shared/listing/filter.ts';
import type { BulkItem } from '../../shared/bulk/bulk-menu.tsx';
import { actionNames } from '../../shared/bulk/bulk-texts.ts';
import { useBulkChanges } from '../../shared/bulk/use-bulk-changes.tsx';
import { ListPage } from '../../shared/listing/list.tsx';
import { useList } from '../../shared/listing/use-list.ts';
import { useSavedViews } from '../../shared/listing/views/use-saved-views.ts';
import { useOpenPath, useQueryText } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { AddIpsPopup } from '../../shared/blocks/add-ips-popup.tsx';
import { actionColumn, type ListColumn } from '../../shared/listing/list-column.ts';
import { CutLabel } from '../../shared/ui/cut-label.tsx';
import { RemoveIpButton } from './remove-ip-button.tsx';
import { textLengths } from '../../shared/ui/display-limits.ts';
import { Writes } from '../../shared/ui/read-only.tsx';

const rowId = ({ ip }: BlackIpRow): string => ip;
const items: readonly BulkItem[] = [{ label: actionNames['black_ip.delete'], change: { action: 'black_ip.delete', params: {} } }];
const filters: Filters<BlackIpsQuery> = { search: searchFilter({ placeholder: 'IP or reason' }) };

/** Addresses that every traffic server rejects. */
export function BlackIpsPage() {
  const views = useSavedViews('black-ips', blackIpsQuery);
  const list = useList({
    name: 'black-ips',
    schema: blackIpsQuery,
    rowId,
    views,
    load: (query, signal) => call(listBlackIps, { query, signal }),
  });
  const displayDate = useDisplayDate();
  const isAsked = useQueryText().includes('add=1');
  const openPath = useOpenPath();
  const [isAdding, setAdding] = useState(isAsked);
  const bulk = useBulkChanges({ list, filter: list.fingerprint, noun: 'addresses', nameOf: rowId, items });
  const columns = useMemo(() => [...bulk.columns, ...blackIpsColumns(displayDate)], [bulk.columns, displayDate]);
  const add = (
    <Writes>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
        Add IPs
      </Button>
    </Writes>
  );
  return (
    <>
      <ListPage
        list={list}
        noun="black-listed addresses"
        actions={add}
        columns={columns}
        filters={filters}
        onSelect={bulk.onSelect}
        above={bulk.bar}
        empty={{
          title: 'No address is black-listed',
          text: 'Traffic servers reject requests from the addresses on this list.',
          action: add,
        }}
      />
      <AddIpsPopup
        isOpen={isAdding}
        onClose={() => {
          setAdding(false);
          if (isAsked) openPath(paths.blackIps(), { replace: true });
        }}
      />
    </>
  );
}

function blackIpsColumns(displayDate: (text: string) => string): ListColumn<BlackIpRow>[] {
  return [
    { id: 'ip', cellName: 'IP', width: 160, isMain: true, isFixed: true, cell: ({ ip }) => <span className="tabular">{ip}</span> },
    {
      id: 'reason',
      cellName: 'Reason',
      width: 162,
      minWidth: 140,
      grows: true,
      isMain: true,
      cell: ({ reason }) => (reason === '' ? '-' : <CutLabel text={reason} to={textLengths.blackIpReason} />),
    },
    {
      id: 'updated',
      cellName: 'Updated',
      width: 164,
      cell: ({ updated_at: at }) => <span className="tabular">{displayDate(at)}</span>,
    },
    {
      id: 'delete',
      cellName: 'Delete',
      width: 72,
      ...actionColumn,
      cell: (row) => <RemoveIpButton row={row} />,
    },
  ];
}
