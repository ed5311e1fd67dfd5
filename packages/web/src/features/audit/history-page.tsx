import { Button } from '@mantine/core';
import { historyQuery, type HistoryEntity, type HistoryQuery, type Revision } from '@switchyard/contract/history';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { call } from '../../shared/api/call.ts';
import { fieldLabel } from '@switchyard/contract/audit-fields';
import { actionColumn, type ListColumn } from '../../shared/listing/list-column.ts';
import { dayFilters } from '../../shared/listing/day-filters.tsx';
import { choiceFilter, searchFilter } from '../../shared/listing/filter-fields.tsx';
import type { Filters } from '../../shared/listing/filter.ts';
import { List } from '../../shared/listing/list.tsx';
import { RefreshButton } from '../../shared/listing/refresh-button.tsx';
import { useList } from '../../shared/listing/use-list.ts';
import { useOpenRow } from '../../shared/listing/use-open-row.ts';
import { useIdParam } from '../../shared/navigation.tsx';
import { Page } from '../../shared/page/page.tsx';
import { refreshUser } from '../../shared/session/refresh-user.ts';
import { useDisplayDate, useServerOffset } from '../../shared/time/server-time.ts';
import { useGridTabIndex } from '../../shared/ui/grid-tab-index.ts';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import { ActionLabel } from './action-label.tsx';
import classes from './activity.module.css';
import { actorName, entityName } from './audit-words.ts';
import { historyKinds, type HistoryKind } from './history-kinds.ts';
import { RestoreDialog } from './restore-dialog.tsx';
import { RevisionPanel } from './revision-panel.tsx';
import { trafficColumns, useRevisionTraffic } from './revision-traffic.tsx';

/** The history of the app that the address names. */
export function AppHistoryPage() {
  return <HistoryPage entity="app" />;
}

/** The history of the role that the address names. */
export function RoleHistoryPage() {
  return <HistoryPage entity="role" />;
}

/** The history of the staff account that the address names. */
export function UserHistoryPage() {
  return <HistoryPage entity="user" />;
}

/** The history of the buyer that the address names. */
export function BuyerHistoryPage() {
  return <HistoryPage entity="buyer" />;
}

/** The history of the traffic server that the address names. */
export function ServerHistoryPage() {
  return <HistoryPage entity="server" />;
}

const rowId = ({ id }: Revision): number => id;

function HistoryPage({ entity }: { entity: HistoryEntity }) {
  // The path of an id that no entity can have leads to the text of a missing one.
  const id = useIdParam() ?? 0;
  return <Revisions key={id} kind={historyKinds[entity]} id={id} />;
}

function Revisions({ kind, id }: { kind: HistoryKind; id: number }) {
  const cache = useQueryClient();
  const list = useList({
    name: `history-${kind.entity}-${id}`,
    schema: historyQuery,
    rowId,
    load: (query, signal) => call(kind.calls.list, { params: { id }, query, signal }),
  });
  const displayDate = useDisplayDate();
  const offset = useServerOffset();
  const filters = useMemo(() => historyFilters(kind, offset), [kind, offset]);
  const openRow = useOpenRow(list);
  const { open } = openRow;
  const [restored, setRestored] = useState<Revision | null>(null);
  const traffic = useRevisionTraffic(kind.entity === 'app' ? id : null, list.rows);
  const columns = useMemo(
    () => historyColumns({ displayDate, onShow: open, further: kind.entity === 'app' ? trafficColumns(traffic) : [] }),
    [displayDate, open, kind, traffic],
  );
  const { data: ownName } = useQuery({
    queryKey: ['history-name', kind.entity, id],
    queryFn: ({ signal }) => kind.findName(id, signal),
    enabled: list.view !== 'loading' && list.rows.length === 0,
  });
  const name = list.rows[0]?.label ?? ownName ?? `${entityName(kind.entity)} ${id}`;
  return (
    <Page
      title={kind.listTitle}
      titleHref={kind.listPath}
      documentTitle={`History of ${name}`}
      crumbs={[{ label: name, href: kind.editPath(id) }, { label: 'History' }]}
    >
      <List
        list={list}
        settingsName="history"
        noun="revisions"
        columns={columns}
        filters={filters}
        tools={<RefreshButton onRefresh={list.reload} />}
        openedRow={openRow}
        panel={
          openRow.row !== undefined && (
            <RevisionPanel
              key={openRow.row.id}
              kind={kind}
              id={id}
              revision={openRow.row}
              revisions={list.rows}
              traffic={traffic?.get(openRow.row.id)}
              onRestore={setRestored}
              onClose={openRow.close}
              onStep={openRow.step}
            />
          )
        }
        empty={{ title: 'No changes yet', text: 'Every change appears here with its author and its differences.' }}
      />
      <RestoreDialog
        kind={kind}
        id={id}
        name={name}
        revision={restored}
        onClose={() => setRestored(null)}
        onRestored={() => {
          // The entity is part of other lists and pages, too, and its reader may have the restored rights.
          void cache.invalidateQueries();
          void refreshUser();
        }}
      />
    </Page>
  );
}

/** Who made the change, a field that it changed, and its day. */
function historyFilters({ fields }: HistoryKind, offset: string): Filters<HistoryQuery> {
  const names = fields.map((field) => ({ value: field, name: fieldLabel(field) }));
  return {
    person: searchFilter({ placeholder: 'Who: name or email' }),
    field: choiceFilter({ label: 'Field', width: 200, options: names, nameOf: fieldLabel }),
    ...dayFilters(offset),
  };
}

type Input = { displayDate: (text: string) => string; onShow: (row: Revision) => void };
/** `further`: columns that only this kind of entity has. */
type ColumnInput = Input & { further: readonly ListColumn<Revision>[] };

function historyColumns({ displayDate, onShow, further }: ColumnInput): ListColumn<Revision>[] {
  return [
    { id: 'when', cellName: 'When', width: 172, isMain: true, cell: ({ at }) => <span className="tabular">{displayDate(at)}</span> },
    {
      id: 'who',
      cellName: 'Who',
      width: 180,
      minWidth: 100,
      isMain: true,
      cell: (row) => (
        <span title={withMarks(actorName(row))} data-nobody={row.actor === null || undefined} className={classes['who']}>
          <VisibleText text={actorName(row)} />
        </span>
      ),
    },
    {
      id: 'what',
      cellName: 'What',
      width: 130,
      isMain: true,
      isFixed: true,
      cell: ({ action, restored }) => <ActionLabel action={restored === null ? action : 'restore'} />,
    },
    {
      id: 'changes',
      cellName: 'Fields',
      tooltip: 'The fields that changed',
      width: 320,
      minWidth: 110,
      grows: true,
      cell: ({ changes }) => {
        const names = changes.map(({ field }) => fieldLabel(field));
        return names.length === 0 ? '-' : <span title={names.join('\n')}>{names.join(', ')}</span>;
      },
    },
    ...further,
    {
      id: 'show',
      cellName: '',
      title: 'Differences',
      width: 76,
      ...actionColumn,
      cell: (row) => <ShowButton row={row} {...{ displayDate, onShow }} />,
    },
  ];
}

function ShowButton({ row, displayDate, onShow }: Input & { row: Revision }) {
  const tabIndex = useGridTabIndex();
  return (
    <Button
      size="compact-xs"
      variant="light"
      color="neutral"
      aria-label={`Show revision of ${displayDate(row.at)}`}
      {...(tabIndex === undefined ? {} : { tabIndex })}
      onClick={() => onShow(row)}
    >
      Show
    </Button>
  );
}
