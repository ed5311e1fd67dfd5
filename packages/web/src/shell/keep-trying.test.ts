import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { keepTrying } from './keep-trying.ts';

describe('keepTrying', () => {
  it('[R3] tries after 1, 2 and 3 seconds and then every 3, whether attempts fail or not, until it is stopped', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const began = Date.now();
    const at: number[] = [];
    const stop = keepTrying(async () => {
      at.push(Date.now() - began);
      if (at.length < 4) throw new Error('Still away');
    });
    await vi.advanceTimersByTimeAsync(13_000);
    stop();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(at).toEqual([1_000, 3_000, 6_000, 9_000, 12_000]);
  });
});
