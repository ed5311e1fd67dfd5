import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ConsoleProcesses, consoleProcesses, endOf } from '../../packages/api/test/console-process.ts';
import { soon } from '../../packages/api/test/soon.ts';
import { follow, handInOneByOne, type Target } from '../console/clients.ts';
import {
  createApp,
  missingFrom,
  nothingMissing,
  send,
  startAgain,
  startConsole,
  startWriting,
  tell,
} from '../console/console-under-load.ts';

/** How often each process is killed; FAULT_ROUNDS=50 is what a night has time for. */
const rounds = Number(process.env['FAULT_ROUNDS'] ?? 5);
let consoles: ConsoleProcesses;

beforeEach(() => {
  consoles = consoleProcesses();
});
afterEach(() => consoles.cleanUp());

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

/** Follows an app live while its events are handed in. `expectAll` ends both: each acknowledged event came once. */
async function startFollowing(target: Target): Promise<{ expectAll: () => Promise<void> }> {
  const form = { name: 'Followed', bundle: 'com.fault.followed', domain: 'fault-followed.example', vertical: 'bet' };
  const { id } = JSON.parse((await send(target.url, 'apps', target.staff, form)).text).data;
  const stream = follow(target, id);
  await vi.waitFor(() => expect(stream.connections).toBe(1), soon);
  const writing = handInOneByOne(target, id);
  return {
    async expectAll() {
      await writing.stop();
      await vi.waitFor(() => expect(stream.uuids.toSorted()).toEqual(writing.storedIds.toSorted()), soon);
      await stream.stop();
      expect(stream.gaps).toBe(0);
      tell(`${writing.storedIds.length} events followed over ${stream.connections} connections`);
    },
  };
}

describe('nothing that was acknowledged is lost', () => {
  it('[R1] when the API is killed under write load, again and again', async () => {
    const target = await startConsole(consoles);
    const writing = startWriting(target, { writers: 16, appId: await createApp(target) });
    const following = await startFollowing(target);
    const starts: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const before = writing.writtenRows.events.length;
      // Only kills in the midst of writes prove anything.
      await vi.waitFor(() => expect(writing.writtenRows.events.length).toBeGreaterThan(before), { timeout: 30_000, interval: 20 });
      await wait(randomInt(200, 1500));
      await endOf(target.process.child, 'SIGKILL');
      target.process = await startAgain(consoles, target);
      starts.push(target.process.milliseconds);
    }
    await writing.stop();
    await following.expectAll();
    const { apps, events, strange } = writing.writtenRows;
    tell(
      `${rounds} kills, ${apps.length} apps and ${events.length} events acknowledged, ready again in ${Math.round(median(starts))} ms (median)`,
    );
    expect(strange).toEqual([]);
    expect(apps.length).toBeGreaterThan(rounds);
    expect(await missingFrom(consoles.databaseUrl(), writing.writtenRows)).toEqual(nothingMissing);
  });

  it('[R2] when PostgreSQL is killed under write load; the API lives on and finds it again', async () => {
    const target = await startConsole(consoles);
    const writing = startWriting(target, { writers: 16, appId: await createApp(target) });
    const following = await startFollowing(target);
    const api = target.process.child.pid;
    const backs: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const before = writing.writtenRows.events.length;
      await vi.waitFor(() => expect(writing.writtenRows.events.length).toBeGreaterThan(before), { timeout: 30_000, interval: 20 });
      await wait(randomInt(200, 1500));
      const postmaster = consoles.postmaster();
      process.kill(postmaster, 'SIGKILL');
      const killed = performance.now();
      await vi.waitFor(
        async () => {
          expect(consoles.postmaster()).not.toBe(postmaster);
          expect((await send(target.url, 'time', target.staff)).status).toBe(200);
        },
        { timeout: 30_000, interval: 20 },
      );
      backs.push(performance.now() - killed);
    }
    await writing.stop();
    await following.expectAll();
    const { apps, events, strange } = writing.writtenRows;
    tell(
      `${rounds} kills, ${apps.length} apps and ${events.length} events acknowledged, answers again after ${Math.round(median(backs))} ms (median)`,
    );
    expect(strange).toEqual([]);
    expect(target.process.child.pid).toBe(api);
    expect(target.process.child.exitCode).toBeNull();
    expect(await missingFrom(consoles.databaseUrl(), writing.writtenRows)).toEqual(nothingMissing);
  });
});
