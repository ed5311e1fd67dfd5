import { z } from 'zod';

/** Total and successful count. */
export const counter = z.object({ all: z.int(), success: z.int() });
export type Counter = z.output<typeof counter>;

export const counterNames = ['create', 'receive', 'push', 'conversion', 'bots'] as const;
export type CounterName = (typeof counterNames)[number];

/** One counter for each type of traffic. */
export const counterSet = z.object({ create: counter, receive: counter, push: counter, conversion: counter, bots: counter });
export type CounterSet = z.output<typeof counterSet>;

/**
 * Statistics of an app, or summed over apps: today in the server offset, all time, and the all-time traffic of testers.
 * `all_time` is null for accounts without manager_app_statistics.
 */
export const statistics = z.object({
  all: z.object({ today: counterSet, all_time: counterSet.nullable() }),
  qa: counterSet,
});
export type Statistics = z.output<typeof statistics>;

/** Counters that are all zero. */
export function emptyCounterSet(): CounterSet {
  return {
    create: { all: 0, success: 0 },
    receive: { all: 0, success: 0 },
    push: { all: 0, success: 0 },
    conversion: { all: 0, success: 0 },
    bots: { all: 0, success: 0 },
  };
}
