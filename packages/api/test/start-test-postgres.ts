import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openDatabases } from '../src/database/connect.ts';
import { startEmbeddedPostgres } from '@switchyard/embedded-postgres/start-embedded-postgres';
import { prepareDatabase } from '../src/database/prepare-database.ts';
import { databaseUrl, timeoutFactor, templateDatabase } from './test-database.ts';

/**
 * Starts one PostgreSQL for the run, or takes the one at TEST_POSTGRES_URL, migrates the template that every test file clones, and stops it
 * afterwards.
 */
export default async function startTestPostgres(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'switchyard-test-'));
  const givenUrl = process.env['TEST_POSTGRES_URL'];
  // Nothing in here outlives the run, so durability would only cost time.
  const server =
    givenUrl === undefined
      ? await startEmbeddedPostgres({ dataDir, durability: 'none', onProblem: (message) => process.stderr.write(`${message}\n`) })
      : { url: givenUrl, stop: () => Promise.resolve() };
  const maintenance = openDatabases({ url: server.url, onError: () => undefined, timeoutFactor });
  await maintenance.pools.ops.query(`create database ${templateDatabase}`);
  await maintenance.close();
  const template = openDatabases({ url: databaseUrl(server.url, templateDatabase), onError: () => undefined, timeoutFactor });
  await prepareDatabase(template.opsDb);
  await template.close();
  project.provide('postgresUrl', server.url);
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
