import type { TakeSharedSlot } from '../../database/shared-slots.ts';
import { createPacedJob, type PacedJob } from '../../jobs/paced-job.ts';
import type { EventStore } from '@switchyard/traffic-store/event-store';
import type { AsnRegistry } from './asn-registry-lookup.ts';

const usualIdleMilliseconds = 60_000;

export type FillEventsDeps = {
  eventStore: Pick<EventStore, 'updateSystems' | 'countUndecidedSystems'>;
  asnRegistry: Pick<AsnRegistry, 'current'>;
  takeSharedSlot: TakeSharedSlot;
  /** Share of the time in which the event store works for it, in percent; 0: never. */
  percent: number;
  /** Called once for failures that follow each other. */
  onFault: (fault: unknown) => void;
  /** For tests. */
  idleMilliseconds?: number;
  stopMilliseconds?: number;
};

/** Decides the systems of events that were stored before their systems were decided. */
export function createFillEvents({
  eventStore,
  asnRegistry,
  idleMilliseconds = usualIdleMilliseconds,
  ...options
}: FillEventsDeps): PacedJob {
  return createPacedJob({
    ...options,
    slot: 'systems',
    idleMilliseconds,
    // The registry takes memory, which most consoles need not spend here.
    hasWork: async () => (await eventStore.countUndecidedSystems()).events > 0,
    async step(signal) {
      const systemOf = await asnRegistry.current();
      return systemOf('::') !== '' && eventStore.updateSystems(systemOf, signal);
    },
  });
}
