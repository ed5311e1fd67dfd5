import { streamLimits } from '@switchyard/contract/limits';
import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import type { Listen } from '../../../database/process-connection.ts';
import { createLimiter, type Limiter } from '../../../limiter.ts';
import { toRequestRow } from '../../event-fields.ts';
import { indexedConditions, newParameters, sharedConditions, timeConditions } from '../event-conditions.ts';
import { asEventPage, type EventPage } from '../event-page.ts';
import { endOfBatch, readTailPosition, type TailPosition, writeTailPosition } from '../../event-cursor.ts';
import type { EventFilter, TailFrame } from '../../event-store.ts';
import type { RequestRow } from '@switchyard/contract/requests';

export type Follow = {
  /** Read before each query, because the caller's apps may change. */
  filter: () => EventFilter;
  /** The id of the last frame that arrived; undefined: start now. */
  after: string | undefined;
  signal: AbortSignal;
};

/** Batches that arrive within this time are read together. */
const restMilliseconds = 200;

/**
 * Events as they are committed: each once, in commit order. At most one frame is read ahead of the client, so a slow client takes
 * no memory; the rows it misses are reported as a gap.
 */
export function createFollow(deps: { pool: pg.Pool; head: TailHead }): (follow: Follow) => Promise<AsyncIterable<TailFrame>> {
  // Many streams must not take the connections that pages need.
  const limiter = createLimiter({ slots: 2 });
  return async (follow) => {
    const now = await deps.head.read();
    return followFrom({ ...deps, limiter }, follow, now);
  };
}

async function* followFrom(
  { pool, head, limiter }: { pool: pg.Pool; head: TailHead; limiter: Limiter },
  { filter, after, signal }: Follow,
  now: number,
): AsyncGenerator<TailFrame> {
  const leave = head.follow();
  try {
    const resumed = after === undefined ? null : readTailPosition(after);
    const isKnown = resumed !== null && resumed.seq <= now;
    if (after !== undefined && !isKnown) yield gap(endOfBatch(now), null);
    let position = isKnown ? resumed : endOfBatch(now);
    const allowance = createAllowance();
    let isFirst = true;

    for (let until = now; ; until = await head.after(position.seq, signal)) {
      if (until > position.seq || position.id < endOfBatch(until).id) {
        // The allowance is read now: seconds may have passed since the last query, each with its own allowance.
        const most = isFirst && isKnown ? streamLimits.resumedRows : allowance.left();
        const looked = { filter: filter(), after: position, isOld: position === resumed, until, most };
        const { places, total } = await limiter.run(() => findMatches(pool, looked));
        const [first] = places;
        position = endOfBatch(until);
        if (total === null || total > places.length) {
          const reached = first ? { seq: first.seq, id: first.id - 1 } : position;
          yield gap(reached, total === null ? null : total - places.length);
        }
        yield* framesOf({ pool, limiter }, places, position);
        allowance.take(places.length);
      }
      await wait(allowance.pause(), undefined, { signal });
      isFirst = false;
    }
  } finally {
    leave();
  }
}

/** How many rows may still be sent in the current second, and how long to wait before the next query. */
function createAllowance(): { left: () => number; take: (rows: number) => void; pause: () => number } {
  let taken = 0;
  let ends = performance.now() + 1000;
  const left = (): number => {
    if (performance.now() >= ends) {
      taken = 0;
      ends = performance.now() + 1000;
    }
    return Math.max(0, streamLimits.rowsPerSecond - taken);
  };
  return {
    left,
    take(rows) {
      taken += rows;
    },
    // Rows beyond the allowance of a second are reported as skipped. A timer may fire a fraction of a millisecond early, when
    // the next query would have no allowance yet.
    pause: () => (left() > 0 ? restMilliseconds : Math.ceil(ends - performance.now()) + 1),
  };
}

/** The rows in frames; each but the last ends at its own last row, so that a client can resume after it. */
async function* framesOf(
  { pool, limiter }: { pool: pg.Pool; limiter: Limiter },
  places: readonly TailPosition[],
  end: TailPosition,
): AsyncGenerator<TailFrame> {
  for (let sent = 0; sent < places.length;) {
    const wanted = places.slice(sent, sent + streamLimits.rowsPerFrame);
    const rows = await limiter.run(() =>
      readFrame(
        pool,
        wanted.map((place) => place.id),
      ),
    );
    const last = wanted.findLastIndex((place) => place.id === rows.at(-1)?.id);
    sent += last === -1 ? wanted.length : last + 1;
    const reached = sent >= places.length ? end : (places[sent - 1] ?? end);
    if (rows.length > 0) yield { kind: 'rows', id: writeTailPosition(reached), rows };
  }
}

function gap(position: TailPosition, skipped: number | null): TailFrame {
  return { kind: 'gap', id: writeTailPosition(position), skipped };
}

/** At most so many rows are searched at once for a stream that is behind; older ones are skipped. */
const lookBack = 200_000;
/** Bytes of JSON bodies in one frame, one row apart. */
const frameBytes = 4_000_000;

/** Matches between two positions: the newest of them, oldest first, and their number; null: too many to count. */
export type TailMatches = { places: TailPosition[]; total: number | null };

/** Finds matches committed after a position, up to a batch; at most `most` positions. The log may no longer hold an old position. */
async function findMatches(
  pool: pg.Pool,
  query: { filter: EventFilter; after: TailPosition; isOld: boolean; until: number; most: number },
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

/** The rows of these ids in their order, as many as fit a frame; dropped rows are missing. */
async function readFrame(pool: pg.Pool, ids: readonly number[]): Promise<RequestRow[]> {
  const { rows } = await pool.query<EventPage>({ name: 'tail-frame', text: frame, values: [ids] });
  return rows.flatMap(({ page }) => page.map(toRequestRow));
}

/** The number of the newest visible batch. */
export type TailHead = {
  /** Reads it from the database. */
  read(): Promise<number>;
  /** Waits until there is a batch after the given one, and gives the newest; rejects when the signal is aborted. */
  after(seq: number, signal: AbortSignal): Promise<number>;
  /** Listens for new batches until the returned function is called. */
  follow(): () => void;
};

/** The database is also polled, in case a notification is lost on a connection that hangs. */
const pollMilliseconds = 1000;
const channel = 'switchyard_requests';

/** One for the whole process; it listens only while there are followers. */
export function createTailHead({ pool, listen }: { pool: pg.Pool; listen?: Listen | undefined }): TailHead {
  const waiting = new Set<() => void>();
  let followers = 0;
  const head = { newest: 0 };
  let stop: (() => void) | undefined;

  function advance(seq: number): void {
    if (seq <= head.newest) return;
    head.newest = seq;
    for (const wake of waiting) wake();
  }

  async function read(): Promise<number> {
    const { rows } = await pool.query<{ seq: number }>({
      name: 'tail-head',
      text: 'select coalesce(max(seq), 0)::bigint as seq from request_batches',
    });
    const seq = rows[0]?.seq ?? 0;
    advance(seq);
    return seq;
  }

  /** Readers of rows report an unreachable database; here the next poll tries again. */
  function look(): void {
    read().catch(() => undefined);
  }

  return {
    read,
    async after(seq, signal) {
      if (head.newest <= seq) {
        await new Promise<void>((resolve, reject) => {
          const settle = (): void => {
            waiting.delete(wake);
            signal.removeEventListener('abort', settle);
            if (signal.aborted) reject(signal.reason);
            else resolve();
          };
          const wake = (): void => {
            if (head.newest > seq) settle();
          };
          waiting.add(wake);
          signal.addEventListener('abort', settle);
          if (signal.aborted) settle();
        });
      }
      return head.newest;
    },
    follow() {
      followers += 1;
      if (followers === 1) {
        const deaf = listen?.(channel, (payload) => (payload === '' ? look() : advance(Number(payload))));
        const timer = setInterval(look, pollMilliseconds);
        stop = () => {
          deaf?.();
          clearInterval(timer);
        };
      }
      let isLeft = false;
      return () => {
        if (isLeft) return;
        isLeft = true;
        followers -= 1;
        if (followers === 0) stop?.();
      };
    },
  };
}

/** Deletes batches too old to resume from, except the newest: it shows that none were deleted after it. */
export async function forgetOldBatches(pool: pg.Pool): Promise<void> {
  await pool.query(`delete from request_batches where committed_at < clock_timestamp() - interval '1 hour'
    and seq < (select max(seq) from request_batches)`);
}
