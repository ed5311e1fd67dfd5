import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { ConsoleDatabase, PoolName } from '@switchyard/traffic-store/console-database';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { createAnnouncement, type AnnounceKeys } from './announced-keys.ts';
import { isReadTimeout } from '@switchyard/traffic-store/database-errors';
import { createServerProbe } from './server-probe.ts';
import { createProcessConnection } from './process-connection.ts';
import { createSharedSlots, type OpenStream, type TakeSharedSlot } from './shared-slots.ts';
import type { Tables } from './tables.ts';

/** Open connections to PostgreSQL, shared by the whole process. */
export type Databases = ConsoleDatabase & {
  /** Query builder on the `ui` pool: everything a person waits for. */
  db: Kysely<Tables>;
  /** Query builder on the `ingest` pool: what batches name and store. */
  ingestDb: Kysely<Tables>;
  /** Query builder on the `ops` pool: timers and upkeep. */
  opsDb: Kysely<Tables>;
  /** Query builder on the `jobs` pool: work that nobody waits for. */
  jobsDb: Kysely<Tables>;
  /** Takes slots that all processes on this database share. */
  takeSharedSlot: TakeSharedSlot;
  /** Opens a live stream, of which an account has a limited number in all processes. */
  openStream: OpenStream;
  /** Shows other processes which secret keys this one has. */
  announceKeys: AnnounceKeys;
  /** Whether the server answers, though all connections may be taken; within half a second. */
  isReachable: () => Promise<boolean>;
  /** Ends every pool; statements under way finish first. */
  close: () => Promise<void>;
};

/** Milliseconds; 0 is without limit. `statement` is enforced by the server, `answer` by us when the server hangs. */
type PoolPlan = { size: number; statement: number; answer: number };

/** Together with the connection that the process keeps for itself, 20 at most. */
const plans: Readonly<Record<PoolName, PoolPlan>> = {
  // Callers are looked up here, so that a stuck list does not block all other calls.
  // Callers wait for the batch before theirs, too, so a hung server may hold two of them one after the other.
  sessions: { size: 2, statement: 3000, answer: 4000 },
  ui: { size: 6, statement: 5000, answer: 6500 },
  ingest: { size: 4, statement: 7000, answer: 8500 },
  exports: { size: 3, statement: 0, answer: 0 },
  ops: { size: 1, statement: 0, answer: 0 },
  // Each job under way holds one while it waits for its traffic server; the queue itself needs another.
  jobs: { size: 3, statement: 30_000, answer: 35_000 },
};

/** Limit for getting a connection, so that a call returns 503 within 2.5 s if the database is unreachable or the pool is busy. */
const connectMilliseconds = 2000;

/** bigint as a number: our ids and counters stay below 2^53. */
const int8 = 20;
const integerArrays = new Set([1005, 1007, 1016]);
/** A calendar day stays the text `YYYY-MM-DD`; a Date would shift it into the zone of the process. */
const date = 1082;

/** An array of integers. `JSON.parse` takes a tenth of the time of the driver's parser, which reads each character. */
function toIntegers(text: string): unknown {
  // Indexes that do not begin with 1 come first: `[2:3]={7,8}`.
  const items = text.slice(text.indexOf('{'));
  return JSON.parse(items.replaceAll('{', '[').replaceAll('}', ']').replaceAll('NULL', 'null'));
}

const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format !== 'binary') {
      if (oid === int8) return Number;
      if (integerArrays.has(oid)) return toIntegers;
      if (oid === date) return String;
    }
    return pg.types.getTypeParser(oid, format);
  },
};

/**
 * A client whose loss never ends the process, and which gives its connection up once an answer did not come in time. The driver alone would hand the
 * connection back to the pool with the statement still running, and the next caller would wait behind it.
 */
class ImpatientClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // The pool listens to idle clients only: one lost in the middle of a transaction would end the process. Its next
    // statement says what happened.
    this.on('error', () => undefined);
    const query: unknown = Reflect.get(this, 'query');
    if (typeof query !== 'function') throw new TypeError('pg.Client has no query method');
    Reflect.set(this, 'query', (...args: unknown[]): unknown => {
      const answer: unknown = Reflect.apply(query, this, args);
      if (answer instanceof Promise)
        answer.catch((error: unknown) => {
          if (isReadTimeout(error)) this.end().catch(() => undefined);
        });
      return answer;
    });
  }
}

/**
 * Settings that plans depend on, whatever the server is set to. By default PostgreSQL compiles plans that look expensive, which takes longer
 * than a page of a list, and takes every read of an index for one of a spinning disk. `options` of the database's address win.
 */
const plannerOptions = '-c jit=off -c random_page_cost=1.1';

type PoolOptions = { url: string; onError: (error: Error) => void; timeoutFactor: number };

function openPool(name: PoolName, { url, onError, timeoutFactor }: PoolOptions): pg.Pool {
  const plan = plans[name];
  const pool = new pg.Pool({
    connectionString: url,
    application_name: `switchyard ${name}`,
    options: plannerOptions,
    max: plan.size,
    Client: ImpatientClient,
    types,
    keepAlive: true,
    connectionTimeoutMillis: connectMilliseconds * timeoutFactor,
    idleTimeoutMillis: 60_000,
    statement_timeout: plan.statement === 0 ? false : plan.statement * timeoutFactor,
    idle_in_transaction_session_timeout: 60_000,
    ...(plan.answer === 0 ? {} : { query_timeout: plan.answer * timeoutFactor }),
  });
  // Without a listener a database that becomes unavailable would end the process (node-postgres #1707).
  pool.on('error', onError);
  return pool;
}

/**
 * Opens the pools lazily: nothing is contacted before the first statement.
 * @param onError called for every idle connection that broke; the pool replaces it by itself.
 * @param timeoutFactor how many times longer than usual connections and statements may take; for tests, which are not to fail
 * because the machine is busy.
 */
export function openDatabases({
  url,
  onError,
  timeoutFactor = 1,
}: Omit<PoolOptions, 'timeoutFactor'> & { timeoutFactor?: number }): Databases {
  let isClosing = false;
  // A server that stops with us may still speak to connections that are on their way out.
  const reportError = (error: Error): void => {
    if (!isClosing) onError(error);
  };
  const options = { url, onError: reportError, timeoutFactor };
  const pools = {
    sessions: openPool('sessions', options),
    ui: openPool('ui', options),
    ingest: openPool('ingest', options),
    exports: openPool('exports', options),
    ops: openPool('ops', options),
    jobs: openPool('jobs', options),
  };
  const connection = createProcessConnection({ url, onError: reportError, timeoutFactor });
  const slots = createSharedSlots(connection);
  return {
    db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pools.ui }) }),
    ingestDb: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pools.ingest }) }),
    opsDb: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pools.ops }) }),
    jobsDb: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: pools.jobs }) }),
    pools,
    listen: connection.listen,
    takeSharedSlot: slots.take,
    openStream: slots.openStream,
    announceKeys: createAnnouncement(connection),
    isReachable: createServerProbe(url, timeoutFactor),
    close: async () => {
      isClosing = true;
      await connection.close();
      await Promise.all(Object.values(pools).map((pool) => pool.end()));
    },
  };
}

const oldestVersion = 150_000;

/**
 * Checks that the server keeps what it acknowledged and is new enough, and returns its version.
 * @throws StartupError naming the setting: with fsync, full_page_writes or synchronous_commit off a crash loses
 * acknowledged writes.
 */
export async function assertDurability({ pools }: Databases): Promise<{ version: string }> {
  const { rows } = await pools.ui.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'server_version', 'server_version_num')`,
  );
  const unsafe = rows.find((row) => row.setting === 'off');
  if (unsafe !== undefined)
    throw new StartupError(`Database: ${unsafe.name} is off, so a crash would lose acknowledged writes (switch it on and start again)`);
  const version = Number(rows.find((row) => row.name === 'server_version_num')?.setting);
  if (version < oldestVersion)
    throw new StartupError(`Database: PostgreSQL ${Math.floor(version / 10_000)} is too old (version 15 or newer is required)`);
  return { version: rows.find((row) => row.name === 'server_version')?.setting ?? '' };
}

/**
 * Describes a difference of more than a second between this clock and the database's, beyond what the duration of the query
 * explains; null if there is none. Expiries, retention and the order of log entries rely on clocks that agree.
 */
export async function describeClockOffset({ pools }: Databases, now: () => Date): Promise<string | null> {
  const before = now().getTime();
  const { rows } = await pools.ops.query<{ at: number }>('select (extract(epoch from clock_timestamp()) * 1000)::int8 as at');
  const at = rows[0]?.at ?? before;
  const ahead = Math.max(0, before - at);
  const behind = Math.max(0, at - now().getTime());
  if (ahead + behind <= 1000) return null;
  return `Clock: ${Math.round((ahead + behind) / 1000)} s ${ahead > 0 ? 'ahead of' : 'behind'} the clock of PostgreSQL (synchronize both)`;
}

/**
 * Whether the database answers just now, within two seconds (readiness, api [96]). Asked where queries are short, so that an
 * overload is not taken for an outage.
 */
export async function answers({ pools }: Databases): Promise<boolean> {
  const probe = { text: 'select 1', query_timeout: connectMilliseconds };
  try {
    await pools.sessions.query(probe);
    return true;
  } catch {
    return false;
  }
}
