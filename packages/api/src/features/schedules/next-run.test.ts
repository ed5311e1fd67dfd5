import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nextRun, type Timing } from './next-run.ts';

const offsets = ['+00:00', '+03:00', '-05:30', '+14:00', '-11:00'];
const timings = fc.record({
  interval: fc.constantFrom('day', 'week', 'month'),
  weekday: fc.integer({ min: 1, max: 7 }),
  month_day: fc.integer({ min: 1, max: 28 }),
  hour: fc.integer({ min: 0, max: 23 }),
});

/** Whether a schedule is due at an instant, by the calendar of its offset alone. */
function isDue({ interval, weekday, month_day: monthDay, hour }: Timing, at: Date, offset: string): boolean {
  const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
  const shift = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  const local = new Date(at.getTime() + shift);
  if (local.getUTCHours() !== hour || local.getUTCMinutes() + local.getUTCSeconds() + local.getUTCMilliseconds() !== 0) return false;
  if (interval === 'week') return (local.getUTCDay() + 6) % 7 === weekday - 1;
  return interval === 'day' || local.getUTCDate() === monthDay;
}

it('[SCHED-002] the next run is the first instant after now that the calendar of the server names', () => {
  const minute = 30 * 60_000;
  fc.assert(
    fc.property(
      timings,
      fc.date({ min: new Date('2024-01-01'), max: new Date('2032-01-01'), noInvalidDate: true }),
      fc.constantFrom(...offsets),
      (timing, now, offset) => {
        const next = nextRun(timing, now, offset);
        const firstHalfHour = Math.floor(now.getTime() / minute) * minute + minute;
        let at = firstHalfHour;
        while (!isDue(timing, new Date(at), offset)) at += minute;
        expect(next).toEqual(new Date(at));
      },
    ),
    { numRuns: 60 },
  );
});
