import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openBreakableProxy, type BreakableProxy } from '../../test/breakable-proxy.ts';
import { soon } from '../../test/soon.ts';
import { createTestDatabase, timeoutFactor } from '../../test/test-database.ts';
import { createAdmission } from '../http/admission.ts';
import type { Release } from '../overload/limiter.ts';
import { openDatabases, type Databases } from './connect.ts';

let proxy: BreakableProxy;
let one: Databases;
let other: Databases;
let url = '';

beforeAll(async () => {
  ({ url } = await createTestDatabase());
  proxy = await openBreakableProxy(Number(new URL(url).port));
  const brokenUrl = new URL(url);
  brokenUrl.host = `127.0.0.1:${proxy.port}`;
  one = openDatabases({ url: brokenUrl.href, onError: () => undefined });
  other = openDatabases({ url, onError: () => undefined, timeoutFactor });
});

afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
  await proxy.close();
});

const take = async (process: Databases, owner: number): Promise<Release | null> => process.takeSharedSlot('batches', { slots: 2, owner });

/** Whether a process gets no slot. A slot that it gets is released. */
async function isFull(process: Databases, owner: number): Promise<boolean> {
  const release = await take(process, owner);
  release?.();
  return release === null;
}

describe('slots of all processes', () => {
  it('[API-083, API-084] are counted over processes, for each owner by itself, and are free again when released', async () => {
    const releases = await Promise.all([take(one, 1), take(other, 1), take(one, 1), take(other, 1)]);
    expect(releases.filter((release) => release !== null)).toHaveLength(2);
    expect(await take(one, 2)).not.toBeNull();
    for (const release of releases) {
      release?.();
      // A second call frees nobody else's slot.
      release?.();
    }
    await vi.waitFor(async () => {
      const again = await Promise.all([take(other, 1), take(other, 1), take(other, 1)]);
      for (const release of again) release?.();
      expect(again.map((release) => release === null)).toEqual([false, false, true]);
    }, soon);
  });

  it('[API-084] of downloads go in turn to processes in which downloads wait', async () => {
    const [busy, idle] = [one, other].map(
      (process) => createAdmission({ slots: { take: process.takeSharedSlot, openStream: process.openStream } }).downloads,
    );
    const order: string[] = [];
    const enter = async (limiter: typeof busy, name: string): Promise<Release> => {
      const release = await limiter?.acquire(name);
      order.push(name);
      return release ?? (() => undefined);
    };
    const running = await Promise.all(['1', '2', '3'].map(async (name) => enter(busy, name)));
    const queuedCalls = ['4', '5', '6'].map(async (name) => enter(busy, name));
    const elsewhere = enter(idle, 'elsewhere');
    await vi.waitFor(async () => expect(busy?.waiting()).toBe(3), soon);
    // Its first check is over when a later call of its process is.
    await isFull(other, 9);
    running[0]?.();
    (await elsewhere)();
    expect(order).toEqual(['1', '2', '3', 'elsewhere']);
    for (const release of running) release();
    for (const waiting of queuedCalls) (await waiting)();
    expect(order).toHaveLength(7);
  });

  it('[API-083] of a process that ends are free at once', async () => {
    const third = openDatabases({ url, onError: () => undefined, timeoutFactor });
    expect([await take(third, 3), await take(third, 3)]).not.toContain(null);
    expect(await take(other, 3)).toBeNull();
    await third.close();
    await vi.waitFor(async () => expect(await take(other, 3)).not.toBeNull(), soon);
  });

  it("[API-083] are the process's own while the database hangs, and everybody's again after that", async () => {
    expect([await take(one, 4), await isFull(other, 4)]).toEqual([expect.any(Function), false]);
    proxy.hang();
    expect([await take(one, 4), await take(one, 4)]).toEqual([expect.any(Function), null]);
    // Nobody knows of the second one, until the database is back and this place is free.
    const third = await take(other, 4);
    expect(third).not.toBeNull();
    proxy.resume();
    third?.();
    await vi.waitFor(async () => expect(await isFull(other, 4)).toBe(true), soon);
  });

  it('[API-083] are taken again by the next connection', async () => {
    const heldSlots = [await take(one, 5), await take(one, 5)];
    await vi.waitFor(async () => expect(await isFull(other, 5)).toBe(true), soon);
    proxy.cut();
    await vi.waitFor(async () => expect(await isFull(other, 5)).toBe(true), soon);
    heldSlots[0]?.();
    await vi.waitFor(async () => expect(await isFull(other, 5)).toBe(false), soon);
  });
});
