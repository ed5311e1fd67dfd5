import { streamLimits } from '@switchyard/contract/limits';
import type { Microseconds } from '@switchyard/contract/dates';
import type pg from 'pg';
import type { TailPosition } from '../../event-cursor.ts';
import { type AskedOrigin, parseListed, type StoredEvent, toRequestRows } from '../../event-fields.ts';
import { frameBytes, lookBack, type TailLog, type TailMatches, type TailQuery, type TailSource } from '../../tail/follow-events.ts';
import type { EngineClient } from '../engine-client.ts';
import { allConditions, timeConditions } from '../event-conditions.ts';
import { addNames } from '../read-names.ts';
import { newParameters, type Parameters, using } from '../statement.ts';

/** The number before that of the first batch (migration 0019). Streams that open before there is one resume after it. */
const beforeFirst = 1_000_000_000_000;

/** The log of batches of the event engine. */
export const tailLog: TailLog = {
  text: `select coalesce(max(announced), ${beforeFirst})::bigint as seq from event_batches`,
  channel: 'switchyard_events',
};

/** Reads the events of announced batches in the engine; the log of batches is in PostgreSQL. */
export function createTailSource(deps: { engine: EngineClient; pool: pg.Pool }): TailSource {
  return {
    findMatches: async (query) => findMatches(deps, query),
    readFrame: async (places, origin) => readFrame(deps, places, origin),
  };
}

type Deps = { engine: EngineClient; pool: pg.Pool };
/** A stored batch; hours as microseconds, the end is exclusive. */
type AnnouncedBatch = { seq: number; announced: number; from: Microseconds; until: Microseconds };

const batchColumns = `seq, announced, (extract(epoch from from_hour) * 1000000)::bigint as "from", (extract(epoch from until_hour) * 1000000)::bigint as until`;

async function findMatches({ engine, pool }: Deps, { filter, after, isOld, until, most }: TailQuery): Promise<TailMatches> {
  const { rows } = await pool.query<{ far: number; is_forgotten: boolean; near: AnnouncedBatch[] }>({
    name: 'tail-batches',
    text: `
      with given as (
        select *, settled_at > clock_timestamp() - interval '${streamLimits.resumedMinutes} minutes'
          and sum(requests) over (order by announced desc) - requests < ${lookBack} as is_near
        from event_batches where announced between $1::bigint and $2::bigint and (announced > $1::bigint or last_id > $3::bigint)
      )
      select (select count(*) from given where not is_near)::integer as far,
        coalesce((select min(announced) from event_batches), ${beforeFirst + 1}) > $1::bigint + 1 as is_forgotten,
        (select coalesce(json_agg(near), '[]') from (select ${batchColumns} from given where is_near) as near) as near`,
    values: [after.seq, until, after.id],
  });
  const { far = 0, is_forgotten: isForgotten = false, near = [] } = rows[0] ?? {};
  const matches = near.length === 0 ? { total: 0, places: [] } : await findInBatches(engine, near, { filter, after, most });
  return {
    places: matches.places.map(([seq, id]) => ({ seq, id })).toReversed(),
    total: far > 0 || (isOld && isForgotten) ? null : matches.total,
  };
}

type NextPlaces = { total: number; places: [announced: number, id: number][] };

async function findInBatches(
  engine: EngineClient,
  batches: readonly AnnouncedBatch[],
  { filter, after, most }: Pick<TailQuery, 'filter' | 'after' | 'most'>,
): Promise<NextPlaces> {
  const parameters = newParameters();
  const [seqs, announcedNumbers] = [batches.map((batch) => batch.seq), batches.map((batch) => batch.announced)].map((numbers) =>
    parameters.add(numbers, 'Array(UInt64)'),
  );
  const startedBatch = batches.find((batch) => batch.announced === after.seq);
  const rest =
    startedBatch === undefined
      ? []
      : [`(batch != ${parameters.add(startedBatch.seq, 'UInt64')} or id > ${parameters.add(after.id, 'UInt64')})`];
  const conditions = [`batch in ${seqs}`, ...rest, ...hoursOf(batches, parameters), ...allConditions(filter, parameters)];
  const place = `(transform(batch, ${seqs}, ${announcedNumbers}, toUInt64(0)), id)`;
  const text = `select count() as total, arraySlice(arrayReverseSort(groupArray(${place})), 1, ${parameters.add(most, 'UInt32')}) as places
    from events where ${conditions.join(' and ')} ${using(null)}`;
  const [next] = await engine.rows<NextPlaces>({ text, parameters });
  return next ?? { total: 0, places: [] };
}

/** Bounds of the time of batches, by which the engine finds their events. */
function hoursOf(batches: readonly AnnouncedBatch[], parameters: Parameters): string[] {
  const from = Math.min(...batches.map((batch) => batch.from));
  return timeConditions({ from, until: Math.max(...batches.map((batch) => batch.until)) }, parameters);
}

async function readFrame({ engine, pool }: Deps, places: readonly TailPosition[], origin: AskedOrigin): Promise<StoredEvent[]> {
  const { rows: batches } = await pool.query<AnnouncedBatch>({
    name: 'tail-hours',
    text: `select ${batchColumns} from event_batches where announced = any($1::bigint[])`,
    values: [[...new Set(places.map((place) => place.seq))]],
  });
  if (batches.length === 0) return [];
  const parameters = newParameters();
  const ids = parameters.add(
    places.map((place) => place.id),
    'Array(UInt64)',
  );
  const seqs = parameters.add(
    batches.map((batch) => batch.seq),
    'Array(UInt64)',
  );
  const conditions = [`id in ${ids}`, `batch in ${seqs}`, ...hoursOf(batches, parameters)];
  const text = `
    select row from (
      select row, place, sum(length(row)) over (order by place rows unbounded preceding) as bytes
      from (select row, indexOf(${ids}, id) as place from events where ${conditions.join(' and ')})
    ) where bytes <= ${frameBytes} or place = 1 order by place ${using(null)}`;
  const events = parseListed(await engine.lines({ text, parameters }));
  return toRequestRows(await addNames(pool, events), origin);
}
