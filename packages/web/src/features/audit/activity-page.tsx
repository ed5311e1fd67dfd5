import { auditQuery, listAudit, type AuditQuery, type AuditRow } from '@switchyard/contract/audit';
import { useMemo } from 'react';
import { downloadAudit } from '@switchyard/contract/audit-seals';
import { call, inBackground, open as openFile } from '../../shared/api/call.ts';
import { ListPage } from '../../shared/listing/list.tsx';
import { RefreshButton } from '../../shared/listing/refresh-button.tsx';
import type { FilterDraft } from '../../shared/listing/use-filter-draft.ts';
import { useList } from '../../shared/listing/use-list.ts';
import { type SavedViews, useSavedViews } from '../../shared/listing/views/use-saved-views.ts';
import { useOpenRow } from '../../shared/listing/use-open-row.ts';
import { useDisplayDate, useServerOffset } from '../../shared/time/server-time.ts';
import { activityColumns } from './activity-columns.tsx';
import { activityFilters, HideSignIns } from './activity-filters.tsx';
import { ActivityPanel } from './activity-panel.tsx';
import { DownloadButton, type TrafficDownload } from '../../traffic/download-button.tsx';
import { SealNotice } from './seal-notice.tsx';
import { gapsAbove, marksOf } from './seal-problems.ts';
import { useSeal } from './use-seal.ts';
import { compareNames } from '@switchyard/contract/text-fields';
import { listPickUsers } from '@switchyard/contract/users';
import { useQuery } from '@tanstack/react-query';
import type { PickOption } from '../../shared/ui/pick-options.tsx';

const rowId = (row: AuditRow): number => row.id;

const download: TrafficDownload<AuditQuery> = {
  fileName: { list: 'activity' },
  format: 'JSON lines',
  open: (query, options) => openFile(downloadAudit, { query, ...options }),
  count: async () => null,
};

const toolsOf = (reload: () => void, views: SavedViews) => (draft: FilterDraft<AuditQuery>) => (
  <>
    <DownloadButton name="audit" draft={draft} download={download} views={views} />
    <RefreshButton onRefresh={reload} />
  </>
);

/** Who changed what and when, newest first. */
export function ActivityPage() {
  const views = useSavedViews('activity', auditQuery);
  const list = useList({ name: 'audit', schema: auditQuery, rowId, views, load: (query, signal) => call(listAudit, { query, signal }) });
  const offset = useServerOffset();
  const displayDate = useDisplayDate();
  const actors = useActors(list.rows);
  const openRow = useOpenRow(list);
  const { open } = openRow;
  const seal = useSeal();
  const isFirstPage = list.query.cursor === undefined;
  const { marks, gaps } = useMemo(() => {
    const problems = seal?.problems ?? [];
    return { marks: marksOf(problems), gaps: gapsAbove(list.rows, problems, isFirstPage) };
  }, [seal, list.rows, isFirstPage]);
  const columns = useMemo(() => activityColumns({ displayDate, onShow: open }), [displayDate, open]);
  return (
    <ListPage
      list={list}
      noun="activity entries"
      columns={columns}
      filters={activityFilters(actors, offset)}
      FurtherFields={HideSignIns}
      tools={toolsOf(list.reload, views)}
      above={<SealNotice seal={seal} />}
      markOf={({ id }) => marks.get(id)}
      gapAbove={({ id }) => gaps.get(id)}
      openedRow={openRow}
      panel={
        openRow.row !== undefined && (
          <ActivityPanel
            row={openRow.row}
            mark={marks.get(openRow.row.id)}
            onClose={openRow.close}
            onStep={openRow.step}
            onNarrow={list.change}
          />
        )
      }
      empty={{ title: 'No activity yet', text: 'Every change that somebody makes appears here with its differences.' }}
    />
  );
}

/**
 * Accounts that may have done something, by name: the staff and the actors of the rows (buyers, deleted accounts).
 * If the staff cannot be loaded, those of the rows are enough.
 */
function useActors(rows: readonly AuditRow[]): readonly PickOption<string>[] {
  const { data } = useQuery({
    queryKey: ['pick-users'],
    queryFn: ({ signal }) => call(listPickUsers, { signal, ...inBackground }),
  });
  return useMemo(() => {
    const seenActors = rows.flatMap(({ actor }) => (actor === null ? [] : [actor]));
    const names = new Map([...seenActors, ...(data?.data ?? [])].map(({ id, name }) => [String(id), name]));
    return [...names].map(([value, name]) => ({ value, name })).toSorted((a, b) => compareNames(a.name, b.name));
  }, [rows, data]);
}
