import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ConsoleProcesses, consoleProcesses, endOf } from '../../packages/api/test/console-process.ts';
import {
  createApp,
  handInMany,
  missingFrom,
  nothingMissing,
  send,
  startAgain,
  startConsole,
  startWriting,
  tell,
} from '../console/console-under-load.ts';

let consoles: ConsoleProcesses;

beforeEach(() => {
  consoles = consoleProcesses();
});
afterEach(() => consoles.cleanUp());

/** How often each status was answered to one probe after the other until something is over; no answer counts as 0. */
async function probeUntil(url: string, over: Promise<unknown>): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  const state = { isOver: false };
  void over.finally(() => {
    state.isOver = true;
  });
  while (!state.isOver) {
    const status = await send(url, '/readyz', {}).then(
      (answer) => answer.status,
      () => 0,
    );
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

describe('the process is signalled to stop', () => {
  it('[R5] in the midst of writes: none under way fails, none is half done, and it ends with 0', async () => {
    const target = await startConsole(consoles);
    const writing = startWriting(target, { writers: 16, appId: await createApp(target) });
    await vi.waitFor(() => expect(writing.writtenRows.events.length).toBeGreaterThan(500), { timeout: 30_000, interval: 20 });
    target.process.child.kill('SIGTERM');
    const ending = endOf(target.process.child);
    const probes = await probeUntil(target.url, ending);
    expect(await ending).toBe(0);
    tell(`probes after the signal: ${JSON.stringify(probes)}`);
    expect(probes[503]).toBeGreaterThan(0);
    // Those that were under way at the signal, and hardly more.
    expect(probes[200] ?? 0).toBeLessThan(5);
    target.process = await startAgain(consoles, target);
    await writing.stop();
    tell(`${writing.writtenRows.apps.length} apps and ${writing.writtenRows.events.length} events acknowledged`);
    expect(writing.writtenRows.strange).toEqual([]);
    expect(await missingFrom(consoles.databaseUrl(), writing.writtenRows)).toEqual(nothingMissing);
  });

  it('[R5] in the midst of a download: one that is read is finished whole; a stalled one is cut, never ended', async () => {
    const target = await startConsole(consoles);
    const appId = await createApp(target);
    await handInMany(target, { appId, rows: 60_000 });
    const path = `/api/apps/${appId}/postbacks/download`;
    const answer = await fetch(`${target.url}${path}`, { headers: target.staff });
    const { port } = new URL(target.url);
    // Pauses after its head. The last bytes show how it ended.
    const still = connect(Number(port), '127.0.0.1');
    still.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${target.staff['authorization']}\r\n\r\n`);
    const receivedChunks: Buffer[] = [];
    await new Promise<void>((resolve) => {
      still.once('data', (chunk: Buffer) => {
        receivedChunks.push(chunk);
        still.pause();
        resolve();
      });
    });
    const closing = new Promise<void>((resolve) => {
      still.on('error', () => undefined).on('close', () => resolve());
    });
    target.process.child.kill('SIGTERM');
    const began = performance.now();
    expect((await answer.text()).trimEnd().split('\n')).toHaveLength(60_001);
    expect(await endOf(target.process.child)).toBe(0);
    tell(`ended ${((performance.now() - began) / 1000).toFixed(1)} s after the signal`);
    expect(performance.now() - began).toBeLessThan(40_000);
    still.on('data', (chunk: Buffer) => receivedChunks.push(chunk));
    still.resume();
    await closing;
    const text = Buffer.concat(receivedChunks).toString('latin1');
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(text.endsWith('0\r\n\r\n')).toBe(false);
  });
});
