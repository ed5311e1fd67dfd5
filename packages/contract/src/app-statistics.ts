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
 * `all_time` is null for accounts without manager_app_statistics. `missing` is there only while the event store is unavailable: the
 * counters that could not be read and are 0 for that reason.
 */
export const statistics = z.object({
  all: z.object({ today: counterSet, all_time: counterSet.nullable() }),
  qa: counterSet,
  missing: z.array(z.enum(counterNames)).optional(),
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

/** Whether a counter could not be read. */
export function isMissing({ missing }: Statistics, counterName: CounterName): boolean {
  return missing?.includes(counterName) === true;
}

type AppFigure = {
  counter: CounterName;
  /** Key by which the apps list sorts: by the total, not by what succeeded. */
  sortKey: string;
  /** Column of the CSV; the successful count follows it as `…_success`. */
  csvColumn: string;
  /** Null where the reader may not see it; 0 where it is missing. */
  of: (statistics: Statistics) => Counter | null;
};

/** The counters that the apps list shows of an app, in order. */
export const appFigures = {
  todayCreate: { counter: 'create', sortKey: 'keyTodayCreate', csvColumn: 'today_create', of: ({ all }) => all.today.create },
  todayReceive: { counter: 'receive', sortKey: 'keyTodayReceive', csvColumn: 'today_receive', of: ({ all }) => all.today.receive },
  qaCreate: { counter: 'create', sortKey: 'keyQaCreate', csvColumn: 'qa_create', of: ({ qa }) => qa.create },
  qaReceive: { counter: 'receive', sortKey: 'keyQaReceive', csvColumn: 'qa_receive', of: ({ qa }) => qa.receive },
  bots: { counter: 'bots', sortKey: 'keyBots', csvColumn: 'today_bots', of: ({ all }) => all.today.bots },
  allCreate: { counter: 'create', sortKey: 'keyAllCreate', csvColumn: 'all_create', of: ({ all }) => all.all_time?.create ?? null },
  allReceive: { counter: 'receive', sortKey: 'keyAllReceive', csvColumn: 'all_receive', of: ({ all }) => all.all_time?.receive ?? null },
  allPush: { counter: 'push', sortKey: 'keyAllPush', csvColumn: 'all_push', of: ({ all }) => all.all_time?.push ?? null },
  allConversion: {
    counter: 'conversion',
    sortKey: 'keyAllConversion',
    csvColumn: 'all_conversion',
    of: ({ all }) => all.all_time?.conversion ?? null,
  },
} as const satisfies Readonly<Record<string, AppFigure>>;
export type AppFigureId = keyof typeof appFigures;
