import { expect, it } from 'vitest';
import { parseDateTime } from './dates.ts';
import { isWithinWeek, weeklyText } from './weekly-times.ts';

// 2026-11-22 is a Sunday.
it.each([
  ['the beginning belongs to it', '2026-11-22 02:00:00', '02:00', '04:00', '+00:00', true],
  ['the end does not', '2026-11-22 04:00:00', '02:00', '04:00', '+00:00', false],
  ['another weekday', '2026-11-23 03:00:00', '02:00', '04:00', '+00:00', false],
  ['the day of the offset counts', '2026-11-21 23:30:00', '02:00', '04:00', '+03:00', true],
  ['before midnight', '2026-11-22 23:30:00', '23:00', '01:00', '+00:00', true],
  ['after midnight, of the day before', '2026-11-23 00:59:59', '23:00', '01:00', '+00:00', true],
  ['after midnight of its own day', '2026-11-22 00:30:00', '23:00', '01:00', '+00:00', false],
  ['a whole day', '2026-11-23 08:59:00', '09:00', '09:00', '+00:00', true],
] as const)('[ALERT-180] weekly times: %s', (_, at, from, until, offset, isWithin) => {
  expect(isWithinWeek({ weekdays: [7], from, until }, parseDateTime(at), offset)).toBe(isWithin);
});

it('[ALERT-180] weekly times are named by their days', () => {
  expect(weeklyText({ weekdays: [7, 1], from: '02:00', until: '04:00' })).toBe('Every Monday, Sunday, 02:00 to 04:00');
  expect(weeklyText({ weekdays: [1, 2, 3, 4, 5, 6, 7], from: '02:00', until: '04:00' })).toBe('Every day, 02:00 to 04:00');
});
