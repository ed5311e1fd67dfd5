import { timeKeys } from '@switchyard/contract/report-keys';
import { writeKindMeasure } from '@switchyard/contract/kind-measures';
import { ratioOf } from '@switchyard/contract/reports';
import { expect, it } from 'vitest';
import { changeOf, columnMeaning, leavesOutInvalid, keyText } from './report-words.ts';

it('[REP-065] ratios that leave out duplicates and errors say so, whatever their kind is called', () => {
  const query = { ratio: [`Own:${writeKindMeasure('conversions_of', 'pre_valid')}/create`, 'Valid:payout_valid/conversions_valid'] };
  const leavesOut = (column: string) => leavesOutInvalid(ratioOf(column, query));
  expect(['ratio:Own', 'ratio:Valid', 'create_to:pre_valid', 'create_to_conversion', 'bot_share'].map(leavesOut)).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
  expect(columnMeaning('ratio:Own', query)).not.toContain('duplicates');
  expect(columnMeaning('create_to:pre_valid', query)).toContain(', without duplicates and errors');
});

it.each([
  [30, 20, 'up', '+50%'],
  [-30, -20, 'down', '-50%'],
  [-10, -20, 'up', '+50%'],
  [20, -20, 'up', '+200%'],
  [2_000, 10, 'up', '×200'],
  [2_000, -10, 'up', '+20,100%'],
])('[REP-026] %d instead of %d is a change %s of %s', (value, earlier, direction, text) => {
  expect(changeOf('amount', value, earlier)).toEqual({ direction, text });
});

it('[REP-096] weeks and months are named by the days of them that the report has', () => {
  const days = { from: '2026-11-04', to: '2026-12-31' };
  const names = (grouping: 'week' | 'month') => timeKeys(grouping, days)?.map((value) => keyText(grouping, { value, name: null }, days));
  const weeks = names('week');
  expect([weeks?.[0], weeks?.[1], weeks?.at(-1)]).toEqual([
    '04.11.2026 – 08.11.2026',
    '09.11.2026 – 15.11.2026',
    '28.12.2026 – 31.12.2026',
  ]);
  expect(names('month')).toEqual(['04.11.2026 – 30.11.2026', 'Dec 2026']);
  const oneDay = { from: '2026-11-30', to: '2026-11-30' };
  expect(keyText('week', { value: '2026-11-30', name: null }, oneDay)).toBe('30.11.2026');
  expect(keyText('month', { value: '2026-11', name: null }, oneDay)).toBe('30.11.2026');
});
