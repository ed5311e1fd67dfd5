import type { Release } from '../limiter.ts';
import type { ProcessConnection } from './process-connection.ts';

/**
 * What all processes on a database count together. The number is the first part of the advisory lock of a slot. Numbers are
 * negative, because pairs of ids are locked as well.
 */
const locks = { downloads: -1, streams: -2, batches: -3, demo: -4 } as const;

/**
 * Takes one of `slots` slots of an owner, which all processes share; null if all are taken. While the database is
 * unavailable, the slots of this process alone count.
 */
export type TakeSharedSlot = (kind: keyof typeof locks, options: { slots: number; owner?: number }) => Promise<Release | null>;

const lockStatement = 'select place from unnest($2::int[]) as place where pg_try_advisory_lock($1::int, place) limit 1';

const lockAgainStatement =
  'select kind, place from unnest($1::int[], $2::int[]) as slot (kind, place) where pg_try_advisory_lock(kind, place)';
const lockAgainMilliseconds = 1000;

/** The two parts of a lock. */
type Place = { kind: number; place: number };
type Slot = Place & { isLocked: boolean };

/**
 * Counts slots over all processes; without a connection over this one only. Slots are session locks: nothing is written, and
 * PostgreSQL frees those of a process that ends in any way. A new connection takes the locks of the previous one again. A
 * slot that another process has got meanwhile is one too many until either is released.
 */
export function createSharedSlots(connection: Pick<ProcessConnection, 'query' | 'onConnect'> | null): TakeSharedSlot {
  const held = new Map<string, Slot>();
  let last: Promise<unknown> = Promise.resolve();

  connection?.onConnect(async (client) => {
    for (const slot of held.values()) slot.isLocked = false;
    await lockAgain(async (values) => (await client.query<Place>(lockAgainStatement, values)).rows);
  });

  /** Locks the slots that have no lock. One that is taken, e.g. by the previous connection, is tried again in a second. */
  async function lockAgain(query: (values: number[][]) => Promise<Place[]>): Promise<void> {
    const slots = [...held.values()].filter(({ isLocked }) => !isLocked);
    if (slots.length === 0) return;
    for (const { kind, place } of await query([slots.map((slot) => slot.kind), slots.map((slot) => slot.place)])) {
      const slot = held.get(keyOf(kind, place));
      if (slot) slot.isLocked = true;
    }
    if (slots.some(({ isLocked }) => !isLocked))
      setTimeout(() => void inTurn(lockRest).catch(() => undefined), lockAgainMilliseconds).unref();
  }

  async function lockRest(): Promise<void> {
    if (connection) await lockAgain((values) => connection.query<Place>(lockAgainStatement, values));
  }

  /** One at a time: a session may take the same lock twice, so two calls at once would share a slot. */
  function inTurn<T>(task: () => Promise<T>): Promise<T> {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  }

  async function take(kind: number, places: readonly number[]): Promise<Release | null> {
    const free = places.filter((place) => !held.has(keyOf(kind, place)));
    const [first] = free;
    if (first === undefined) return null;
    const locked = (await connection?.query<Pick<Place, 'place'>>(lockStatement, [kind, free]).catch(() => null)) ?? null;
    const place = locked === null ? first : locked[0]?.place;
    if (place === undefined) return null;
    const slot = { kind, place, isLocked: locked !== null };
    held.set(keyOf(kind, place), slot);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      void inTurn(() => unlock(slot));
    };
  }

  async function unlock({ kind, place, isLocked }: Slot): Promise<void> {
    held.delete(keyOf(kind, place));
    // Without a connection there is no lock either.
    if (isLocked) await connection?.query('select pg_advisory_unlock($1::int, $2::int)', [kind, place]).catch(() => undefined);
  }

  return async (kind, { slots, owner = 0 }) => {
    const places = Array.from({ length: slots }, (_, at) => owner * slots + at);
    return inTurn(() => take(locks[kind], places));
  };
}

function keyOf(kind: number, place: number): string {
  return `${kind} ${place}`;
}
