import { dayOf, dayRange, fromDate } from '@switchyard/contract/dates';
import { correctedClock } from './corrected-clock.ts';

/** The current day `YYYY-MM-DD` in the server's offset; that of the browser may be another. */
export function todayIn(offset: string): string {
  return dayOf(fromDate(correctedClock.now()), offset);
}

/** The hour of the current day in the server's offset, from 0. */
export function hourIn(offset: string): number {
  return Math.floor((fromDate(correctedClock.now()) - dayRange(todayIn(offset), offset).from) / 3_600_000_000);
}
