import { describe, expect, it } from 'vitest';
import { firstDayOf, lastDayOf, periodOf, pickerPeriods } from './picker-period.ts';

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
