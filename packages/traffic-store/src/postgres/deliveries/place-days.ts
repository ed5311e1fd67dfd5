import type { DeliveryKind } from '../../delivery-store.ts';

/** The tables of each kind, and by what its places are counted. A delivery whose place is unknown is not counted. */
export const placeTables = {
  push: {
    deliveries: 'pushes',
    time: 'send_at',
    places: 'push_places',
    days: 'push_place_days',
    key: 'day, app_id, country, asn, server_id, bot, status',
    stream: '',
    payout: '',
  },
  conversion: {
    deliveries: 'conversions',
    time: 'created_at',
    places: 'conversion_places',
    days: 'conversion_place_days',
    key: 'day, app_id, stream_uid, status_conversion, country, asn, server_id, bot, status',
    stream: `, coalesce(kept.stream_uid, '') as stream_uid, kept.status_conversion`,
    payout: ', coalesce(kept.payout, 0) as payout',
  },
} as const satisfies Record<DeliveryKind, Readonly<Record<string, string>>>;

/** SQL of what a delivery `kept` with its place `place` counts as, `n` times; `offset` is a placeholder of the server's offset. */
export function countedPlace(kind: DeliveryKind, { n, offset }: { n: string; offset: string }): string {
  const { time, stream, payout } = placeTables[kind];
  return `(kept.${time} at time zone 'UTC' + ${offset}::interval)::date as day, kept.app_id${stream}, place.country, place.asn,
    coalesce(place.server_id, 0) as server_id, place.bot, kept.status, ${n} as n${payout}`;
}

/** SQL that adds changes to the counts by place, in the order of their key, so that concurrent writers never deadlock. */
export function addToPlaceDays(kind: DeliveryKind, changes: string): string {
  const { days, key, payout } = placeTables[kind];
  const [column, amount, sum] =
    payout === '' ? ['', '', ''] : [', payout', ', sum(n * payout)', ', payout = held.payout + excluded.payout'];
  return `insert into ${days} as held (${key}, stored${column})
  select ${key}, sum(n)${amount} from (${changes}) as changes group by ${key} having sum(n) <> 0${amount === '' ? '' : ' or sum(n * payout) <> 0'}
  order by ${key}
  on conflict (${key}) do update set stored = held.stored + excluded.stored${sum}`;
}
