import type { DeliveryPlace } from '@switchyard/contract/delivery-place';
import type { Kysely } from 'kysely';
import type { WithPlace } from '@switchyard/traffic-store/delivery-store';
import type { Tables } from '../../database/tables.ts';
import { findAsns } from '../asns/registry-lookup.ts';
import { findServerLabels } from '../traffic-servers/server-labels-lookup.ts';

type NamedPlace<Row> = Omit<Row, 'place'> & { place?: DeliveryPlace | null };

/** Puts the names of systems and servers into the place of a row, if it has one. */
export type NamePlace = <Row extends WithPlace<object>>(row: Row) => NamedPlace<Row>;

/** Finds the names that the places of these rows need, in two statements. */
export async function findPlaceNames(db: Kysely<Tables>, rows: readonly WithPlace<object>[]): Promise<NamePlace> {
  const places = rows.flatMap(({ place }) => place ?? []);
  const [asns, servers] = [
    await findAsns(
      db,
      places.map(({ asn }) => asn),
    ),
    await findServerLabels(
      db,
      places.flatMap(({ serverId }) => serverId ?? []),
    ),
  ];
  return ({ place, ...row }) => {
    if (place === undefined) return row;
    if (place === null) return { ...row, place };
    const { country, asn, serverId, bot } = place;
    return {
      ...row,
      place: { country: country === '' ? null : country, asn: asns.get(asn) ?? null, server: servers.get(serverId ?? 0) ?? null, bot },
    };
  };
}
