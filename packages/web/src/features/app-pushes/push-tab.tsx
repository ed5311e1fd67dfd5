import { listPushes, pushesQuery, type PushRow } from '@switchyard/contract/pushes';
import { useMemo } from 'react';
import { call } from '../../shared/api/call.ts';
import { ColumnMenu } from '../../shared/listing/column-menu.tsx';
import { ListContent } from '../../shared/listing/list-content.tsx';
import { RefreshButton } from '../../shared/listing/refresh-button.tsx';
import { useFilterDraft } from '../../shared/listing/use-filter-draft.ts';
import { useListTable } from '../../shared/listing/use-list-table.ts';
import { useList } from '../../shared/listing/use-list.ts';
import { useOpenRow } from '../../shared/listing/use-open-row.ts';
import { useDisplayDate, useServerOffset } from '../../shared/time/server-time.ts';
import { pushColumns } from './push-columns.tsx';
import { PushDownload } from './push-download.tsx';
import { pushChips, PushFilters } from './push-filters.tsx';
import { PushPanel } from './push-panel.tsx';

const rowId = (row: PushRow): number => row.id;

/** Pushes of one app (PUSH-001 to PUSH-018). */
export function PushTab({ app }: { app: { id: number } }) {
  const list = useList({
    name: `pushes-${app.id}`,
    schema: pushesQuery,
    load: (query, signal) => call(listPushes, { params: { id: app.id }, query, signal }),
  });
  const draft = useFilterDraft(list);
  const displayDate = useDisplayDate();
  const chips = pushChips(list.query, useServerOffset());
  const { sort } = list.arrangement;
  const opened = useOpenRow({
    rows: list.rows,
    rowId,
    closesOn: `${list.fingerprint} ${sort?.orderBy ?? ''} ${sort?.orderDirection ?? ''}`,
  });
  const { open } = opened;
  const columns = useMemo(() => pushColumns({ displayDate, onShow: open }), [displayDate, open]);
  const table = useListTable({ name: 'pushes', columns, rows: list.rows, rowId });

  return (
    <ListContent
      list={list}
      table={table}
      noun="pushes"
      filters={
        <PushFilters
          draft={draft}
          activeCount={chips.length}
          tools={
            <>
              <PushDownload appId={app.id} draft={draft} />
              <RefreshButton onRefresh={list.reload} />
            </>
          }
          columns={<ColumnMenu list={table} />}
        />
      }
      chips={chips}
      onRemoveChip={(chip) => list.change(chip.removal)}
      onClearChips={draft.clear}
      onOpen={open}
      openRow={opened.row}
      panel={opened.row !== undefined && <PushPanel key="panel" push={opened.row} onClose={opened.close} onStep={opened.step} />}
      empty={{ title: 'No pushes yet', text: 'Pushes of this app appear here as soon as traffic servers report them.' }}
    />
  );
}
