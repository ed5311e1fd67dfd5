import { sql, type Kysely } from 'kysely';
import type { Databases } from '../../database/connect.ts';
import type { Tables } from '../../database/tables.ts';
import { transaction, unaudited, unauditedStatement } from '../../database/transaction.ts';

/** The last calls and the events of traffic servers, counted in memory and written once a minute. */
export type ServerActivityLog = {
  /** A call of the server was authenticated. */
  markSeen: (serverId: number) => void;
  /** Events of the server were stored. */
  eventsStored: (serverId: number, events: number) => void;
  /** Writes the counts since the last flush; if that fails, they are kept for the next one. */
  flush: () => Promise<void>;
  /** Begins to flush once a minute. */
  start: () => void;
  /** Flushes and ends. */
  stop: () => Promise<void>;
};

const flushMilliseconds = 60_000;
const minute = 60_000;
/** Older minutes are shown nowhere. */
const keptMilliseconds = 2 * 3_600_000;

/** The cost is one small write per process and minute, for any number of calls. A killed process loses its last minute. */
export function createServerActivity({
  opsDb,
  now,
  onFault,
}: {
  opsDb: Databases['opsDb'];
  now: () => Date;
  onFault: (fault: unknown) => void;
}): ServerActivityLog {
  let activity = new Map<number, Activity>();
  let timer: NodeJS.Timeout | undefined;

  function of(serverId: number): Activity {
    const counts = activity.get(serverId) ?? { seenAt: null, minutes: new Map() };
    activity.set(serverId, counts);
    return counts;
  }

  function takeBack(unwritten: ReadonlyMap<number, Activity>): void {
    for (const [serverId, { seenAt, minutes }] of unwritten) {
      const newer = of(serverId);
      newer.seenAt ??= seenAt;
      for (const [at, events] of minutes) newer.minutes.set(at, (newer.minutes.get(at) ?? 0) + events);
    }
  }

  async function flush(): Promise<void> {
    const batch = activity;
    if (batch.size === 0) return;
    activity = new Map();
    try {
      await addActivity(opsDb, batch);
      await removeOldMinutes(opsDb, new Date(now().getTime() - keptMilliseconds));
    } catch (error) {
      takeBack(batch);
      throw error;
    }
  }

  return {
    markSeen(serverId) {
      of(serverId).seenAt = now();
    },
    eventsStored(serverId, events) {
      const { minutes } = of(serverId);
      const at = Math.floor(now().getTime() / minute) * minute;
      minutes.set(at, (minutes.get(at) ?? 0) + events);
    },
    flush,
    start() {
      timer = setInterval(() => void flush().catch(onFault), flushMilliseconds).unref();
    },
    async stop() {
      clearInterval(timer);
      await flush().catch(onFault);
    },
  };
}

/** Counts of one server: its last call, if any, and its events by the start of their minute in milliseconds. */
type Activity = { seenAt: Date | null; minutes: Map<number, number> };

/** Adds counts to the stored ones; several processes may do so at once. The versions of servers stay. */
async function addActivity(db: Kysely<Tables>, activity: ReadonlyMap<number, Activity>): Promise<void> {
  // All processes write rows in one order, so that they cannot deadlock.
  const servers = [...activity].toSorted(([a], [b]) => a - b);
  const seenServers = servers.flatMap(([id, { seenAt }]) => (seenAt === null ? [] : [{ id, seenAt }]));
  const minutes = servers.flatMap(([id, activityOfServer]) =>
    [...activityOfServer.minutes].map(([at, events]) => ({ id, at: new Date(at), events })),
  );
  await transaction(db, async (tx) => {
    await sql`
      update traffic_servers set last_seen_at = greatest(last_seen_at, seen.at)
      from (select * from unnest(${seenServers.map(({ id }) => id)}::int[], ${seenServers.map(({ seenAt }) => seenAt)}::timestamptz[]) as _(id, at)) as seen
      where traffic_servers.id = seen.id
    `.execute(tx);
    await sql`
      insert into traffic_server_minutes as stored (server_id, minute, events)
      select * from unnest(
        ${minutes.map(({ id }) => id)}::int[], ${minutes.map(({ at }) => at)}::timestamptz[], ${minutes.map(({ events }) => events)}::int[])
      on conflict (server_id, minute) do update set events = stored.events + excluded.events
    `.execute(tx);
    return unaudited('counters that the servers cause by calling, no change by anybody', undefined);
  });
}

/** Deletes the counts of minutes before an instant. */
async function removeOldMinutes(db: Kysely<Tables>, before: Date): Promise<void> {
  const counters = unauditedStatement('old counters that are shown nowhere', db);
  await counters.deleteFrom('traffic_server_minutes').where('minute', '<', before).execute();
}
