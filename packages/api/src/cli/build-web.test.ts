import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'switchyard-incomplete-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('[OPS-020] a start without Node 24 ends in one line', () => {
  const root = join(folder, 'installation');
  const programs = join(folder, 'programs');
  for (const path of [join(root, 'packages/api/bin'), programs]) mkdirSync(path, { recursive: true });
  cpSync(join(import.meta.dirname, '../../bin/switchyard'), join(root, 'packages/api/bin/switchyard'));
  for (const name of ['dirname', 'readlink']) symlinkSync(`/usr/bin/${name}`, join(programs, name));
  const start = () =>
    spawnSync('/bin/sh', [join(root, 'packages/api/bin/switchyard'), 'start'], { env: { PATH: programs }, encoding: 'utf8' });
  const line = `Switchyard: Node.js 24 is not installed (run npm ci --include=dev in ${root})\n`;
  expect(start()).toMatchObject({ status: 1, stdout: '', stderr: line });
  writeFileSync(join(programs, 'node'), '#!/bin/sh\necho v20.20.2\n', { mode: 0o755 });
  expect(start()).toMatchObject({ status: 1, stdout: '', stderr: line });
  writeFileSync(join(programs, 'node'), '#!/bin/sh\necho v24.21.0\n', { mode: 0o755 });
  expect(start()).toMatchObject({ status: 0, stdout: 'v24.21.0\n', stderr: '' });
});

it('[OPS-020] the console is not built without development packages, nor where there is only the built one', () => {
  const code = `import { buildWebIfStale } from '${join(import.meta.dirname, 'build-web.ts')}'; await buildWebIfStale().catch(({ message }) => console.log(message));`;
  const build = (cwd: string): string => spawnSync(process.execPath, ['--input-type=module', '-e', code], { cwd, encoding: 'utf8' }).stdout;
  mkdirSync(join(folder, 'checkout/packages/web/src'), { recursive: true });
  expect(build(join(folder, 'checkout'))).toBe('Console: cannot be built without development packages (run npm ci --include=dev)\n');
  expect(build(folder)).toBe('');
});
