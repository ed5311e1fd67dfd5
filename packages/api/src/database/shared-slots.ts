import type { Release } from '../overload/limiter.ts';
import type { ProcessConnection } from './process-connection.ts';

/**
 * Kinds of slots that all processes on a database share. The number is the first part of the advisory lock of a slot. Numbers are
 * negative, because pairs of ids are locked as well.
 */
const locks = { downloads: -1, batches: -3, demo: -4, alerts: -5, systems: -6, places: -7, kinds: -8 } as const;
/** The first part of the lock of a live stream, less the id of its account. */
const streamLocks = -1000;

/**
 * Takes one of `slots` slots of an owner, which all processes share; null if all are taken. While the database is
 * unavailable, the slots of this process alone count.
 */
export type TakeSharedSlot = (kind: keyof typeof locks, options: { slots: number; owner?: number }) => Promise<Release | null>;

/**
 * Opens a live stream of an account. At most `most` are open in all processes: one more ends the oldest, for which `end` is
 * called in its process. While the database is unavailable, the streams of this process alone count.
 */
export type OpenStream = (account: number, options: { most: number; end: () => void }) => Promise<Release>;

/** The slots of all processes on a database. */
export type SharedSlots = { take: TakeSharedSlot; openStream: OpenStream };

const streamStatement = `select place, pg_advisory_lock($1::int, place)
  from (select nextval('live_stream_order')::int as place offset 0) as next`;
/** The locks are the list of open streams: those of ended processes are released. */
const replaceStatement = `select pg_notify('switchyard_streams', $1::int || ' ' || place) from (
  select objid::bigint as place from pg_locks
  where locktype = 'advisory' and granted and objsubid = 2 and classid = $1::int::oid
    and database = (select oid from pg_database where datname = current_database())
  order by objid::bigint desc offset $2) as replaced`;

const lockStatement = 'select place from unnest($2::int[]) as place where pg_try_advisory_lock($1::int, place) limit 1';

const lockAgainStatement =
  'select kind, place from unnest($1::int[], $2::int[]) as slot (kind, place) where pg_try_advisory_lock(kind, place)';
const unlockStatement = 'select pg_advisory_unlock($1::int, $2::int)';
const lockAgainMilliseconds = 1000;

/** The two parts of a lock. */
type Place = { kind: number; place: number };
type Slot = Place & { isLocked: boolean };
/** A live stream; without a place while it has no lock. */
type Stream = { account: number; place: number | null; end: () => void };

/**
 * Counts slots over all processes; without a connection over this one only. Slots are session locks: nothing is written, and
 * PostgreSQL frees those of a process that ends in any way. A new connection takes the locks of the previous one again. A
 * slot that another process has got meanwhile is one too many until either is released.
 */
export function createSharedSlots(connection: Pick<ProcessConnection, 'query' | 'onConnect' | 'listen'> | null): SharedSlots {
  const heldSlots = new Map<string, Slot>();
  /** Open streams of this process, oldest first. */
  const streams = new Set<Stream>();
  let isListening = false;
  let last: Promise<unknown> = Promise.resolve();

  connection?.onConnect(async (query) => {
    for (const slot of heldSlots.values()) slot.isLocked = false;
    await lockAgain(query);
  });

  /** Locks the slots that have no lock. One that is taken, e.g. by the previous connection, is tried again in a second. */
  async function lockAgain(query: ProcessConnection['query']): Promise<void> {
    const slots = [...heldSlots.values()].filter(({ isLocked }) => !isLocked);
    if (slots.length === 0) return;
    for (const { kind, place } of await query<Place>(lockAgainStatement, [
      slots.map((slot) => slot.kind),
      slots.map((slot) => slot.place),
    ])) {
      const slot = heldSlots.get(keyOf(kind, place));
      // Released, or locked by another attempt, while the statement ran: a session counts its locks, and this one is too many.
      if (slot === undefined || slot.isLocked) await query(unlockStatement, [kind, place]);
      else slot.isLocked = true;
    }
    if (slots.some((slot) => !slot.isLocked && heldSlots.get(keyOf(slot.kind, slot.place)) === slot))
      setTimeout(() => void inTurn(lockRest).catch(() => undefined), lockAgainMilliseconds).unref();
  }

  async function lockRest(): Promise<void> {
    if (connection) await lockAgain(connection.query);
  }

  /** One at a time: a session may take the same lock twice, so two calls at once would share a slot. */
  function inTurn<T>(task: () => Promise<T>): Promise<T> {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  }

  async function take(kind: number, places: readonly number[]): Promise<Release | null> {
    const free = places.filter((place) => !heldSlots.has(keyOf(kind, place)));
    const [first] = free;
    if (first === undefined) return null;
    const lockedPlaces = (await connection?.query<Pick<Place, 'place'>>(lockStatement, [kind, free]).catch(() => null)) ?? null;
    const place = lockedPlaces === null ? first : lockedPlaces[0]?.place;
    if (place === undefined) return null;
    return hold({ kind, place, isLocked: lockedPlaces !== null });
  }

  function hold(slot: Slot): Release {
    heldSlots.set(keyOf(slot.kind, slot.place), slot);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      void inTurn(() => unlock(slot));
    };
  }

  async function lockStream(stream: Stream, most: number): Promise<Release> {
    const kind = streamLocks - stream.account;
    const rows = await connection?.query<Pick<Place, 'place'>>(streamStatement, [kind]).catch(() => null);
    const place = rows?.[0]?.place;
    if (place === undefined) return () => undefined;
    stream.place = place;
    const release = hold({ kind, place, isLocked: true });
    await connection?.query(replaceStatement, [kind, most]).catch(() => undefined);
    return release;
  }

  function endStream(stream: Stream): void {
    streams.delete(stream);
    stream.end();
  }

  function endReplaced(payload: string): void {
    for (const stream of streams) if (`${streamLocks - stream.account} ${stream.place}` === payload) endStream(stream);
  }

  async function unlock({ kind, place, isLocked }: Slot): Promise<void> {
    heldSlots.delete(keyOf(kind, place));
    // Without a connection there is no lock either.
    if (isLocked) await connection?.query(unlockStatement, [kind, place]).catch(() => undefined);
  }

  return {
    async take(kind, { slots, owner = 0 }) {
      const places = Array.from({ length: slots }, (_, at) => owner * slots + at);
      return inTurn(() => take(locks[kind], places));
    },
    async openStream(account, { most, end }) {
      const stream: Stream = { account, place: null, end };
      streams.add(stream);
      if (!isListening) connection?.listen('switchyard_streams', endReplaced);
      isListening = true;
      for (const oldest of [...streams].filter((one) => one.account === account).slice(0, -most)) endStream(oldest);
      const release = await inTurn(() => lockStream(stream, most));
      return () => {
        streams.delete(stream);
        release();
      };
    },
  };
}

function keyOf(kind: number, place: number): string {
  return `${kind} ${place}`;
}
