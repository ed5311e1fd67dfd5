import fc from 'fast-check';
import { expect, it } from 'vitest';
import { axisValues } from './draw-chart.ts';

it.each([
  [0, [0, 1]],
  [186, [0, 50, 100, 150, 200]],
  [0.905, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  [1_724.88, [0, 500, 1_000, 1_500, 2_000]],
])('[REP-013] has round values on the axis up to %d', (highest, values) => {
  expect(axisValues(highest).map((value) => Number(value.toPrecision(9)))).toEqual(values);
});

it('[REP-013] has at most six values on the axis, and none of the chart above them', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e12, noNaN: true }), (highest) => {
      const values = axisValues(highest, 1);
      expect(values.length).toBeLessThanOrEqual(6);
      expect(values.at(-1)).toBeGreaterThanOrEqual(highest * (1 - 1e-9));
      expect(values.slice(0, 2)).toEqual([0, Math.max(1, values[1] ?? 0)]);
    }),
  );
});
