import { writeExactly } from '@switchyard/contract/exact-json';
import { bodyTone, type RequestRow } from '@switchyard/contract/requests';
import { IconAlertCircle, IconAlertTriangle, IconBraces, IconCircleCheck } from '@tabler/icons-react';
import type { ListColumn } from '../shared/listing/list-column.ts';
import { CopyIcon } from '../shared/ui/copy.tsx';
import { useGridTabIndex } from '../shared/ui/grid-tab-index.ts';
import { plainClasses } from '../shared/ui/plain-buttons.ts';
import { HoverTooltip } from '../shared/ui/hover-tooltip.tsx';
import { cutFrom } from '../shared/ui/text-format.ts';
import { VisibleText } from '../shared/ui/visible-text.tsx';
import { AsnValue } from './asn-value.tsx';
import { BotLabels } from './bot-labels.tsx';
import { ClientAddress } from './client-address.tsx';
import classes from './request-columns.module.css';
import { RequestTypeLabel } from './request-type-label.tsx';
import { textLengths } from '../shared/ui/display-limits.ts';
import { TextCell } from '../shared/ui/text-cell.tsx';
import { UidCell } from './uid-cell.tsx';
import { ValueMenu } from './value-menu.tsx';

/** Columns whose values the server adds on request. */
export const originColumns = ['asn', 'server'] as const;

/** The part of a query that asks for them. */
export function originOf(hasOrigin: boolean): { origin?: true } {
  return hasOrigin ? { origin: true } : {};
}

type Input = {
  /** Text of the date column. */
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
    stream: {
      id: 'stream',
      cellName: 'Stream',
      width: 112,
      minWidth: 56,
      grows: true,
      cell: (row) => <StreamCell stream={row.stream} />,
    },
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
    date: {
      id: 'date',
      cellName: 'Date',
      cellNameOrderAble: 'concatenated_date',
      width: 160,
      hasCompactForm: true,
      isMain: true,
      cell: (row) => <span className={classes['date']}>{dateOf(row)}</span>,
    },
    type: {
      id: 'type',
      cellName: 'Req_Type',
      title: 'Request type',
      width: 96,
      isMain: true,
      cell: ({ type }) => (
        <ValueMenu kind="type" value={type}>
          <RequestTypeLabel type={type} />
        </ValueMenu>
      ),
    },
    client: {
      id: 'client_uid',
      cellName: 'Client uid',
      width: 118,
      isOptional: true,
      cell: (row) => <UidCell uid={row.client_uid} noun="client uid" isShort kind="client" />,
    },
    domain: {
      id: 'postbacks_domain',
      cellName: 'Postbacks domain',
      width: 140,
      minWidth: 90,
      isOptional: true,
      cell: (row) => <TextCell text={row.postbacks_domain} />,
    },
    asn: {
      id: originColumns[0],
      cellName: 'ASN',
      width: 150,
      minWidth: 90,
      isOptional: true,
      cell: (row) => (row.asn === undefined ? '' : <AsnValue asn={row.asn} />),
    },
    server: {
      id: originColumns[1],
      cellName: 'Server',
      width: 110,
      minWidth: 80,
      isOptional: true,
      cell: (row) => (row.server === undefined ? '' : <TextCell text={row.server?.name ?? ''} />),
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
          <CopyIcon className={classes['copy']} text={() => writeExactly(row, 2)} label={`Copy request ${row.id} as JSON`} />
        </span>
      ),
    },
  } satisfies Record<string, ListColumn<RequestRow>>;
}

/** Name of a stream, shortened when it is long; its uid when it has no name. */
function StreamCell({ stream }: { stream: RequestRow['stream'] }) {
  if (stream === null) return '-';
  const text = stream.name ?? stream.uid;
  const cutName = cutFrom(text, textLengths.streamName.from, textLengths.streamName.to);
  const value = (
    <ValueMenu kind="stream" value={stream.uid} text={text}>
      <VisibleText text={cutName} />
    </ValueMenu>
  );
  return cutName === text ? value : <HoverTooltip label={text}>{value}</HoverTooltip>;
}

/** Icon and meaning of the Show button by the outcome of the request, which is its colour. */
const tones = {
  default: { icon: IconBraces, meaning: '' },
  success: { icon: IconCircleCheck, meaning: ', without error' },
  warning: { icon: IconAlertTriangle, meaning: ', with a notice' },
  danger: { icon: IconAlertCircle, meaning: ', with an error' },
} as const;

type ShowProps = { row: Pick<RequestRow, 'id' | 'type' | 'error'>; onShow: () => void };

/** Opens a request in the side panel; its colour shows the outcome of the request. */
function ShowButton({ row, onShow }: ShowProps) {
  const tone = bodyTone(row);
  const { icon: Picture, meaning } = tones[tone];
  const tabIndex = useGridTabIndex();
  return (
    <button
      type="button"
      className={plainClasses.button.root}
      data-with-left-section
      data-tone={tone}
      aria-label={`Show request ${row.id}${meaning}`}
      {...(tabIndex === undefined ? {} : { tabIndex })}
      onClick={onShow}
    >
      <span className={plainClasses.button.inner}>
        <span className={`${plainClasses.button.section} ${classes['icon'] ?? ''}`} data-position="left">
          <Picture size={13} aria-hidden />
        </span>
        <span className={`${plainClasses.button.label} ${classes['word'] ?? ''}`}>Show</span>
      </span>
    </button>
  );
}
