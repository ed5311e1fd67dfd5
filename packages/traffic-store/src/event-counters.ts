import { emptyCounterSet } from '@switchyard/contract/app-statistics';
import type { CounterSpan, EventCounters } from './event-store.ts';

/** The figures of a counter set. */
export const counterFigures = ['creates', 'creates_ok', 'receives', 'receives_ok', 'bots', 'bots_ok'] as const;
export type CounterFigures = Record<(typeof counterFigures)[number], number>;

/** To which spans a part of an app's events counts. */
const spansOf = { today: ['today'], testers: ['qa', 'allTime'], others: ['allTime'] } as const;

/** The figures of a part of an app's events. */
export type CounterRow = CounterFigures & { app_id: number; part: keyof typeof spansOf };

/** The counters of each app that has a row. */
export function collectCounters(rows: readonly CounterRow[]): Map<number, EventCounters> {
  const counters = new Map<number, EventCounters>();
  for (const row of rows) {
    const app = counters.get(row.app_id) ?? { today: none(), allTime: none(), qa: none() };
    counters.set(row.app_id, app);
    for (const span of spansOf[row.part]) add(app[span], row);
  }
  return counters;
}

function none(): EventCounters[CounterSpan] {
  const { create, receive, bots } = emptyCounterSet();
  return { create, receive, bots };
}

function add({ create, receive, bots }: EventCounters[CounterSpan], row: CounterFigures): void {
  create.all += row.creates;
  create.success += row.creates_ok;
  receive.all += row.receives;
  receive.success += row.receives_ok;
  bots.all += row.bots;
  bots.success += row.bots_ok;
}
