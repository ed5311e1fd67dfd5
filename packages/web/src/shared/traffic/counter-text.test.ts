import { describe, expect, it } from 'vitest';
import { counterSentence, groupedNumber } from './counter-text.ts';

describe('figures', () => {
  it('groups digits', () => {
    expect(groupedNumber(1_234_567).replaceAll(/\D/g, '')).toBe('1234567');
    expect(groupedNumber(1_234_567)).not.toBe('1234567');
  });

  it('[APPS-022] reads a counter with its ratio', () => {
    expect(counterSentence({ all: 10, success: 9 })).toBe('10 in all, 9 successful (90%)');
    expect(counterSentence({ all: 0, success: 0 })).toBe('None');
  });
});
