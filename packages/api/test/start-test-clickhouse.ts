import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { isEngineInstalled, startEngine } from '@switchyard/traffic-store/clickhouse/start-engine';

/** Provides the ClickHouse of CLICKHOUSE_TEST_URL, or else an embedded one for the run; without either, says so. */
export default async function startTestClickHouse(project: TestProject): Promise<() => Promise<void>> {
  const configuredUrl = process.env['CLICKHOUSE_TEST_URL'];
  if (configuredUrl !== undefined || !isEngineInstalled()) {
    project.provide('clickhouseUrl', configuredUrl ?? null);
    if (configuredUrl === undefined)
      process.stdout.write(
        'ClickHouse: its half of the tests does not run (npm ci --prefix embedded-clickhouse, or set CLICKHOUSE_TEST_URL)\n',
      );
    return () => Promise.resolve();
  }
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-clickhouse-'));
  const engine = await startEngine(folder, { onProblem: (line) => process.stderr.write(`${line}\n`) });
  project.provide('clickhouseUrl', engine.url);
  return async () => {
    await engine.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
