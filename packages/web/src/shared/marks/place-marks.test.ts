import { formatDateTime } from '@switchyard/contract/dates';
import type { Mark, MarkEntry } from '@switchyard/contract/marks';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeMarks } from './place-marks.ts';
import { sampleEntry } from './testing/sample-entry.ts';

const hour = 3_600_000_000;
const start = Date.UTC(2026, 10, 20) * 1000;
const axis = { starts: [0, 1, 2, 3].map((at) => start + at * hour), until: start + 4 * hour };
const placeOf = (index: number): number => index / 3;

function mark(hours: number, count = 1, entry: Partial<MarkEntry> = {}): Mark {
  const at = formatDateTime(start + hours * hour);
  return { at, count, entries: [sampleEntry({ at, ...entry })] };
}

describe('places of marks', () => {
  it('[MARK-020] puts a mark at the value in whose time it lies, and leaves out what lies outside the chart', () => {
    const placed = placeMarks([mark(3.99), mark(-0.1), mark(0), mark(1.5), mark(4), mark(2.5)], axis, { placeOf, gap: 0.01 });
    expect(placed.map(({ share, count }) => [share, count])).toEqual([
      [0, 1],
      [1 / 3, 1],
      [2 / 3, 1],
      [1, 1],
    ]);
  });

  it('[MARK-020] draws marks of one value, and those that would touch, as one with their count, newest first', () => {
    const placed = placeMarks([mark(1.2, 3, { id: 1 }), mark(1.7, 2, { id: 2 }), mark(2.2, 1, { id: 3 })], axis, { placeOf, gap: 0.4 });
    expect(placed).toHaveLength(1);
    expect(placed[0]).toMatchObject({ share: 0.5, count: 6 });
    expect(placed[0]?.entries.map(({ id }) => id)).toEqual([3, 2, 1]);
  });

  it('[MARK-020] loses no mark of the chart, and keeps dots apart', () => {
    const hours = fc.double({ min: 0, max: 3.999, noNaN: true });
    fc.assert(
      fc.property(fc.array(hours), fc.double({ min: 0.01, max: 1, noNaN: true }), (times, gap) => {
        const placed = placeMarks(
          times.map((at) => mark(at)),
          axis,
          { placeOf, gap },
        );
        expect(placed.reduce((sum, { count }) => sum + count, 0)).toBe(times.length);
        for (const [at, { share }] of placed.entries()) expect(share - (placed[at - 1]?.share ?? -1)).toBeGreaterThan(gap / 2 - 1e-9);
      }),
    );
  });
});
