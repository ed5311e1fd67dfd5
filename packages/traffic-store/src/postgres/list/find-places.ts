import { type DeliveryPlace, mostEventsOfClient, type PlaceQuery } from '../../delivery-place.ts';
import { timestamp } from '../event-conditions.ts';
import type { Reader } from '../statements.ts';

/** SQL of the newest of a client's events. Of those of one time the greatest UUID is taken, because ids follow the arrival. */
const newestEvent = (condition: string): string => `(
    select country, asn, server_id, bot from (
      select occurred_at, uuid, app_id, type, country, asn, server_id, bot from events
      where lower(events.client_uid) collate "C" = lower(asked.client_uid) collate "C" and events.client_uid = asked.client_uid
        and occurred_at <= asked.at and occurred_at >= asked.at - $4::interval
      order by occurred_at desc limit ${mostEventsOfClient}
    ) as own where app_id = asked.app_id ${condition} order by occurred_at desc, uuid desc limit 1
  )`;

/** The second selection runs only for a client without a create. */
const findStatement = `
select place.country, place.asn, place.server_id as "serverId", place.bot
from unnest($1::integer[], $2::text[], $3::timestamptz[]) with ordinality as asked (app_id, client_uid, at, number)
left join lateral (
  ${newestEvent(`and type = 'create'`)} union all ${newestEvent('')} limit 1
) as place on true
order by number`;

type FoundPlace = DeliveryPlace | { [Part in keyof DeliveryPlace]: null };

/** The places of deliveries in their order; null: no event is found. Planned for the present size of each week, so not prepared. */
export async function findPlaces(reader: Reader, { deliveries, days }: PlaceQuery): Promise<(DeliveryPlace | null)[]> {
  const { rows } = await reader.query<FoundPlace>(findStatement, [
    deliveries.map(({ appId }) => appId),
    deliveries.map(({ clientUid }) => clientUid),
    deliveries.map(({ at }) => timestamp(at)),
    `${days} days`,
  ]);
  return rows.map((row) => (row.country === null ? null : row));
}
