import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DateError,
  dayOf,
  dayRange,
  displayDay,
  displayTime,
  displayUtc,
  formatDateTime,
  formatMicroseconds,
  offsetMinutes,
  parseDateAs,
  parseDateTime,
  readDate,
} from './dates.ts';

const at = Date.UTC(2026, 10, 20, 10, 11, 12) * 1000;

describe('parsing date-times', () => {
  it.each([
    ['2026-11-20T10:11:12Z', at],
    ['2026-11-20T10:11:12.345678Z', at + 345_678],
    ['2026-11-20T12:11:12+02:00', at],
    ['2026-11-20T10:11:12', at],
  ])('[WID-057] accepts ISO 8601: %s', (text, expected) => {
    expect(parseDateTime(text)).toBe(expected);
  });

  it('[WID-058] accepts YYYY-MM-DD HH:mm:ss with optional microseconds', () => {
    expect(parseDateTime('2026-11-20 10:11:12')).toBe(at);
    expect(parseDateTime('2026-11-20 10:11:12.000001')).toBe(at + 1);
  });

  it('[WID-059] accepts YYYY/MM/DD HH:mm:ss', () => {
    expect(parseDateTime('2026/11/20 10:11:12')).toBe(at);
  });

  it('[WID-060] accepts MM-DD-YYYY HH:mm:ss', () => {
    expect(parseDateTime('11-20-2026 10:11:12')).toBe(at);
  });

  it('[WID-061] accepts MM/DD/YYYY HH:mm:ss', () => {
    expect(parseDateTime('11/20/2026 10:11:12')).toBe(at);
  });

  it.each([
    '',
    'yesterday',
    '2026-02-31',
    '2026-02-31 10:00:00',
    '2026-13-01T00:00:00Z',
    '2026-11-20T25:00:00Z',
    '20.11.2026',
    '2026-11-20 10:11:12 tomorrow',
    '2026-11/20 10:11:12',
  ])('[WID-062, ERR-022] rejects %j', (text) => {
    expect(() => parseDateTime(text)).toThrow(new DateError('Invalid date string format'));
  });

  it('formats what it parsed, to the microsecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800_000_000 }), (instant) => {
        expect(parseDateTime(formatMicroseconds(instant))).toBe(instant);
        expect(parseDateTime(formatDateTime(instant))).toBe(instant - (instant % 1_000_000));
      }),
    );
  });
});

describe('parsing any date input', () => {
  it('parses text, milliseconds and Dates to the same instant', () => {
    expect(['2026-11-20 10:11:12', at / 1000, new Date(at / 1000)].map(readDate)).toEqual([at, at, at]);
  });

  it.each([null, undefined, {}, [], true, Number.NaN, Number.POSITIVE_INFINITY, new Date('never'), () => 0])(
    "[ERR-021, AMB-221] calls %o 'Invalid date input'",
    (input) => {
      expect(() => readDate(input)).toThrow(new DateError('Invalid date input'));
    },
  );

  it("[ERR-022] rejects text in any other format with 'Invalid date string format'", () => {
    expect(() => readDate('yesterday')).toThrow(new DateError('Invalid date string format'));
  });
});

describe('parsing dates in a given format', () => {
  it.each([
    ['20.11.2026 10:11:12', 'DD.MM.YYYY HH:mm:ss', at],
    ['2026-11', 'YYYY-MM', Date.UTC(2026, 10, 1) * 1000],
    ['(20/11/2026)', '(DD/MM/YYYY)', Date.UTC(2026, 10, 20) * 1000],
  ])('reads %s as %s', (text, format, expected) => {
    expect(parseDateAs(text, format)).toBe(expected);
  });

  it.each([
    ['2026-11-20', 'DD.MM.YYYY'],
    ['31.02.2026', 'DD.MM.YYYY'],
    ['20.11.26', 'DD.MM.YYYY'],
    ['20x11x2026', 'DD.MM.YYYY'],
    [' 20.11.2026', 'DD.MM.YYYY'],
    ['', 'DD.MM.YYYY'],
  ])('[ERR-023] names the format that %j does not match: %s', (text, format) => {
    expect(() => parseDateAs(text, format)).toThrow(new DateError(`Date string does not match the format: ${format}`));
  });
});

describe('dates that people read', () => {
  it('[SHELL-066] are day.month.year in the offset, and in mails with the zone', () => {
    expect(displayDay('2026-11-02')).toBe('02.11.2026');
    expect(displayTime(parseDateTime('2026-11-20 22:11:12.345678'), '+02:30')).toBe('21.11.2026 00:41:12.345678');
    expect(displayUtc(new Date('2026-11-20T22:11:59Z'))).toBe('20.11.2026 22:11 UTC');
  });
});

describe('days in the server offset', () => {
  it('starts a day at midnight of the offset', () => {
    expect(formatDateTime(dayRange('2026-11-20', '+05:45').from)).toBe('2026-11-19 18:15:00');
    expect(formatDateTime(dayRange('2026-11-20', '-03:00').until)).toBe('2026-11-21 03:00:00');
  });

  it('assigns every instant to exactly the day whose range contains it', () => {
    const offsets = fc.constantFrom('+00:00', '+02:00', '-11:00', '+14:00', '+05:45', '-03:30');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000_000_000 }), offsets, (instant, offset) => {
        const { from, until } = dayRange(dayOf(instant, offset), offset);
        expect(from <= instant && instant < until).toBe(true);
      }),
    );
  });

  it('parses offsets and nothing else', () => {
    expect(['+02:00', '-0330', '+05', 'Z', '+15:00', '2:00', ''].map(offsetMinutes)).toEqual([120, -210, 300, 0, null, null, null]);
  });
});
