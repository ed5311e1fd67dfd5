import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type ConsoleProcesses, consoleProcesses, endOf, runProgram } from '../../packages/api/test/console-process.ts';
import {
  createApp,
  type LoadedConsole,
  missingFrom,
  nothingMissing,
  send,
  startAgain,
  startConsole,
  startWriting,
  tell,
} from '../console/console-under-load.ts';
import { makeDisk, type SmallDisk, whyNoDisk } from './small-disk.ts';

let consoles: ConsoleProcesses;
const disks: SmallDisk[] = [];

beforeEach((context) => {
  const reason = whyNoDisk();
  if (reason !== null) context.skip(reason);
  consoles = consoleProcesses();
  return async () => {
    await consoles.cleanUp();
    for (const disk of disks.splice(0)) disk.remove();
  };
});

function smallDisk(megabytes: number): SmallDisk {
  const disk = makeDisk(megabytes);
  disks.push(disk);
  return disk;
}

const writeApp = (target: LoadedConsole, at: string) =>
  send(target.url, 'apps', target.staff, { name: `Full ${at}`, bundle: `com.full.${at}`, domain: `${at}.full.example`, vertical: 'bet' });

/** Counts of equal answers. */
function tally(answers: readonly { status: number; text: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, text } of answers) {
    const name = status === 503 ? `503 ${String(JSON.parse(text).message)}` : String(status);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** Lines of all files of a folder of logs. */
function linesOf(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
}

describe('the disk is full', () => {
  it('[R15] of the data: writes are rejected with the reason, reads go on, no acknowledged write is lost, and it recovers alone', async () => {
    const small = smallDisk(320);
    symlinkSync(small.folder, join(consoles.folder, 'data'));
    const target = await startConsole(consoles);
    const appId = await createApp(target);
    const { writtenRows, stop } = startWriting(target, { writers: 6, appId });
    await vi.waitFor(() => expect(Math.min(writtenRows.apps.length, writtenRows.events.length)).toBeGreaterThan(5), { timeout: 30_000 });
    const filling = setInterval(small.fill, 50);
    try {
      small.fill();
      // PostgreSQL restarts if it can no longer write its own log. That takes a moment.
      await vi.waitFor(async () => expect((await writeApp(target, `${Date.now()}`)).text).toContain('Storage is full'), {
        timeout: 60_000,
        interval: 100,
      });
      const writes = [];
      const reads = [];
      for (let round = 0; round < 60; round += 1) {
        writes.push(await writeApp(target, `round${round}`));
        reads.push(await send(target.url, 'apps', target.staff));
        await wait(50);
      }
      const live = await send(target.url, '/livez', {});
      tell(`writes ${JSON.stringify(tally(writes))}, reads ${JSON.stringify(tally(reads))}`);
      expect(live.status).toBe(200);
      // A row may still fit in a page, and PostgreSQL may restart once more.
      expect(Object.keys({ ...tally(writes), ...tally(reads) }).toSorted()).toEqual(expect.arrayContaining(['200', '503 Storage is full']));
      for (const { status } of writes) expect([201, 503]).toContain(status);
      for (const { status } of reads) expect([200, 503]).toContain(status);
      expect(tally(reads)['200']).toBeGreaterThan(40);
      expect(tally(writes)['503 Storage is full']).toBeGreaterThan(20);
    } finally {
      clearInterval(filling);
    }
    small.free();
    const began = performance.now();
    await vi.waitFor(async () => expect((await writeApp(target, `after${Date.now()}`)).status).toBe(201), {
      timeout: 15_000,
      interval: 20,
    });
    tell(`writes again ${Math.round(performance.now() - began)} ms after there was room`);
    await stop();
    expect(writtenRows.strange).toEqual([]);
    expect(await missingFrom(consoles.databaseUrl(), writtenRows)).toEqual(nothingMissing);
    expect(target.process.child.exitCode).toBeNull();
    tell(`${writtenRows.apps.length} apps and ${writtenRows.events.length} events were acknowledged, 0 lost`);
  });

  it('[R15] while the console ends and starts: it says so, and starts when there is room, with everything', async () => {
    const small = smallDisk(320);
    symlinkSync(small.folder, join(consoles.folder, 'data'));
    const target = await startConsole(consoles);
    const appId = await createApp(target);
    const { writtenRows, stop } = startWriting(target, { writers: 4, appId });
    await vi.waitFor(() => expect(Math.min(writtenRows.apps.length, writtenRows.events.length)).toBeGreaterThan(5), { timeout: 30_000 });
    await stop();
    small.fill();
    tell(`ends with ${String(await endOf(target.process.child, 'SIGTERM'))}`);
    small.fill();
    const refusedConsole = consoles.launch({ ADMIN_PASSWORD: 'Fault-Tests-0nly' });
    const closing = once(refusedConsole.child, 'close');
    expect(await endOf(refusedConsole.child)).toBe(1);
    await closing;
    expect(refusedConsole.output()).toMatch(/^[^\n]*the disk is full\)\n$/);
    small.free();
    await startAgain(consoles, target);
    expect(await missingFrom(consoles.databaseUrl(), writtenRows)).toEqual(nothingMissing);
  });

  it('[R15] where the logs lie: that is said once, the console works on, and its log goes on whole when there is room', async () => {
    const small = smallDisk(1);
    const logs = join(small.folder, 'logs');
    const target = await startConsole(consoles, { LOG_DIR: logs });
    const breakDatabase = async (): Promise<void> => {
      const postmaster = consoles.postmaster();
      process.kill(postmaster, 'SIGQUIT');
      await vi.waitFor(
        async () => {
          expect(consoles.postmaster()).not.toBe(postmaster);
          expect((await send(target.url, 'time', target.staff)).status).toBe(200);
        },
        { timeout: 15_000, interval: 20 },
      );
    };
    small.fill();
    for (let time = 0; time < 2; time += 1) await breakDatabase();
    expect((await writeApp(target, 'unlogged')).status).toBe(201);
    expect(target.process.output().match(/Log in .*: cannot write \(ENOSPC/g)).toHaveLength(1);
    small.free();
    const roomSince = new Date().toISOString();
    await breakDatabase();
    const messages = linesOf(logs).flatMap((line) => {
      try {
        return z.object({ time: z.string(), msg: z.string() }).parse(JSON.parse(line));
      } catch {
        // Empty, or the one that met the end of the disk.
        return [];
      }
    });
    const later = messages.filter(({ time }) => time >= roomSince).map(({ msg }) => msg);
    expect(later).toEqual(
      expect.arrayContaining([expect.stringContaining('Embedded PostgreSQL: ended unexpectedly'), 'Embedded PostgreSQL: recovered']),
    );
  });

  it('[R15] where the index of logs lies: large logs are shown all the same', async () => {
    const small = smallDisk(1);
    mkdirSync(join(consoles.folder, 'data'), { mode: 0o711 });
    symlinkSync(small.folder, join(consoles.folder, 'data/log-index'));
    const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const logs = join(consoles.folder, 'logs');
    mkdirSync(logs);
    const line = `${JSON.stringify({ level: 'info', time: `${day}T10:00:00.000Z`, msg: 'x'.repeat(400) })}\n`;
    const count = Math.ceil(2 ** 24 / line.length) + 1;
    writeFileSync(join(logs, `console-${day}.log`), line.repeat(count));
    small.fill();
    const target = await startConsole(consoles, { LOG_DIR: logs });
    const page = await vi.waitFor(
      async () => {
        const answer = await send(target.url, `log-viewer/logs/${day}`, target.staff);
        expect([answer.status, answer.text]).toEqual([200, expect.stringContaining(`"total":${count}`)]);
        return answer;
      },
      { timeout: 30_000, interval: 100 },
    );
    tell(`a log of ${count} entries is shown in ${Math.round(page.milliseconds)} ms without an index on disk`);
    expect(readdirSync(small.folder).filter((name) => name.endsWith('.json'))).toEqual([]);
  });

  it('[OPS-032] of the settings: init leaves no part of a file, and writes it when there is room', async () => {
    const small = smallDisk(1);
    small.fill();
    const flags = ['init', '--file', join(small.folder, 'switchyard.env'), '--app-url', 'http://localhost:3000'];
    const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: join(consoles.folder, 'data') };
    const full = await runProgram(flags, { env });
    expect(full).toMatchObject({ code: 1, stderr: expect.stringMatching(/switchyard\.env: cannot be written \(the disk is full\)\n$/) });
    small.free();
    expect(await runProgram(flags, { env })).toMatchObject({ code: 0 });
  });

  it('[R15] of a backup: the problem is reported, no partial file is left, and stored data is untouched', async () => {
    const target = await startConsole(consoles);
    await createApp(target);
    await endOf(target.process.child, 'SIGTERM');
    const small = smallDisk(1);
    const file = join(small.folder, 'x.backup');
    const program = join(import.meta.dirname, '../../packages/api/bin/switchyard');
    const backup = spawn(program, ['backup', file], {
      env: { PATH: process.env['PATH'] ?? '', DATA_DIR: join(consoles.folder, 'data') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let outputText = '';
    for (const stream of [backup.stdout, backup.stderr]) stream.on('data', (chunk: Buffer) => void (outputText += chunk.toString()));
    await once(backup, 'close');
    tell(`the backup says: ${outputText.trim()}`);
    expect([backup.exitCode, outputText]).toEqual([1, expect.stringContaining('No space left on device')]);
    expect(readdirSync(small.folder)).toEqual([]);
    await startAgain(consoles, target);
    expect((await send(target.url, 'apps', target.staff)).text).toContain('App of faults');
  });
});
