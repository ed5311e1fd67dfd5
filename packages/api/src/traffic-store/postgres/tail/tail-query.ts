import { streamLimits } from '@switchyard/contract/limits';
import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { TailPosition } from '../../tail-position.ts';
import type { RequestFilter, StoredRequest } from '../../traffic-store.ts';
import { indexedConditions, newParameters, sharedConditions, timeConditions } from '../event-conditions.ts';
import { toStoredRequest } from '../../event-fields.ts';
import { asEventPage, type EventPage } from '../stored-event.ts';

/** So many rows at most are looked through at once for a stream that lies behind; what is older is given up. */
const lookBack = 200_000;
/** Bytes of JSON bodies in one frame, one row apart. */
const frameBytes = 4_000_000;

/** Matches between two positions: the newest of them oldest first, and how many there are; null: more than could be counted. */
export type TailMatches = { places: TailPosition[]; total: number | null };

/** Finds what was committed after a position, up to a batch; at most `most` places. An old position may be one that the log has forgotten. */
export async function findMatches(
  pool: pg.Pool,
  query: { filter: RequestFilter; after: TailPosition; isOld: boolean; until: number; most: number },
): Promise<TailMatches> {
  const { filter, after, isOld, until, most } = query;
  const parameters = newParameters();
  const [seq, id, last] = [after.seq, after.id, until].map((value) => `${parameters.add(value)}::bigint`);
  const conditions = [
    `id between case when given.seq = ${seq} then greatest(given.first_id, ${id} + 1) else given.first_id end and given.last_id`,
    'events.xmin = given.xid::xid',
    ...sharedConditions(filter, parameters),
    ...indexedConditions(filter, parameters),
    ...timeConditions(filter, parameters),
  ];
  const text = `
    with given as (
      select *, committed_at > clock_timestamp() - interval '${streamLimits.resumedMinutes} minutes'
        and sum(requests) over (order by seq desc) - requests < ${lookBack} as is_near
      from request_batches where seq between ${seq} and ${last} and (seq > ${seq} or last_id > ${id})
    ), matched as materialized (
      select given.seq, found.id from given
      -- Not to be flattened: joined by xmin, which no index knows, all events would be read.
      cross join lateral (select id from events where ${conditions.join(' and ')} offset 0) as found where given.is_near
    )
    select (select count(*) from matched)::integer as matches, (select count(*) from given where not is_near)::integer as far,
      coalesce((select min(seq) from request_batches) > ${seq} + 1, false) as is_forgotten,
      (select coalesce(json_agg(json_build_array(seq, id)), '[]') from
        (select * from matched order by seq desc, id desc limit ${parameters.add(most)}::integer) as newest) as places`;
  const { rows } = await pool.query<{ matches: number; far: number; is_forgotten: boolean; places: [number, number][] }>({
    name: createHash('sha256').update(text).digest('hex').slice(0, 40),
    text,
    values: parameters.values,
  });
  const [found] = rows;
  if (!found) return { places: [], total: 0 };
  return {
    places: found.places.map(([placeSeq, placeId]) => ({ seq: placeSeq, id: placeId })).toReversed(),
    total: found.far > 0 || (isOld && found.is_forgotten) ? null : found.matches,
  };
}

const frame = asEventPage(`
  select * from (
    select events.*, place, sum(
      coalesce(octet_length(body_request::text), 0) + coalesce(octet_length(body_response::text), 0)
      + coalesce(octet_length(additional_data::text), 0) + coalesce(octet_length(error::text), 0)
    ) over (order by place) as bytes
    from unnest($1::bigint[]) with ordinality as wanted (wanted_id, place) join events on events.id = wanted_id
  ) as sized where bytes <= ${frameBytes} or place = 1 order by place`);

/** The rows of these ids in their order, as many of the first ones as make up a frame; dropped ones are missing. */
export async function readFrame(pool: pg.Pool, ids: readonly number[]): Promise<StoredRequest[]> {
  const { rows } = await pool.query<EventPage>({ name: 'tail-frame', text: frame, values: [ids] });
  return rows.flatMap(({ page }) => page.map(toStoredRequest));
}
