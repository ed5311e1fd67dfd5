import { describe, expect, it } from 'vitest';
import { soon } from '../../test/soon.ts';
import { coalesce } from './coalesce.ts';

/** Batches that end when the test says so. */
function heldBatches() {
  const batches: { keys: readonly number[]; end: (error?: Error) => void }[] = [];
  const lookUp = coalesce(async (keys: readonly number[]) => {
    const gate = Promise.withResolvers<void>();
    batches.push({ keys, end: (error) => (error === undefined ? gate.resolve() : gate.reject(error)) });
    await gate.promise;
    return keys.length;
  });
  /** The batch of this number, once it has begun. */
  const whenBegun = async (number: number) => {
    await expect.poll(() => batches.length, soon).toBe(number);
    return batches[number - 1];
  };
  return { lookUp, whenBegun };
}

describe('coalesced lookups', () => {
  it('[R4] run one batch at a time, and one for all callers that arrive meanwhile', async () => {
    const { lookUp, whenBegun } = heldBatches();
    const first = lookUp(1);
    const one = await whenBegun(1);
    const others = Promise.all(Array.from({ length: 100 }, (_, index) => lookUp(index + 2)));
    expect(one?.keys).toEqual([1]);
    one?.end();
    expect(await first).toBe(1);
    const two = await whenBegun(2);
    expect(two?.keys).toHaveLength(100);
    two?.end();
    expect(new Set(await others)).toEqual(new Set([100]));
  });

  it('[R4] share a failure, which does not reach later callers', async () => {
    const { lookUp, whenBegun } = heldBatches();
    const first = lookUp(1);
    const one = await whenBegun(1);
    const second = lookUp(2);
    one?.end(new Error('away'));
    await expect(first).rejects.toThrow('away');
    const two = await whenBegun(2);
    expect(two?.keys).toEqual([2]);
    two?.end();
    expect(await second).toBe(1);
    const third = lookUp(3);
    (await whenBegun(3))?.end();
    expect(await third).toBe(1);
  });
});
