import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { productVersion } from '@switchyard/contract/limits';
import { emptyPort } from '../../test/empty-port.ts';
import { program, runProgram } from '../../test/console-process.ts';
import { runInProcess } from '../../test/run-in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'switchyard-command-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const dataDir = join(folder, 'data');

const commands = [['start'], ['check'], ['backup'], ['restore'], ['events', 'copy'], ['audit', 'verify'], ['asns'], ['simulate']];

describe('switchyard', () => {
  it('[OPS-001] lists its commands', async () => {
    const { code, stdout } = await runProgram(['--help']);
    expect(code).toBe(0);
    for (const [name] of [...commands, ['version']]) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
    // The tests below run commands in their own process.
    expect(await runProgram(['stop'])).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining("unknown command 'stop'") });
  });

  it.each(commands)('[OPS-001] %s %s --help says what it does, which settings it reads and its exit codes', async (...command) => {
    const { code, stdout } = await runInProcess([...command, '--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^Usage: switchyard ${command.join(' ')} `));
    expect(stdout).toMatch(/^Settings: .+\.$/m);
    expect(stdout).toMatch(/^Exit codes: 0 done, 1 a problem .+, 2 an invalid command line\.$/m);
  });

  it('[OPS-002, OPS-006] runs on the Node of the installation, from any folder and by a link', async () => {
    const { bin } = z
      .object({ bin: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync(join(program, '../../package.json'), 'utf8')));
    expect(bin).toEqual({ switchyard: 'bin/switchyard' });
    writeFileSync(join(folder, 'node'), '#!/bin/sh\necho an old Node\n');
    chmodSync(join(folder, 'node'), 0o755);
    symlinkSync(program, join(folder, 'switchyard'));
    const env = { PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` };
    for (const args of [['version'], ['--version']])
      expect(await runProgram(args, { env, cwd: folder, path: join(folder, 'switchyard') })).toEqual({
        code: 0,
        stdout: `${productVersion} (${execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim()})\n`,
        stderr: '',
      });
  });

  it.each([
    [[], 'Usage: switchyard'],
    [['stop'], "error: unknown command 'stop'"],
    [['events'], 'Usage: switchyard events'],
    [['backup'], "error: missing required argument 'file'"],
    [['start', '--port', '1'], "error: unknown option '--port'"],
    [['asns', 'a', 'b'], 'error: too many arguments'],
    [['events', 'copy', '--switch', '--back'], "error: option '--switch' cannot be used with option '--back'"],
    [['simulate'], "error: required option '--rate <n>' not specified"],
    [['simulate', '--rate', '0'], 'It must be a whole number from 1 to 20000.'],
    [['simulate', '--rate', '5', '--for', '1.5'], 'It must be a whole number'],
    [['simulate', '--rate', '5', '--url', 'ftp://console.example'], 'It must be an address such as http://127.0.0.1:3000.'],
  ])('[OPS-003] %j is an error in the command line', async (args, message) => {
    const { code, stdout, stderr } = await runInProcess(args, { env: { DATA_DIR: dataDir } });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  const database = { DATABASE_URL: `postgres://u:p@127.0.0.1:${emptyPort}/x` };
  const elsewhere = ['--url', `http://127.0.0.1:${emptyPort}`];
  it.each([
    [['start'], { PORT: 'x' }, 'PORT: must be a whole number from 0 to 65535 (got "x")'],
    [['backup', 'file'], {}, `DATA_DIR ${dataDir}: contains no database (set DATA_DIR or DATABASE_URL)`],
    [['restore', 'file'], {}, `${folder}/file: cannot be read`],
    [['asns'], database, `Database: cannot connect (connect ECONNREFUSED 127.0.0.1:${emptyPort})`],
    [['audit', 'verify'], database, 'SECRET_KEY: required with DATABASE_URL (it encrypts the stored secrets)'],
    [['events', 'copy'], database, 'EVENT_STORE_URL: missing (it names the ClickHouse to copy to, and with --back from)'],
    [['simulate', '--rate', '5', ...elsewhere], {}, `--token: missing (DATA_DIR ${dataDir} contains no demo whose tokens could be used)`],
    [['check', '--env-file', 'none'], {}, `${folder}/none: cannot be read (ENOENT: no such file or directory, open '${folder}/none')`],
  ])('[OPS-003] %j with %j reports the problem in one line', async (args, env, line) => {
    expect(await runInProcess(args, { env: { DATA_DIR: dataDir, ...env }, cwd: folder })).toEqual({
      code: 1,
      stdout: '',
      stderr: `${line}\n`,
    });
  });

  it('[OPS-002] reads the settings of a file as systemd does, before those of the environment', async () => {
    writeFileSync(join(folder, 'settings'), `# PORT=1\nPORT=2\nexport HOST="a#b"\r\nAPP_TITLE='x' \nDEMO=#\n`);
    const { code, stdout } = await runProgram(['check', '--env-file', 'settings'], {
      env: { DATA_DIR: dataDir, PORT: 'x', HOST: '::1' },
      cwd: folder,
    });
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      'problem: HOST: must be a host name or an IP address (got "a#b")',
      'problem: DEMO: must be 0 or 1 (got "#")',
    ]);
    expect([code, stdout.includes('PORT')]).toEqual([1, false]);
  });
});
