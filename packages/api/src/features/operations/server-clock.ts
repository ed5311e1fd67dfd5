import { formatDateTime, fromDate, offsetMinutes } from '@switchyard/contract/dates';
import type { ServerTime } from '@switchyard/contract/server-time';

/** The time in the server's fixed offset `+HH:MM`, as the console's header shows it (AMB-220, api [9]). */
export function serverTimeAt(now: Date, offset: string): ServerTime {
  const minutes = offsetMinutes(offset) ?? 0;
  const time = formatDateTime(fromDate(now) + minutes * 60_000_000).slice(0, 16);
  return { time, timezone: minutes === 0 ? 'UTC' : `UTC${offset}`, GMT: offset };
}
