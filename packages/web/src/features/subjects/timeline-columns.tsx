import { Button } from '@mantine/core';
import type { DeliveryPlace } from '@switchyard/contract/delivery-place';
import { bodyTone } from '@switchyard/contract/requests';
import { IconBraces } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CountryFlag } from '../../shared/countries/country-flag.tsx';
import type { ListColumn } from '../../shared/listing/list-column.ts';
import { LogLevelIcon } from '../../shared/logs/log-level-icon.tsx';
import { AppLink } from '../../shared/navigation.tsx';
import { paths } from '../../shared/paths.ts';
import { useGridTabIndex } from '../../shared/ui/grid-tab-index.ts';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { VisibleText } from '../../shared/ui/visible-text.tsx';
import { BotLabels } from '../../traffic/bot-labels.tsx';
import { DeliveryStatus } from '../../traffic/delivery-status.tsx';
import { RequestTypeLabel } from '../../traffic/request-type-label.tsx';
import { TextCell } from '../../shared/ui/text-cell.tsx';
import { UidCell } from '../../traffic/uid-cell.tsx';
import classes from './subjects.module.css';
import { kindNames, type Entry } from './timeline-entry.ts';

type Input = { displayDate: (text: string) => string; show: (entry: Entry) => void };

/** The columns of the timeline of a client: everything that happened to it, wherever it was. */
export function clientColumns({ displayDate, show }: Input): ListColumn<Entry>[] {
  return [
    time(displayDate),
    { id: 'kind', cellName: 'Kind', width: 96, isMain: true, cell: (entry) => kindNames[entry.kind] },
    { id: 'what', cellName: 'What', width: 260, minWidth: 180, grows: true, isMain: true, cell: (entry) => <What entry={entry} /> },
    app,
    address,
    bot,
    body(show),
  ];
}

/** The columns of the timeline of an address: the requests from there, by whomever. */
export function addressColumns(input: Input): ListColumn<Entry>[] {
  return placeColumns(input, []);
}

/** The columns of the timeline of a block, which has several addresses. */
export function blockColumns(input: Input): ListColumn<Entry>[] {
  return placeColumns(input, [address]);
}

function placeColumns({ displayDate, show }: Input, further: readonly ListColumn<Entry>[]): ListColumn<Entry>[] {
  return [
    time(displayDate),
    { id: 'what', cellName: 'What', width: 180, minWidth: 120, isMain: true, cell: (entry) => <What entry={entry} /> },
    app,
    ...further,
    {
      id: 'client',
      cellName: 'Client uid',
      width: 200,
      minWidth: 120,
      grows: true,
      isMain: true,
      cell: (entry) => (entry.kind === 'request' ? <ClientLink uid={entry.request.client_uid} /> : '-'),
    },
    bot,
    body(show),
  ];
}

function time(displayDate: (text: string) => string): ListColumn<Entry> {
  return {
    id: 'at',
    cellName: 'Date',
    width: 160,
    isMain: true,
    isFixed: true,
    cell: ({ at }) => <span className="tabular">{displayDate(at)}</span>,
  };
}

const app: ListColumn<Entry> = {
  id: 'app',
  cellName: 'App',
  width: 140,
  minWidth: 90,
  grows: true,
  cell: (entry) => ('app' in entry ? <TextCell text={entry.app.name} /> : '-'),
};

/** Where the client of a push or conversion was. */
function placeOf(entry: Entry): DeliveryPlace | null | undefined {
  if (entry.kind === 'push') return entry.push.place;
  return entry.kind === 'conversion' ? entry.conversion.place : null;
}

const address: ListColumn<Entry> = {
  id: 'ip',
  cellName: 'IP',
  width: 184,
  minWidth: 150,
  cell: (entry) => {
    if (entry.kind === 'request') return <AddressLink country={entry.request.country} ip={entry.request.ip} />;
    const country = placeOf(entry)?.country ?? null;
    return country === null ? '-' : <CountryFlag code={country} />;
  },
};

const bot: ListColumn<Entry> = {
  id: 'bot',
  cellName: 'Bot',
  width: 96,
  cell: (entry) => <BotLabels bot={entry.kind === 'request' ? entry.request.bot : (placeOf(entry)?.bot ?? '')} most={2} />,
};

function body(show: (entry: Entry) => void): ListColumn<Entry> {
  return {
    id: 'body',
    cellName: 'JSON Body',
    width: 100,
    isFixed: true,
    pin: 'end',
    cell: (entry) => <ShowButton entry={entry} onShow={() => show(entry)} />,
  };
}

/** The entry in a few words. */
function What({ entry }: { entry: Entry }): ReactNode {
  switch (entry.kind) {
    case 'request':
      return (
        <span className={classes['what']}>
          <RequestTypeLabel type={entry.request.type} />
          {entry.request.stream !== null && <TextCell text={entry.request.stream.name ?? entry.request.stream.uid} />}
        </span>
      );
    case 'push':
      return (
        <span className={classes['what']}>
          <DeliveryStatus status={entry.push.status} error={entry.push.error} />
          <TextCell text={entry.push.push_name} />
        </span>
      );
    case 'conversion':
      return (
        <span className={classes['what']}>
          <DeliveryStatus status={entry.conversion.status} error={entry.conversion.error} />
          <TextCell text={entry.conversion.status_conversion} />
          {entry.conversion.payout !== null && <span className="tabular">{entry.conversion.payout}</span>}
        </span>
      );
    default:
      return (
        <span className={classes['what']}>
          {entry.log.level !== '' && <LogLevelIcon level={entry.log.level} />}
          <TextCell text={entry.log.message} />
        </span>
      );
  }
}

/** An address with its country, as a link to its page. */
export function AddressLink({ country, ip }: { country: string | null; ip: string }) {
  return (
    <span className={classes['link']}>
      <CountryFlag code={country} />
      <AppLink href={paths.address(ip)} className="mono" title={ip}>
        {ip}
      </AppLink>
    </span>
  );
}

/** A client's uid as a link to its page. */
export function ClientLink({ uid }: { uid: string }) {
  // No address of a page can contain these two.
  if (uid === '' || uid === '.' || uid === '..') return <UidCell uid={uid} noun="client uid" />;
  return (
    <span className={classes['link']}>
      <AppLink href={paths.client(uid)} className="mono" title={withMarks(uid)}>
        <VisibleText text={uid} />
      </AppLink>
    </span>
  );
}

const tones = { default: 'neutral', success: 'success', warning: 'warning', danger: 'danger' } as const;

function ShowButton({ entry, onShow }: { entry: Entry; onShow: () => void }) {
  const tabIndex = useGridTabIndex();
  return (
    <Button
      size="compact-xs"
      variant="light"
      color={entry.kind === 'request' ? tones[bodyTone(entry.request)] : 'neutral'}
      leftSection={<IconBraces size={13} aria-hidden />}
      aria-label={`Show ${entry.id}`}
      tabIndex={tabIndex}
      onClick={onShow}
    >
      Show
    </Button>
  );
}
