import { Button, SegmentedControl } from '@mantine/core';
import { listIncidents, type Incident, type IncidentFilters, type IncidentsQuery } from '@switchyard/contract/alerts';
import { downloadIncidents, incidentGroupings } from '@switchyard/contract/incident-lists';
import { useMemo, useState, type ReactNode } from 'react';
import { allApps, useMayPickApps } from '../../shared/accounts/pick-sources.ts';
import { WaitingNotice } from '../../shared/alerts/waiting-notice.tsx';
import { call, open } from '../../shared/api/call.ts';
import type { Filters } from '../../shared/listing/filter.ts';
import { List } from '../../shared/listing/list.tsx';
import { RefreshButton } from '../../shared/listing/refresh-button.tsx';
import type { FilterDraft } from '../../shared/listing/use-filter-draft.ts';
import { useList } from '../../shared/listing/use-list.ts';
import { AppLink, useOpenPath, useParameter } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { useSessionUser } from '../../shared/session/use-session.ts';
import { usePickedRows } from '../../shared/ui/option-source.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { DownloadButton, type TrafficDownload } from '../../traffic/download-button.tsx';
import { AcknowledgeDialog } from './acknowledge-dialog.tsx';
import { usePickRules } from './use-pick-rules.ts';
import { incidentColumns } from './incident-columns.tsx';
import { incidentFilters, incidentListQuery } from './incident-filters.tsx';
import { groupingOptions, groupingParameter, IncidentGroups } from './incident-groups.tsx';
import { NotifySwitch } from './notify-switch.tsx';
import { useIncidentSelection } from './use-incident-selection.tsx';

const rowId = ({ id }: Incident): number => id;

/** Milliseconds after which the list is loaded again. */
const refreshEvery = 60_000;

const noPermissions: readonly string[] = [];

const download: TrafficDownload<IncidentsQuery> = {
  fileName: { list: 'incidents' },
  open: (query, options) => open(downloadIncidents, { query, ...options }),
  count: async (query, options) => (await call(listIncidents, { query: { ...query, limit: 1 }, ...options })).pagination.total,
};

/** Incidents of the reader's apps, the open ones first to see, one by one or in groups. */
export function IncidentsTab() {
  const permissions = useSessionUser()?.permissions ?? noPermissions;
  const filters = useFilters(permissions);
  const [by, setBy] = useParameter(groupingParameter);
  const grouping = incidentGroupings.find((known) => known === by);
  const choice = (
    <SegmentedControl
      size="xs"
      h={32}
      aria-label="Group by"
      data={groupingOptions}
      value={grouping ?? ''}
      onChange={(next) => setBy(next === '' ? null : next)}
    />
  );
  return (
    <>
      <WaitingNotice />
      {grouping === undefined ? (
        <Incidents permissions={permissions} filters={filters} choice={choice} />
      ) : (
        <IncidentGroups by={grouping} filters={filters} tools={choice} refreshEvery={refreshEvery} />
      )}
    </>
  );
}

type IncidentsProps = { permissions: readonly string[]; filters: Filters<IncidentFilters>; choice: ReactNode };

function Incidents({ permissions, filters, choice }: IncidentsProps) {
  const list = useList({
    name: 'incidents',
    schema: incidentListQuery,
    rowId,
    load: (query, signal) => call(listIncidents, { query, signal }),
    repeat: () => refreshEvery,
  });
  const displayDate = useDisplayDate();
  const openPath = useOpenPath();
  const [acknowledged, setAcknowledged] = useState<Incident | null>(null);
  const selection = useIncidentSelection(list);
  const columns = useMemo(
    () => [...selection.columns, ...incidentColumns({ displayDate, permissions, onAcknowledge: setAcknowledged })],
    [selection.columns, displayDate, permissions],
  );
  return (
    <>
      <List
        list={list}
        noun="incidents"
        columns={columns}
        filters={filters}
        tools={(draft) => incidentTools(draft, { choice, onRefresh: list.reload })}
        above={selection.bar}
        onSelect={selection.onSelect}
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
      <AcknowledgeDialog incidents={acknowledged} onClose={() => setAcknowledged(null)} />
    </>
  );
}

function incidentTools(draft: FilterDraft<IncidentsQuery>, { choice, onRefresh }: { choice: ReactNode; onRefresh: () => void }): ReactNode {
  return (
    <>
      {choice}
      <DownloadButton name="incidents" draft={draft} download={download} />
      <RefreshButton onRefresh={onRefresh} />
      <NotifySwitch />
    </>
  );
}

/** The filters with the apps and rules that the reader may choose from. */
function useFilters(permissions: readonly string[]) {
  const mayPickApps = useMayPickApps();
  const [appId] = useParameter('appId');
  const apps = usePickedRows(mayPickApps ? allApps : null, appId === null ? [] : [appId]);
  const appName = apps.get(appId ?? '')?.label;
  const rules = usePickRules();
  return useMemo(
    () =>
      incidentFilters({
        permissions,
        apps: mayPickApps ? allApps : [],
        appName: (id) => appName ?? `#${id}`,
        rules,
      }),
    [permissions, mayPickApps, appName, rules],
  );
}
