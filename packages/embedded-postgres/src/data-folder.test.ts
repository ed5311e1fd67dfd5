import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { StartupError } from './startup-error.ts';
import { lockDataDir } from './data-folder.ts';

let folder = '';
const lock = (): string => join(folder, 'switchyard.lock');
/** State and start time of a process, from /proc. */
const fieldsOf = (pid: number): string[] => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The number of a process whose parent lives on without ever collecting it. */
async function startUncollected(): Promise<number> {
  const shell = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void shell.kill('SIGKILL'));
  const [line] = await once(shell.stdout, 'data');
  // Only once it has turned into `sleep` the shell asks for nobody any more.
  await expect.poll(() => readFileSync(`/proc/${shell.pid}/comm`, 'utf8')).toBe('sleep\n');
  return Number(String(line));
}

describe('the data folder', () => {
  it('is held by one process and freed by it', async () => {
    const free = await lockDataDir(folder);
    await expect(lockDataDir(folder)).rejects.toThrow(StartupError);
    await free();
    expect(existsSync(lock())).toBe(false);
    await (
      await lockDataDir(folder)
    )();
  });

  it('stays with another process as long as that runs', async () => {
    const pid = await startUncollected();
    writeFileSync(lock(), JSON.stringify({ pid, startedAt: fieldsOf(pid)[19] }));
    onTestFinished(() => void process.kill(pid));
    await expect(lockDataDir(folder)).rejects.toThrow(`in use by another Switchyard (process ${pid};`);
  });

  const unseen = 'in use by another Switchyard (its process cannot be seen from here;';

  it('stays with a process that cannot be seen, as in another container', async () => {
    onTestFinished(await lockDataDir(folder));
    // The mark of another container, seen from here: its number is nobody's, or that of another process.
    writeFileSync(lock(), JSON.stringify({ pid: process.pid, startedAt: '1' }));
    await expect(lockDataDir(folder)).rejects.toThrow(unseen);
  });

  it('stays locked though its mark was removed and the path is too long for a socket, and a rejected start leaves nothing', async () => {
    const deep = join(folder, 'deep '.repeat(40).trim());
    mkdirSync(deep);
    onTestFinished(await lockDataDir(deep));
    rmSync(join(deep, 'switchyard.lock'));
    await expect(lockDataDir(deep)).rejects.toThrow(unseen);
    expect(readdirSync(deep)).toHaveLength(1);
  });

  it('[R1] is free at once when its process was killed, whose sign of life is dead with it', async () => {
    const code = `import('${new URL('data-folder.ts', import.meta.url).href}').then(async ({ lockDataDir }) => {
      await lockDataDir(process.argv[1]);
      process.stdout.write('taken');
      setInterval(() => undefined, 1000);
    });`;
    const holder = spawn(process.execPath, ['-e', code, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void holder.kill('SIGKILL'));
    await once(holder.stdout, 'data');
    expect(readdirSync(folder)).toHaveLength(2);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    expect(readdirSync(folder)).toHaveLength(2);
    await (
      await lockDataDir(folder)
    )();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is taken over from a killed process that nobody has collected yet', async () => {
    const pid = await startUncollected();
    process.kill(pid);
    await expect.poll(() => fieldsOf(pid)[0]).toBe('Z');
    writeFileSync(lock(), JSON.stringify({ pid, startedAt: fieldsOf(pid)[19] }));
    await (
      await lockDataDir(folder)
    )();
  });

  it.each([
    ['a later process has the number', JSON.stringify({ pid: process.pid, startedAt: '1' })],
    ['its writer was killed half-way', '{"pid": 12'],
    ['it is empty', ''],
  ])('is taken over when its mark is stale: %s', async (_why, text) => {
    writeFileSync(lock(), text);
    await (
      await lockDataDir(folder)
    )();
    expect(existsSync(lock())).toBe(false);
  });
});
