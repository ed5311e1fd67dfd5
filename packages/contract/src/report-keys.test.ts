import { expect, it } from 'vitest';
import { comparedDays, daysOfPeriod, daysOfReport } from './report-keys.ts';
import { type ReportPeriod, reportPeriods } from './reports.ts';

it('[REP-055] periods are whole days, weeks from Monday and months of the calendar; only running ones have today', () => {
  const daysOn = (today: string) => reportPeriods.map((period: ReportPeriod) => Object.values(daysOfPeriod(period, today)).join('/'));
  expect(daysOn('2026-03-01')).toEqual([
    '2026-02-28/2026-02-28',
    '2026-02-22/2026-02-28',
    '2026-02-23/2026-03-01',
    '2026-02-16/2026-02-22',
    '2026-03-01/2026-03-01',
    '2026-02-01/2026-02-28',
  ]);
  expect(daysOn('2027-01-04').slice(2)).toEqual([
    '2027-01-04/2027-01-04',
    '2026-12-28/2027-01-03',
    '2027-01-01/2027-01-04',
    '2026-12-01/2026-12-31',
  ]);
});

it('[REP-055] chosen days come before a period, and a period before a number of days', () => {
  const query = { startDate: undefined, endDate: undefined, period: 'yesterday', days: 7 } as const;
  expect(daysOfReport(query, '2026-11-20')).toEqual({ from: '2026-11-19', to: '2026-11-19' });
  expect(daysOfReport({ ...query, endDate: '2026-11-10' }, '2026-11-20')).toEqual({ from: '2026-11-04', to: '2026-11-10' });
  expect(daysOfReport({ ...query, period: undefined }, '2026-11-20')).toEqual({ from: '2026-11-14', to: '2026-11-20' });
});

it.each([
  ['2026-11-01', '2026-11-30', 'previous', '2026-10-01', '2026-10-31'],
  ['2024-03-01', '2024-03-31', 'month', '2024-02-01', '2024-02-29'],
  ['2026-01-01', '2026-01-31', 'previous', '2025-12-01', '2025-12-31'],
  ['2026-11-01', '2026-11-30', 'week', '2026-10-25', '2026-11-23'],
  ['2026-11-01', '2026-11-29', 'previous', '2026-10-03', '2026-10-31'],
  ['2026-03-31', '2026-03-31', 'month', '2026-02-28', '2026-02-28'],
] as const)('[REP-056] %s to %s is compared by %s with %s to %s', (from, to, compare, comparedFrom, comparedTo) => {
  expect(comparedDays({ from, to }, compare)).toEqual({ from: comparedFrom, to: comparedTo });
});
