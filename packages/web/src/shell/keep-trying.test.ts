import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { keepTrying } from './keep-trying.ts';

describe('keepTrying', () => {
  it('[R3] tries after 1, 2 and 4 seconds and then every 4, whether attempts fail or not, until it is stopped', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const began = Date.now();
    const at: number[] = [];
    const stop = keepTrying(async () => {
      at.push(Date.now() - began);
      if (at.length < 4) throw new Error('Still away');
    });
    await vi.advanceTimersByTimeAsync(16_000);
    stop();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(at).toEqual([1_000, 3_000, 7_000, 11_000, 15_000]);
  });
});
