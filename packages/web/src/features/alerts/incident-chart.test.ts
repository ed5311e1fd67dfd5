import { expect, it } from 'vitest';
import { incidentChart } from './incident-chart.tsx';
import { sampleIncident, samplePreview } from './testing/sample-alerts.ts';

const { points } = samplePreview;
const incident = {
  ...sampleIncident,
  rule: { id: 3, name: 'Errors', kind: 'error_share' },
  threshold: 20,
  started_at: '2026-11-20 11:02:00',
} as const;
const chartOf = (changes: object) => incidentChart({ incident: { ...incident, ...changes }, points, displayDate: String, zoom: null });

it('[ALERT-165] draws the values with the threshold and the time in which the incident was open', () => {
  const chart = chartOf({});
  expect(chart?.series[0]?.values).toEqual([5, 30.5, null]);
  expect(chart?.threshold).toEqual({ value: 20, name: '20% or more', stretches: [[1, 2]] });
  // Marks are placed by the hours of the values.
  expect((chart?.axis?.until ?? 0) - (chart?.axis?.starts.at(-1) ?? 0)).toBe(3_600_000_000);
  expect(chart?.axis?.starts).toHaveLength(points.length);
  expect(chartOf({ resolved_at: '2026-11-20 11:30:00' })?.threshold?.stretches).toEqual([[1, 1]]);
  expect(chartOf({ started_at: '2026-11-20 08:00:00' })?.threshold?.stretches).toEqual([[0, 2]]);
  expect(incidentChart({ incident, points: points.slice(1), displayDate: String, zoom: null })).toBeNull();
});

it('[ALERT-166] marks no other time of a part of the values than of all of them', () => {
  const hours = Array.from({ length: 6 }, (_, at) => ({ at: `2026-11-20 1${at}:00:00`, value: at }));
  const open = { ...incident, started_at: '2026-11-20 13:02:00', resolved_at: '2026-11-20 14:30:00' };
  const stretches = (from: number, to: number) =>
    incidentChart({
      incident: open,
      points: hours,
      displayDate: String,
      zoom: { from: `2026-11-20 1${from}`, to: `2026-11-20 1${to}:00:00` },
    })?.threshold?.stretches;
  expect([stretches(0, 5), stretches(1, 3), stretches(4, 5), stretches(0, 2), stretches(5, 5)]).toEqual([
    [[3, 4]],
    [[2, 2]],
    [[0, 0]],
    [],
    undefined,
  ]);
});
