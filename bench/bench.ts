import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromDate } from '@switchyard/contract/dates';
import pg from 'pg';
import { openDatabases } from '../packages/api/src/database/connect.ts';
import { startEmbeddedPostgres } from '../packages/api/src/database/embedded-postgres.ts';
import { migrate } from '../packages/api/src/database/migrate.ts';
import { createPostgresTrafficStore } from '../packages/api/src/traffic-store/postgres/create-postgres-traffic-store.ts';
import { readArguments } from './bench-arguments.ts';
import { openContext } from './bench-context.ts';
import { describeLoad, loadApps, loadEvents } from './load-events.ts';
import { measureFilters, measureLists, measurePaging, measureSearch } from './measure-lists.ts';
import { measureIngest, measureMemory, measureStatistics, measureThroughput } from './measure-load.ts';
import { type Measure, printHead, printMeasure, writeJson } from './report.ts';
import { startApi } from './start-api.ts';

const options = readArguments(process.argv.slice(2));
const folder = options.keep ?? (await mkdtemp(join(tmpdir(), 'switchyard-bench-')));
const postgres = await startEmbeddedPostgres({ dataDir: folder, onProblem: (problem) => console.error(problem) });
const databases = openDatabases({ url: postgres.url, onError: (error) => console.error(error.message) });

async function load(): Promise<void> {
  const started = performance.now();
  const end = fromDate(new Date());
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await migrate(databases.opsDb);
  if (postgres.isFresh) {
    const store = createPostgresTrafficStore({ pools: databases.pools, serverOffset: '+00:00', retentionDays: 90 });
    await store.maintain(end);
    await loadApps(client);
    await loadEvents(client, options.events, end, (done) => console.log(`${done} events loaded`));
  }
  console.log(`${await describeLoad(client, end)} (${((performance.now() - started) / 1000).toFixed(0)} s)\n`);
  await client.end();
}

async function measureAll(): Promise<Measure[]> {
  const api = await startApi({ databaseUrl: postgres.url, dataDir: join(folder, 'console') });
  const context = await openContext(api, databases);
  const all: Measure[] = [];
  printHead();
  const steps = [
    measureMemory,
    measureLists,
    measurePaging,
    measureFilters,
    measureSearch,
    measureStatistics,
    measureThroughput,
    measureIngest,
  ];
  try {
    for (const step of steps) {
      const measures = await step(context);
      measures.forEach(printMeasure);
      all.push(...measures);
    }
  } finally {
    context.close();
    await api.stop();
  }
  return all;
}

try {
  await load();
  const measures = await measureAll();
  if (options.jsonFile !== null) await writeJson(options.jsonFile, measures);
} finally {
  await databases.close();
  await postgres.stop();
  if (options.keep === null) await rm(folder, { recursive: true, force: true });
}
