import type { EventCounts, EventStore } from '@switchyard/traffic-store/event-store';

type Counting = Pick<EventStore, 'countGroups'>;

/** Milliseconds that tiles take for one moment. */
const moment = 2000;

/**
 * Counts equal groups once for all tiles that need them within two seconds: a figure, a chart and a table of one page often show the same
 * counts. The present moves in steps of as long, because periods that end with it would never be equal.
 */
export function countOncePerMoment({ countGroups }: Counting, now: () => Date): { eventStore: Counting; now: () => Date } {
  const counts = new Map<string, Promise<EventCounts>>();
  let present = 0;

  function stepPresent(): number {
    const step = Math.floor(now().getTime() / moment) * moment;
    if (step !== present) counts.clear();
    present = step;
    return step;
  }

  return {
    now: () => new Date(stepPresent()),
    eventStore: {
      async countGroups({ signal, ...query }) {
        stepPresent();
        const key = JSON.stringify(query);
        const known = counts.get(key);
        if (known !== undefined) return known;
        const counting = countGroups({ ...query, signal });
        counts.set(key, counting);
        // A failure is of its moment alone.
        counting.catch(() => counts.delete(key));
        return counting;
      },
    },
  };
}
