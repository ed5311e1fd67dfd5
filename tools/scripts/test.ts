import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser, findFirefox } from '../console/find-browser.ts';
import { isEngineInstalled } from '@switchyard/traffic-store/clickhouse/start-engine';
import { buildWebIfStale } from '../../packages/api/src/cli/build-web.ts';
import { type RunnerReport, readPlaywrightReport, readVitestReport } from './test-reports.ts';

process.chdir(new URL('../..', import.meta.url).pathname);
// For the runners, their workers and the programs that tests start, which would compile the same modules each.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache');
type RunOptions = { env?: Record<string, string>; held?: boolean };

const folder = mkdtempSync(join(tmpdir(), 'switchyard-results-'));
let passedCount = 0;
const failedTests: string[] = [];

const seconds: string[] = [];

/** Runs a command. A part that runs beside another holds its output back, so that the two do not mix. */
async function run(command: readonly [string, ...string[]], { env = {}, held = false }: RunOptions = {}): Promise<number> {
  const [program, ...args] = command;
  const log = join(folder, `${randomUUID()}.log`);
  const output = held ? openSync(log, 'w') : 'inherit';
  const child = spawn(program, args, { stdio: ['inherit', output, output], env: { ...process.env, ...env } });
  const [code] = await once(child, 'exit');
  if (typeof output === 'number') {
    closeSync(output);
    process.stdout.write(readFileSync(log));
  }
  return typeof code === 'number' ? code : 1;
}

/** Adds up what a runner did; one that ended badly without a failed test is a failure of its own. */
function count(name: string, code: number, report: RunnerReport | null): void {
  passedCount += report?.passedCount ?? 0;
  failedTests.push(...(report?.failedTests ?? []));
  if (code !== 0 && (report?.failedTests ?? []).length === 0) failedTests.push(`${name} ended with code ${code}`);
  if (report === null || (report.passedCount === 0 && report.failedTests.length === 0)) process.stderr.write(`${name} ran no test\n`);
}

/** The embedded ClickHouse is too large to be part of every installation. Without it the tests of events on ClickHouse do not run. */
async function installEngine(): Promise<void> {
  if (isEngineInstalled() || process.env['CLICKHOUSE_TEST_URL'] !== undefined) return;
  process.stdout.write('Installing the embedded ClickHouse, 550 MB (npm ci --prefix embedded-clickhouse)\n');
  const code = await run(['npm', 'ci', '--prefix', 'embedded-clickhouse'], { held: true });
  if (code !== 0) process.stdout.write('The embedded ClickHouse could not be installed: the tests run without it\n');
}

/** Generators of clients that need a TypeScript of their own. Without them their tests do not run. */
async function installGenerators(): Promise<void> {
  const generators = 'packages/client-test/generators';
  if (existsSync(join(generators, 'node_modules'))) return;
  const code = await run(['npm', 'ci', '--no-workspaces', '--prefix', generators], { held: true });
  if (code !== 0) process.stdout.write('The generators of clients could not be installed: their tests are skipped\n');
}

async function check(): Promise<void> {
  const code = await run(['node', 'tools/scripts/check.ts']);
  count('check', code, { passedCount: code === 0 ? 1 : 0, failedTests: code === 0 ? [] : ['tools/scripts/check.ts'] });
}

/** Builds the console and unpacks the browser, which two runners that start together would both do. */
async function prepareBrowser(): Promise<void> {
  await buildWebIfStale();
  await findBrowser();
}

async function runVitest(name: string, options: readonly string[], held: boolean): Promise<void> {
  const file = join(folder, `${name}.json`);
  const code = await run(['vitest', 'run', ...options, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`], { held });
  count(name, code, readVitestReport(file));
}

const nodeTests = (): Promise<void> => runVitest('node', ['--project=node'], false);
const componentTests = (): Promise<void> => runVitest('components', ['--project=browser'], true);

async function firefox(): Promise<void> {
  if (findFirefox() === undefined) {
    process.stdout.write('Firefox is not installed: its smoke test is skipped\n');
    return;
  }
  await runVitest('firefox', ['--config=tools/firefox/vitest.config.ts'], true);
}

async function monitoring(): Promise<void> {
  if (spawnSync('promtool', ['--version']).error !== undefined) {
    process.stdout.write('promtool is not installed (Debian: prometheus): the tests of metrics, alerts and dashboard are skipped\n');
    return;
  }
  await runVitest('monitoring', ['--config=tools/monitoring/vitest.config.ts'], true);
}

async function runPlaywright(name: string, options: readonly string[], { env, held = false }: RunOptions): Promise<void> {
  const file = join(folder, `${name}.json`);
  const reporting = { PLAYWRIGHT_JSON_OUTPUT_NAME: file, FORCE_COLOR: '0' };
  const code = await run(['playwright', 'test', '--reporter=line,json', ...options], { env: { ...env, ...reporting }, held });
  count(name, code, readPlaywrightReport(file));
}

const endToEnd = (): Promise<void> => runPlaywright('end to end', [], {});

/** Titles of a test for each way in which pages ask for events. `npm run test:e2e:clickhouse` runs all tests of these pages. */
const askingForEvents = 'OUT-001|EVT-012|EVT-017|REQ-003|REQ-024|hold the rows still|by a drag';

async function endToEndOnClickHouse(): Promise<void> {
  if (!isEngineInstalled()) return;
  await runPlaywright('end to end on ClickHouse', [`--grep=${askingForEvents}`], { env: { EVENT_STORE: 'clickhouse' }, held: true });
}

/** Runs a part, notes how long it took, and takes what it throws for a failure. */
async function part(name: string, work: () => Promise<void>): Promise<void> {
  const began = performance.now();
  try {
    await work();
  } catch (error) {
    failedTests.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
  seconds.push(`${((performance.now() - began) / 1000).toFixed(0).padStart(5)} s  ${name}`);
}

const began = performance.now();
await Promise.all([part('install ClickHouse', installEngine), part('install generators', installGenerators), part('check', check)]);
await part('prepare the browser', prepareBrowser);
// Components use one core and a half at most; beside them the node tests leave none idle.
await Promise.all([
  part('node', nodeTests),
  part('components', componentTests)
    .then(() => part('firefox', firefox))
    .then(() => part('monitoring', monitoring))
    .then(() => part('end to end on ClickHouse', endToEndOnClickHouse)),
]);
await part('end to end', endToEnd);
rmSync(folder, { recursive: true, force: true });
// Said again at the end, where a long log is read first.
for (const line of failedTests) process.stdout.write(`\nfailed: ${line}`);
process.stdout.write(`\n\n${seconds.join('\n')}\n${((performance.now() - began) / 1000).toFixed(0).padStart(5)} s  in all\n`);
process.stdout.write(`\n${passedCount} passed, ${failedTests.length} failed\n`);
process.exitCode = failedTests.length > 0 ? 1 : 0;
