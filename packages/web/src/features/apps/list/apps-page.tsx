import { Button } from '@mantine/core';
import { appFigures, isMissing } from '@switchyard/contract/app-statistics';
import { appsQuery, downloadApps, getAppDays, getAppsTotal, listApps, type AppRow, type AppsQuery } from '@switchyard/contract/apps';
import { holdsAny } from '@switchyard/contract/permissions';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useContext, useMemo, type ReactNode } from 'react';
import { call, inBackground, open } from '../../../shared/api/call.ts';
import { queryClient } from '../../../shared/api/query-client.ts';
import { loadOrRefresh } from '../../../shared/api/refresh.ts';
import { useBulkChanges } from '../../../shared/bulk/use-bulk-changes.tsx';
import { useColumnChoice } from '../../../shared/listing/column-choice.ts';
import { listKey } from '../../../shared/listing/list-key.ts';
import { ListPage } from '../../../shared/listing/list.tsx';
import { GreyBar, type RowMark } from '../../../shared/listing/list-row.tsx';
import type { FilterDraft } from '../../../shared/listing/use-filter-draft.ts';
import { preloadList } from '../../../shared/listing/preload-list.ts';
import { rowsQuery, useList, type ListState } from '../../../shared/listing/use-list.ts';
import { type SavedViews, useSavedViews } from '../../../shared/listing/views/use-saved-views.ts';
import { AppLink, useOpenPath } from '../../../shared/navigation.tsx';
import { paths } from '../../../shared/paths.ts';
import { sessionStore } from '../../../shared/session/session-store.ts';
import { useHoldsAny } from '../../../shared/session/use-session.ts';
import { useMinute } from '../../../shared/time/use-minute.ts';
import { MissingStatistics, missingStatisticsReload } from '../../../shared/ui/missing-statistics.tsx';
import { DownloadButton, type TrafficDownload } from '../../../traffic/download-button.tsx';
import type { AppRights } from './app-actions.tsx';
import { appBulkItems } from './app-bulk-items.tsx';
import { appsColumns, appsTotalCells, daysColumn, RowDaysContext } from './apps-columns.tsx';
import { useAppsFilters } from './apps-filters.tsx';

const rowId = (app: AppRow): number => app.id;
const lacksFigures = ({ statistics }: Pick<AppRow, 'statistics'>): boolean => statistics.missing !== undefined;
const archivedMark: RowMark = { tone: 'warning', meaning: 'Archived' };

function useAppRights(): AppRights {
  const statistics = useHoldsAny('manager_app_statistics');
  const edit = useHoldsAny('manager_app_edit');
  const requests = useHoldsAny('manager_app_requests');
  const archive = useHoldsAny('manager_app_delete');
  return useMemo(() => ({ statistics, edit, requests: edit && requests, archive }), [statistics, edit, requests, archive]);
}

/** Sums over every app that the filters choose; asked beside the list and without the loading bar. */
function totalQuery(query: AppsQuery) {
  const { page: _page, limit: _limit, orderBy: _by, orderDirection: _direction, ...filters } = query;
  return queryOptions({
    queryKey: [...listKey('apps'), 'total', filters],
    queryFn: (context) => loadOrRefresh(context, (signal) => call(getAppsTotal, { query: filters, signal, isSilent: true })),
  });
}

const appsList = {
  name: 'apps',
  views: 'apps',
  schema: appsQuery,
  load: (query: AppsQuery, signal: AbortSignal) => call(listApps, { query, signal }),
} as const;

/** Loads the apps of an address, and the sums over them for an account that sees them, before the page renders. */
export async function preloadApps(search: string): Promise<void> {
  const hasTotal = holdsAny(sessionStore.get()?.user.permissions ?? [], ['manager_app_statistics']);
  await preloadList(appsList, search, (query) =>
    Promise.all([
      queryClient.prefetchQuery(rowsQuery(appsList, query)),
      hasTotal ? queryClient.prefetchQuery(totalQuery(query)) : Promise.resolve(),
    ]),
  );
}

type RowDaysProps = { rows: readonly AppRow[]; isShown: boolean; children: ReactNode };

/** Requests by day of the rows of a page, in one call beside the list. Apart from the page, which would render again when they arrive. */
function WithRowDays({ rows, isShown, children }: RowDaysProps) {
  const ids = rows.map(({ id }) => String(id)).toSorted();
  const { data, isError } = useQuery({
    queryKey: [...listKey('apps'), 'days', ids],
    queryFn: (context) => loadOrRefresh(context, (signal) => call(getAppDays, { query: { ids }, signal, ...inBackground })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => state.data?.data.apps === null && missingStatisticsReload,
    enabled: isShown && ids.length > 0,
  });
  return <RowDaysContext value={data?.data ?? (isError ? undefined : null)}>{children}</RowDaysContext>;
}

type NoticeProps = {
  list: Pick<ListState<AppsQuery, AppRow>, 'query' | 'rows' | 'isLoading' | 'reload'>;
  sums: Pick<AppRow, 'statistics'> | undefined;
};

/** Says that figures of the list could not be read, if any could not. */
function MissingNotice({ list, sums }: NoticeProps) {
  const rowDays = useContext(RowDaysContext);
  const incomplete = list.rows.find(lacksFigures);
  if (incomplete === undefined && (sums === undefined || !lacksFigures(sums)) && rowDays?.apps !== null) return null;
  const sortedBy = Object.values(appFigures).find(({ sortKey }) => sortKey === list.query.orderBy);
  const isUnsorted = sortedBy !== undefined && incomplete !== undefined && isMissing(incomplete.statistics, sortedBy.counter);
  return (
    <MissingStatistics isRunning={list.isLoading} onRetry={list.reload}>
      {isUnsorted ? 'The apps cannot be sorted by them: the newest are first.' : undefined}
    </MissingStatistics>
  );
}

const download: TrafficDownload<AppsQuery> = {
  fileName: { list: 'apps' },
  open: (query, options) => open(downloadApps, { query, ...options }),
  count: async (query, options) => (await call(listApps, { query: { ...query, limit: 1 }, ...options })).pagination.total,
};

const nameOf = (app: AppRow): string => app.name;

function appsTools(draft: FilterDraft<AppsQuery>, views: SavedViews): ReactNode {
  return <DownloadButton name="apps" draft={draft} download={download} views={views} />;
}

/** The apps list. */
export function AppsPage() {
  const rights = useAppRights();
  const mayCreate = useHoldsAny('manager_app_create');
  const openPath = useOpenPath();
  const now = useMinute();
  const views = useSavedViews('apps', appsQuery);
  const list = useList({
    ...appsList,
    rowId,
    views,
    repeat: ({ data }) => data.some(lacksFigures) && missingStatisticsReload,
  });
  const total = useQuery({
    ...totalQuery(list.query),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => state.data !== undefined && lacksFigures(state.data.data) && missingStatisticsReload,
    enabled: rights.statistics && list.isWaiting !== true,
  });
  const filters = useAppsFilters(list.query);
  const columnChoice = useColumnChoice(list.name, views.active);
  const bulk = useBulkChanges({ list, filter: list.fingerprint, noun: 'apps', nameOf, items: appBulkItems });
  const columns = useMemo(() => [...bulk.columns, ...appsColumns(rights, now)], [bulk.columns, rights, now]);
  const sums = total.data?.data;
  const summary = useMemo(
    () => (rights.statistics ? appsTotalCells(sums, total.isError ? '-' : <GreyBar width="48px" />) : undefined),
    [rights.statistics, sums, total.isError],
  );
  const edit = (app: AppRow): void => {
    if (rights.edit && app.deleted_at === null) openPath(paths.appEdit(app.id, 'General'));
  };
  const createButton = mayCreate ? (
    <Button component={AppLink} href={paths.appCreate()} leftSection={<IconPlus size={16} aria-hidden />}>
      Create app
    </Button>
  ) : undefined;

  return (
    <WithRowDays rows={list.rows} isShown={rights.statistics && !columnChoice.hidden.includes(daysColumn)}>
      <ListPage
        list={list}
        noun="apps"
        columns={columns}
        columnChoice={columnChoice}
        filters={filters}
        tools={(draft) => appsTools(draft, views)}
        actions={createButton}
        summary={summary}
        above={
          <>
            <MissingNotice list={list} sums={sums} />
            {bulk.bar}
          </>
        }
        onSelect={bulk.onSelect}
        markOf={(app) => (app.deleted_at === null ? undefined : archivedMark)}
        onOpen={edit}
        empty={{
          title: 'No apps yet',
          text: 'Apps appear here with their statistics as soon as they are created.',
          action: createButton,
        }}
      />
    </WithRowDays>
  );
}
