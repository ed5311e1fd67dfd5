import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromDate } from '@switchyard/contract/dates';
import pg from 'pg';
import { type Databases, openDatabases } from '../packages/api/src/database/connect.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../packages/api/src/database/embedded-postgres.ts';
import { migrate } from '../packages/api/src/database/migrate.ts';
import { createPostgresTrafficStore } from '../packages/api/src/traffic-store/postgres/create-postgres-traffic-store.ts';
import { type BenchArguments, readArguments } from './bench-arguments.ts';
import { type BenchContext, openContext } from './bench-context.ts';
import { eventsPerDelivery, loadDeliveries } from './load-deliveries.ts';
import { describeLoad, loadApps, loadEvents } from './load-events.ts';
import { measureDeliveryIngest, measureDeliveryLists } from './measure-deliveries.ts';
import { measureExports } from './measure-exports.ts';
import { measureIngest } from './measure-ingest.ts';
import { measureFilters, measureLists, measurePaging, measureSearch } from './measure-lists.ts';
import { measureMemory, measureStatistics, measureThroughput } from './measure-load.ts';
import { measureHistograms, measurePages } from './measure-pages.ts';
import { measureTail } from './measure-tail.ts';
import { type Measure, printHead, printMeasure, writeJson } from './report.ts';
import { startApi } from './start-api.ts';

/** Groups of measurements in the order in which they are made; those that add rows come last. */
const groups: Readonly<Record<string, (context: BenchContext) => Promise<Measure[]>>> = {
  memory: measureMemory,
  lists: measureLists,
  paging: measurePaging,
  filters: measureFilters,
  search: measureSearch,
  pages: measurePages,
  histograms: measureHistograms,
  statistics: measureStatistics,
  deliveries: measureDeliveryLists,
  throughput: measureThroughput,
  exports: measureExports,
  tail: measureTail,
  ingest: measureIngest,
  'delivery-ingest': measureDeliveryIngest,
};

let isStopping = false;
/** What was started and has to be ended, newest last. */
const undo: (() => Promise<void>)[] = [];

/** The server did not start, which is told elsewhere. */
function noMatter(): void {}

async function cleanUp(): Promise<void> {
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
}

async function run(options: BenchArguments): Promise<void> {
  const unknown = options.only?.find((name) => !(name in groups));
  if (unknown !== undefined) throw new Error(`There is no group ${unknown}; there are ${Object.keys(groups).join(', ')}`);
  const { keep } = options;
  const folder = keep ?? (await mkdtemp(join(tmpdir(), 'switchyard-bench-')));
  if (keep === null) undo.push(() => rm(folder, { recursive: true, force: true }));
  const starting = startEmbeddedPostgres({ dataDir: folder, onProblem: (problem) => console.error(problem) });
  undo.push(async () => starting.then((started) => started.stop(), noMatter));
  const postgres = await starting;
  const databases = openDatabases({ url: postgres.url, onError: (error) => isStopping || console.error(error.message) });
  undo.push(databases.close);
  await load(postgres, databases, options.events);

  const start = { databaseUrl: postgres.url, dataDir: join(folder, 'console'), onStarted: (stop: () => Promise<void>) => undo.push(stop) };
  const api = await startApi(start);
  const context = await openContext(api, databases, { ...options, start });
  undo.push(async () => context.close());
  const measures: Measure[] = [];
  console.log(machine());
  printHead();
  for (const [name, measure] of Object.entries(groups)) {
    if (options.only?.includes(name) === false) continue;
    const found = await measure(context);
    found.forEach(printMeasure);
    measures.push(...found);
  }
  console.log(`\n${machine()}`);
  if (options.jsonFile !== null) await writeJson(options.jsonFile, measures);
}

/** What we run on, and how busy it is: figures of a machine that others use too say little. */
function machine(): string {
  return `${availableParallelism()} cores of ${cpus()[0]?.model ?? 'an unknown kind'}, load average ${loadavg()[0]?.toFixed(1)}, Node ${process.version}`;
}

async function load(postgres: EmbeddedPostgres, databases: Databases, events: number): Promise<void> {
  const started = performance.now();
  const end = fromDate(new Date());
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  client.on('error', () => undefined);
  await migrate(databases.opsDb);
  if (postgres.isFresh) {
    const store = createPostgresTrafficStore({ pools: databases.pools, serverOffset: '+00:00', retentionDays: 90 });
    await store.maintain(end);
    await loadApps(client);
    await loadEvents(client, events, end, (done) => console.log(`${done} events loaded`));
    await loadDeliveries(client, Math.ceil(events / eventsPerDelivery), end);
  }
  console.log(`${await describeLoad(client, end)} (${((performance.now() - started) / 1000).toFixed(0)} s)\n`);
  await client.end();
}

const interrupted = new Promise<number>((resolve) => {
  process.once('SIGINT', () => resolve(130));
  process.once('SIGTERM', () => resolve(143));
});

async function measured(): Promise<number> {
  try {
    await run(readArguments(process.argv.slice(2)));
    return 0;
  } catch (error) {
    // Whoever interrupts knows why the calls under way fail.
    if (!isStopping) console.error(error);
    return 1;
  }
}

const code = await Promise.race([measured(), interrupted]);
isStopping = true;
await cleanUp();
process.exit(code);
