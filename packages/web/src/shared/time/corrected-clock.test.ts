import { describe, expect, it } from 'vitest';
import { createCorrectedClock } from './corrected-clock.ts';

const day = 86_400_000;
const noon = Date.parse('2026-11-20T12:00:00Z');

describe('corrected clock', () => {
  for (const [what, off] of [
    ['ahead', day],
    ['behind', -day],
  ] as const) {
    it(`[AUTH-028] follows the server when the device is a day ${what}`, () => {
      let device = noon + off;
      const clock = createCorrectedClock(() => new Date(device));
      expect(clock.now().getTime()).toBe(device);
      clock.observe('Fri, 20 Nov 2026 12:00:00 GMT');
      expect(clock.now().getTime()).toBe(noon);
      device += 5_000;
      expect(clock.now().getTime()).toBe(noon + 5_000);
    });
  }

  it('[AUTH-028] leaves a good clock alone and forgets a correction that is no longer needed', () => {
    let device = noon + day;
    const clock = createCorrectedClock(() => new Date(device));
    clock.observe('Fri, 20 Nov 2026 12:00:00 GMT');
    device = noon + 900_000;
    clock.observe('Fri, 20 Nov 2026 12:00:00 GMT');
    expect(clock.now().getTime()).toBe(device);
  });

  it('[SHELL-083] gives the time of the server also where the difference makes none to a session', () => {
    const clock = createCorrectedClock(() => new Date(noon - 840_000));
    clock.observe('Fri, 20 Nov 2026 12:00:00 GMT');
    expect([clock.now().getTime(), clock.serverNow().getTime()]).toEqual([noon - 840_000, noon]);
  });

  it('[AUTH-028] ignores what is no date', () => {
    const clock = createCorrectedClock(() => new Date(noon));
    for (const header of [null, '', 'soon']) clock.observe(header);
    expect(clock.now().getTime()).toBe(noon);
  });
});
