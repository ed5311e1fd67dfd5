import { Box, Button, Group } from '@mantine/core';
import { listServerActivity, listServers, serversQuery, type TrafficServer } from '@switchyard/contract/traffic-servers';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../shared/api/call.ts';
import { ColumnMenu } from '../../shared/listing/column-menu.tsx';
import { listKey } from '../../shared/listing/list-key.ts';
import { ListPage } from '../../shared/listing/list-page.tsx';
import { RefreshButton } from '../../shared/listing/refresh-button.tsx';
import { useListTable } from '../../shared/listing/use-list-table.ts';
import { useList } from '../../shared/listing/use-list.ts';
import { AppLink, useOpenPath } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { serversColumns } from './servers-columns.tsx';
import { useServesAllApps } from './use-serves-all-apps.ts';

const rowId = ({ id }: TrafficServer): number => id;
const noFilters: readonly never[] = [];

/** Milliseconds after which it is asked again when the servers were last seen. */
const activityEvery = 30_000;

/** Traffic servers with what they handed in lately (SRV-001 to SRV-013). */
export function ServersPage() {
  const list = useList({ name: 'servers', schema: serversQuery, load: (query, signal) => call(listServers, { query, signal }) });
  const { data: activity } = useQuery({
    queryKey: [...listKey('servers'), 'activity'],
    queryFn: ({ signal }) => call(listServerActivity, { signal, isSilent: true, showsFailureItself: (status) => status !== 401 }),
    refetchInterval: activityEvery,
  });
  const displayDate = useDisplayDate();
  const openPath = useOpenPath();
  const servesAllApps = useServesAllApps();
  const columns = useMemo(
    () => serversColumns({ displayDate, canRemove: servesAllApps, activity: new Map(activity?.data.map((entry) => [entry.id, entry])) }),
    [displayDate, servesAllApps, activity],
  );
  const table = useListTable({ name: list.name, columns, rows: list.rows, rowId });
  const create = servesAllApps ? (
    <Button component={AppLink} href={paths.serverCreate()} leftSection={<IconPlus size={16} aria-hidden />}>
      Create server
    </Button>
  ) : null;
  return (
    <ListPage
      list={list}
      table={table}
      noun="servers"
      actions={create}
      filters={
        <Group justify="flex-end" gap={8} data-screen-only>
          <RefreshButton onRefresh={list.reload} />
          <Box visibleFrom="sm">
            <ColumnMenu list={table} />
          </Box>
        </Group>
      }
      chips={noFilters}
      onRemoveChip={list.clearFilters}
      onClearChips={list.clearFilters}
      onOpen={({ id }) => openPath(paths.serverEdit(id))}
      empty={{ title: 'No servers yet', text: 'Apps are linked to traffic servers, which hand in what devices asked for.', action: create }}
    />
  );
}
