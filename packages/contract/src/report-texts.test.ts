import { describe, expect, it } from 'vitest';
import { figuresOf } from './report-figures.ts';
import { columnName, formOf, measureOfColumn } from './report-texts.ts';
import { kindMeasures, readKindMeasure, writeKindMeasure } from './kind-measures.ts';
import { readOwnRatio, reportMeasures, type Report, writeOwnRatio } from './reports.ts';

const kinds = ['deposit', 'a,b', ' x ', '50%', 'a/b*1000', 'success', ':', '%2C', '\u00a0', 'Ünï', '*'.repeat(64)];

describe('measures of kinds', () => {
  it('[REP-061] are read as they were written, with any kind, alone and in ratios', () => {
    for (const kind of kinds) {
      for (const name of kindMeasures) {
        const measure = writeKindMeasure(name, kind);
        expect(measure).not.toMatch(/[,/*]|\s$/);
        expect([readKindMeasure(measure), measureOfColumn(measure)]).toEqual([
          { measure, name, kind },
          { measure, status: null },
        ]);
      }
      const [part, whole] = [writeKindMeasure('payout_of', kind), writeKindMeasure('conversions_of', kind)];
      for (const times of [1, 1_000] as const) {
        const ratio = { name: 'Own', part, whole, times };
        expect(readOwnRatio(writeOwnRatio(ratio))).toEqual(ratio);
        expect(readOwnRatio(writeOwnRatio({ ...ratio, whole: part }))).toBeNull();
      }
    }
    for (const text of [...reportMeasures, 'conversions:success', 'payout_of', 'payout_of:', 'payout_of:%', 'ratio:payout_of:x'])
      expect(readKindMeasure(text)).toBeNull();
  });

  it('[REP-063, REP-067] are named, written by their form, and payouts have the currency that is set', () => {
    const named = (column: string, currency?: string) => [columnName(column, { currency }), formOf(column, {})];
    expect(named('conversions_of:a%2Cb', 'EUR')).toEqual(['Conversions of a,b', 'count']);
    expect(named('create_to:deposit', 'EUR')).toEqual(['Create to deposit ratio', 'share']);
    expect(named('payout_valid_of:deposit', 'EUR')).toEqual(['Valid payout of deposit, EUR', 'amount']);
    expect(named('payout_per_thousand_of:deposit', 'EUR')).toEqual(['Payout per 1,000 requests of deposit, EUR', 'amount']);
    expect(named('payout')).toEqual(['Payout', 'amount']);
    const report: Pick<Report, 'columns' | 'totals' | 'currency'> = {
      columns: ['payout_of:deposit', 'conversions'],
      totals: { current: { 'payout_of:deposit': '12.5', conversions: 3 }, compared: null, few: [] },
      currency: 'EUR',
    };
    expect(figuresOf(report, {}).map(({ name, text }) => [name, text])).toEqual([
      ['Payout of deposit, EUR', '12.50'],
      ['Conversions', '3'],
    ]);
  });
});
