import { listIncidentGroups, type IncidentGroup, type IncidentGrouping } from '@switchyard/contract/incident-lists';
import type { IncidentFilters } from '@switchyard/contract/alerts';
import { type ReactNode, useMemo } from 'react';
import { SeverityMark } from '../../shared/alerts/alert-marks.tsx';
import { call } from '../../shared/api/call.ts';
import type { Filters } from '../../shared/listing/filter.ts';
import type { ListColumn } from '../../shared/listing/list-column.ts';
import { List } from '../../shared/listing/list.tsx';
import { useList } from '../../shared/listing/use-list.ts';
import { AppLink, useOpenPath, usePagePath, useQueryText } from '../../shared/navigation.tsx';
import { parseSearch, stringifySearch } from '../../shared/search-codec.ts';
import { useDisplayDate } from '../../shared/time/server-time.ts';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { TitledText } from '../../shared/ui/text-cell.tsx';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import { incidentGroupListQuery } from './incident-filters.tsx';

/** The parameter of the page's address that groups its incidents. */
export const groupingParameter = 'by';

const names: Readonly<Record<IncidentGrouping, string>> = { rule: 'Rule', server: 'Server', app: 'App' };
/** The choices of how the page lists its incidents; the empty one means one by one. */
export const groupingOptions = [
  { value: '', label: 'All' },
  { value: 'rule', label: 'By rule' },
  { value: 'server', label: 'By server' },
  { value: 'app', label: 'By app' },
];

const rowId = ({ worst }: IncidentGroup): number => worst.id;

function nameOf(by: IncidentGrouping, { worst }: IncidentGroup): string {
  return worst[by]?.name ?? '';
}

/** The filter that chooses the incidents of a group. Those of a deleted rule are found by its name. */
function filterOf(by: IncidentGrouping, { worst }: IncidentGroup): Readonly<Record<string, unknown>> {
  const id = worst[by]?.id ?? null;
  return id === null ? { search: worst.rule.name } : { [`${by}Id`]: id };
}

type Props = { by: IncidentGrouping; filters: Filters<IncidentFilters>; tools: ReactNode; refreshEvery: number };

/** The incidents that the filters choose, by rule, server or app. A group opens the list of its incidents. */
export function IncidentGroups({ by, filters, tools, refreshEvery }: Props) {
  const list = useList({
    name: 'incidents',
    schema: incidentGroupListQuery,
    rowId,
    variant: `by ${by}`,
    load: (query, signal) => call(listIncidentGroups, { query: { ...query, by }, signal }),
    repeat: () => refreshEvery,
  });
  const displayDate = useDisplayDate();
  const path = usePagePath();
  const search = useQueryText();
  const openPath = useOpenPath();
  const columns = useMemo(() => {
    const query = parseSearch(search);
    const address = (group: IncidentGroup): string =>
      `${path}${stringifySearch({ ...query, ...filterOf(by, group), [groupingParameter]: undefined, page: undefined })}`;
    return { address, columns: groupColumns({ by, address, displayDate }) };
  }, [by, path, search, displayDate]);
  return (
    <List
      list={list}
      noun="groups"
      settingsName="incident-groups"
      columns={columns.columns}
      filters={filters}
      tools={tools}
      onOpen={(group) => openPath(columns.address(group))}
      empty={{
        title: 'No open incidents',
        text: by === 'rule' ? 'No rule has found a problem.' : `No incident is about ${by === 'app' ? 'an app' : 'a server'}.`,
      }}
    />
  );
}

type Input = { by: IncidentGrouping; address: (group: IncidentGroup) => string; displayDate: (text: string) => string };

function groupColumns({ by, address, displayDate }: Input): ListColumn<IncidentGroup>[] {
  return [
    {
      id: 'name',
      cellName: names[by],
      width: 320,
      minWidth: 160,
      isMain: true,
      isFixed: true,
      cell: (group) => (
        <>
          <SeverityMark severity={group.worst.severity} />{' '}
          <AppLink href={address(group)} className="name-link" title={withMarks(nameOf(by, group))}>
            <VisibleText text={nameOf(by, group)} />
          </AppLink>
        </>
      ),
    },
    figure('total', 'Incidents'),
    figure('firing', 'Firing'),
    figure('critical', 'Critical'),
    { id: 'since', cellName: 'Since', width: 150, cell: ({ since }) => <span className="tabular">{displayDate(since)}</span> },
    {
      id: 'worst',
      cellName: 'Most severe',
      width: 420,
      minWidth: 160,
      grows: true,
      cell: ({ worst }) => <TitledText text={worst.reason} />,
    },
  ];
}

function figure(id: 'total' | 'critical' | 'firing', cellName: string): ListColumn<IncidentGroup> {
  return { id, cellName, width: 90, align: 'end', isMain: true, cell: (group) => groupedNumber(group[id]) };
}
