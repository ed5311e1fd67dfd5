import { Button } from '@mantine/core';
import { serverFieldCharacters } from '@switchyard/contract/server-rules';
import {
  listServerActivity,
  listServers,
  serversQuery,
  silentMinutes,
  type ServersQuery,
  type TrafficServer,
} from '@switchyard/contract/traffic-servers';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call, inBackground } from '../../shared/api/call.ts';
import { searchFilter, textFilter, yesNoFilter } from '../../shared/listing/filter-fields.tsx';
import type { Filters } from '../../shared/listing/filter.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import { ListPage } from '../../shared/listing/list.tsx';
import { RefreshButton } from '../../shared/listing/refresh-button.tsx';
import { useList } from '../../shared/listing/use-list.ts';
import { useSavedViews } from '../../shared/listing/views/use-saved-views.ts';
import { AppLink, useOpenPath } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { serversColumns } from './servers-columns.tsx';
import { useServesAllApps } from './server-model.ts';

const rowId = ({ id }: TrafficServer): number => id;

/** Milliseconds between reloads of when the servers were last seen. */
const activityEvery = 30_000;

const filters: Filters<ServersQuery> = {
  search: searchFilter({ placeholder: 'Name, url, region or address' }),
  region: textFilter({ label: 'Region', maxLength: serverFieldCharacters.region, width: 120 }),
  silent: yesNoFilter({ label: 'Calls', width: 190, yes: `None for ${silentMinutes} minutes`, no: `In the last ${silentMinutes} minutes` }),
  linked: yesNoFilter({ label: 'Apps', width: 130, yes: 'Linked', no: 'Without links' }),
};

/** Traffic servers and their recent activity. */
export function ServersPage() {
  const views = useSavedViews('servers', serversQuery);
  const list = useList({
    name: 'servers',
    schema: serversQuery,
    rowId,
    views,
    load: (query, signal) => call(listServers, { query, signal }),
  });
  const { data: activity } = useQuery({
    queryKey: [...listKey('servers'), 'activity'],
    queryFn: ({ signal }) => call(listServerActivity, { signal, ...inBackground }),
    refetchInterval: activityEvery,
  });
  const displayDate = useDisplayDate();
  const openPath = useOpenPath();
  const servesAllApps = useServesAllApps();
  const columns = useMemo(
    () => serversColumns({ displayDate, canRemove: servesAllApps, activity: new Map(activity?.data.map((entry) => [entry.id, entry])) }),
    [displayDate, servesAllApps, activity],
  );
  const create = servesAllApps ? (
    <Button component={AppLink} href={paths.serverCreate()} leftSection={<IconPlus size={16} aria-hidden />}>
      Create server
    </Button>
  ) : null;
  return (
    <ListPage
      list={list}
      noun="servers"
      actions={create}
      columns={columns}
      filters={filters}
      tools={<RefreshButton onRefresh={list.reload} />}
      onOpen={({ id }) => openPath(paths.serverEdit(id))}
      empty={{ title: 'No servers yet', text: 'Apps are linked to traffic servers, which report the requests of devices.', action: create }}
    />
  );
}
