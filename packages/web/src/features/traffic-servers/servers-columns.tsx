import { minimumTokenLength } from '@switchyard/contract/server-rules';
import type { ServerActivity, ServerSortKey, TrafficServer } from '@switchyard/contract/traffic-servers';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { actionColumn, type ListColumn } from '../../shared/listing/list-column.ts';
import { RowAction } from '../../shared/listing/row-action.tsx';
import { paths } from '../../shared/paths.ts';
import { Figure } from '../../shared/ui/figure.tsx';
import { CutLabel } from '../../shared/ui/cut-label.tsx';
import { TitledText } from '../../shared/ui/text-cell.tsx';
import { confirmRemoval } from './remove-server.ts';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { textLengths } from '../../shared/ui/display-limits.ts';

type Input = { displayDate: (text: string) => string; canRemove: boolean; activity: ReadonlyMap<number, ServerActivity> };
type Column = ListColumn<TrafficServer> & { cellNameOrderAble?: ServerSortKey };

/** The columns of the list of servers. */
export function serversColumns({ displayDate, canRemove, activity }: Input): ListColumn<TrafficServer>[] {
  const columns: Column[] = [
    { id: 'id', cellName: '#', title: 'Id', cellNameOrderAble: 'keyId', width: 56, isFixed: true, cell: ({ id }) => id },
    {
      id: 'name',
      cellName: 'Name',
      cellNameOrderAble: 'keyName',
      width: 120,
      minWidth: 100,
      grows: true,
      isMain: true,
      isFixed: true,
      cell: ({ name }) => <CutLabel text={name} to={textLengths.serverName} />,
    },
    {
      id: 'url',
      cellName: 'Url',
      cellNameOrderAble: 'keyUrl',
      width: 154,
      minWidth: 120,
      grows: true,
      isMain: true,
      cell: ({ url }) => <TitledText text={url} />,
    },
    {
      id: 'region',
      cellName: 'Region',
      cellNameOrderAble: 'keyRegion',
      width: 110,
      cell: ({ region }) => (region === null ? '-' : <CutLabel text={region} to={textLengths.region} />),
    },
    {
      id: 'created',
      cellName: 'Created',
      cellNameOrderAble: 'keyC',
      width: 150,
      cell: ({ created_at: at }) => <DateText text={displayDate(at)} />,
    },
    {
      id: 'updated',
      cellName: 'Updated',
      cellNameOrderAble: 'keyU',
      width: 150,
      cell: ({ updated_at: at }) => <DateText text={displayDate(at)} />,
    },
    {
      id: 'seen',
      cellName: 'Last seen',
      tooltip: 'When the server last called with its token',
      width: 150,
      cell: ({ id, ingest_enabled: isEnabled }) => {
        if (!isEnabled) return <span title={`It has no token of at least ${minimumTokenLength} characters`}>Cannot call</span>;
        const serverActivity = activity.get(id);
        return serverActivity === undefined ? (
          '-'
        ) : (
          <DateText text={serverActivity.last_seen_at === null ? 'Never' : displayDate(serverActivity.last_seen_at)} />
        );
      },
    },
    {
      id: 'events',
      cellName: 'Events/h',
      tooltip: 'Events received within the last hour',
      width: 76,
      align: 'end',
      isFigure: true,
      cell: ({ id }) => <Figure value={activity.get(id)?.events_last_hour ?? 0} />,
    },
    {
      id: 'actions',
      cellName: 'Actions',
      width: 84,
      ...actionColumn,
      cell: (server) => <ServerActions server={server} canRemove={canRemove} />,
    },
  ];
  return columns;
}

function DateText({ text }: { text: string }) {
  return <span className="tabular">{text}</span>;
}

function ServerActions({ server, canRemove }: { server: TrafficServer; canRemove: boolean }) {
  const name = withMarks(server.name);
  return (
    <>
      <RowAction icon={IconPencil} label={`Edit ${name}`} href={paths.serverEdit(server.id)} />
      {canRemove && <RowAction icon={IconTrash} label={`Remove ${name}`} color="danger" onClick={() => void confirmRemoval(server)} />}
    </>
  );
}
