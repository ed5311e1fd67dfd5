import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { productVersion } from '@switchyard/contract/limits';
import { createPasswordHash } from './adapters/password-hash.ts';
import { createRequestCipher } from './adapters/request-cipher.ts';
import { createSecretBox } from './adapters/secret-box.ts';
import { composeApi, type ComposedApi } from './composition.ts';
import { openDatabases, requireSoundServer, type Databases } from './database/connect.ts';
import { isDatabaseRefusal, isDatabaseUnavailable } from './database/database-errors.ts';
import { startEmbeddedPostgres } from './database/embedded-postgres.ts';
import { prepareDatabase } from './database/prepare-database.ts';
import { holdsDemo } from './demo/demo-store.ts';
import { lockDemo, openDemo, type Demo, type DemoAccess } from './demo/open-demo.ts';
import { isDemoOn, isLocal, type Settings, withPort } from './env.ts';
import { loadPackagedRegistry } from './features/asns/load-registry.ts';
import { ensureFirstAdmin, type FirstAdmin } from './features/session/first-admin.ts';
import { openLog, type Log } from './logging.ts';
import { findSecretKey } from './secret-key.ts';
import { findPort, serve } from './serve.ts';
import type { StartOutput } from './start-output.ts';
import { StartRefused } from './start-refused.ts';

/** The console under way. */
export type RunningConsole = {
  url: string;
  /** Ends everything in the reverse order of its start; calls under way may take 30 seconds more (R5). */
  stop: () => Promise<void>;
};

const upkeepMilliseconds = 10 * 60_000;
/** Statements still under way when everything else has ended; PostgreSQL itself ends them after that. */
const lastStatementMilliseconds = 5000;
const webRoot = join(import.meta.dirname, '../../web/dist');

type Options = {
  settings: Settings;
  now: () => Date;
  /** Told the moment the first administrator exists: the password is known nowhere else, whatever comes after. */
  onFirstAdmin: (admin: FirstAdmin) => void;
  /** Told how to sign in to the demo, at once for the same reason. */
  onDemo: (access: DemoAccess) => void;
  /** Told in one line that demo accounts are locked. */
  onDemoLocked: (line: string) => void;
  /** Told in one line what the person at the terminal should know. */
  onProblem: (line: string) => void;
  /** Told when a step begins that may take seconds; what it returns is told the outcome, unless the step fails. */
  onStep: StartOutput['step'];
  /** Told which share of the demo's past was handed in, from 0 to 1; null while nothing hands it in. */
  onPast: StartOutput['past'];
};

/**
 * Starts all of it in the order in which one thing needs the other, and undoes what was done when a step fails.
 * @throws StartRefused, in one line, for whatever an operator can mend.
 */
export async function runConsole(options: Options): Promise<RunningConsole> {
  const undo: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).toReversed()) {
      // One part that cannot end must not keep the others, the database last, from ending.
      await step().catch((error: unknown) => options.onProblem(error instanceof Error ? error.message : String(error)));
    }
  };
  try {
    return { ...(await start(options, undo)), stop };
  } catch (error) {
    await stop();
    throw explained(error);
  }
}

async function start(options: Options, undo: (() => Promise<void>)[]): Promise<Omit<RunningConsole, 'stop'>> {
  const { now } = options;
  const found = await findPort(options.settings.listen);
  undo.push(found.release);
  const settings = withPort(options.settings, found.port);
  let log: Log | undefined;
  const onProblem = (line: string): void => {
    log?.logger.error(line);
    options.onProblem(line);
  };
  const databaseStarted = settings.databaseUrl === null ? options.onStep('Starting PostgreSQL') : null;
  const embedded = settings.databaseUrl === null ? await startEmbeddedPostgres({ dataDir: settings.dataDir, onProblem }) : null;
  if (embedded) undo.push(embedded.stop);
  databaseStarted?.('Started PostgreSQL');
  log = openLog({ dir: settings.logs.consoleDir, retentionDays: settings.logs.retentionDays, environment: settings.environment, now });
  const { logger } = log;
  const databases = openDatabases({
    url: embedded?.url ?? settings.databaseUrl ?? '',
    onError: (error) => logger.warn({ err: error }, 'A database connection broke'),
  });
  undo.push(() => Promise.race([databases.close(), wait(lastStatementMilliseconds, undefined, { ref: false })]));
  const databasePrepared = options.onStep('Preparing the database');
  await requireSoundServer(databases);
  const migrations = await prepareDatabase(databases.opsDb);
  databasePrepared(migrations.length === 0 ? 'The database is up to date' : `Database migrations applied: ${migrations.length}`);

  const passwords = createPasswordHash();
  const { email, password } = settings.firstAdmin;
  const firstAdmin = await ensureFirstAdmin({ db: databases.db, passwords, email, password });
  if (firstAdmin) options.onFirstAdmin(firstAdmin);
  const secretKey = await findSecretKey({ given: settings.secrets.key, dataDir: settings.dataDir });
  const secretBox = createSecretBox([secretKey]);
  const { requestKey } = settings.secrets;
  const requestCipher = createRequestCipher(requestKey === null ? { secretKey } : { requestKey });
  const demoIsOn = isDemoOn(settings, embedded && { isFresh: embedded.isFresh, holdsDemo: await holdsDemo(databases.db) });
  let demo: Demo | null = null;
  if (demoIsOn) {
    demo = await openDemo({
      isLocal: isLocal(settings),
      dataDir: settings.dataDir,
      logs: settings.logs,
      db: databases.db,
      secretBox,
      passwords,
      now,
      utcOffset: settings.console.utcOffset,
      say: (line) => logger.info(line),
      onStep: options.onStep,
      onPast: options.onPast,
    });
    if (demo) options.onDemo(demo);
  } else {
    const locked = await lockDemo(databases.db);
    if (locked !== null) {
      logger.warn(locked);
      options.onDemoLocked(locked);
    }
  }

  const composed = await composeApi({
    settings,
    databases,
    logger,
    secretBox,
    requestCipher,
    now,
    version: productVersion,
    webRoot: existsSync(webRoot) ? webRoot : null,
    demoIsOn,
  });
  await composed.maintain();
  undo.push(composed.stopJobs);
  await composed.startJobs();
  await found.release();
  const served = await serve(composed, settings.listen);
  undo.push(served.stop);
  keepUp({ composed, log, undo });
  undo.push(loadRegistry(databases, logger));
  // Told at once (R5), not only after what else has to end, which may take seconds.
  undo.push(async () => composed.beginShutdown());
  if (demo?.startSimulator) {
    const simulator = demo.startSimulator(ownAddress(settings.listen.host, settings.listen.port));
    undo.push(simulator.stop);
  }
  logger.info({ url: settings.appUrl }, 'The console is ready');
  return { url: settings.appUrl };
}

/** An unreachable database is for the operator to mend, as is one that lets us not in. */
function explained(error: unknown): unknown {
  if (error instanceof StartRefused || !(isDatabaseUnavailable(error) || isDatabaseRefusal(error))) return error;
  return new StartRefused(`The database cannot be reached: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
}

/** Where this process reaches itself; one that listens on every interface does so on its loopback. */
function ownAddress(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Loads the registry of autonomous systems beside the work of the console, at a first start (O28); gives what ends it. */
function loadRegistry(databases: Databases, logger: Log['logger']): () => Promise<void> {
  const ending = new AbortController();
  const loading = loadPackagedRegistry({ databases, signal: ending.signal }).then(
    (loaded) => loaded && logger.info(loaded, 'The registry of autonomous systems was loaded'),
    (error: unknown) => {
      if (!ending.signal.aborted)
        logger.error({ err: error }, 'The registry of autonomous systems could not be loaded; the next start tries again');
    },
  );
  return async () => {
    ending.abort();
    await loading;
  };
}

/** Does the upkeep from time to time; a failed turn is told and tried again at the next. */
function keepUp({ composed, log, undo }: { composed: ComposedApi; log: Log; undo: (() => Promise<void>)[] }): void {
  const turn = (): void => {
    Promise.all([composed.maintain(), log.removeOld()]).catch((error: unknown) => log.logger.error({ err: error }, 'Upkeep failed'));
  };
  const timer = setInterval(turn, upkeepMilliseconds);
  undo.push(async () => clearInterval(timer));
}
