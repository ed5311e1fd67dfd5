import { offsetMinutes, type Microseconds } from '@switchyard/contract/dates';

/** Traffic by hour of the day, relative to the average hour: few at night, most in the evening. */
const byHour = [
  0.72, 0.55, 0.44, 0.38, 0.36, 0.42, 0.55, 0.72, 0.86, 0.95, 1.0, 1.06, 1.12, 1.1, 1.06, 1.05, 1.1, 1.2, 1.36, 1.52, 1.66, 1.62, 1.36,
  1.02,
] as const;
const average = byHour.reduce((sum, share) => sum + share, 0) / byHour.length;

/** How busy the moment's hour is in the given offset: 1 on average over a day. */
export function busyness(at: Microseconds, utcOffset: string): number {
  const localHours = Math.floor((at / 60_000_000 + (offsetMinutes(utcOffset) ?? 0)) / 60);
  return (byHour[((localHours % 24) + 24) % 24] ?? average) / average;
}
