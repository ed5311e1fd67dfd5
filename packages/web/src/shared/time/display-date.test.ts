import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayDate, displayPreciseDate } from './display-date.ts';

describe('displayed dates', () => {
  it('[WID-056, CONST-006, SHELL-043, AMB-219] shows day.month.year and time in the server offset', () => {
    expect(displayDate('2026-11-20 22:11:12', '+00:00')).toBe('20.11.2026 22:11:12');
    expect(displayDate('2026-11-20 22:11:12', '+02:30')).toBe('21.11.2026 00:41:12');
    expect(displayDate('2026-01-01 01:00:00', '-03:00')).toBe('31.12.2025 22:00:00');
    expect(displayDate('2026-11-20T10:11:12Z', '+01:00')).toBe('20.11.2026 11:11:12');
  });

  it('[EVT-015, AMB-143] shows microseconds where they are wished for', () => {
    expect(displayPreciseDate('2026-11-20 22:11:12.345678', '+02:30')).toBe('21.11.2026 00:41:12.345678');
    expect(displayPreciseDate('2026-11-20 22:11:12', '+00:00')).toBe('20.11.2026 22:11:12.000000');
    expect(displayDate('2026-11-20 22:11:12.999999', '+00:00')).toBe('20.11.2026 22:11:12');
    expect(displayPreciseDate(null, '+00:00')).toBe('-');
  });

  it('[WID-063] shows a dash for what is no date', () => {
    for (const text of [null, undefined, '', 'yesterday', '2026-02-31 00:00:00']) expect(displayDate(text, '+00:00')).toBe('-');
  });

  it('[WID-056] has one fixed width for every instant', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }), (date) => {
        expect(displayDate(date.toISOString(), '+05:45')).toMatch(/^\d{2}\.\d{2}\.\d{4} \d{2}:\d{2}:\d{2}$/);
      }),
    );
  });
});
