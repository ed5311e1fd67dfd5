import { expect, it } from 'vitest';
import { timeSpans } from './time-spans.ts';

it('[CONST-008, CONST-015, CONST-016, CONST-017] widgets keep the time spans of the specification', () => {
  expect(timeSpans).toEqual({ notification: 20_000, tooltip: 3_000, copyIcon: 300, copyBox: 1_500 });
});
