import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSteadyClock } from './steady-clock.ts';

it('[DASH-005] a steady clock passes as the clock does while that goes on, and stands while it is set back', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -100_000, max: 100_000 })), (steps) => {
      let at = Date.parse('2026-11-20T12:00:00Z');
      const clock = createSteadyClock(() => new Date(at));
      const beginning = clock();
      expect(beginning).toBeGreaterThan(0);
      for (const step of steps) {
        const before = clock();
        at += step;
        expect(clock() - before).toBe(Math.max(0, step));
      }
      expect(clock() - beginning).toBe(steps.reduce((sum, step) => sum + Math.max(0, step), 0));
    }),
  );
});
