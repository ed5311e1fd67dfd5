import { cuts } from '@switchyard/contract/limits';
import type { RequestRow } from '@switchyard/contract/requests';
import type { ListColumn } from '../listing/list-column.ts';
import { CopyIcon } from '../ui/copy-icon.tsx';
import { CutLabel } from '../ui/cut-label.tsx';
import { BotLabels } from './bot-labels.tsx';
import { ClientAddress } from './client-address.tsx';
import classes from './request-columns.module.css';
import { RequestTypeLabel } from './request-type-label.tsx';
import { ShowButton } from './show-button.tsx';

type Input = {
  /** What the date column says. */
  dateOf: (row: RequestRow) => string;
  onShow: (row: RequestRow) => void;
  /** Which rows have a show button; all unless given. */
  isShowable?: (row: RequestRow) => boolean;
};

/** The columns that lists of requests share, by name; a list names them its own way and says which of them sort (EVT-025 to EVT-031, REQ-012 to REQ-019). */
export function requestColumns({ dateOf, onShow, isShowable = () => true }: Input) {
  return {
    id: { id: 'id', cellName: '#', title: 'Id', width: 84, isFixed: true, cell: (row) => row.id },
    stream: { id: 'stream', cellName: 'Stream', width: 112, minWidth: 90, grows: true, cell: (row) => <StreamCell stream={row.stream} /> },
    ip: {
      id: 'ip',
      cellName: 'IP',
      width: 184,
      minWidth: 184,
      isMain: true,
      isFixed: true,
      cell: (row) => <ClientAddress country={row.country} ip={row.ip} />,
    },
    bot: { id: 'bot', cellName: 'Bot', width: 96, cell: (row) => <BotLabels bot={row.bot} most={2} /> },
    date: { id: 'date', cellName: 'Date', cellNameOrderAble: 'concatenated_date', width: 160, isMain: true, cell: dateOf },
    type: {
      id: 'type',
      cellName: 'Req_Type',
      title: 'Request type',
      width: 96,
      isMain: true,
      cell: (row) => <RequestTypeLabel type={row.type} />,
    },
    body: {
      id: 'body',
      cellName: 'JSON Body',
      width: 116,
      isFixed: true,
      pin: 'end',
      cell: (row) => (
        <span className={classes['body']}>
          {isShowable(row) && <ShowButton row={row} onShow={() => onShow(row)} />}
          <CopyIcon className={classes['copy']} text={() => JSON.stringify(row, null, 2)} label={`Copy request ${row.id} as JSON`} />
        </span>
      ),
    },
  } satisfies Record<string, ListColumn<RequestRow>>;
}

/** Name of a stream, cut when it is long; its uid while nobody knows the name (AMB-050). */
function StreamCell({ stream }: { stream: RequestRow['stream'] }) {
  if (stream === null) return '-';
  return <CutLabel text={stream.name ?? stream.uid} from={cuts.streamName.from} to={cuts.streamName.to} />;
}
