import { writeKindMeasure } from '@switchyard/contract/kind-measures';
import { ratioOf } from '@switchyard/contract/reports';
import { expect, it } from 'vitest';
import { columnMeaning, leavesOutInvalid } from './report-words.ts';

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
