import type { Databases } from '../../database/connect.ts';
import { addActivity, removeOldMinutes, type Counted } from './activity-store.ts';

/** What traffic servers do, counted in memory and written down now and then. */
export type ServerActivityLog = {
  /** A call of the server was let in. */
  seen: (serverId: number) => void;
  /** Events of the server were kept. */
  eventsKept: (serverId: number, events: number) => void;
  /** Writes down what was counted since the last time; when that fails, it is kept for the next. */
  flush: () => Promise<void>;
  /** Begins to write once a minute, and only when there is something. */
  start: () => void;
  /** Writes down the rest and ends. */
  stop: () => Promise<void>;
};

const flushMilliseconds = 60_000;
const minute = 60_000;
/** Minutes older than this count nowhere. */
const keptMilliseconds = 2 * 3_600_000;

/** Figures cost one small statement a process and minute, however many calls there are; a killed process loses its last minute. */
export function createServerActivity({
  opsDb,
  now,
  onFault,
}: {
  opsDb: Databases['opsDb'];
  now: () => Date;
  onFault: (fault: unknown) => void;
}): ServerActivityLog {
  let counted = new Map<number, Counted>();
  let timer: NodeJS.Timeout | undefined;

  function of(serverId: number): Counted {
    const known = counted.get(serverId) ?? { seenAt: null, minutes: new Map() };
    counted.set(serverId, known);
    return known;
  }

  function takeBack(unwritten: ReadonlyMap<number, Counted>): void {
    for (const [serverId, { seenAt, minutes }] of unwritten) {
      const newer = of(serverId);
      newer.seenAt ??= seenAt;
      for (const [at, events] of minutes) newer.minutes.set(at, (newer.minutes.get(at) ?? 0) + events);
    }
  }

  async function flush(): Promise<void> {
    const batch = counted;
    if (batch.size === 0) return;
    counted = new Map();
    try {
      await addActivity(opsDb, batch);
      await removeOldMinutes(opsDb, new Date(now().getTime() - keptMilliseconds));
    } catch (error) {
      takeBack(batch);
      throw error;
    }
  }

  return {
    seen(serverId) {
      of(serverId).seenAt = now();
    },
    eventsKept(serverId, events) {
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
