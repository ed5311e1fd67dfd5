import type { NewEvent } from '@switchyard/traffic-store/event-fields';
import { flag, flagsOf } from '@switchyard/traffic-store/event-flags';
import type { EventCounters } from '@switchyard/traffic-store/event-store';
import type { Span } from '@switchyard/traffic-store/time-buckets';

/** Whether an instant lies in a span. */
export const within = ({ from, until }: Span, at: number): boolean => at >= from && at < until;

const countRows = (rows: readonly NewEvent[]) => ({
  all: rows.length,
  success: rows.filter((row) => (flagsOf(row) & (flag.error | flag.bot)) === 0).length,
});

function figures(rows: readonly NewEvent[]) {
  const bots = rows.filter((row) => (flagsOf(row) & flag.bot) !== 0);
  return {
    create: countRows(rows.filter((row) => row.type === 'create')),
    receive: countRows(rows.filter((row) => row.type === 'receive')),
    bots: { all: bots.length, success: bots.filter((row) => (flagsOf(row) & flag.error) === 0).length },
  };
}

/** Counters of events, computed without a database. */
export function countersOf(all: readonly NewEvent[], today: Span): EventCounters {
  return {
    today: figures(all.filter((row) => within(today, row.occurred_at))),
    allTime: figures(all),
    qa: figures(all.filter((row) => row.is_qa)),
  };
}
