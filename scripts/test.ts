import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWebIfStale } from './build-web.ts';

process.chdir(new URL('..', import.meta.url).pathname);
const folder = mkdtempSync(join(tmpdir(), 'switchyard-results-'));
const counts = { passed: 0, failed: 0 };

async function run(command: readonly [string, ...string[]], env: Record<string, string> = {}): Promise<number> {
  const [program, ...args] = command;
  const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}

/** Reads a runner's report; a run that ended badly without a failed test is a failure of its own. */
function count(name: string, code: number, report: { passed: number; failed: number } | null): void {
  counts.passed += report?.passed ?? 0;
  const failed = report?.failed ?? 0;
  counts.failed += code !== 0 && failed === 0 ? 1 : failed;
  if (report === null || (report.passed === 0 && failed === 0)) process.stderr.write(`${name} ran no test\n`);
}

function readReport(file: string): unknown {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

function numberAt(report: unknown, ...keys: string[]): number {
  const value = keys.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    report,
  );
  return typeof value === 'number' ? value : 0;
}

async function check(): Promise<void> {
  const code = await run(['node', 'scripts/check.ts']);
  count('check', code, { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 });
}

async function vitest(): Promise<void> {
  const file = join(folder, 'vitest.json');
  const code = await run(['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]);
  const report = readReport(file);
  count(
    'vitest',
    code,
    report === null ? null : { passed: numberAt(report, 'numPassedTests'), failed: numberAt(report, 'numFailedTests') },
  );
}

async function browser(): Promise<void> {
  const file = join(folder, 'playwright.json');
  await buildWebIfStale();
  const code = await run(['playwright', 'test', '--reporter=line,json'], { PLAYWRIGHT_JSON_OUTPUT_NAME: file, FORCE_COLOR: '0' });
  const report = readReport(file);
  count(
    'playwright',
    code,
    report === null
      ? null
      : {
          passed: numberAt(report, 'stats', 'expected'),
          failed: numberAt(report, 'stats', 'unexpected') + numberAt(report, 'stats', 'flaky'),
        },
  );
}

for (const part of [check, vitest, browser]) {
  try {
    await part();
  } catch (error) {
    counts.failed += 1;
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  }
}
rmSync(folder, { recursive: true, force: true });
process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed\n`);
process.exitCode = counts.failed > 0 ? 1 : 0;
