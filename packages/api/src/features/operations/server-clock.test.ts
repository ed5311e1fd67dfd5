import { describe, expect, it } from 'vitest';
import { serverTimeAt } from './create-operations.ts';

const now = new Date('2026-11-20T11:45:59.999Z');

describe('server time (api [9])', () => {
  it.each([
    ['+00:00', '2026-11-20 11:45', 'UTC'],
    ['+02:00', '2026-11-20 13:45', 'UTC+02:00'],
    ['+05:45', '2026-11-20 17:30', 'UTC+05:45'],
    ['+14:00', '2026-11-21 01:45', 'UTC+14:00'],
    ['-12:00', '2026-11-19 23:45', 'UTC-12:00'],
    ['-03:30', '2026-11-20 08:15', 'UTC-03:30'],
  ])('[API-010] in offset %s it is %s', (offset, time, timezone) => {
    expect(serverTimeAt(now, offset)).toEqual({ time, timezone, GMT: offset });
  });
});
