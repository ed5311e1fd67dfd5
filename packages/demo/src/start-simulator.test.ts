import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startFakeIngestion, type FakeIngestion } from '../test/fake-ingestion.ts';
import { demoFiles } from './demo-files.ts';
import { startSimulator } from './start-simulator.ts';

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** The simulator yields to every other process, so on a busy machine it takes its time. */
const timeoutFactor = { timeout: 100_000, interval: 20 };

describe('the process of the simulator', { timeout: 120_000 }, () => {
  let api: FakeIngestion;
  let dataDir = '';
  beforeEach(async () => {
    api = await startFakeIngestion();
    dataDir = await mkdtemp(join(tmpdir(), 'switchyard-demo-'));
    const servers = [{ name: 'edge-fra-1', token: 'first' }];
    await demoFiles(dataDir).writeInstallation({
      seed: 'test',
      until: Date.now() * 1000,
      days: 1,
      events: 400,
      utcOffset: '+00:00',
      servers,
    });
  });
  afterEach(async () => {
    await api.stop();
    await rm(dataDir, { recursive: true });
  });

  it('[AMB-153] runs the traffic in a process of its own until it is stopped, and reports how much of the past was posted', async () => {
    const lines: string[] = [];
    const shares: (number | null)[] = [];
    const simulator = startSimulator({
      url: api.url,
      dataDir,
      registry: [],
      say: (line) => lines.push(line),
      onPast: (share) => shares.push(share),
    });
    await vi.waitFor(() => expect(lines.join('\n')).toContain('complete'), timeoutFactor);
    expect([shares[0], shares.at(-1)]).toEqual([0, 1]);
    const pid = simulator.pid() ?? 0;
    expect(pid).not.toBe(process.pid);
    expect(isAlive(pid)).toBe(true);
    await simulator.stop();
    expect(isAlive(pid)).toBe(false);
    expect(shares.at(-1)).toBeNull();
    await simulator.stop();
  });

  it('stays down once every token was rejected', async () => {
    api.refusedTokens.add('first');
    const lines: string[] = [];
    const simulator = startSimulator({ url: api.url, dataDir, registry: [], say: (line) => lines.push(line), onPast: () => undefined });
    await vi.waitFor(
      () => expect([simulator.pid(), lines.at(-1)]).toEqual([null, expect.stringContaining('the simulator stops')]),
      timeoutFactor,
    );
    await simulator.stop();
  });

  it('ends with its parent, even when that is killed', async () => {
    const program = join(dataDir, 'parent.mjs');
    const module = fileURLToPath(new URL('start-simulator.ts', import.meta.url));
    await writeFile(
      program,
      `const { startSimulator } = await import(${JSON.stringify(module)});
       const simulator = startSimulator({ url: ${JSON.stringify(api.url)}, dataDir: ${JSON.stringify(dataDir)}, registry: [], say: () => undefined, onPast: () => undefined });
       process.send(simulator.pid());
       setInterval(() => undefined, 1000);`,
    );
    const parent = fork(program, [], { execArgv: [] });
    const [pid]: unknown[] = await once(parent, 'message');
    if (typeof pid !== 'number') throw new Error('no process number');
    await vi.waitFor(() => expect(api.ids.size).toBeGreaterThan(0), timeoutFactor);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), timeoutFactor);
  });
});
