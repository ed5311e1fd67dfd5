import { Button } from '@mantine/core';
import { listIncidents, listRules, type Incident } from '@switchyard/contract/alerts';
import { maximumLimit } from '@switchyard/contract/limits';
import { listPickApps } from '@switchyard/contract/pick-lists';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { usePickApps } from '../../shared/accounts/use-pick-apps.ts';
import { WaitingNotice } from '../../shared/alerts/waiting-notice.tsx';
import { call, inBackground } from '../../shared/api/call.ts';
import { listKey } from '../../shared/listing/list-key.ts';
import { List } from '../../shared/listing/list.tsx';
import { RefreshButton } from '../../shared/listing/refresh-button.tsx';
import { useList } from '../../shared/listing/use-list.ts';
import { AppLink, useOpenPath } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { useHoldsAny, useSessionUser } from '../../shared/session/use-session.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { AcknowledgeDialog } from './acknowledge-dialog.tsx';
import { incidentColumns } from './incident-columns.tsx';
import { incidentFilters, incidentListQuery } from './incident-filters.tsx';
import { NotifySwitch } from './notify-switch.tsx';

const rowId = ({ id }: Incident): number => id;

/** Milliseconds after which the list is loaded again. */
const refreshEvery = 60_000;

const noPermissions: readonly string[] = [];

/** Incidents of the reader's apps, the open ones first to see. */
export function IncidentsTab() {
  const list = useList({
    name: 'incidents',
    schema: incidentListQuery,
    rowId,
    load: (query, signal) => call(listIncidents, { query, signal }),
    repeat: () => refreshEvery,
  });
  const permissions = useSessionUser()?.permissions ?? noPermissions;
  const displayDate = useDisplayDate();
  const openPath = useOpenPath();
  const [acknowledged, setAcknowledged] = useState<Incident | null>(null);
  const filters = useFilters(permissions);
  const columns = useMemo(() => incidentColumns({ displayDate, permissions, onAcknowledge: setAcknowledged }), [displayDate, permissions]);
  return (
    <>
      <WaitingNotice />
      <List
        list={list}
        noun="incidents"
        columns={columns}
        filters={filters}
        tools={
          <>
            <RefreshButton onRefresh={list.reload} />
            <NotifySwitch />
          </>
        }
        onOpen={({ id }) => openPath(paths.incident(id))}
        empty={{
          title: 'No open incidents',
          text: 'No rule has found a problem.',
          action: (
            <Button component={AppLink} variant="default" href={paths.incidents({ state: ['resolved'] })}>
              Show resolved ones
            </Button>
          ),
        }}
      />
      <AcknowledgeDialog incident={acknowledged} onClose={() => setAcknowledged(null)} />
    </>
  );
}

/** The filters with the apps and rules that the reader may choose from. */
function useFilters(permissions: readonly string[]) {
  const { data: pickApps } = usePickApps({ isEnabled: useHoldsAny(...listPickApps.access.anyOf) });
  const { data: rules } = useQuery({
    queryKey: [...listKey('alert-rules'), 'names'],
    queryFn: ({ signal }) => call(listRules, { query: { limit: maximumLimit }, signal, ...inBackground }),
  });
  return useMemo(
    () =>
      incidentFilters({
        permissions,
        apps: (pickApps?.data ?? []).map(({ id, label }) => ({ value: String(id), name: label })),
        rules: (rules?.data ?? []).map(({ id, name }) => ({ value: String(id), name })),
      }),
    [permissions, pickApps, rules],
  );
}
