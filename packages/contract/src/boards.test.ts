import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { narrowReport, readBoardQuery } from './boards.ts';
import { readQuery } from './listing.ts';
import { downloadReport } from './reports.ts';

const report = (text: string) => downloadReport.query.parse(readQuery(text));
const narrowed = (query: string, by: string) => {
  const board = readBoardQuery(by);
  return board && narrowReport(report(query), board);
};
const countries = fc.option(fc.uniqueArray(fc.constantFrom('DE', 'US', 'FR', 'PL'), { minLength: 1 }), { nil: undefined });
const text = (name: string, values: readonly string[] | undefined): string => (values === undefined ? '' : `&${name}=${values.join(',')}`);

describe('the period and the filters of a board', () => {
  it('[DASH-014] choose what both the board and the tile choose, and exclude what either excludes', () => {
    fc.assert(
      fc.property(countries, countries, countries, countries, (only, boardOnly, not, boardNot) => {
        const chosen = (country: string, ...[yes, no]: (readonly string[] | undefined)[]): boolean =>
          (yes?.includes(country) ?? true) && !(no?.includes(country) ?? false);
        const query = narrowed(text('geo', only) + text('geoNot', not), text('geo', boardOnly) + text('geoNot', boardNot));
        for (const country of ['DE', 'US', 'FR', 'PL', 'IT']) {
          const expected = chosen(country, only, not) && chosen(country, boardOnly, boardNot);
          expect(query !== null && chosen(country, query.geo, query.geoNot)).toBe(expected);
        }
      }),
    );
  });

  it.each([
    ['days=3', '', { days: 3 }],
    ['period=yesterday', 'days=14', { days: 14, period: undefined }],
    ['days=3', 'period=last_month', { period: 'last_month' }],
    ['startDate=2026-11-01&endDate=2026-11-02', 'days=14', { days: 14, startDate: undefined, endDate: undefined }],
    ['days=3&compare=week', 'startDate=2026-11-01', { startDate: '2026-11-01', compare: 'week' }],
  ])('[DASH-014] replace the days of a tile whole: %s by %s', (query, by, days) => {
    expect(narrowed(query, by)).toMatchObject(days);
  });

  it('[DASH-012] are days and filters of reports alone', () => {
    for (const wrong of ['groupBy=app', 'measure=requests', 'search=1', 'compare=week', 'geo=moon', 'x=1', 'period=moon'])
      expect(readBoardQuery(wrong), wrong).toBeNull();
    expect(readBoardQuery('geo=DE&botNot=x&days=7&appId=3')).not.toBeNull();
  });
});
