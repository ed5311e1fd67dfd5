import { auditQuery, listAudit, type AuditRow } from '@switchyard/contract/audit-trail';
import { useMemo } from 'react';
import { call } from '../../shared/api/call.ts';
import { ColumnMenu } from '../../shared/listing/column-menu.tsx';
import { ListPage } from '../../shared/listing/list-page.tsx';
import { useFilterDraft } from '../../shared/listing/use-filter-draft.ts';
import { useListTable } from '../../shared/listing/use-list-table.ts';
import { useList } from '../../shared/listing/use-list.ts';
import { useOpenRow } from '../../shared/listing/use-open-row.ts';
import { useDisplayDate, useServerOffset } from '../../shared/time/server-time.ts';
import { activityChips } from './activity-chips.ts';
import { activityColumns } from './activity-columns.tsx';
import { ActivityFilters } from './activity-filters.tsx';
import { ActivityPanel } from './activity-panel.tsx';
import { useActors } from './use-actors.ts';

const rowId = (row: AuditRow): number => row.id;

/** Who changed what and when, newest first (O5, api [89]). */
export function ActivityPage() {
  const list = useList({ name: 'audit', schema: auditQuery, load: (query, signal) => call(listAudit, { query, signal }) });
  const draft = useFilterDraft(list);
  const offset = useServerOffset();
  const displayDate = useDisplayDate();
  const actors = useActors(list.rows);
  const opened = useOpenRow({ rows: list.rows, rowId, closesOn: list.fingerprint });
  const { open } = opened;
  const columns = useMemo(() => activityColumns({ displayDate, onShow: open }), [displayDate, open]);
  const table = useListTable({ name: list.name, columns, rows: list.rows, rowId });
  const nameOf = (id: number): string => actors.find(({ value }) => value === String(id))?.name ?? `#${id}`;
  const chips = activityChips(list.query, offset, nameOf);
  return (
    <ListPage
      list={list}
      table={table}
      noun="activity entries"
      filters={
        <ActivityFilters
          draft={draft}
          activeCount={chips.length}
          actors={actors}
          onRefresh={list.reload}
          columns={<ColumnMenu list={table} />}
        />
      }
      chips={chips}
      onRemoveChip={(chip) => list.change(chip.removal)}
      onClearChips={draft.clear}
      onOpen={open}
      openRow={opened.row}
      panel={
        opened.row !== undefined && (
          <ActivityPanel key="panel" row={opened.row} onClose={opened.close} onStep={opened.step} onNarrow={list.change} />
        )
      }
      empty={{ title: 'No activity yet', text: 'Every change that somebody makes appears here with its differences.' }}
    />
  );
}
