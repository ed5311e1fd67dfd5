import type { DeliveryPlace } from '@switchyard/contract/delivery-place';
import { chipsOfMany, type Filter } from '../shared/listing/filter.ts';
import type { ListColumn } from '../shared/listing/list-column.ts';
import { TextCell } from '../shared/ui/text-cell.tsx';
import { AsnValue } from './asn-value.tsx';
import { BotLabels } from './bot-labels.tsx';
import { CountryValue } from './client-address.tsx';
import type { ValueFilters } from './value-actions.ts';
import { ValueMenu } from './value-menu.tsx';

/** A push or conversion whose place was asked for. */
type Placed = { place?: DeliveryPlace | null | undefined };

/** The filters that the values in these columns set. */
export const placeValues = {
  country: { only: 'geo', not: 'geoNot' },
  asn: { only: 'asn', not: 'asnNot' },
  bot: { only: 'bot', not: 'botNot' },
  server: { only: 'serverId' },
} as const satisfies ValueFilters<Record<'geo' | 'geoNot' | 'asn' | 'asnNot' | 'bot' | 'botNot' | 'serverId', unknown>>;

/** Where the clients of pushes and conversions were; hidden until the reader chooses them, because the specification names the columns. */
export function placeColumns<Row extends Placed>(): ListColumn<Row>[] {
  return [
    {
      id: 'country',
      cellName: 'Country',
      tooltip: 'Of the newest create of the client before',
      width: 92,
      isOptional: true,
      cell: ({ place }) => <CountryValue country={place?.country ?? null} />,
    },
    {
      id: 'bot',
      cellName: 'Bot',
      tooltip: 'Labels of the newest create of the client before',
      width: 96,
      isOptional: true,
      cell: ({ place }) => <BotLabels bot={place?.bot ?? ''} most={2} />,
    },
    {
      id: 'asn',
      cellName: 'ASN',
      width: 150,
      minWidth: 90,
      isOptional: true,
      cell: ({ place }) => <AsnValue asn={place?.asn ?? null} />,
    },
    {
      id: 'server',
      cellName: 'Server',
      width: 110,
      minWidth: 80,
      isOptional: true,
      cell: ({ place }) => <ServerValue server={place?.server ?? null} />,
    },
  ];
}

function ServerValue({ server }: Pick<DeliveryPlace, 'server'>) {
  if (server === null) return '-';
  return (
    <ValueMenu kind="server" value={String(server.id)} text={server.name} copyText={server.name}>
      <TextCell text={server.name} />
    </ValueMenu>
  );
}

/** The filter by traffic server, which the values in the column set; the rows know their names. */
export function serverFilter(rows: readonly Placed[]): Filter<string[] | undefined> {
  const names = new Map(rows.flatMap(({ place }) => (place?.server ? [[String(place.server.id), place.server.name]] : [])));
  return { chips: (ids) => chipsOfMany('Server', ids, (id) => names.get(id) ?? `#${id}`) };
}
