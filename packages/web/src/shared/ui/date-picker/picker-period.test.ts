import { describe, expect, it } from 'vitest';
import { firstDayOf, lastDayOf, periodOf, pickerPeriods, isoWeekOf, mondayOf, sundayOf } from './picker-period.ts';
import fc from 'fast-check';

describe('periods of the date picker', () => {
  it.each([
    ['day', '2026-11-20', '2026-11-20', '2026-11-20'],
    ['week', '2026-53', '2026-12-28', '2027-01-03'],
    ['month', '2028-02', '2028-02-01', '2028-02-29'],
  ] as const)('[WID-043, WID-044, WID-045] a %s such as %s reaches from %s to %s', (period, value, first, last) => {
    expect([firstDayOf(period, value), lastDayOf(period, value)]).toEqual([first, last]);
    expect([periodOf(period, first), periodOf(period, last)]).toEqual([value, value]);
  });

  it('take other text for nothing', () => {
    for (const period of pickerPeriods) {
      for (const text of [undefined, '', 'yesterday', '2026-99', '2026-02-31']) {
        expect([firstDayOf(period, text), lastDayOf(period, text)]).toEqual([null, null]);
      }
    }
  });
});

const days = fc
  .date({ min: new Date('1900-01-01T00:00:00Z'), max: new Date('2199-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

const dayAfter = (day: string, by: number): string => new Date(Date.parse(day) + by * 86_400_000).toISOString().slice(0, 10);

describe('ISO weeks', () => {
  it.each([
    ['2026-11-20', '2026-47'],
    ['2027-01-01', '2026-53'],
    ['2027-01-03', '2026-53'],
    ['2027-01-04', '2027-01'],
    ['2024-12-30', '2025-01'],
    ['2021-01-03', '2020-53'],
    ['2025-01-01', '2025-01'],
  ])('[WID-044, AMB-042] %s lies in %s', (day, week) => {
    expect(isoWeekOf(day)).toBe(week);
  });

  it.each(['', '2026-02-31', '2026-13-01', '20.11.2026', '2026-1-1', '2026-11-20T00:00:00'])('has no week for %j', (text) => {
    expect(isoWeekOf(text)).toBeNull();
  });

  it.each(['2026-00', '2026-54', '2025-53', '2026-1', '2026-W47', ''])('knows no week %j', (text) => {
    expect([mondayOf(text), sundayOf(text)]).toEqual([null, null]);
  });

  it('[WID-044, WID-047] begin on Monday, end on Sunday and hold their days', () => {
    fc.assert(
      fc.property(days, (day) => {
        const week = isoWeekOf(day) ?? '';
        const monday = mondayOf(week) ?? '';
        expect(new Date(monday).getUTCDay()).toBe(1);
        expect(sundayOf(week)).toBe(dayAfter(monday, 6));
        expect(monday <= day && day <= dayAfter(monday, 6)).toBe(true);
      }),
    );
  });

  it('follow each other without a gap', () => {
    fc.assert(
      fc.property(days, (day) => {
        const week = isoWeekOf(day) ?? '';
        const next = isoWeekOf(dayAfter(day, 7)) ?? '';
        expect(next > week).toBe(true);
        expect(mondayOf(next)).toBe(dayAfter(mondayOf(week) ?? '', 7));
      }),
    );
  });
});
