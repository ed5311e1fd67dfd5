import { Button, Skeleton } from '@mantine/core';
import { appsQuery, getAppsTotal, listApps, type AppRow } from '@switchyard/contract/apps';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../../shared/api/call.ts';
import { listKey } from '../../../shared/listing/list-key.ts';
import { ListPage } from '../../../shared/listing/list.tsx';
import type { RowMark } from '../../../shared/listing/list-row.tsx';
import { useList } from '../../../shared/listing/use-list.ts';
import { AppLink, useOpenPath } from '../../../shared/navigation.tsx';
import { paths } from '../../../shared/paths.ts';
import { useHoldsAny } from '../../../shared/session/use-session.ts';
import { useMinute } from '../../../shared/time/use-minute.ts';
import type { AppRights } from './app-actions.tsx';
import { appsColumns, appsTotalCells } from './apps-columns.tsx';
import { appsFilters } from './apps-filters.tsx';

const rowId = (app: AppRow): number => app.id;
const archivedMark: RowMark = { tone: 'warning', meaning: 'Archived' };

function useAppRights(): AppRights {
  const statistics = useHoldsAny('manager_app_statistics');
  const edit = useHoldsAny('manager_app_edit');
  const requests = useHoldsAny('manager_app_requests');
  const archive = useHoldsAny('manager_app_delete');
  return useMemo(() => ({ statistics, edit, events: edit && requests, archive }), [statistics, edit, requests, archive]);
}

/** Sums over every app that the filters choose; asked beside the list and without the loading bar. */
function useAppsTotal(filters: { status: 'active' | 'deleted' | 'all'; search: string | undefined; isCache: boolean }, isAllowed: boolean) {
  return useQuery({
    queryKey: [...listKey('apps'), 'total', filters],
    queryFn: ({ signal }) => call(getAppsTotal, { query: filters, signal, isSilent: true }),
    placeholderData: keepPreviousData,
    enabled: isAllowed,
  });
}

/** The apps list. */
export function AppsPage() {
  const rights = useAppRights();
  const mayCreate = useHoldsAny('manager_app_create');
  const openPath = useOpenPath();
  const now = useMinute();
  const list = useList({ name: 'apps', schema: appsQuery, rowId, load: (query, signal) => call(listApps, { query, signal }) });
  const { status, search, isCache } = list.query;
  const total = useAppsTotal({ status, search, isCache }, rights.statistics);
  const columns = useMemo(() => appsColumns(rights, now), [rights, now]);
  const sums = total.data?.data;
  const summary = useMemo(
    () => (rights.statistics ? appsTotalCells(sums, total.isError ? '-' : <Skeleton height={10} width={48} ml="auto" />) : undefined),
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
    <ListPage
      list={list}
      noun="apps"
      columns={columns}
      filters={appsFilters}
      actions={createButton}
      summary={summary}
      markOf={(app) => (app.deleted_at === null ? undefined : archivedMark)}
      onOpen={edit}
      empty={{
        title: 'No apps yet',
        text: 'Apps appear here with their statistics as soon as they are created.',
        action: createButton,
      }}
    />
  );
}
