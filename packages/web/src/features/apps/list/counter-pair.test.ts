import { expect, it } from 'vitest';
import { counterSentence } from './counter-pair.tsx';

it('[APPS-022] reads a counter with its ratio', () => {
  expect(counterSentence({ all: 10, success: 9 })).toBe('10 in all, 9 successful (90%)');
  expect(counterSentence({ all: 0, success: 0 })).toBe('None');
});
