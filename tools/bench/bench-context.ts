import type pg from 'pg';
import { type Account, signInAs, signInAsServer } from '../../packages/api/test/sign-in-as.ts';
import type { Databases } from '../../packages/api/src/database/connect.ts';
import type { BenchEngine } from './bench-engine.ts';
import { type ApiClient, createApiClient } from './api-client.ts';
import { rawClickHouse, type RawEvents, rawPostgres, storeTargets, type StoreTargets } from './raw-events.ts';
import { type RunningApi, startApi, startBareApi, type StartOptions } from './start-api.ts';

/** Everything a measurement needs. */
export type BenchContext = {
  api: RunningApi;
  databases: Databases;
  /** The raw driver: what an application without a product between it and PostgreSQL would use. */
  raw: pg.Pool;
  /** The raw driver of the store that holds the events. */
  events: RawEvents;
  targets: StoreTargets;
  /** Null: events live in PostgreSQL. */
  engine: BenchEngine | null;
  /** Sees every app. */
  admin: ApiClient & { token: string };
  /** Sees exactly one busy app, so All requests is that app's list. */
  ofOneApp: ApiClient;
  appId: number;
  /** The app with the most requests: a fourteenth of them. */
  busiestApp: number;
  /** Sees five apps, busy and quiet. */
  ofSomeApps: ApiClient;
  server: ApiClient;
  /** Number of repetitions; 1 in a quick run. */
  repeat: (times: number) => number;
  /** Duration in seconds; a moment in a quick run. */
  lasting: (seconds: number) => number;
  isQuick: boolean;
  /** Rows of a batch that is handed in. */
  batchRows: number;
  /** How the process of the console was started. */
  start: StartOptions;
  /** Starts another process of the console over the same database. */
  startAnother: () => Promise<RunningApi>;
  /** Starts Fastify and the driver without the product, over PostgreSQL. */
  startBare: () => Promise<Pick<RunningApi, 'url' | 'stop'>>;
  close(): void;
};

type Options = { isQuick: boolean; start: StartOptions; engine: BenchEngine | null };

/** A middling app among the busy ones. */
const oneApp = 20;

/** Signs everybody in whom the measurements need. */
export async function openContext(api: RunningApi, databases: Databases, { isQuick, start, engine }: Options): Promise<BenchContext> {
  const signIn = async (account: Account) => (await signInAs(databases, account)).token;
  const adminToken = await signIn({ role: 'Super Admin' });
  const server = await signInAsServer(databases);
  const clients = {
    admin: { ...createApiClient(api.url, adminToken), token: adminToken },
    ofOneApp: createApiClient(api.url, await signIn({ role: 'Super Admin', apps: [oneApp] })),
    ofSomeApps: createApiClient(api.url, await signIn({ role: 'Super Admin', apps: [7, oneApp, 33, 150, 199] })),
    server: createApiClient(api.url, server.token),
  };
  return {
    api,
    databases,
    raw: databases.pools.ui,
    events: engine === null ? rawPostgres(databases.pools) : rawClickHouse(engine.raw),
    engine,
    targets: storeTargets[engine === null ? 'postgres' : 'clickhouse'],
    appId: oneApp,
    busiestApp: 1,
    ...clients,
    repeat: (times) => (isQuick ? 1 : times),
    lasting: (seconds) => (isQuick ? 0.2 : seconds),
    isQuick,
    batchRows: isQuick ? 20 : 1000,
    start,
    startAnother: () => startApi({ ...start, dataDir: `${start.dataDir}-2` }),
    startBare: () => startBareApi(start),
    close: () => Object.values(clients).forEach((client) => client.close()),
  };
}

/** The engine, for measures of the store on ClickHouse. */
export function engineOf({ engine }: BenchContext): BenchEngine {
  if (engine === null) throw new Error('events live in PostgreSQL');
  return engine;
}
