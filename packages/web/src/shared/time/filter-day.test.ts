import { describe, expect, it } from 'vitest';
import { areDaysReversed, displayFilterDay, pickerDay } from './filter-day.ts';

describe('date filters', () => {
  it('[AMB-128, AMB-135] mean the day in the server offset', () => {
    expect(pickerDay(undefined, '+02:00')).toBeUndefined();
    expect(pickerDay('2026-11-20', '+02:00')).toBe('2026-11-20');
    expect(pickerDay('2026-11-20 22:30:00', '+02:00')).toBe('2026-11-21');
    expect(pickerDay('2026-11-20T00:30:00Z', '-05:00')).toBe('2026-11-19');
  });

  it('[AMB-128, AMB-135] of a range are compared as the picker offers them', () => {
    const west = { startDate: '2026-11-21 01:00:00', endDate: '2026-11-20' };
    const east = { startDate: '2026-11-22', endDate: '2026-11-21 22:59:59.999999' };
    expect([areDaysReversed(west, '-05:00'), areDaysReversed(east, '+03:00')]).toEqual([false, false]);
    expect([areDaysReversed(west, '+00:00'), areDaysReversed(east, '+00:00')]).toEqual([true, true]);
  });

  it('read as a day, or as a day and time', () => {
    expect(displayFilterDay(undefined, '+02:00')).toBeUndefined();
    expect(displayFilterDay('2026-11-20', '+02:00')).toBe('20.11.2026');
    expect(displayFilterDay('2026-11-20 22:30:00', '+02:00')).toBe('21.11.2026 00:30:00');
  });
});
