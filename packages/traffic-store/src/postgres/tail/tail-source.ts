import { streamLimits } from '@switchyard/contract/limits';
import { createHash } from 'node:crypto';
import type pg from 'pg';
import { type AskedOrigin, type StoredEvent, toRequestRows } from '../../event-fields.ts';
import { frameBytes, lookBack, type TailLog, type TailMatches, type TailQuery, type TailSource } from '../../tail/follow-events.ts';
import { allConditions, newParameters } from '../event-conditions.ts';
import { asEventRows, readRows } from '../event-page.ts';

/** The log of batches in PostgreSQL. */
export const tailLog: TailLog = {
  text: 'select coalesce(max(seq), 0)::bigint as seq from request_batches',
  channel: 'switchyard_requests',
};

/** Reads what was committed to the events of PostgreSQL. */
export function createTailSource(pool: pg.Pool): TailSource {
  return {
    findMatches: async (query) => findMatches(pool, query),
    readFrame: async (places, origin) =>
      readFrame(
        pool,
        places.map(({ id }) => id),
        origin,
      ),
  };
}

async function findMatches(pool: pg.Pool, query: TailQuery): Promise<TailMatches> {
  const { filter, after, isOld, until, most } = query;
  const parameters = newParameters();
  const [seq, id, last] = [after.seq, after.id, until].map((value) => `${parameters.add(value)}::bigint`);
  const conditions = [
    `id between case when given.seq = ${seq} then greatest(given.first_id, ${id} + 1) else given.first_id end and given.last_id`,
    'events.xmin = given.xid::xid',
    ...allConditions(filter, parameters),
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
  const [row] = rows;
  if (!row) return { places: [], total: 0 };
  return {
    places: row.places.map(([placeSeq, placeId]) => ({ seq: placeSeq, id: placeId })).toReversed(),
    total: row.far > 0 || (isOld && row.is_forgotten) ? null : row.matches,
  };
}

const frame = asEventRows(`
  select * from (
    select events.*, place, sum(
      coalesce(octet_length(body_request::text), 0) + coalesce(octet_length(body_response::text), 0)
      + coalesce(octet_length(additional_data::text), 0) + coalesce(octet_length(error::text), 0)
    ) over (order by place) as bytes
    from unnest($1::bigint[]) with ordinality as wanted (wanted_id, place) join events on events.id = wanted_id
  ) as sized where bytes <= ${frameBytes} or place = 1 order by place`);

async function readFrame(pool: pg.Pool, ids: readonly number[], origin: AskedOrigin): Promise<StoredEvent[]> {
  return toRequestRows(await readRows(pool, { text: frame, values: [ids] }), origin);
}

/** Deletes batches too old to resume from, except the newest: it shows that none were deleted after it. */
export async function forgetOldBatches(pool: pg.Pool): Promise<void> {
  await pool.query(`delete from request_batches where committed_at < clock_timestamp() - interval '1 hour'
    and seq < (select max(seq) from request_batches)`);
}
