import { Button } from '@mantine/core';
import { downloadBlackList, listBlackListEntries, type BlackListRow } from '@switchyard/contract/black-list';
import { blackListQuery, type BlackListQuery } from '@switchyard/contract/black-list-query';
import { IconPlus, IconSearch, IconUpload } from '@tabler/icons-react';
import { useMemo, useState, type ReactNode } from 'react';
import { call, open } from '../../shared/api/call.ts';
import { manyFilter, searchFilter, yesNoFilter } from '../../shared/listing/filter-fields.tsx';
import type { Filters } from '../../shared/listing/filter.ts';
import type { BulkItem } from '../../shared/bulk/bulk-menu.tsx';
import { actionNames } from '../../shared/bulk/bulk-texts.ts';
import { useBulkChanges } from '../../shared/bulk/use-bulk-changes.tsx';
import { ListPage } from '../../shared/listing/list.tsx';
import type { FilterDraft } from '../../shared/listing/use-filter-draft.ts';
import { useList } from '../../shared/listing/use-list.ts';
import { useSavedViews, type SavedViews } from '../../shared/listing/views/use-saved-views.ts';
import { useOpenPath, useQueryText } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { AddIpsPopup } from '../../shared/blocks/add-ips-popup.tsx';
import { CoveringDialog } from '../../shared/blocks/covering-dialog.tsx';
import { DownloadButton, type TrafficDownload } from '../../traffic/download-button.tsx';
import { blackListColumns } from './black-list-columns.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { MergeNotice } from './merge-notice.tsx';
import { Writes } from '../../shared/ui/read-only.tsx';

const rowId = ({ entry }: BlackListRow): string => entry;
const items: readonly BulkItem[] = [{ label: actionNames['black_ip.delete'], change: { action: 'black_ip.delete', params: {} } }];

const kindFilter = manyFilter<BlackListRow['kind']>({
  label: 'Kind',
  width: 116,
  options: [
    { value: 'address', name: 'Addresses' },
    { value: 'network', name: 'Networks' },
  ],
});

const filters: Filters<BlackListQuery> = {
  search: searchFilter({ placeholder: 'IP, network, reason or source' }),
  kind: kindFilter,
  expires: yesNoFilter({ label: 'Expires', width: 116, yes: 'At some time', no: 'Never' }),
  covered: yesNoFilter({ label: 'Covered', width: 130, yes: 'By a network', no: 'By none' }),
};

const download: TrafficDownload<BlackListQuery> = {
  fileName: { list: 'black list' },
  open: (query, options) => open(downloadBlackList, { query, ...options }),
  count: async (query, options) => (await call(listBlackListEntries, { query: { ...query, limit: 1 }, ...options })).pagination.total,
};

function downloadTool(draft: FilterDraft<BlackListQuery>, views: SavedViews): ReactNode {
  return <DownloadButton name="black-ips" draft={draft} download={download} views={views} />;
}

/** Addresses and networks that every traffic server rejects. */
export function BlackIpsPage() {
  const views = useSavedViews('black-ips', blackListQuery);
  const list = useList({
    name: 'black-ips',
    schema: blackListQuery,
    rowId,
    views,
    load: (query, signal) => call(listBlackListEntries, { query, signal }),
  });
  const displayDate = useDisplayDate();
  const isAsked = useQueryText().includes('add=1');
  const openPath = useOpenPath();
  const [isAdding, setAdding] = useState(isAsked);
  const [dialog, setDialog] = useState<'import' | 'covering' | null>(null);
  const bulk = useBulkChanges({ list, filter: list.fingerprint, noun: 'entries', nameOf: rowId, items });
  const columns = useMemo(() => [...bulk.columns, ...blackListColumns(displayDate)], [bulk.columns, displayDate]);
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
        noun="black-listed entries"
        actions={
          <>
            <Button variant="default" leftSection={<IconSearch size={16} aria-hidden />} onClick={() => setDialog('covering')}>
              Is it covered?
            </Button>
            <Writes>
              <Button variant="default" leftSection={<IconUpload size={16} aria-hidden />} onClick={() => setDialog('import')}>
                Import
              </Button>
            </Writes>
            {add}
          </>
        }
        tools={(draft) => downloadTool(draft, views)}
        columns={columns}
        filters={filters}
        onSelect={bulk.onSelect}
        above={
          <>
            {list.query.covered === true && list.rows.length > 0 && <MergeNotice />}
            {bulk.bar}
          </>
        }
        empty={{
          title: 'No address is black-listed',
          text: 'Traffic servers reject requests from the addresses and networks on this list.',
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
      <ImportDialog isOpen={dialog === 'import'} onClose={() => setDialog(null)} />
      <CoveringDialog isOpen={dialog === 'covering'} onClose={() => setDialog(null)} />
    </>
  );
}
