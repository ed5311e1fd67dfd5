import type { WeeklyTimes } from './alerts.ts';
import { addDays, dayOf, dayRange, type Microseconds, weekdayOf } from './dates.ts';

/** Monday first, as the API counts from 1 on. */
export const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** Whether an instant is within weekly times. */
export function isWithinWeek({ weekdays, from, until }: WeeklyTimes, at: Microseconds, offset: string): boolean {
  const day = dayOf(at, offset);
  const minutes = (at - dayRange(day, offset).from) / 60_000_000;
  const beginsOn = (one: string): boolean => weekdays.includes(weekdayOf(one));
  const isOvernight = minutesOf(until) <= minutesOf(from);
  const today = beginsOn(day) && minutes >= minutesOf(from) && (isOvernight || minutes < minutesOf(until));
  return today || (isOvernight && beginsOn(addDays(day, -1)) && minutes < minutesOf(until));
}

function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
}

/** Weekly times in words. */
export function weeklyText({ weekdays, from, until }: WeeklyTimes): string {
  const names = weekdays.toSorted((a, b) => a - b).map((weekday) => weekdayNames[weekday - 1] ?? '');
  const days = names.length === weekdayNames.length ? 'Every day' : `Every ${names.join(', ')}`;
  return `${days}, ${from} to ${until}`;
}
