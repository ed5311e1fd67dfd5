import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromDate, type Microseconds } from '@switchyard/contract/dates';
import pg from 'pg';
import { type Databases, openDatabases } from '../../packages/api/src/database/connect.ts';
import { startEmbeddedPostgres } from '../../packages/embedded-postgres/src/start-embedded-postgres.ts';
import { prepareDatabase } from '../../packages/api/src/database/prepare-database.ts';
import { createTrafficStore } from '@switchyard/traffic-store/open-traffic-store';
import { type BenchContext, openContext } from './bench-context.ts';
import { type BenchEngine, sizeOfEvents, startBenchEngine } from './bench-engine.ts';
import { describeLoad } from './load-events.ts';
import type { StoreName } from './raw-events.ts';
import { startApi } from './start-api.ts';

/** A benchmark: what is loaded into a fresh database before the console starts on it, and what is measured then. */
export type BenchPlan = {
  /** Folder in which the loaded database stays and is used again; null: a temporary one. */
  keep: string | null;
  /** Where events live; by default in PostgreSQL. */
  store?: StoreName;
  /** Whether a few repetitions are enough. */
  isQuick: boolean;
  /** Further flags of Node.js for the console, e.g. for a profile. */
  nodeFlags?: readonly string[];
  /** Fills the database over two connections at once, and the engine if events live there; `end` is now. */
  load: (clients: readonly [pg.Client, pg.Client], end: Microseconds, engine: BenchEngine | null) => Promise<void>;
  measure: (context: BenchContext, isStopping: () => boolean) => Promise<void>;
};

/** The server did not start, which is reported elsewhere. */
function noMatter(): void {}

/**
 * Runs a benchmark on a PostgreSQL of its own and ends the process: code 0 when all was measured, 1 when something
 * failed, which is printed, 130 or 143 when it was interrupted. Nothing that was started or written stays.
 * @param read gives the plan; throws an Error in one line for a command line that makes no sense.
 */
export async function runBench(read: () => BenchPlan): Promise<never> {
  const interruption = new Promise<number>((resolve) => {
    process.once('SIGINT', () => resolve(130));
    process.once('SIGTERM', () => resolve(143));
  });
  const state = { isStopping: false };
  /** Processes that have to be stopped, newest last. */
  const undo: (() => Promise<void>)[] = [];
  const measureAll = async (): Promise<number> => {
    try {
      await run(read(), undo, () => state.isStopping);
      return 0;
    } catch (error) {
      // After an interruption the reason of failing calls is known.
      if (!state.isStopping) console.error(error);
      return 1;
    }
  };
  const code = await Promise.race([measureAll(), interruption]);
  state.isStopping = true;
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  process.exit(code);
}

async function run(
  { keep, store = 'postgres', isQuick, nodeFlags = [], load, measure }: BenchPlan,
  undo: (() => Promise<void>)[],
  isStopping: () => boolean,
): Promise<void> {
  const folder = keep ?? (await mkdtemp(join(tmpdir(), 'switchyard-bench-')));
  if (keep === null) undo.push(() => rm(folder, { recursive: true, force: true }));
  const starting = startEmbeddedPostgres({ dataDir: folder, onProblem: (problem) => console.error(problem) });
  undo.push(async () => starting.then((server) => server.stop(), noMatter));
  const postgres = await starting;
  const databases = openDatabases({ url: postgres.url, onError: (error) => isStopping() || console.error(error.message) });
  undo.push(databases.close);
  const engine = store === 'postgres' ? null : await startBenchEngine(join(folder, 'engine'));
  if (engine !== null) undo.push(engine.stop);
  await fill(databases, { url: postgres.url, engine }, postgres.isFresh ? load : null);

  const onStarted = (stop: () => Promise<void>) => undo.push(stop);
  const start = { databaseUrl: postgres.url, eventStoreUrl: engine?.url ?? null, dataDir: join(folder, 'console'), nodeFlags, onStarted };
  const context = await openContext(await startApi(start), databases, { isQuick, start, engine });
  undo.push(async () => context.close());
  console.log(machine());
  await measure(context, isStopping);
  console.log(`\n${machine()}`);
}

/** The machine and its load: figures of a machine that others use too mean little. */
function machine(): string {
  return `${availableParallelism()} cores of ${cpus()[0]?.model ?? 'an unknown kind'}, load average ${loadavg()[0]?.toFixed(1)}, Node ${process.version}`;
}

type Target = { url: string; engine: BenchEngine | null };

async function fill(databases: Databases, { url, engine }: Target, load: BenchPlan['load'] | null): Promise<void> {
  const startedAt = performance.now();
  const end = fromDate(new Date());
  await prepareDatabase(databases.opsDb);
  const clients = [await openLoader(url), await openLoader(url)] as const;
  if (load !== null) {
    await createTrafficStore({ pools: databases.pools, serverOffset: '+00:00', retentionDays: 90 }).maintain(end);
    await load(clients, end, engine);
  }
  console.log(
    `${engine === null ? await describeLoad(clients[0], end) : await describeEngine(engine)} (${((performance.now() - startedAt) / 1000).toFixed(0)} s)\n`,
  );
  await Promise.all(clients.map((client) => client.end()));
}

async function describeEngine({ raw }: BenchEngine): Promise<string> {
  const { rows, bytes } = await sizeOfEvents(raw);
  return `${rows} events: ${(bytes / 1e9).toFixed(2)} GB on disk with projections`;
}

/** A connection that may use what a bulk load asks for: memory, and no wait for the disk at each commit. */
async function openLoader(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(`set work_mem = '512MB'; set maintenance_work_mem = '1GB'; set synchronous_commit = off`);
  return client;
}
