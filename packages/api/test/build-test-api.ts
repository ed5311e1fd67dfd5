import type { FastifyInstance, InjectOptions } from 'fastify';
import pino from 'pino';
import { createPasswordHash } from '../src/adapters/password-hash.ts';
import { createRequestCipher } from '../src/adapters/request-cipher.ts';
import { composeApi, type ApiOptions, type ComposedApi } from '../src/composition.ts';
import type { Databases } from '../src/database/connect.ts';
import { readSettings } from '../src/env.ts';
import { claimDatabase } from '../src/secret-keys/claim-database.ts';
import { createLoadAuditKeys } from '../src/secret-keys/derived-keys.ts';
import { holdKeys } from '../src/secret-keys/held-keys.ts';
import type { EngineClient } from '@switchyard/traffic-store/clickhouse/engine-client';
import type { Engine } from '@switchyard/traffic-store/clickhouse/write/settle-batches';
import { createTrafficStore } from '@switchyard/traffic-store/open-traffic-store';
import { createTestEngine } from './clickhouse-database.ts';
import { timeoutFactor } from './test-database.ts';

/** The whole API over a test database, without a port, at a time that the test sets. */
export type TestApi = Omit<ComposedApi, 'app'> & {
  app: FastifyInstance;
  databases: Databases;
  /** The moment the API believes in. */
  now: () => Date;
  /** Moves the clock forward. */
  wait: (milliseconds: number) => void;
  /** Status, headers and JSON body of one request; a body of null when there is none. */
  call: (method: InjectOptions['method'], url: string, options?: CallOptions) => Promise<TestAnswer>;
  /** Lines of the log so far, parsed. */
  log: () => readonly Record<string, unknown>[];
};

export type CallOptions = {
  headers?: Record<string, string>;
  /** Sent as JSON unless it is text or bytes. */
  body?: InjectOptions['payload'];
  ip?: string;
};

export type TestAnswer = { status: number; headers: Record<string, unknown>; body: TestBody };

/** Parsed JSON of an answer, which tests read freely. */
type TestBody = ReturnType<typeof JSON.parse>;

export type TestApiOptions = Partial<
  Pick<
    ApiOptions,
    'keys' | 'passwords' | 'settings' | 'webRoot' | 'build' | 'background' | 'demoIsOn' | 'demoLoaded' | 'announce' | 'logWriteErrors'
  >
> & {
  databases: Databases;
  /** Whether the database cannot be reached. */
  isAway?: boolean;
  /** Where events live, other than `EVENT_STORE` says. */
  engine?: Engine;
  /** Environment variables beside the defaults. */
  env?: Readonly<Record<string, string>>;
  /** Where the clock starts. */
  startsAt?: Date;
};

/** The secret key of the tested API. */
export const testKeys = holdKeys({ key: 'secret key of the tests, 32 characters', previous: null });

/** The tested API hashes passwords as the product does, but at a fraction of the cost, which is most of a sign-in. */
export const testPasswords = createPasswordHash({ cost: { memory: 64, passes: 1, parallelism: 1 } });

/** Reads and writes what the tested API encodes. */
export const testRequestCipher = createRequestCipher({ requestKey: 'request key of the tests, 32 characters' });

/** Keys of the trail of the tested API. */
export const loadTestAuditKeys = createLoadAuditKeys(testKeys);

/** A folder that nobody can make, not even root: what one test leaves in a data folder (an anchor, an index) is another's broken trail. */
export const impossibleFolder = '/proc/nonexistent';

/** Settings as a fresh installation has them, in the test environment. */
export function testSettings(env: Readonly<Record<string, string>> = {}) {
  return readSettings({ NODE_ENV: 'test', DATA_DIR: impossibleFolder, APP_URL: 'https://console.example', ...env });
}

const engines = new WeakMap<Databases, Promise<EngineClient>>();

/** False with EVENT_STORE=clickhouse; a few tests reach into the tables of events. */
export const eventsAreInPostgres = process.env['EVENT_STORE'] !== 'clickhouse';

/** Where events live: in PostgreSQL, or with EVENT_STORE=clickhouse in a ClickHouse database for each one of PostgreSQL. */
async function openEventEngine(databases: Databases): Promise<Engine | null> {
  if (eventsAreInPostgres) return null;
  const engine = engines.get(databases) ?? createTestEngine().then((testEngine) => testEngine.engine);
  engines.set(databases, engine);
  return { engine: await engine, cluster: null };
}

/** Builds the API; close `app` when the test is over. */
export async function buildTestApi({ databases, engine, env, startsAt, isAway = false, ...options }: TestApiOptions): Promise<TestApi> {
  let moment = startsAt ?? new Date();
  const lines: string[] = [];
  const now = () => new Date(moment);
  const settings = options.settings ?? testSettings(env);
  const { pools, listen } = databases;
  const keys = options.keys ?? testKeys;
  if (!isAway) await claimDatabase({ opsDb: databases.opsDb, announceKeys: async () => undefined }, keys);
  const composedApi = await composeApi({
    settings,
    databases,
    trafficStore: createTrafficStore({
      pools,
      listen,
      serverOffset: settings.console.utcOffset,
      retentionDays: settings.eventRetentionDays,
      attributionDays: settings.attributionDays,
      clickhouse: engine ?? (await openEventEngine(databases)),
    }),
    logger: pino({ level: 'info' }, { write: (line) => lines.push(line) }),
    keys,
    requestCipher: testRequestCipher,
    passwords: testPasswords,
    now,
    build: { version: '0.0.0-test', commit: null },
    webRoot: null,
    demoIsOn: false,
    ...options,
    background: { timeoutFactor, ...options.background },
  });
  return {
    ...composedApi,
    databases,
    now,
    wait(milliseconds) {
      moment = new Date(moment.getTime() + milliseconds);
    },
    async call(method, url, { headers = {}, body, ip } = {}) {
      const answer = await composedApi.app.inject({
        ...(method === undefined ? {} : { method }),
        url,
        headers,
        ...(body === undefined ? {} : { payload: body }),
        ...(ip === undefined ? {} : { remoteAddress: ip }),
      });
      const isJson = answer.headers['content-type']?.startsWith('application/json') === true;
      return { status: answer.statusCode, headers: answer.headers, body: isJson ? answer.json() : answer.body || null };
    },
    log: () => lines.map((line): Record<string, unknown> => JSON.parse(line)),
  };
}
