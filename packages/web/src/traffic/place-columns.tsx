import type { DeliveryPlace, PlaceFilters } from '@switchyard/contract/delivery-place';
import { countryOptions } from '../shared/countries/country-flag.tsx';
import { chipsOfMany, type Filters } from '../shared/listing/filter.ts';
import type { ListColumn } from '../shared/listing/list-column.ts';
import { TextCell } from '../shared/ui/text-cell.tsx';
import { AsnValue } from './asn-value.tsx';
import { BotLabels } from './bot-labels.tsx';
import { CountryValue } from './client-address.tsx';
import { requestFilters } from './request-filters.tsx';
import type { ValueFilters } from './value-actions.ts';
import { ValueMenu } from './value-menu.tsx';

/** A push or conversion whose place was asked for. */
type Placed = { place?: DeliveryPlace | null | undefined };

/** The part of a query that asks for them. */
export function placeOf(isShown: boolean): { place?: true } {
  return isShown ? { place: true } : {};
}

/** The filters that the values in these columns set. */
export const placeValues = {
  country: { only: 'geo', not: 'geoNot' },
  asn: { only: 'asn', not: 'asnNot' },
  bot: { only: 'bot', not: 'botNot' },
  server: { only: 'serverId' },
} as const satisfies ValueFilters<PlaceFilters>;

/** Where the clients of pushes and conversions were; hidden until the reader chooses them, because the specification names the columns. */
export function placeColumns<Row extends Placed>(): ListColumn<Row>[] {
  return [
    {
      id: 'country',
      cellName: 'Country',
      tooltip: "From the client's latest event before this row",
      width: 92,
      isOptional: true,
      cell: ({ place }) => <CountryValue country={place?.country ?? null} />,
    },
    {
      id: 'bot',
      cellName: 'Bot',
      tooltip: "Bot labels of the client's latest event before this row",
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

/** Columns whose values the server adds on request. */
export const placeColumnIds = placeColumns().map(({ id }) => id);

function ServerValue({ server }: Pick<DeliveryPlace, 'server'>) {
  if (server === null) return '-';
  return (
    <ValueMenu kind="server" value={String(server.id)} text={server.name} copyText={server.name}>
      <TextCell text={server.name} />
    </ValueMenu>
  );
}

/** The filters by place: fields for country and label, and chips for what values in the rows set. The rows know the names of servers. */
export function placeFilters(rows: readonly Placed[]): Filters<PlaceFilters> {
  const { geo, geoNot, bot, botNot, asn, asnNot } = requestFilters({ offset: '+00:00', types: [], countries: countryOptions });
  const names = new Map(rows.flatMap(({ place }) => (place?.server ? [[String(place.server.id), place.server.name]] : [])));
  const serverId: Filters<PlaceFilters>['serverId'] = { chips: (ids) => chipsOfMany('Server', ids, (id) => names.get(id) ?? `#${id}`) };
  return { geo, geoNot, bot, botNot, asn, asnNot, serverId };
}
