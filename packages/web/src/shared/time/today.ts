import { dayOf, fromDate } from '@switchyard/contract/dates';
import { correctedClock } from './corrected-clock.ts';

/** The current day `YYYY-MM-DD` in the server's offset; that of the browser may be another. */
export function todayIn(offset: string): string {
  return dayOf(fromDate(correctedClock.now()), offset);
}
