import { addDays, dayOf, dayRange, fromDate, mondayOf } from '@switchyard/contract/dates';
import type { ScheduleInterval } from '@switchyard/contract/schedules';

export type Timing = { interval: ScheduleInterval; weekday: number; month_day: number; hour: number };

const hour = 3_600_000;
/** An offset moves the runs of a calendar day by less. */
const halfDay = 12 * hour;

/** The first time after an instant at which a schedule is due, by the offset of the server. */
export function nextRun({ interval, weekday, month_day: monthDay, hour: at }: Timing, after: Date, offset: string): Date {
  const today = dayOf(fromDate(after), offset);
  const timeOn = (day: string): Date => new Date(dayRange(day, offset).from / 1000 + at * hour);
  for (const day of candidates(interval, today, { weekday, monthDay })) {
    const time = timeOn(day);
    if (time > after) return time;
  }
  throw new Error('Schedule: no next run');
}

/** The run after one, which may be of an earlier offset: that of the same day by this offset is no other. */
export function runAfter(timing: Timing, run: Date, offset: string): Date {
  return nextRun(timing, new Date(run.getTime() + halfDay), offset);
}

/** The time by this offset of a run that was planned by another one. */
export function planAnew(timing: Timing, run: Date, offset: string): Date {
  return nextRun(timing, new Date(run.getTime() - halfDay), offset);
}

/** The day on which a schedule is due in the period of a day, and that of the next period. */
function candidates(interval: ScheduleInterval, today: string, { weekday, monthDay }: { weekday: number; monthDay: number }): string[] {
  if (interval === 'day') return [today, addDays(today, 1)];
  if (interval === 'week') {
    const day = addDays(mondayOf(today), weekday - 1);
    return [day, addDays(day, 7)];
  }
  const dayIn = (month: string): string => `${month}-${String(monthDay).padStart(2, '0')}`;
  // 31 days after the first of a month lie in the next one.
  return [dayIn(today.slice(0, 7)), dayIn(addDays(`${today.slice(0, 7)}-01`, 31).slice(0, 7))];
}
