import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bucketStart, day, hour, splitWhole } from './time-buckets.ts';

const instant = fc.integer({ min: -40 * day, max: 40 * day });

it('cuts a range into whole buckets and its edges, which make it up without a gap', () => {
  const offset = fc.constantFrom('+00:00', '+05:45', '-09:30', '+14:00');
  fc.assert(
    fc.property(instant, fc.integer({ min: 0, max: 5 * day }), fc.constantFrom(hour, day), offset, (from, duration, length, at) => {
      const { whole, edges } = splitWhole({ from, until: from + duration }, length, at);
      for (const edge of [whole?.from, whole?.until]) {
        if (edge !== undefined) expect(bucketStart(edge, length, at)).toBe(edge);
      }
      for (const part of edges) expect(part.until - part.from).toBeLessThan(2 * length);
      const parts = [...edges, ...(whole === null ? [] : [{ from: whole.from ?? 0, until: whole.until ?? 0 }])];
      let reachedTime = from;
      for (const part of parts.toSorted((a, b) => a.from - b.from)) {
        expect(part.from).toBe(reachedTime);
        expect(part.until).toBeGreaterThan(part.from);
        reachedTime = part.until;
      }
      expect(reachedTime).toBe(from + duration);
    }),
  );
});

it('leaves the open sides of a range open', () => {
  expect(splitWhole({}, day, '+02:00')).toEqual({ whole: { from: undefined, until: undefined }, edges: [] });
  expect(splitWhole({ from: 1 }, day, '+00:00')).toEqual({ whole: { from: day, until: undefined }, edges: [{ from: 1, until: day }] });
  expect(splitWhole({ until: day + 1 }, day, '+00:00')).toEqual({
    whole: { from: undefined, until: day },
    edges: [{ from: day, until: day + 1 }],
  });
});
