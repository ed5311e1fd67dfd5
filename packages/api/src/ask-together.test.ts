import { describe, expect, it } from 'vitest';
import { soon } from '../test/soon.ts';
import { askTogether } from './ask-together.ts';

/** Looks that end when the test says so. */
function heldLooks() {
  const looks: { asked: readonly number[]; end: (error?: Error) => void }[] = [];
  const ask = askTogether(async (asked: readonly number[]) => {
    const held = Promise.withResolvers<void>();
    looks.push({ asked, end: (error) => (error === undefined ? held.resolve() : held.reject(error)) });
    await held.promise;
    return asked.length;
  });
  /** The look of this number, once it has begun. */
  const begun = async (number: number) => {
    await expect.poll(() => looks.length, soon).toBe(number);
    return looks[number - 1];
  };
  return { ask, begun };
}

describe('many who ask together', () => {
  it('[R4] take one look at a time, and one for all who came during another', async () => {
    const { ask, begun } = heldLooks();
    const first = ask(1);
    const one = await begun(1);
    const others = Promise.all(Array.from({ length: 100 }, (_, index) => ask(index + 2)));
    expect(one?.asked).toEqual([1]);
    one?.end();
    expect(await first).toBe(1);
    const two = await begun(2);
    expect(two?.asked).toHaveLength(100);
    two?.end();
    expect(new Set(await others)).toEqual(new Set([100]));
  });

  it('share a failure, which nobody after them has part in', async () => {
    const { ask, begun } = heldLooks();
    const first = ask(1);
    const one = await begun(1);
    const second = ask(2);
    one?.end(new Error('away'));
    await expect(first).rejects.toThrow('away');
    const two = await begun(2);
    expect(two?.asked).toEqual([2]);
    two?.end();
    expect(await second).toBe(1);
    const third = ask(3);
    (await begun(3))?.end();
    expect(await third).toBe(1);
  });
});
