import { z } from 'zod';

/** How many in all, and how many of them succeeded (ENT-017, AMB-077). */
export const counter = z.object({ all: z.int(), success: z.int() });
export type Counter = z.output<typeof counter>;

export const counterNames = ['create', 'receive', 'push', 'conversion', 'bots'] as const;
export type CounterName = (typeof counterNames)[number];

/** One counter for each kind of traffic (ENT-016). */
export const counterSet = z.object({ create: counter, receive: counter, push: counter, conversion: counter, bots: counter });
export type CounterSet = z.output<typeof counterSet>;

/**
 * Statistics of an app, or summed over apps: today in the server's offset, all time, and the all-time
 * traffic of QA testers; `all_time` is null for accounts without manager_app_statistics (api 2, AMB-076).
 */
export const statistics = z.object({
  all: z.object({ today: counterSet, all_time: counterSet.nullable() }),
  qa: counterSet,
});
export type Statistics = z.output<typeof statistics>;

/** A counter set with every figure at zero. */
export function emptyCounterSet(): CounterSet {
  return {
    create: { all: 0, success: 0 },
    receive: { all: 0, success: 0 },
    push: { all: 0, success: 0 },
    conversion: { all: 0, success: 0 },
    bots: { all: 0, success: 0 },
  };
}
