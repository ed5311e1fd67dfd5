import { cuts } from '@switchyard/contract/limits';
import type { RequestRow } from '@switchyard/contract/requests';
import type { ListColumn } from '../../shared/listing/list-column.ts';
import { BotLabels } from '../../shared/traffic/bot-labels.tsx';
import { ClientAddress } from '../../shared/traffic/client-address.tsx';
import { RequestTypeLabel } from '../../shared/traffic/request-type-label.tsx';
import { ShowButton } from '../../shared/traffic/show-button.tsx';
import { CopyIcon } from '../../shared/ui/copy-icon.tsx';
import { CutLabel } from '../../shared/ui/cut-label.tsx';
import classes from './requests-columns.module.css';

type Input = {
  displayDate: (text: string) => string;
  onShow: (row: RequestRow) => void;
};

/** The columns of the requests of all apps; together they fit a table 974 px wide, that of a 1024 px window (REQ-012 to REQ-021, REQ-025 to REQ-027). */
export function requestsColumns({ displayDate, onShow }: Input): ListColumn<RequestRow>[] {
  return [
    { id: 'id', cellName: '#', title: 'Id', cellNameOrderAble: 'id', width: 84, isFixed: true, cell: (row) => row.id },
    {
      id: 'app',
      cellName: 'App',
      width: 124,
      grows: true,
      cell: (row) => <span title={row.app_bundle}>{row.app_bundle}</span>,
    },
    { id: 'stream', cellName: 'Stream', width: 112, grows: true, cell: (row) => <StreamCell stream={row.stream} /> },
    {
      id: 'ip',
      cellName: 'IP',
      width: 184,
      isMain: true,
      isFixed: true,
      cell: (row) => <ClientAddress country={row.country} ip={row.ip} />,
    },
    { id: 'bot', cellName: 'Bot', width: 96, cell: (row) => <BotLabels bot={row.bot} most={2} /> },
    {
      id: 'date',
      cellName: 'Date',
      cellNameOrderAble: 'concatenated_date',
      width: 160,
      isMain: true,
      cell: (row) => displayDate(row.date),
    },
    {
      id: 'type',
      cellName: 'Req_Type',
      title: 'Request type',
      cellNameOrderAble: 'type',
      width: 96,
      isMain: true,
      cell: (row) => <RequestTypeLabel type={row.type} />,
    },
    {
      id: 'body',
      cellName: 'JSON Body',
      width: 116,
      isFixed: true,
      pin: 'end',
      cell: (row) => (
        <span className={classes['body']}>
          {row.has_body && <ShowButton row={row} onShow={() => onShow(row)} />}
          <CopyIcon className={classes['copy']} text={() => JSON.stringify(row, null, 2)} label={`Copy request ${row.id} as JSON`} />
        </span>
      ),
    },
  ];
}

/** Name of a stream, cut when it is long; its uid while nobody knows the name (AMB-050). */
function StreamCell({ stream }: { stream: RequestRow['stream'] }) {
  if (stream === null) return '-';
  return <CutLabel text={stream.name ?? stream.uid} from={cuts.streamName.from} to={cuts.streamName.to} />;
}
