import { type DeliveryPlace, mostEventsOfClient, type PlacedDelivery, type PlaceQuery } from '../../delivery-place.ts';
import { day } from '../../time-buckets.ts';
import type { EngineClient } from '../engine-client.ts';
import { instant, serverOfRow, where } from '../event-conditions.ts';
import { newParameters, type Parameters, using } from '../statement.ts';

/** When the newest create of each delivery's client occurred, and its newest event; 0: there is none. `number` counts from 1. */
type NewestTimes = { number: number; create: number; event: number };

/** An event that may be the one of a delivery. `type` is `create` or anything else. */
type Candidate = {
  app: number;
  client: string;
  at: number;
  uuid: string;
  type: string;
  country: string;
  asn: string;
  server: number;
  bot: string;
};

/**
 * The places of deliveries in their order; null: no event is found. The projection of clients knows the times of events, but neither system
 * nor server, so one statement finds the time of each delivery's event, and a second one reads the events of these times.
 */
export async function findPlaces(engine: EngineClient, { deliveries, days }: PlaceQuery): Promise<(DeliveryPlace | null)[]> {
  if (deliveries.length === 0) return [];
  const times = await findTimes(engine, deliveries, days * day);
  const events = Map.groupBy(await readCandidates(engine, deliveries, times), identityOf);
  const places = deliveries.map((): DeliveryPlace | null => null);
  for (const { number, create, event } of times) {
    const delivery = deliveries[number - 1];
    if (delivery === undefined) continue;
    const at = create === 0 ? event : create;
    const found = (events.get(identityOf({ app: delivery.appId, client: delivery.clientUid, at })) ?? [])
      .filter(({ type }) => create === 0 || type === 'create')
      .toSorted((one, other) => (one.uuid > other.uuid ? -1 : 1))[0];
    if (found !== undefined) {
      const { country, asn, server, bot } = found;
      places[number - 1] = { country, asn, serverId: server === 0 ? null : server, bot };
    }
  }
  return places;
}

function identityOf({ app, client, at }: Pick<Candidate, 'app' | 'client' | 'at'>): string {
  return `${app} ${at} ${client}`;
}

/** SQL of the conditions that the projection of clients answers, and of an app. */
function clientConditions(deliveries: readonly PlacedDelivery[], parameters: Parameters): string[] {
  const clients = parameters.add([...new Set(deliveries.map(({ clientUid }) => clientUid))], 'Array(String)');
  const apps = parameters.add([...new Set(deliveries.map(({ appId }) => appId))], 'Array(Int32)');
  return [`client_key in arrayMap(uid -> lowerUTF8(uid), ${clients})`, `client_uid in ${clients}`, `app_id in ${apps}`];
}

async function findTimes(engine: EngineClient, deliveries: readonly PlacedDelivery[], window: number): Promise<NewestTimes[]> {
  const parameters = newParameters();
  const times = deliveries.map(({ at }) => at);
  const arrays = [
    parameters.add(
      deliveries.map(({ appId }) => appId),
      'Array(Int32)',
    ),
    parameters.add(
      deliveries.map(({ clientUid }) => clientUid),
      'Array(String)',
    ),
    parameters.add(times, 'Array(Int64)'),
  ];
  const conditions = [
    ...clientConditions(deliveries, parameters),
    `occurred_at between ${instant(Math.min(...times) - window, parameters)} and ${instant(Math.max(...times), parameters)}`,
  ];
  const asked = `select toInt32(one.1) as app, one.2 as client, one.3 as until, one.4 as number
    from (select arrayJoin(arrayZip(${arrays.join(', ')}, arrayEnumerate(${arrays[0] ?? ''}))) as one)`;
  const text = `select number, maxIf(at, is_create) as create, max(at) as event
    from (
      select app_id as app, client_uid as client, toUnixTimestamp64Micro(occurred_at) as at, type = 'create' as is_create
      from events ${where(conditions)}
      order by client_key desc, occurred_at desc limit ${mostEventsOfClient} by client_uid ${using('of_client')}
    ) as events
    inner join (${asked}) as asked on asked.app = events.app and asked.client = events.client
    where at <= until and at >= until - ${parameters.add(window, 'Int64')} group by number`;
  return engine.rows<NewestTimes>({ text, parameters });
}

async function readCandidates(
  engine: EngineClient,
  deliveries: readonly PlacedDelivery[],
  times: readonly NewestTimes[],
): Promise<Candidate[]> {
  if (times.length === 0) return [];
  const parameters = newParameters();
  const keys = times.map(({ number, create, event }) => [deliveries[number - 1]?.appId ?? 0, create === 0 ? event : create]);
  const arrays = [
    parameters.add(
      keys.map(([app]) => app),
      'Array(Int32)',
    ),
    parameters.add(
      keys.map(([, at]) => at),
      'Array(Int64)',
    ),
  ];
  const places = `select toStartOfHour(at), app, at
    from (select one.1 as app, fromUnixTimestamp64Micro(one.2, 'UTC') as at from (select arrayJoin(arrayZip(${arrays.join(', ')})) as one))`;
  const clients = parameters.add([...new Set(deliveries.map(({ clientUid }) => clientUid))], 'Array(String)');
  return engine.rows<Candidate>({
    text: `select app_id as app, client_uid as client, toUnixTimestamp64Micro(occurred_at) as at, toString(events.uuid) as uuid, type, country, asn,
        ${serverOfRow} as server, bot
      from events where (toStartOfHour(occurred_at), app_id, occurred_at) in (${places}) and client_uid in ${clients} ${using(null)}`,
    parameters,
  });
}
