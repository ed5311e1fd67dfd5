import { type Report, type ReportGroup, type ReportQuery, reportQuery } from '@switchyard/contract/reports';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chartOf, formatOf, modesOf } from './chart-series.ts';

/** The query of a report without filters. */
const plain = reportQuery.parse({});

const group = (keys: string[], requests: number | null, earlier: number | null = null): ReportGroup => ({
  keys: keys.map((value) => ({ value, name: null })),
  current: { requests, success_share: requests === null ? null : 0.5 },
  compared: { requests: earlier, success_share: null },
  few: [],
});

function report(part: Partial<Report>): Report {
  const groups = part.groups ?? [];
  return {
    group_by: ['day'],
    columns: ['requests', 'success_share'],
    total_groups: groups.length,
    totals: { current: {}, compared: null, few: [] },
    pivot: null,
    from: '2026-11-16',
    to: '2026-11-20',
    compared_from: null,
    compared_to: null,
    compared_until: null,
    complete_from: '2026-11-17',
    is_complete: false,
    compared_is_complete: null,
    source: 'roll-ups',
    ...part,
    groups,
  };
}

function drawChart(shownReport: Report, column = 'requests', mode: string | null = null, query: Partial<ReportQuery> = {}) {
  const chart = chartOf(shownReport, column, {
    today: '2026-11-19',
    offset: '+00:00',
    query: { ...plain, groupBy: shownReport.group_by, ...query },
    mode,
  });
  if (typeof chart === 'string') throw new Error(chart);
  return chart;
}

describe('chart of a report', () => {
  it('[REP-013] draws a line over every day, without traffic too, until today, and beside it the days compared', () => {
    const comparison = { compared_from: '2026-11-11', compared_to: '2026-11-15' };
    const groups = [group(['2026-11-19'], 4, 1), group(['2026-11-17'], 7, 2)];
    const chart = drawChart(report({ ...comparison, groups }));
    expect([chart.kind, chart.labels[0], chart.incomplete]).toEqual(['line', '16.11.2026 Mon', 1]);
    expect(chart.series.map(({ name, kind, values }) => ({ name, kind, values }))).toEqual([
      { name: '16.11.2026 – 20.11.2026', kind: 'current', values: [0, 7, 0, 4, null] },
      { name: '11.11.2026 – 15.11.2026', kind: 'compared', values: [0, 2, 0, 1, null] },
    ]);
    expect(drawChart(report({ groups }), 'success_share').series[0]?.values).toEqual([null, 0.5, null, 0.5, null]);
  });

  it.each([
    ['day', ['2026-11-16', '2026-11-17'], ['2026-11-15T18:15Z', '2026-11-16T18:15Z']],
    ['week', ['2026-11-16'], ['2026-11-15T18:15Z']],
    ['month', ['2026-11'], ['2026-11-15T18:15Z']],
    ['date_hour', ['2026-11-16 00', '2026-11-16 01'], ['2026-11-15T18:15Z', '2026-11-15T19:15Z']],
  ] as const)('[MARK-020] knows the time of each value of a report by %s, as far as it lies in the report', (grouping, keys, times) => {
    const shownReport = report({ group_by: [grouping], groups: keys.map((key) => group([key], 1)) });
    const chart = chartOf(shownReport, 'requests', { today: '2026-11-20', offset: '+05:45', query: plain });
    if (typeof chart === 'string') throw new Error(chart);
    const starts = chart.axis?.starts.map((at) => new Date(at / 1000).toISOString().replace(':00.000', ''));
    expect(starts?.slice(0, times.length)).toEqual(times);
    expect(starts).toHaveLength(chart.labels.length);
    expect(new Date((chart.axis?.until ?? 0) / 1000).toISOString()).toBe('2026-11-20T18:15:00.000Z');
  });

  it('[MARK-020] has no times for hours of the day and weekdays, which come again', () => {
    for (const grouping of ['hour', 'weekday'] as const)
      expect(drawChart(report({ group_by: [grouping], groups: [group(['1'], 1)] })).axis).toBeUndefined();
  });

  it('[REP-013] draws a line or a part of a bar for each of the seven largest groups, and says what it leaves out', () => {
    const apps = Array.from({ length: 14 }, (_, at) => String(at + 1));
    const lines = drawChart(report({ group_by: ['app', 'day'], groups: apps.map((app) => group([app, '2026-11-18'], Number(app))) }));
    expect(lines.series.map(({ name }) => name)).toEqual(['#14', '#13', '#12', '#11', '#10', '#9', '#8']);
    expect(lines.note).toBe('Shown: the 7 largest of 14: app.');
    const bars = drawChart(report({ group_by: ['app', 'type'], groups: apps.map((app) => group([app, 'create'], Number(app))) }));
    expect([bars.kind, bars.isStacked, bars.labels.length, bars.series[0]?.type]).toEqual(['bar', true, 13, 'create']);
    expect([bars.note, bars.labels.at(-1), bars.series[0]?.values.at(-1)]).toEqual([null, 'Others (2)', 1 + 2]);
    expect(bars.incomplete).toBe(0);
  });

  const compared = { compared_from: '2026-11-11', compared_to: '2026-11-15' };
  const moving = [group(['3'], 50, 80), group(['1'], 60, 60), group(['2'], 90, 0)];

  it('[REP-070] draws the rows of the table in its order, the others and the total', () => {
    const groups = Array.from({ length: 14 }, (_, at) => group([String(at + 1)], at + 1));
    const totals = { current: { requests: 1_105, success_share: 0.5 }, compared: null, few: [] };
    const shown = drawChart(report({ group_by: ['app'], groups, totals }));
    expect(shown.labels).toEqual([...Array.from({ length: 12 }, (_, at) => `#${at + 1}`), 'Others (2)']);
    expect([shown.series[0]?.values.at(-1), shown.othersAt, shown.note, shown.total]).toEqual([13 + 14, 12, null, 'Total: 1,105']);
    // Groups that have not arrived are others, too.
    const part = drawChart(report({ group_by: ['app'], groups, totals, total_groups: 40 }));
    expect([part.labels.at(-1), part.series[0]?.values.at(-1)]).toEqual(['Others (28)', 1_105 - 78]);
    const ratios = drawChart(report({ group_by: ['app'], groups, totals }), 'success_share');
    expect([ratios.labels.length, ratios.note, ratios.total]).toEqual([12, 'Shown: the first 12 of 14.', 'Total: 50.0%']);
    const merged = [...groups.slice(0, 3), { ...group([''], 99), keys: [{ value: '', name: null, merged: 11 }] }];
    expect(drawChart(report({ group_by: ['app'], groups: merged, totals })).labels).toEqual(['#1', '#2', '#3', 'Others (11)']);
  });

  it('[REP-070] adds up nothing of two groupings of which a part arrived, and says so', () => {
    const pairs = Array.from({ length: 26 }, (_, at) => group([String((at % 13) + 1), at < 13 ? 'DE' : 'FR'], 100 - at));
    const part = report({ group_by: ['app', 'country'], groups: pairs.slice(0, 25), total_groups: 3_000 });
    const bars = drawChart(part);
    expect([bars.labels.length, bars.labels.includes('Others (1)'), bars.series.map(({ total }) => total)]).toEqual([
      12,
      false,
      [undefined, undefined],
    ]);
    expect(bars.note).toBe('Shown: only the first 25 of 3,000 groups; the 12 largest of 13.');
    // What did not arrive is not 0.
    const few = report({ group_by: ['app', 'country'], groups: pairs.slice(12, 15), total_groups: 3_000 });
    expect(drawChart(few, 'requests', 'heat').series.map(({ values }) => values)).toContainEqual([null, 88]);
    expect(drawChart(few).series.map(({ total }) => total)).toEqual([undefined, undefined]);
  });

  it('[REP-071] draws the change of an order by change, to both sides, with what it changed from', () => {
    const shownReport = report({ ...compared, group_by: ['app'], groups: moving });
    const query = { compare: 'week', orderBy: 'change:requests', orderDirection: 'asc' } as const;
    const changes = drawChart(shownReport, 'requests', null, query);
    expect([changes.title, changes.labels, changes.series]).toEqual([
      'Change of Requests by app, 16.11.2026 – 20.11.2026 compared with 11.11.2026 – 15.11.2026',
      ['#3', '#1', '#2'],
      [expect.objectContaining({ name: 'Change of Requests', values: [-30, 0, 90] })],
    ]);
    expect(changes.series[0]?.texts).toEqual(['-30 (-37.5%), 80 → 50', '0 (0%), 60 → 60', '+90 (new), 0 → 90']);
    expect(formatOf(changes)(90, false)).toBe('+90');
    const percent = drawChart(shownReport, 'requests', null, { ...query, orderBy: 'percent:requests' });
    expect([percent.series[0]?.values, percent.series[0]?.ends]).toEqual([
      [-0.375, 0, null],
      [null, null, 'new'],
    ]);
    expect(formatOf(percent)(-0.375, false)).toBe('-37.5%');
    // Another column than that of the order keeps its values, beside the compared ones.
    expect(drawChart(shownReport, 'success_share', null, query).title).toMatch(/^Success share by app/);
    expect(drawChart(shownReport, 'requests', null, { compare: 'week' }).series.map(({ kind }) => kind)).toEqual(['current', 'compared']);
  });

  it('[REP-059, REP-070] says that small groups are last where they are', () => {
    const totals = { current: { requests: 200, success_share: 0.5 }, compared: null, few: [] };
    const shownReport = report({ group_by: ['app'], groups: moving, totals });
    expect(drawChart(shownReport, 'success_share', null, { orderBy: 'success_share' }).note).toBe(
      'Shown: groups with fewer than 30 are listed last.',
    );
    expect(drawChart(shownReport, 'success_share', null, { orderBy: 'success_share', least: 1 }).note).toBeNull();
    expect(drawChart(shownReport).note).toBeNull();
  });

  it('[REP-081] offers the average of a day where weekdays and hours come again, over the days that have begun', () => {
    // Monday 16 to Friday 20 November 2026; it is Thursday, 10 o'clock.
    const byHour = report({ complete_from: '2026-11-01', group_by: ['hour'], groups: [group(['9'], 100), group(['11'], 90)] });
    const options = { today: '2026-11-19', hour: 10, offset: '+00:00', mode: 'average' };
    const average = (shownReport: Report, column = 'requests') =>
      chartOf(shownReport, column, { ...options, query: { ...plain, groupBy: shownReport.group_by } });
    const hours = average(byHour);
    if (typeof hours === 'string') throw new Error(hours);
    expect([hours.title, hours.series[0]?.values[9], hours.series[0]?.values[11]]).toEqual([
      'Requests, average of a day by hour of day, 16.11.2026 – 20.11.2026',
      100 / 4,
      90 / 3,
    ]);
    const twoWeeks = report({
      ...byHour,
      group_by: ['weekday', 'hour'],
      from: '2026-11-09',
      groups: [group(['1', '9'], 7), group(['5', '9'], 7)],
    });
    const heat = average(twoWeeks);
    if (typeof heat === 'string') throw new Error(heat);
    expect([heat.kind, heat.series[0]?.values[9], heat.series[4]?.values[9]]).toEqual(['heat', 3.5, 7]);
    // Retention dropped the Monday.
    expect(average({ ...byHour, complete_from: '2026-11-17' })).toMatchObject({ series: [{ values: expect.arrayContaining([33.3, 45]) }] });
    expect(modesOf(byHour, 'requests', plain)).toEqual(['plain', 'average']);
    expect(modesOf(twoWeeks, 'success_share', plain)).not.toContain('average');
    expect(modesOf(report({ group_by: ['day', 'hour'] }), 'requests', plain)).not.toContain('average');
    expect(modesOf(report({ group_by: ['app'] }), 'requests', plain)).toEqual(['plain']);
  });

  it('[REP-013, REP-081] draws nothing of times that have not come, and no sums beside averages', () => {
    const options = { today: '2026-11-20', hour: 10, offset: '+00:00', query: plain };
    const totals = { current: { requests: 3 }, compared: null, few: [] };
    const today = { from: '2026-11-20', to: '2026-11-20', totals };
    const byHour = chartOf(report({ ...today, group_by: ['hour'], groups: [group(['9'], 3)] }), 'requests', {
      ...options,
      mode: 'average',
    });
    const byDateHour = chartOf(report({ ...today, group_by: ['date_hour'], groups: [group(['2026-11-20 09'], 3)] }), 'requests', options);
    for (const chart of [byHour, byDateHour])
      expect(chart).toMatchObject({ series: [{ values: Array.from({ length: 24 }, (_, at) => (at > 10 ? null : at === 9 ? 3 : 0)) }] });
    expect([byHour, byDateHour].map((chart) => typeof chart !== 'string' && chart.series[0]?.total)).toEqual([undefined, '3']);
  });

  it('[REP-093] draws nothing of hours of day and weekdays that have not come, in sums too', () => {
    const options = { today: '2026-11-18', hour: 1, offset: '+00:00', query: plain };
    const valuesOf = (part: Partial<Report>) => {
      const chart = chartOf(report(part), 'requests', options);
      return typeof chart === 'string' ? chart : chart.series.map(({ values }) => values.slice(0, 7));
    };
    // This week on a Wednesday, one hour after midnight.
    const weekdays = { group_by: ['weekday' as const], from: '2026-11-16', to: '2026-11-22', complete_from: '2026-11-01' };
    expect(valuesOf({ ...weekdays, groups: [group(['1'], 4)] })).toEqual([[4, 0, 0, null, null, null, null]]);
    const today = { from: '2026-11-18', to: '2026-11-18', complete_from: '2026-11-01' };
    expect(valuesOf({ ...today, group_by: ['hour'], groups: [group(['0'], 3)] })).toEqual([[3, 0, null, null, null, null, null]]);
    const before = { compared_from: '2026-11-17', compared_to: '2026-11-17', compared_until: '2026-11-17 01:10:00' };
    const started = [3, 0, null, null, null, null, null];
    expect(valuesOf({ ...today, ...before, group_by: ['hour'], groups: [group(['0'], 3, 3)] })).toEqual([started, started]);
    const byDay = { group_by: ['hour' as const, 'day' as const], from: '2026-11-17', to: '2026-11-18', complete_from: '2026-11-01' };
    const lines = chartOf(report({ ...byDay, groups: [group(['0', '2026-11-17'], 5), group(['0', '2026-11-18'], 3)] }), 'requests', {
      ...options,
      mode: 'plain',
    });
    expect(typeof lines !== 'string' && lines.series.map(({ name, values }) => [name.slice(0, 10), values.slice(0, 3)])).toEqual([
      ['17.11.2026', [5, 0, 0]],
      ['18.11.2026', [3, 0, null]],
    ]);
  });

  it('[REP-081] counts the compared days until the same time in the offset of the days', () => {
    const days = {
      complete_from: '2026-11-01',
      from: '2026-11-19',
      to: '2026-11-19',
      compared_from: '2026-11-12',
      compared_to: '2026-11-12',
    };
    const shownReport = report({
      ...days,
      group_by: ['hour'],
      groups: [group(['0'], 8, 6), group(['2'], 8, 6)],
      compared_until: '2026-11-11 22:30:00',
    });
    const options = { today: '2026-11-19', hour: 1, offset: '+03:00', mode: 'average', query: { ...plain, groupBy: ['hour' as const] } };
    const chart = chartOf(shownReport, 'requests', options);
    if (typeof chart === 'string') throw new Error(chart);
    // It was half past one: the hour 0 had begun, and 2 had not.
    expect(chart.series[1]?.values.slice(0, 3)).toEqual([6, 0, null]);
  });

  it('[REP-072] gives each series its total for the legend, and none to ratios', () => {
    const groups = [group(['1', '2026-11-16'], 4), group(['1', '2026-11-18'], 5), group(['2', '2026-11-18'], 1_000)];
    const lines = drawChart(report({ group_by: ['app', 'day'], groups }));
    expect(lines.series.map(({ name, total }) => [name, total])).toEqual([
      ['#2', '1,000'],
      ['#1', '9'],
    ]);
    expect(drawChart(report({ group_by: ['app', 'day'], groups }), 'success_share').series[0]?.total).toBeUndefined();
    const totals = { current: { requests: 9 }, compared: { requests: 7 }, few: [] };
    const both = drawChart(report({ ...compared, groups: [group(['2026-11-17'], 9, 7)], totals }));
    expect([both.series.map(({ total }) => total), both.total]).toEqual([['9', '7'], 'Total: 9 (+28.6%)']);
  });

  it('[REP-013] says why there is none', () => {
    expect(
      chartOf(report({ groups: [group(['2026-11-17'], null)] }), 'requests', { today: '2026-11-20', offset: '+00:00', query: plain }),
    ).toBe('There are no values of Requests to draw.');
    const part = report({ groups: [group(['2026-11-17'], 1)], total_groups: 1_234 });
    expect(chartOf(part, 'requests', { today: '2026-11-20', offset: '+00:00', query: plain })).toMatch(/needs all 1,234 groups/);
  });

  const apps = Array.from({ length: 12 }, (_, at) => String(at + 1));
  const days = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'];
  const figures = fc.uniqueArray(fc.record({ app: fc.constantFrom(...apps), day: fc.constantFrom(...days), count: fc.nat(50) }), {
    selector: ({ app, day }) => `${app} ${day}`,
    maxLength: 40,
    minLength: 1,
  });

  it('[REP-034, REP-036] adds up to every day with others, stacked and as shares, of a pivot as of its groups', () => {
    fc.assert(
      fc.property(figures, (cells) => {
        const groups = cells.map(({ app, day, count }) => group([app, day], count));
        const flat = report({ group_by: ['app', 'day'], groups });
        const rows = [...Map.groupBy(cells, ({ app }) => app)].map(([app, own]): ReportGroup => ({
          ...group([app], 0),
          cells: days.map((day) => {
            const cell = own.find((one) => one.day === day);
            return cell === undefined ? null : group([], cell.count);
          }),
        }));
        const keys = days.map((value) => ({ value, name: null }));
        const turned = report({ group_by: ['app', 'day'], groups: rows, pivot: { keys, empty: group([], 0) } });
        const stacked = drawChart(flat, 'requests', 'stacked');
        const sumOf = (values: readonly (number | null)[]) => values.reduce<number>((all, value) => all + (value ?? 0), 0);
        const sums = days.map((day) => sumOf(cells.filter((cell) => cell.day === day).map(({ count }) => count)));
        expect(days.map((_, at) => sumOf(stacked.series.map(({ values }) => values[at] ?? 0)))).toEqual(sums);
        expect([stacked.note, stacked.isStacked]).toEqual([null, true]);
        const count = new Set(cells.map(({ app }) => app)).size;
        expect(stacked.series.filter(({ kind }) => kind === 'others').map(({ name }) => name)).toEqual(
          count > 7 ? [`Others (${count - 7})`] : [],
        );
        const shares = drawChart(flat, 'requests', 'share');
        for (const [at, sum] of sums.entries()) {
          expect(sumOf(shares.series.map(({ values }) => values[at] ?? null))).toBeCloseTo(sum === 0 ? 0 : 1, 9);
          for (const [index, { values, texts }] of shares.series.entries()) {
            const value = stacked.series[index]?.values[at] ?? null;
            expect(values[at]).toBe(value === null || sum === 0 ? null : value / sum);
            if (value !== null) expect(texts?.[at]).toMatch(new RegExp(`^${value}( |$)`));
          }
        }
        const byName = (chart: ReturnType<typeof drawChart>) => new Map(chart.series.map(({ name, values }) => [name, values]));
        expect(byName(drawChart(turned, 'requests', 'heat'))).toEqual(byName(drawChart(flat, 'requests', 'heat')));
        const heat = drawChart(turned, 'requests', 'heat');
        expect(sumOf(heat.series.flatMap(({ values }) => values))).toBe(sumOf(sums));
        expect([heat.kind, heat.labels.length]).toEqual(['heat', days.length]);
      }),
      { seed: 3 },
    );
  });

  it('[REP-066] draws no shares of amounts of which some are negative', () => {
    const paid = (day: string, kind: string, payout: string): ReportGroup => ({ ...group([day, kind], 1), current: { payout } });
    const groups = [
      paid('2026-11-17', 'deposit', '10'),
      paid('2026-11-17', 'refund', '-5'),
      paid('2026-11-18', 'deposit', '3'),
      paid('2026-11-18', 'refund', '1'),
    ];
    const { series } = drawChart(report({ group_by: ['day', 'status_conversion'], groups, columns: ['payout'] }), 'payout', 'share');
    expect(series.map(({ name, values, texts }) => [name, values.slice(1, 3), texts?.slice(1, 3)])).toEqual([
      ['deposit', [null, 0.75], ['10.00', '3.00 (75.0%)']],
      ['refund', [null, 0.25], ['-5.00', '1.00 (25.0%)']],
    ]);
  });

  it('[REP-035] draws a heat map of weekdays and hours, every one of them, without being asked', () => {
    const heat = drawChart(report({ group_by: ['weekday', 'hour'], groups: [group(['3', '23'], 5), group(['1', '0'], 7)] }));
    expect([heat.kind, heat.series.map(({ name }) => name)]).toEqual(['heat', ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']]);
    expect([heat.labels.length, heat.labels[23], heat.series[2]?.values[23], heat.series[0]?.values[0]]).toEqual([24, '23:00', 5, 7]);
    expect(heat.series[6]?.values.every((value) => value === 0)).toBe(true);
    const ratio = drawChart(report({ group_by: ['weekday', 'hour'], groups: [group(['3', '23'], 5)] }), 'success_share');
    expect([ratio.series[2]?.values[23], ratio.series[2]?.values[22]]).toEqual([0.5, null]);
  });

  it('[REP-036] draws others of the answer whole, and adds no ratios and no buyers', () => {
    const others = (count: number): ReportGroup => ({
      ...group(['', '2026-11-17'], count),
      keys: [
        { value: '', name: null, merged: 4 },
        { value: '2026-11-17', name: null },
      ],
    });
    const unknown = group(['', '2026-11-17'], 3);
    const chart = drawChart(report({ group_by: ['country', 'day'], groups: [others(900), unknown, group(['DE', '2026-11-17'], 5)] }));
    expect(chart.series.map(({ name, kind, values }) => [name, kind, values[1]])).toEqual([
      ['Germany', 'current', 5],
      ['No country', 'current', 3],
      ['Others (4)', 'others', 900],
    ]);
    const groups = apps.map((app) => group([app, '2026-11-18'], Number(app)));
    expect(drawChart(report({ group_by: ['app', 'day'], groups }), 'success_share', 'stacked').series).toHaveLength(7);
    const buyers = drawChart(report({ group_by: ['buyer', 'day'], groups }), 'requests', 'stacked');
    expect([buyers.series.length, buyers.note]).toEqual([7, 'Shown: the 7 largest of 12: buyer.']);
  });
});
