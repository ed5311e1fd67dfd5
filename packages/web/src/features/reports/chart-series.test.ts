import type { Report, ReportGroup } from '@switchyard/contract/reports';
import { describe, expect, it } from 'vitest';
import { chartOf } from './chart-series.ts';

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

function drawChart(shownReport: Report, column = 'requests') {
  const chart = chartOf(shownReport, column, { today: '2026-11-19', query: {} });
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

  it('[REP-013] draws a line or a part of a bar for each of the seven largest groups, and says what it leaves out', () => {
    const apps = Array.from({ length: 14 }, (_, at) => String(at + 1));
    const lines = drawChart(report({ group_by: ['app', 'day'], groups: apps.map((app) => group([app, '2026-11-18'], Number(app))) }));
    expect(lines.series.map(({ name }) => name)).toEqual(['#14', '#13', '#12', '#11', '#10', '#9', '#8']);
    expect(lines.note).toBe('Shown: the 7 largest of 14: app.');
    const bars = drawChart(report({ group_by: ['app', 'type'], groups: apps.map((app) => group([app, 'create'], Number(app))) }));
    expect([bars.kind, bars.isStacked, bars.labels.length, bars.series[0]?.type]).toEqual(['bar', true, 12, 'create']);
    expect(bars.note).toBe('Shown: the 12 largest of 14.');
    expect(bars.incomplete).toBe(0);
  });

  it('[REP-013] says why there is none', () => {
    expect(chartOf(report({ groups: [group(['2026-11-17'], null)] }), 'requests', { today: '2026-11-20', query: {} })).toBe(
      'There are no values of Requests to draw.',
    );
    const part = report({ groups: [group(['2026-11-17'], 1)], total_groups: 1_234 });
    expect(chartOf(part, 'requests', { today: '2026-11-20', query: {} })).toMatch(/needs all 1,234 groups/);
  });
});
