import type { Listen, Pools } from '../console-database.ts';
import type { EventStore } from '../event-store.ts';
import { createFollow, createTailHead } from '../tail/follow-events.ts';
import { createListEventsAfter } from '../tail/read-events-after.ts';
import { day } from '../time-buckets.ts';
import { createTailSource, tailLog } from './tail/tail-source.ts';
import { maintainEvents } from './upkeep/maintain.ts';
import { raiseSequences } from './upkeep/raise-sequences.ts';
import { createEventWriter } from './write/add-events.ts';
import type { Engine } from './write/settle-batches.ts';

export type EngineWriteOptions = Engine & {
  pools: Pools;
  /** Without it live streams poll once a second. */
  listen?: Listen | undefined;
  retentionDays: number;
};

/** The writing half of the event store on ClickHouse, and the live streams that follow it. */
export function createEventWrites(
  options: EngineWriteOptions,
): Pick<EventStore, 'insertEvents' | 'followEvents' | 'listEventsAfter' | 'maintain'> {
  const { engine, cluster, pools, listen, retentionDays } = options;
  const tail = {
    source: createTailSource({ engine, pool: pools.ui }),
    head: createTailHead({ pool: pools.ui, listen, log: tailLog }),
  };
  let isRaised = false;
  return {
    insertEvents: createEventWriter({ engine, cluster, pool: pools.ingest }),
    followEvents: createFollow(tail),
    listEventsAfter: createListEventsAfter(tail),
    async maintain(now) {
      // Startup maintains before it serves.
      if (!isRaised) await raiseSequences({ engine, cluster }, pools.ops);
      isRaised = true;
      await maintainEvents({ engine, cluster, pool: pools.ops }, now - retentionDays * day);
    },
  };
}
