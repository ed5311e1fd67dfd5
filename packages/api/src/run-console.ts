import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { productVersion } from '@switchyard/contract/limits';
import { createPasswordHash } from './adapters/password-hash.ts';
import { createSecretBox } from './adapters/secret-box.ts';
import { composeApi, type ComposedApi } from './composition.ts';
import { openDatabases, requireSoundServer, type Databases } from './database/connect.ts';
import { startEmbeddedPostgres } from './database/embedded-postgres.ts';
import { migrate } from './database/migrate.ts';
import { openDemo, type Demo } from './demo/open-demo.ts';
import { type Settings, wantsDemo, withPort } from './env.ts';
import { ensureFirstAdmin, type FirstAdmin } from './features/session/first-admin.ts';
import { openLog, type Log } from './logging.ts';
import { findSecretKey } from './secret-key.ts';
import { StartRefused } from './start-refused.ts';

/** The console under way. */
export type RunningConsole = {
  url: string;
  /** Set when this start created the first administrator. */
  firstAdmin: FirstAdmin | null;
  demo: Pick<Demo, 'emails' | 'password'> | null;
  /** Ends everything in the reverse order of its start; calls under way may take 30 seconds more (R5). */
  stop: () => Promise<void>;
};

const upkeepMilliseconds = 10 * 60_000;
const drainMilliseconds = 30_000;
const webRoot = join(import.meta.dirname, '../../web/dist');

/**
 * Starts all of it in the order in which one thing needs the other, and undoes what was done when a step fails.
 * @throws StartRefused, in one line, for whatever an operator can mend.
 */
export async function runConsole(given: Settings, now: () => Date): Promise<RunningConsole> {
  const undo: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    return { ...(await start(given, now, undo)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(given: Settings, now: () => Date, undo: (() => Promise<void>)[]): Promise<Omit<RunningConsole, 'stop'>> {
  let log: Log | undefined;
  const embedded =
    given.databaseUrl === null
      ? await startEmbeddedPostgres({ dataDir: given.dataDir, onProblem: (message) => log?.logger.error(message) })
      : null;
  if (embedded) undo.push(embedded.stop);
  log = openLog({ dir: given.logs.consoleDir, retentionDays: given.logs.retentionDays, environment: given.environment, now });
  const { logger } = log;
  const databases = openDatabases({
    url: embedded?.url ?? given.databaseUrl ?? '',
    onError: (error) => logger.warn({ err: error }, 'A database connection broke'),
  });
  undo.push(databases.close);
  await prepare(databases);

  const passwords = createPasswordHash();
  const { email, password } = given.firstAdmin;
  const firstAdmin = await ensureFirstAdmin({ db: databases.db, passwords, email, password });
  const key = await findSecretKey({ given: given.secrets.key, dataDir: given.dataDir });
  const demo = await openDemo({
    allowed: given.demo !== false,
    wanted: wantsDemo(given, embedded?.isFresh ?? false),
    dataDir: given.dataDir,
    db: databases.db,
    secretBox: createSecretBox([key]),
    hashPassword: (text) => passwords.hash(text),
    now,
    utcOffset: given.console.utcOffset,
    say: (line) => logger.info(line),
  });

  const settings = given;
  const composed = await composeApi({
    settings,
    databases,
    logger,
    now,
    version: productVersion,
    webRoot: existsSync(webRoot) ? webRoot : null,
  });
  undo.push(() => close(composed));
  await composed.maintain();
  const port = await listen(composed, settings);
  const { appUrl: url } = withPort(settings, port);
  keepUp({ composed, log, undo });
  if (demo) {
    const simulator = demo.startSimulator(ownAddress(settings.listen.host, port));
    undo.push(simulator.stop);
  }
  logger.info({ url }, 'The console is ready');
  return { url, firstAdmin, demo };
}

/** Checks and migrates the database; an unreachable one is for the operator to mend. */
async function prepare(databases: Databases): Promise<void> {
  try {
    await requireSoundServer(databases);
  } catch (error) {
    if (error instanceof StartRefused) throw error;
    throw new StartRefused(`The database cannot be reached: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  await migrate(databases.opsDb);
}

async function listen({ app }: ComposedApi, { listen: { host, port } }: Settings): Promise<number> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') throw new StartRefused(`PORT ${port} is in use on ${host}; stop what listens there or choose another port.`);
    if (code === 'EACCES') throw new StartRefused(`PORT ${port} may not be opened by this user; choose one above 1023.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') throw new StartRefused(`HOST ${host} is no address of this machine.`);
    throw error;
  }
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/** Where this process reaches itself; one that listens on every interface does so on its loopback. */
function ownAddress(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Does the upkeep from time to time; a failed turn is told and tried again at the next. */
function keepUp({ composed, log, undo }: { composed: ComposedApi; log: Log; undo: (() => Promise<void>)[] }): void {
  const turn = (): void => {
    Promise.all([composed.maintain(), log.removeOld()]).catch((error: unknown) => log.logger.error({ err: error }, 'Upkeep failed'));
  };
  const timer = setInterval(turn, upkeepMilliseconds);
  undo.push(async () => clearInterval(timer));
}

/** Lets calls under way finish; what still runs after that is cut off, never ended as if it were whole. */
async function close({ app, beginShutdown }: ComposedApi): Promise<void> {
  beginShutdown();
  const cut = setTimeout(() => app.server.closeAllConnections(), drainMilliseconds);
  app.server.closeIdleConnections();
  await app.close();
  clearTimeout(cut);
}
