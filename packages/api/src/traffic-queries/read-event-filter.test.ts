import { describe, expect, it } from 'vitest';
import { readEventFilter } from './read-event-filter.ts';

const options = { scope: 'all', serverOffset: '+03:00' } as const;
const rangeOf = (startDate: string | undefined, endDate: string | undefined) => {
  const { from, until } = readEventFilter({ search: undefined, startDate, endDate }, options);
  return { from, until };
};

describe('the range of a request filter (api 0.13)', () => {
  it('[API-083] takes a plain day in the offset of the server, the end day and an end date-time included', () => {
    const midnight = Date.UTC(2026, 10, 19, 21) * 1000;
    expect(rangeOf('2026-11-20', '2026-11-20')).toEqual({ from: midnight, until: midnight + 86_400_000_000 });
    expect(rangeOf('2026-11-20 10:00:00', '2026-11-20 10:00:00')).toEqual({
      from: Date.UTC(2026, 10, 20, 10) * 1000,
      until: Date.UTC(2026, 10, 20, 10) * 1000 + 1,
    });
    expect(rangeOf(undefined, undefined)).toEqual({ from: undefined, until: undefined });
  });

  it.each([
    ['0000-01-01', '9999-12-31'],
    ['0001-01-01', '9999-12-31T23:59:59.999999Z'],
  ])('[API-083, ERR-012] cuts %s to %s to what a database can compare with', (start, end) => {
    expect(rangeOf(start, end)).toEqual({ from: 0, until: Date.UTC(9000, 0) * 1000 });
  });

  it('[API-083] rejects a range that ends before it starts, by any distance', () => {
    expect(() => rangeOf('2026-11-21', '2026-11-20')).toThrow('The given data was invalid.');
    expect(() => rangeOf('0002-01-01', '0001-01-01')).toThrow('The given data was invalid.');
  });
});
