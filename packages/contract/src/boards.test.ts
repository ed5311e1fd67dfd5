import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { narrowReport, readBoardQuery } from './boards.ts';
import { readQuery } from './listing.ts';
import { downloadReport, type ReportQuery, severalFiltersOf, type SeveralFilters } from './reports.ts';
import { botLabel, requestTypes } from './requests.ts';

const report = (text: string) => downloadReport.query.parse(readQuery(text));
const narrowed = (query: string, by: string) => {
  const board = readBoardQuery(by);
  return board && narrowReport(report(query), board);
};
const countries = fc.option(fc.uniqueArray(fc.constantFrom('DE', 'US', 'FR', 'PL'), { minLength: 1 }), { nil: undefined });
const text = (name: string, values: readonly string[] | undefined): string => (values === undefined ? '' : `&${name}=${values.join(',')}`);

function subsets<Value>([first, ...others]: readonly Value[]): Value[][] {
  if (first === undefined) return [[]];
  return subsets(others).flatMap((some) => [some, [first, ...some]]);
}

/** The filters of a report that have lists of values, as an address has them. */
function stringify({ buyerId, bot, type, within = [] }: ReportQuery): string {
  const lists = Object.entries({ buyerId, bot, type }).flatMap(([name, values]) =>
    values === undefined ? [] : [`${name}=${values.join()}`],
  );
  return [...lists, ...within.map((one) => `within[]=${encodeURIComponent(one)}`)].join('&');
}

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

  it('[DASH-014] count what fits the board and the tile where a request has several labels and buyers, or an error beside its type', () => {
    const labels = ['CF', 'L1', 'NEW'];
    const values = { buyerId: ['1', '2', '3'], bot: [...labels, 'none', 'blocking'], type: [...requestTypes] };
    const choice = fc
      .record({
        buyerId: fc.subarray(values.buyerId),
        bot: fc.subarray(values.bot),
        type: fc.subarray(values.type),
      })
      .map((chosen) => Object.entries(chosen).flatMap(([name, some]) => (some.length === 0 ? [] : [`${name}=${some.join(',')}`])));
    const requests = requestTypes.flatMap((type) =>
      [true, type === 'error'].flatMap((isError) =>
        subsets(labels).flatMap((own) => subsets(['1', '2', '3']).map((buyers) => ({ type, isError, labels: own, buyers }))),
      ),
    );
    type Sample = (typeof requests)[number];
    const fits = ({ type, isError, labels: own, buyers }: Sample, by: SeveralFilters): boolean =>
      (by.type?.some((one) => (one === 'error' ? isError : one === type)) ?? true) &&
      (by.buyerId?.some((one) => buyers.includes(one)) ?? true) &&
      (by.bot?.some((one) => {
        if (one === 'none') return own.length === 0;
        return one === 'blocking' ? own.some((label) => botLabel(label).blocks) : own.includes(one);
      }) ??
        true);
    fc.assert(
      fc.property(choice, choice, (tile, by) => {
        const query = narrowed(tile.join('&'), by.join('&'));
        // The address of the report says the same.
        const address = query === null ? null : report(stringify(query));
        for (const request of requests) {
          const expected = [tile, by].every((filters) => fits(request, report(filters.join('&'))));
          for (const one of [query, address])
            if (one === null) expect(expected).toBe(false);
            else expect(severalFiltersOf(one).every((filters) => fits(request, filters))).toBe(expected);
        }
      }),
      { numRuns: 60 },
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
