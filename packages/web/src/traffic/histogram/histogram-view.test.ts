import { parseDateTime } from '@switchyard/contract/dates';
import { requestTypes } from '@switchyard/contract/requests';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  barSegments,
  chartTop,
  countsOf,
  countedText,
  countsText,
  narrowedRange,
  spanText,
  tickText,
  totalOf,
  type Counts,
} from './histogram-view.ts';
import { sampleHistogram } from '../testing/sample-histogram.ts';

const histogram = sampleHistogram();
const many = fc.record<Counts>({
  create: fc.nat(5_000_000),
  receive: fc.nat(5_000),
  token: fc.nat(50),
  track: fc.nat(5_000_000),
  proxy: fc.nat(5),
  static: fc.nat(1),
  error: fc.nat(3),
});

describe('what a histogram counts', () => {
  it('adds up over any buckets', () => {
    expect(countsOf(histogram, { first: 0, last: 3 })).toMatchObject({ create: 5, error: 2, track: 1, token: 0 });
    expect(countsOf(histogram, { first: 2, last: 2 })).toMatchObject({ create: 1, error: 2, track: 0 });
  });

  it('is said in words', () => {
    expect(countsText(countsOf(histogram, { first: 2, last: 3 }))).toBe('4 requests: 1 create, 1 track, 2 type error');
    expect(countsText(countsOf(histogram, { first: 3, last: 3 }))).toBe('1 request: 1 track');
    expect(countsText(countsOf(histogram, { first: 1, last: 1 }))).toBe('no requests');
  });
});

describe('bars of a histogram', () => {
  it('are drawn within the chart, one segment on another, in the proportions of their counts', () => {
    fc.assert(
      fc.property(fc.array(many, { minLength: 1, maxLength: 5 }), (all) => {
        const top = chartTop(sampleHistogram(all));
        for (const counts of all) {
          const segments = barSegments(counts, top);
          expect(segments.map(({ type }) => type)).toEqual(requestTypes.filter((type) => counts[type] > 0));
          const height = segments.reduce((sum, { share }) => sum + share, 0);
          expect(height).toBeLessThanOrEqual(1 + 1e-9);
          for (const [index, { below, share, type }] of segments.entries()) {
            const former = segments[index - 1];
            expect(below).toBeCloseTo(former === undefined ? 0 : former.below + former.share, 9);
            expect(share).toBeCloseTo((counts[type] / totalOf(counts)) * height, 9);
          }
        }
      }),
    );
  });

  it('show a single error beside thousands in another bucket', () => {
    const top = chartTop(sampleHistogram([{ create: 9_000 }, { error: 1 }]));
    const [segment] = barSegments(countsOf(sampleHistogram([{ error: 1 }]), { first: 0, last: 0 }), top);
    expect(segment?.share).toBeGreaterThanOrEqual(0.03);
  });

  it('reach to a whole number that reads well', () => {
    const tops = [0, 1, 7, 11, 146, 1_520, 26_000].map((create) => chartTop(sampleHistogram([{ create }])));
    expect(tops).toEqual([1, 1, 8, 15, 150, 2_000, 30_000]);
  });
});

describe('narrowing to buckets', () => {
  it('takes whole buckets, but nothing outside the range that was counted', () => {
    expect(narrowedRange(histogram, { first: 1, last: 2 }, undefined)).toEqual({
      startDate: '2026-11-20 10:15:00',
      endDate: '2026-11-20 10:44:59.999999',
    });
    expect(narrowedRange(histogram, { first: 0, last: 0 }, undefined).startDate).toBe('2026-11-20 10:05:00');
  });

  it('keeps an end in effect that comes first, and ends a day with its last bucket', () => {
    expect(narrowedRange(histogram, { first: 3, last: 3 }, '2026-11-20 10:58:30.5').endDate).toBe('2026-11-20 10:58:30.5');
    expect(narrowedRange(histogram, { first: 0, last: 1 }, '2026-11-20 10:58:30.5').endDate).toBe('2026-11-20 10:29:59.999999');
    expect(narrowedRange(histogram, { first: 3, last: 3 }, '2026-11-20').endDate).toBe('2026-11-20 10:59:59.999999');
  });

  it('never widens the range, whichever buckets are chosen', () => {
    fc.assert(
      fc.property(fc.nat(3), fc.nat(3), (one, other) => {
        const span = { first: Math.min(one, other), last: Math.max(one, other) };
        const { startDate, endDate } = narrowedRange(histogram, span, '2026-11-20 10:58:30');
        expect(parseDateTime(startDate)).toBeGreaterThanOrEqual(parseDateTime(histogram.from));
        expect(parseDateTime(endDate)).toBeLessThanOrEqual(parseDateTime(histogram.to));
        expect(parseDateTime(startDate)).toBeLessThan(parseDateTime(endDate));
      }),
    );
  });
});

describe('times of a histogram', () => {
  it('are those of the server offset, the day said once', () => {
    expect(spanText(histogram, { first: 1, last: 1 }, '+02:00')).toBe('20.11.2026 12:15 to 12:30');
    const late = { from: '2026-11-20 21:00:00', to: '2026-11-20 22:29:59' };
    expect(countedText(late, '+02:00')).toBe('20.11.2026 23:00 to 21.11.2026 00:30');
    expect(countedText(histogram, '+00:00')).toBe('20.11.2026 10:05 to 10:58');
  });

  it('are as brief below the chart as its buckets allow', () => {
    const at = '2026-11-20 10:15:00';
    expect(tickText(at, histogram, '+00:00')).toBe('10:15');
    expect(tickText(at, { ...histogram, bucketSeconds: 43_200 }, '+00:00')).toBe('20.11 10:15');
    expect(tickText(at, { ...histogram, bucketSeconds: 86_400 }, '+00:00')).toBe('20.11.2026');
  });
});
