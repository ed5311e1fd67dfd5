import { Button } from '@mantine/core';
import { bodyTone, type RequestRow } from '@switchyard/contract/requests';
import { IconAlertCircle, IconAlertTriangle, IconBraces, IconCircleCheck } from '@tabler/icons-react';
import type { ListColumn } from '../shared/listing/list-column.ts';
import { CopyIcon } from '../shared/ui/copy.tsx';
import { CutLabel } from '../shared/ui/cut-label.tsx';
import { useGridTabIndex } from '../shared/ui/grid-tab-index.ts';
import { BotLabels } from './bot-labels.tsx';
import { ClientAddress } from './client-address.tsx';
import classes from './request-columns.module.css';
import { RequestTypeLabel } from './request-type-label.tsx';
import { textLengths } from '../shared/ui/display-limits.ts';

type Input = {
  /** What the date column says. */
  dateOf: (row: RequestRow) => string;
  onShow: (row: RequestRow) => void;
  /** Which rows have a show button; all unless given. */
  isShowable?: (row: RequestRow) => boolean;
};

/**
 * The columns that lists of requests share, by name; a list may rename them and decides which of them sort. Columns
 * that a list does not name come last, in the order given here.
 */
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

/** Name of a stream, shortened when it is long; its uid when it has no name. */
function StreamCell({ stream }: { stream: RequestRow['stream'] }) {
  if (stream === null) return '-';
  return <CutLabel text={stream.name ?? stream.uid} from={textLengths.streamName.from} to={textLengths.streamName.to} />;
}

/** Icon and colour of the Show button by the outcome of the request. */
const looks = {
  default: { icon: IconBraces, color: 'neutral', meaning: '' },
  success: { icon: IconCircleCheck, color: 'success', meaning: ', without error' },
  warning: { icon: IconAlertTriangle, color: 'warning', meaning: ', with a notice' },
  danger: { icon: IconAlertCircle, color: 'danger', meaning: ', with an error' },
} as const;

type ShowProps = { row: Pick<RequestRow, 'id' | 'type' | 'error'>; onShow: () => void };

/** Opens a request in the side panel; its colour shows the outcome of the request. */
function ShowButton({ row, onShow }: ShowProps) {
  const tone = bodyTone(row);
  const { icon: Picture, color, meaning } = looks[tone];
  const tabIndex = useGridTabIndex();
  return (
    <Button
      size="compact-xs"
      variant="light"
      color={color}
      data-tone={tone}
      leftSection={<Picture size={13} aria-hidden />}
      aria-label={`Show request ${row.id}${meaning}`}
      {...(tabIndex === undefined ? {} : { tabIndex })}
      onClick={onShow}
    >
      Show
    </Button>
  );
}
