import { streamLimits } from '@switchyard/contract/limits';
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { createLimiter, type Limiter } from '../../../limiter.ts';
import { endOfBatch, readTailPosition, type TailPosition, writeTailPosition } from '../../tail-position.ts';
import type { RequestFilter, TailEvent } from '../../traffic-store.ts';
import type { TailHead } from './tail-head.ts';
import { findMatches, readFrame } from './tail-query.ts';

export type Follow = {
  /** Asked before each look, because the caller's apps may change meanwhile. */
  filter: () => RequestFilter;
  /** The id of the last event that arrived; undefined: begin now. */
  after: string | undefined;
  signal: AbortSignal;
};

/** Batches that come close together are looked at together. */
const restMilliseconds = 200;

/**
 * Requests as they are committed (api 0.14): each once, in the order of commits. What is read is never further ahead than
 * one frame of what was taken, so a slow reader costs no memory; what it misses is told as a gap.
 */
export function createFollow(deps: { pool: pg.Pool; head: TailHead }): (follow: Follow) => Promise<AsyncIterable<TailEvent>> {
  // Many streams must not take the connections from those who wait for a page.
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
): AsyncGenerator<TailEvent> {
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
        // Counted only now: since the last look many seconds may have passed, each with room of its own.
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

/** How many rows may still be sent within the running second, and how long to rest before more are looked for. */
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
    // What arrives until a second is over that has had its rows is counted as left out. A timer may end a part of a
    // millisecond early, and the next look would find no room at all.
    pause: () => (left() > 0 ? restMilliseconds : Math.ceil(ends - performance.now()) + 1),
  };
}

/** The rows in frames; each but the last one ends at its own last row, so that a reader can go on behind it. */
async function* framesOf(
  { pool, limiter }: { pool: pg.Pool; limiter: Limiter },
  places: readonly TailPosition[],
  end: TailPosition,
): AsyncGenerator<TailEvent> {
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

function gap(position: TailPosition, skipped: number | null): TailEvent {
  return { kind: 'gap', id: writeTailPosition(position), skipped };
}
