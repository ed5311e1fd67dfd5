import { streamLimits } from '@switchyard/contract/limits';
import { setTimeout as wait } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import type pg from 'pg';
import type { Listen } from '../console-database.ts';
import type { AskedOrigin, StoredEvent } from '../event-fields.ts';
import { endOfBatch, readTailPosition, type TailPosition, writeTailPosition } from '../event-cursor.ts';
import type { EventFilter, TailFrame } from '../event-store.ts';

export type Follow = AskedOrigin & {
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
export function createFollow(deps: { source: TailSource; head: TailHead }): (follow: Follow) => Promise<AsyncIterable<TailFrame>> {
  // Many streams must not take the connections that pages need.
  const limit = pLimit(2);
  return async (follow) => {
    const now = await deps.head.read();
    return followFrom({ ...deps, limit }, follow, now);
  };
}

async function* followFrom(
  { source, head, limit }: { source: TailSource; head: TailHead; limit: LimitFunction },
  { filter, after, signal, origin }: Follow,
  now: number,
): AsyncGenerator<TailFrame> {
  const leave = head.follow();
  try {
    const resumedPosition = after === undefined ? null : readTailPosition(after);
    const isKnown = resumedPosition !== null && resumedPosition.seq <= now;
    if (after !== undefined && !isKnown) yield gap(endOfBatch(now), null);
    let position = isKnown ? resumedPosition : endOfBatch(now);
    // At once, because a client whose connection ends before its first row resumes here, and misses nothing.
    if (isKnown || after === undefined) yield { kind: 'start', id: writeTailPosition(position) };
    const allowance = createAllowance();
    let isFirst = true;

    for (let until = now; ; until = await head.after(position.seq, signal)) {
      if (until > position.seq || position.id < endOfBatch(until).id) {
        // The allowance is read now: seconds may have passed since the last query, each with its own allowance.
        const most = isFirst && isKnown ? streamLimits.resumedRows : allowance.remaining();
        const tailQuery = { filter: filter(), after: position, isOld: position === resumedPosition, until, most };
        const { places, total } = await limit(async () => source.findMatches(tailQuery));
        const [first] = places;
        position = endOfBatch(until);
        if (total === null || total > places.length) {
          const reachedPosition = first ? { seq: first.seq, id: first.id - 1 } : position;
          yield gap(reachedPosition, total === null ? null : total - places.length);
        }
        yield* framesOf({ source, limit, origin }, places, position);
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
function createAllowance(): { remaining: () => number; take: (rows: number) => void; pause: () => number } {
  let takenRows = 0;
  let ends = performance.now() + 1000;
  const roomLeft = (): number => {
    if (performance.now() >= ends) {
      takenRows = 0;
      ends = performance.now() + 1000;
    }
    return Math.max(0, streamLimits.rowsPerSecond - takenRows);
  };
  return {
    remaining: roomLeft,
    take(rows) {
      takenRows += rows;
    },
    // Rows beyond the allowance of a second are reported as skipped. A timer may fire a fraction of a millisecond early, when
    // the next query would have no allowance yet.
    pause: () => (roomLeft() > 0 ? restMilliseconds : Math.ceil(ends - performance.now()) + 1),
  };
}

/** The rows in frames; each but the last ends at its own last row, so that a client can resume after it. */
async function* framesOf(
  { source, limit, origin }: AskedOrigin & { source: TailSource; limit: LimitFunction },
  places: readonly TailPosition[],
  end: TailPosition,
): AsyncGenerator<TailFrame> {
  for (let sentCount = 0; sentCount < places.length;) {
    const nextPlaces = places.slice(sentCount, sentCount + streamLimits.rowsPerFrame);
    const rows = await limit(async () => source.readFrame(nextPlaces, { origin }));
    const last = nextPlaces.findLastIndex((place) => place.id === rows.at(-1)?.id);
    sentCount += last === -1 ? nextPlaces.length : last + 1;
    const reachedPosition = sentCount >= places.length ? end : (places[sentCount - 1] ?? end);
    if (rows.length > 0) yield { kind: 'rows', id: writeTailPosition(reachedPosition), rows };
  }
}

function gap(position: TailPosition, skippedRows: number | null): TailFrame {
  return { kind: 'gap', id: writeTailPosition(position), skipped: skippedRows };
}

/** Maximum number of rows that are searched at once for a stream that is behind. Older ones are skipped. */
export const lookBack = 200_000;
/** Bytes of JSON bodies in one frame, one row apart. */
export const frameBytes = 4_000_000;

/** Matches between two positions: the newest of them, oldest first, and their number; null: too many to count. */
export type TailMatches = { places: TailPosition[]; total: number | null };

/** Matches committed after a position, up to a batch. The log may no longer hold an old position. */
export type TailQuery = { filter: EventFilter; after: TailPosition; isOld: boolean; until: number; most: number };

/** How an engine reads what was committed. */
export type TailSource = {
  /** Finds the newest matches, at most `most`, and counts all of them. */
  findMatches(query: TailQuery): Promise<TailMatches>;
  /** The rows at these places in their order, as many as fit a frame; dropped rows are missing. */
  readFrame(places: readonly TailPosition[], origin: AskedOrigin): Promise<StoredEvent[]>;
};

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

/** Log of batches of an engine: the statement that reads the newest number as `seq`, and the channel that announces new ones. */
export type TailLog = { text: string; channel: string };

/** One for the whole process; it listens only while there are followers. */
export function createTailHead({ pool, listen, log }: { pool: pg.Pool; listen?: Listen | undefined; log: TailLog }): TailHead {
  const waitingReaders = new Set<() => void>();
  let followers = 0;
  const head = { newest: 0 };
  let stop: (() => void) | undefined;

  function advance(seq: number): void {
    if (seq <= head.newest) return;
    head.newest = seq;
    for (const wake of waitingReaders) wake();
  }

  async function read(): Promise<number> {
    const { rows } = await pool.query<{ seq: number }>({ name: 'tail-head', text: log.text });
    const seq = rows[0]?.seq ?? 0;
    advance(seq);
    return seq;
  }

  /** Readers of rows report an unreachable database; here the next poll tries again. */
  function poll(): void {
    read().catch(() => undefined);
  }

  return {
    read,
    async after(seq, signal) {
      if (head.newest <= seq) {
        await new Promise<void>((resolve, reject) => {
          const settle = (): void => {
            waitingReaders.delete(wake);
            signal.removeEventListener('abort', settle);
            if (signal.aborted) reject(signal.reason);
            else resolve();
          };
          const wake = (): void => {
            if (head.newest > seq) settle();
          };
          waitingReaders.add(wake);
          signal.addEventListener('abort', settle);
          if (signal.aborted) settle();
        });
      }
      return head.newest;
    },
    follow() {
      followers += 1;
      if (followers === 1) {
        const deaf = listen?.(log.channel, (payload) => (payload === '' ? poll() : advance(Number(payload))));
        const timer = setInterval(poll, pollMilliseconds);
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
