import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { productVersion } from '@switchyard/contract/limits';
import type { Build } from '@switchyard/contract/settings';
import { createPasswordHash, type PasswordHash } from '../adapters/password-hash.ts';
import { createRequestCipher } from '../adapters/request-cipher.ts';
import { composeApi } from '../composition.ts';
import { openDatabases, assertDurability, describeClockOffset, type Databases } from '../database/connect.ts';
import { fileReason, lockDataDir, makeFolder } from '@switchyard/embedded-postgres/data-folder';
import { startEmbeddedPostgres } from '@switchyard/embedded-postgres/start-embedded-postgres';
import { prepareDatabase } from '../database/prepare-database.ts';
import { holdsDemo } from '../demo/demo-store.ts';
import { lockDemo, openDemo, type Demo, type DemoAccess } from '../demo/open-demo.ts';
import { BadSetting, isDemoOn, isLocal, type Settings, withPort } from '../env.ts';
import { describeInvalidDomains } from '../features/apps/invalid-domains-lookup.ts';
import { loadPackagedRegistry } from '../features/asns/load-registry.ts';
import { recordConsoleStart } from '../features/operations/console-start-commands.ts';
import { ensureFirstAdmin, type FirstAdmin } from '../features/sign-in/first-admin-commands.ts';
import { openLog, type Log } from '../observability/logging.ts';
import {
  adoptNextKey,
  describeMissingKeyFile,
  findSecretKeys,
  isGuessableKey,
  makeKeyFile,
  type FoundKeys,
} from '../secret-keys/secret-key.ts';
import { claimDatabase } from '../secret-keys/claim-database.ts';
import { findRequestKey } from '../secret-keys/derived-keys.ts';
import { holdKeys } from '../secret-keys/held-keys.ts';
import { assertKeys } from '../secret-keys/match-keys.ts';
import { createSealSecret, type SealSecret } from '../secret-keys/seal-secret.ts';
import { findKeyState, hasTraces } from '../secret-keys/secret-keys-store.ts';
import { findCommit } from './find-commit.ts';
import { findPort, serve } from './serve.ts';
import type { StartOutput } from './start-output.ts';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { openTrafficStore } from '@switchyard/traffic-store/open-traffic-store';

/** The running console. */
export type RunningConsole = {
  url: string;
  /** Stops everything in reverse order, and logs why. Running calls have 30 seconds to finish. */
  stop: (reason: string) => Promise<void>;
};

const maintenanceMilliseconds = 10 * 60_000;
/** Time for statements that still run when everything else has stopped. PostgreSQL then ends them. */
const lastStatementMilliseconds = 5000;
const webRoot = join(import.meta.dirname, '../../../web/dist');

type Options = {
  settings: Settings;
  /** An abort ends a start that waits for the migrations of another process. */
  signal: AbortSignal;
  now: () => Date;
  /** Called as soon as the first administrator exists, because the password is stored nowhere else. */
  onFirstAdmin: (admin: FirstAdmin) => void;
  /** Called with the demo's credentials, at once for the same reason. */
  onDemo: (access: DemoAccess) => void;
  /** Called with one line if demo accounts are locked. */
  onDemoLocked: (line: string) => void;
  /** Called with one line for each problem. */
  onProblem: (line: string) => void;
  /** Called when a long step begins. The returned function gets the outcome, unless the step fails. */
  onStep: StartOutput['step'];
  /** Called with the progress of the demo's back-fill, from 0 to 1; null while it is not running. */
  onPast: StartOutput['past'];
};

/**
 * Starts everything in order of dependency, and stops what was started if a step fails.
 * @throws StartupError with one line for problems that an operator can fix.
 */
export async function runConsole(options: Options): Promise<RunningConsole> {
  const undo: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).toReversed()) {
      // A part that fails to stop must not prevent the others from stopping; the database is last.
      await step().catch((error: unknown) => options.onProblem(error instanceof Error ? error.message : String(error)));
    }
  };
  try {
    const { url, logger } = await start(options, undo);
    return {
      url,
      async stop(reason) {
        const began = performance.now();
        logger.info(`Console: stopping (${reason})`);
        await stop();
        logger.info(`Console: stopped in ${Math.round((performance.now() - began) / 100) / 10} s`);
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(options: Options, undo: (() => Promise<void>)[]): Promise<Pick<RunningConsole, 'url'> & Pick<Log, 'logger'>> {
  const { now } = options;
  const build: Build = { version: productVersion, commit: findCommit() };
  const foundPort = await findPort(options.settings.listen);
  undo.push(foundPort.release);
  const settings = withPort(options.settings, foundPort.port);
  let log: Log | undefined;
  const reportAs =
    (level: 'info' | 'warn' | 'error') =>
    (line: string): void => {
      log?.logger[level](line);
      // Logged lines are on standard output then.
      if (log === undefined || !settings.logs.toStdout) options.onProblem(line);
    };
  const [onProblem, onRecovery] = [reportAs('error'), reportAs('info')];
  const databaseStarted = settings.databaseUrl === null ? options.onStep('Starting PostgreSQL') : null;
  const embedded = settings.databaseUrl === null ? await startEmbeddedPostgres({ dataDir: settings.dataDir, onProblem, onRecovery }) : null;
  if (embedded) undo.push(embedded.stop);
  databaseStarted?.('Started PostgreSQL');
  // The embedded PostgreSQL has created it.
  if (embedded === null) createDataDir(settings.dataDir);
  const dataDirWarning = embedded === null ? await holdDataDir(settings.dataDir, undo) : null;
  const { consoleDir, instance, retentionDays, toStdout } = settings.logs;
  const echo = toStdout ? (line: string) => void process.stdout.write(line) : null;
  log = openLog({ dir: consoleDir, instance, echo, retentionDays, environment: settings.environment, now });
  const { logger } = log;
  if (dataDirWarning !== null) reportAs('warn')(dataDirWarning);
  const databases = openDatabases({
    url: embedded?.url ?? settings.databaseUrl ?? '',
    onError: (error) => logger.warn({ err: error }, 'Database: connection lost'),
  });
  undo.push(() => Promise.race([databases.close(), wait(lastStatementMilliseconds, undefined, { ref: false })]));
  const databasePrepared = options.onStep('Preparing the database');
  await assertDurability(databases);
  // Before the migrations: a console with another key is to change nothing.
  const foundKeys = await findKeys(settings, databases);
  const keys = holdKeys(foundKeys);
  const migrations = await prepareDatabase(databases.opsDb, {
    signal: options.signal,
    onLongWait: () => onProblem('Database: another process is migrating it; the start goes on when that has ended'),
  });
  const { isSettled, notice } = await claimDatabase(databases, keys);
  if (foundKeys.isNext && isSettled) await adoptNextKey(settings.dataDir);
  else if (notice !== null) onProblem(notice);
  if (migrations.length > 0) for (const line of await describeInvalidDomains(databases.opsDb, settings.appUrl)) onProblem(line);
  databasePrepared(migrations.length === 0 ? 'Database: up to date' : `Database migrations applied: ${migrations.length}`);
  const trafficStore = await openTrafficStore(settings.eventStore, {
    databases,
    serverOffset: settings.console.utcOffset,
    retentionDays: settings.eventRetentionDays,
    attributionDays: settings.attributionDays,
    onProblem,
    onRecovery,
    onStep: options.onStep,
  });
  undo.push(trafficStore.close);

  const passwords = createPasswordHash();
  const { email, password } = settings.firstAdmin;
  const firstAdmin = await ensureFirstAdmin({ db: databases.db, passwords, email, password });
  if (firstAdmin) options.onFirstAdmin(firstAdmin);
  const { requestKey } = settings.secrets;
  // Existing installations keep starting.
  for (const [name, key] of Object.entries({ SECRET_KEY: settings.secrets.key, REQUEST_KEY: requestKey }))
    if (key !== null && isGuessableKey(key)) onProblem(`${name}: easy to guess (replace it, see docs/data-protection.md)`);
  const requestCipher = createRequestCipher(requestKey === null ? { ownKey: await findRequestKey(databases.db, keys) } : { requestKey });
  const demoIsOn = isDemoOn(settings, embedded && { isFresh: embedded.isFresh, holdsDemo: await holdsDemo(databases.db) });
  let demoLoaded: number | null = null;
  const onPast = (share: number | null): void => {
    demoLoaded = share === 1 ? null : share;
    options.onPast(share);
  };
  const demo = demoIsOn
    ? await startDemo({ ...options, onPast }, { settings, databases, sealSecret: createSealSecret(keys), passwords, logger })
    : null;
  if (!demoIsOn) await lockDemoAccounts(options, { settings, databases, logger });

  const composedApi = await composeApi({
    settings,
    databases,
    trafficStore,
    logger,
    keys,
    requestCipher,
    passwords,
    now,
    build,
    webRoot: existsSync(webRoot) ? webRoot : null,
    demoIsOn,
    demoLoaded: () => demoLoaded,
    logWriteErrors: log.writeErrors,
  });
  const maintain = async (): Promise<void> => {
    const clockOffset = await describeClockOffset(databases, now);
    if (clockOffset !== null) onProblem(clockOffset);
    await composedApi.maintain();
  };
  await maintain();
  undo.push(composedApi.stopJobs);
  await composedApi.startJobs();
  await foundPort.release();
  const server = await serve(composedApi, settings.listen);
  undo.push(server.stop);
  await recordConsoleStart(databases.opsDb, build);
  scheduleMaintenance({ maintain, log, undo });
  undo.push(loadRegistry(databases, logger));
  // Report the shutdown at once, because the other parts may take seconds to stop.
  undo.push(async () => composedApi.beginShutdown());
  undo.push(async () => {
    composedApi.beginDrain();
    await wait(settings.drainSeconds * 1000);
  });
  if (demo?.startSimulator) {
    const simulator = demo.startSimulator(ownAddress(settings.listen.host, settings.listen.port));
    undo.push(simulator.stop);
  }
  logger.info({ url: settings.appUrl, ...build }, 'Console: ready');
  return { url: settings.appUrl, logger };
}

type DemoParts = { settings: Settings; databases: Databases; sealSecret: SealSecret; passwords: PasswordHash; logger: Log['logger'] };

/** Loads the demo if this process is the one that owns it. */
async function startDemo(options: Options, { settings, databases, sealSecret, passwords, logger }: DemoParts): Promise<Demo | null> {
  const demo = await openDemo({
    isLocal: isLocal(settings),
    // Taken until the process ends. A second process would replace the tokens of the first, and double the traffic.
    ownsDemo: (await databases.takeSharedSlot('demo', { slots: 1 })) !== null,
    dataDir: settings.dataDir,
    logs: settings.logs,
    db: databases.db,
    sealSecret,
    passwords,
    now: options.now,
    utcOffset: settings.console.utcOffset,
    say: (line) => logger.info(line),
    onStep: options.onStep,
    onPast: options.onPast,
  });
  if (demo) options.onDemo(demo);
  return demo;
}

/** The keys of the settings or the data folder. Generates one if nothing was encrypted yet. @throws BadSetting if they do not fit the database. */
async function findKeys(settings: Settings, { opsDb }: Databases): Promise<FoundKeys> {
  const state = await findKeyState(opsDb);
  const foundKeys = await findSecretKeys(settings);
  if (foundKeys === null) {
    if (hasTraces(state)) throw new BadSetting(describeMissingKeyFile(settings.dataDir));
    return makeKeyFile(settings);
  }
  assertKeys(state, holdKeys(foundKeys));
  return foundKeys;
}

/** Locks the accounts of a demo that is off, and reports it if there were any. */
async function lockDemoAccounts(
  options: Options,
  { settings, databases, logger }: Pick<DemoParts, 'settings' | 'databases' | 'logger'>,
): Promise<void> {
  const warning = await lockDemo(databases.db);
  if (warning === null) return;
  logger.warn(warning);
  if (!settings.logs.toStdout) options.onDemoLocked(warning);
}

/** Creates the data folder, which holds the indexes and by default the files of logs. @throws StartupError with the reason. */
function createDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir);
  } catch (error) {
    throw new StartupError(`DATA_DIR ${dataDir}: cannot be created (${fileReason(error)})`);
  }
}

/**
 * Holds the data folder of a console whose database is elsewhere. Returns a warning if another process does: both would write the indexes
 * of logs and the anchor of the audit trail there.
 */
async function holdDataDir(dataDir: string, undo: (() => Promise<void>)[]): Promise<string | null> {
  try {
    undo.push(await lockDataDir(dataDir));
    return null;
  } catch (error) {
    if (error instanceof StartupError) return error.message;
    return `DATA_DIR ${dataDir}: cannot be locked (${fileReason(error)})`;
  }
}

/** Address at which this process reaches itself: loopback if it listens on every interface. */
function ownAddress(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Loads the ASN registry in the background at a first start. Returns a function that aborts the load. */
function loadRegistry(databases: Databases, logger: Log['logger']): () => Promise<void> {
  const ending = new AbortController();
  const loading = loadPackagedRegistry({ databases, signal: ending.signal }).then(
    (registry) => registry && logger.info(registry, 'ASN registry: loaded'),
    (error: unknown) => {
      if (!ending.signal.aborted) logger.error({ err: error }, 'ASN registry: load failed (retried at the next start)');
    },
  );
  return async () => {
    ending.abort();
    await loading;
  };
}

/** Runs periodic maintenance. A failed run is logged and repeated at the next interval. */
function scheduleMaintenance({ maintain, log, undo }: { maintain: () => Promise<void>; log: Log; undo: (() => Promise<void>)[] }): void {
  const turn = (): void => {
    Promise.all([maintain(), log.removeOld()]).catch((error: unknown) =>
      log.logger.error({ err: error }, 'Maintenance: failed (retried in ten minutes)'),
    );
  };
  const timer = setInterval(turn, maintenanceMilliseconds);
  undo.push(async () => clearInterval(timer));
}
