import type { KnownSystems } from '@switchyard/contract/asns';
import { addDays } from '@switchyard/contract/dates';
import type { EventStore } from '@switchyard/traffic-store/event-store';

export type KnownSystemsDeps = {
  eventStore: Pick<EventStore, 'countUndecidedSystems'>;
  /** Whether the console fills in the systems of earlier events. */
  fillsSystems: boolean;
};

/** From which day on all events have their system, and how many of all have. */
export async function readKnownSystems({ eventStore, fillsSystems }: KnownSystemsDeps): Promise<KnownSystems> {
  const { events, total, newestDay } = await eventStore.countUndecidedSystems();
  if (newestDay === null) return { known_from: null, percent: 100, is_running: false };
  const percent = Math.min(99, Math.max(0, Math.floor((100 * (total - events)) / Math.max(1, total))));
  return { known_from: addDays(newestDay, 1), percent, is_running: fillsSystems };
}
