import { dayRange, formatDateTime, parseDateTime } from '@switchyard/contract/dates';
import { bucketLengths } from '@switchyard/contract/requests';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FieldErrors } from '../errors.ts';
import { bucketStarts, readHistogramRange } from './read-histogram.ts';

const now = parseDateTime('2026-11-20 10:00:00.250000');

function read(query: { startDate?: string; endDate?: string }, serverOffset = '+00:00') {
  const range = readHistogramRange(query, { now, serverOffset });
  const starts = bucketStarts(range, serverOffset).map(formatDateTime);
  return {
    seconds: range.bucketSeconds,
    from: formatDateTime(range.from),
    to: formatDateTime(range.to),
    first: starts[0],
    last: starts.at(-1),
    count: starts.length,
  };
}

describe('range of a histogram', () => {
  it('is the last 24 hours when none is asked for, the present second included', () => {
    expect(read({})).toEqual({
      seconds: 900,
      from: '2026-11-19 10:00:01',
      to: '2026-11-20 10:00:01',
      first: '2026-11-19 10:00:00',
      last: '2026-11-20 10:00:00',
      count: 97,
    });
  });

  it.each([
    // A day is that of the server; its end is the midnight that follows it.
    [
      '+00:00',
      { startDate: '2026-11-19', endDate: '2026-11-19' },
      900,
      '2026-11-19 00:00:00',
      '2026-11-20 00:00:00',
      '2026-11-19 00:00:00',
      96,
    ],
    [
      '+05:45',
      { startDate: '2026-11-19', endDate: '2026-11-19' },
      900,
      '2026-11-18 18:15:00',
      '2026-11-19 18:15:00',
      '2026-11-18 18:15:00',
      96,
    ],
    [
      '+05:45',
      { startDate: '2026-11-16', endDate: '2026-11-20' },
      3600,
      '2026-11-15 18:15:00',
      '2026-11-20 18:15:00',
      '2026-11-15 18:15:00',
      120,
    ],
    [
      '+02:00',
      { startDate: '2026-11-15', endDate: '2026-11-20' },
      10_800,
      '2026-11-14 22:00:00',
      '2026-11-20 22:00:00',
      '2026-11-14 22:00:00',
      48,
    ],
    // Weeks of the offset's clock are counted from its 1970-01-01, a Thursday.
    [
      '-03:00',
      { startDate: '2026-01-01', endDate: '2026-11-20' },
      604_800,
      '2026-01-01 03:00:00',
      '2026-11-21 03:00:00',
      '2026-01-01 03:00:00',
      47,
    ],
    // A date-time is included, but opens no bucket of its own.
    [
      '+00:00',
      { startDate: '2026-11-20 08:00:00', endDate: '2026-11-20 10:00:00' },
      60,
      '2026-11-20 08:00:00',
      '2026-11-20 10:00:00',
      '2026-11-20 08:00:00',
      120,
    ],
    [
      '+00:00',
      { startDate: '2026-11-20 08:00:30', endDate: '2026-11-20 10:00:00' },
      60,
      '2026-11-20 08:00:30',
      '2026-11-20 10:00:00',
      '2026-11-20 08:00:00',
      120,
    ],
    [
      '+00:00',
      { startDate: '2026-11-20 07:59:59', endDate: '2026-11-20 10:00:00' },
      300,
      '2026-11-20 07:59:59',
      '2026-11-20 10:00:00',
      '2026-11-20 07:55:00',
      25,
    ],
    [
      '+00:00',
      { startDate: '2026-11-20 10:00:00', endDate: '2026-11-20 10:00:00' },
      60,
      '2026-11-20 10:00:00',
      '2026-11-20 10:00:00',
      '2026-11-20 10:00:00',
      1,
    ],
    ['+00:00', { endDate: '2026-11-20 10:00:00' }, 900, '2026-11-19 10:00:00', '2026-11-20 10:00:00', '2026-11-19 10:00:00', 96],
    // A start that lies ahead of now leaves nothing to count.
    ['+00:00', { startDate: '2026-11-25' }, 60, '2026-11-25 00:00:00', '2026-11-25 00:00:00', '2026-11-25 00:00:00', 1],
  ])('at %s for %j', (offset, query, seconds, from, to, first, count) => {
    expect(read(query, offset)).toMatchObject({ seconds, from, to, first, count });
  });

  it('is cut to the last weeks that may hold requests when it is too long for any bucket', () => {
    const end = '2026-11-21 10:00:00';
    const cutRange = { seconds: 604_800, count: 120, to: end, first: '2024-08-08 00:00:00', from: '2024-08-08 00:00:00' };
    expect(read({ startDate: '1970-01-01', endDate: '9999-12-31' })).toMatchObject(cutRange);
    expect(read({ startDate: '2000-01-01' })).toMatchObject({ count: 120, to: '2026-11-20 10:00:01' });
    expect(read({ startDate: '2030-01-01', endDate: '9999-12-31' }).count).toBe(120);
  });

  it('is rejected if it ends before it starts', () => {
    expect(() => read({ startDate: '2026-11-20', endDate: '2026-11-19' })).toThrow(FieldErrors);
  });

  it('has the shortest buckets of which no more than 120 are needed, each at a multiple of its length', () => {
    const instant = fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => formatDateTime(seconds * 1_000_000));
    fc.assert(
      fc.property(
        instant,
        fc.integer({ min: 0, max: 90_000_000 }),
        fc.constantFrom('+00:00', '+05:45', '-09:30', '+14:00'),
        (start, length, offset) => {
          const end = formatDateTime(parseDateTime(start) + length * 1_000_000);
          const range = readHistogramRange({ startDate: start, endDate: end }, { now, serverOffset: offset });
          const starts = bucketStarts(range, offset);
          expect(starts.length).toBeLessThanOrEqual(120);
          const { from: midnight } = dayRange('2000-01-06', offset);
          for (const at of starts) expect(Math.abs((at - midnight) % (range.bucketSeconds * 1_000_000))).toBe(0);
          if (formatDateTime(range.from) !== start) return;
          expect(starts[0]).toBeLessThanOrEqual(range.from);
          expect((starts[0] ?? 0) + range.bucketSeconds * 1_000_000).toBeGreaterThan(range.from);
          const shorter = bucketLengths[bucketLengths.findIndex((seconds) => seconds === range.bucketSeconds) - 1];
          if (shorter !== undefined) expect(length / shorter).toBeGreaterThan(118);
        },
      ),
    );
  });
});
