import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFirefox } from '../console/find-browser.ts';
import { isEngineInstalled } from '../../packages/api/src/traffic-store/clickhouse/start-engine.ts';
import { buildWebIfStale } from '../console/build-web.ts';
import { type RunnerReport, readPlaywrightReport, readVitestReport } from './test-reports.ts';

process.chdir(new URL('../..', import.meta.url).pathname);
const folder = mkdtempSync(join(tmpdir(), 'switchyard-results-'));
let passed = 0;
const failed: string[] = [];

async function run(command: readonly [string, ...string[]], env: Record<string, string> = {}): Promise<number> {
  const [program, ...args] = command;
  const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  const [code] = await once(child, 'exit');
  return typeof code === 'number' ? code : 1;
}

/** Adds up what a runner did; one that ended badly without a failed test is a failure of its own. */
function count(name: string, code: number, report: RunnerReport | null): void {
  passed += report?.passed ?? 0;
  failed.push(...(report?.failed ?? []));
  if (code !== 0 && (report?.failed ?? []).length === 0) failed.push(`${name} ended with code ${code}`);
  if (report === null || (report.passed === 0 && report.failed.length === 0)) process.stderr.write(`${name} ran no test\n`);
}

/** The embedded ClickHouse is too large to be part of every installation. Without it the tests of events on ClickHouse do not run. */
async function installEngine(): Promise<void> {
  if (isEngineInstalled() || process.env['CLICKHOUSE_TEST_URL'] !== undefined) return;
  process.stdout.write('Installing the embedded ClickHouse, 550 MB (npm ci --prefix engine)\n');
  const code = await run(['npm', 'ci', '--prefix', 'engine']);
  if (code !== 0) process.stdout.write('The embedded ClickHouse could not be installed: the tests run without it\n');
}

async function check(): Promise<void> {
  const code = await run(['node', 'tools/scripts/check.ts']);
  count('check', code, { passed: code === 0 ? 1 : 0, failed: code === 0 ? [] : ['tools/scripts/check.ts'] });
}

async function runVitest(name: string, ...options: string[]): Promise<void> {
  const file = join(folder, `${name}.json`);
  const code = await run(['vitest', 'run', ...options, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]);
  count(name, code, readVitestReport(file));
}

const vitest = (): Promise<void> => runVitest('vitest');

async function runPlaywright(name: string, env: Record<string, string>, ...options: string[]): Promise<void> {
  const file = join(folder, `${name}.json`);
  const reporting = { PLAYWRIGHT_JSON_OUTPUT_NAME: file, FORCE_COLOR: '0' };
  const code = await run(['playwright', 'test', '--reporter=line,json', ...options], { ...env, ...reporting });
  count(name, code, readPlaywrightReport(file));
}

async function browser(): Promise<void> {
  await buildWebIfStale();
  await runPlaywright('playwright', {});
}

/** Titles of a test for each way in which pages ask for events. `npm run test:e2e:clickhouse` runs all tests of these pages. */
const askingForEvents = 'EVT-012|EVT-017|REQ-003|REQ-024|hold the rows still|by a drag';

async function browserOnClickHouse(): Promise<void> {
  if (isEngineInstalled()) await runPlaywright('playwright-clickhouse', { EVENT_STORE: 'clickhouse' }, `--grep=${askingForEvents}`);
}

async function firefox(): Promise<void> {
  if (findFirefox() === undefined) {
    process.stdout.write('Firefox is not installed: its smoke test is skipped\n');
    return;
  }
  await runVitest('firefox', '--config=tools/firefox/vitest.config.ts');
}

for (const part of [installEngine, check, vitest, browser, browserOnClickHouse, firefox]) {
  try {
    await part();
  } catch (error) {
    failed.push(error instanceof Error ? error.message : String(error));
  }
}
rmSync(folder, { recursive: true, force: true });
// Said again at the end, where a long log is read first.
for (const line of failed) process.stdout.write(`\nfailed: ${line}`);
process.stdout.write(`\n\n${passed} passed, ${failed.length} failed\n`);
process.exitCode = failed.length > 0 ? 1 : 0;
