import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withOpenFile } from './open-log.ts';
import { listLogDays, openRaw, openRawDay } from './log-folder.ts';
import { createUnpackedLogs } from './unpacked-logs.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'switchyard-log-folder-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** A link to a secret, a FIFO and a folder, each named as the log of a day. */
function makeTraps(): string[] {
  const [link, fifo, folder] = ['2026-01-01', '2026-01-02', '2026-01-03'].map((day) => join(dir, `${day}.log`));
  if (link === undefined || fifo === undefined || folder === undefined) throw new Error('three days were named');
  writeFileSync(join(dir, 'secret'), 'secret');
  symlinkSync(join(dir, 'secret'), link);
  execFileSync('mkfifo', [fifo]);
  mkdirSync(folder);
  return [link, fifo, folder];
}

// Two layers, each proven by itself: what is no file is no entry of the listing, and what becomes a link after it was listed is not followed.
describe('links, FIFOs and folders (S25)', () => {
  it('[S25] are no days of the listing', async () => {
    makeTraps();
    writeFileSync(join(dir, '2026-01-04.log'), 'a day');
    expect((await listLogDays(dir)).map(({ date }) => date)).toEqual(['2026-01-04']);
  });

  it('[S25] are neither opened nor waited for where they took the place of a listed file', async () => {
    for (const path of makeTraps()) {
      expect([path, await openRaw({ path }, { signal: new AbortController().signal, hider: null })]).toEqual([path, null]);
      expect([path, withOpenFile(path, createUnpackedLogs(), () => 'read')]).toEqual([path, undefined]);
    }
  });
});

it('[LOG-034] the raw day of several files has no two entries on one line, and nothing more between files that end with one', async () => {
  for (const [name, content] of [
    ['a-2026-01-04.log', 'first of a\nlast of a'],
    ['b-2026-01-04.log', ''],
    ['c-2026-01-04.log', 'only of c\n'],
    ['d-2026-01-04.log', 'first of d\n'],
  ] as const)
    writeFileSync(join(dir, name), content);
  const [day] = await listLogDays(dir);
  const body = day && (await openRawDay(day, { signal: new AbortController().signal, hider: null }));
  expect(body && (await text(body))).toBe('first of a\nlast of a\nonly of c\nfirst of d\n');
});
