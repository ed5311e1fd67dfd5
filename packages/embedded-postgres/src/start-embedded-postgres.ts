import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { open, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { StartupError } from './startup-error.ts';
import { findBinaries, type Binaries } from './binaries.ts';
import { createCluster, databaseName, ensurePassword, changeOwner, inspectCluster, roleName } from './cluster.ts';
import { fileReason, prepareDataDir, lockDataDir } from './data-folder.ts';
import { stopOrphanedServer, readPostmasterFile } from './orphaned-servers.ts';
import { postgresSettings, type Durability } from './postgres-settings.ts';
import { chooseRunAs, type RunAs } from './run-program.ts';
import { lastLines, spawnAs } from './run-program.ts';

/** A PostgreSQL server that this process started and supervises. */
export type EmbeddedPostgres = {
  /** Connection URL of the product's database, including the password. The role may create further databases. */
  url: string;
  /** Whether this start created the cluster. */
  isFresh: boolean;
  /** PID of the current postmaster. It changes when a crashed server is restarted. */
  pid: () => number;
  /** Shuts the server down and unlocks the data folder. All acknowledged transactions are on disk afterwards. */
  stop: () => Promise<void>;
};

type Options = {
  dataDir: string;
  durability?: Durability;
  /** Receives one line when the server exits unexpectedly, and for each restart that fails. */
  onProblem: (message: string) => void;
  /** Receives one line when it has recovered. */
  onRecovery?: (message: string) => void;
};

/**
 * Starts PostgreSQL on `dataDir/postgres` and creates the cluster if it is missing. First shuts down a server that a
 * killed run orphaned. A server that exits unexpectedly is restarted on the same port, so connection pools recover.
 * @throws StartupError if the folder is not writable, in use or of another version, or if PostgreSQL does not start.
 */
export async function startEmbeddedPostgres({ dataDir, durability = 'full', ...watch }: Options): Promise<EmbeddedPostgres> {
  await prepareDataDir(dataDir);
  const release = await lockDataDir(dataDir);
  try {
    const folder = join(dataDir, 'postgres');
    const state = await inspectCluster(folder);
    const binaries = await findBinaries(join(dataDir, 'postgres-libraries'));
    const owner = await stat(folder).catch(() => null);
    const runAs = await chooseRunAs({
      folder,
      ownerUid: owner?.uid ?? null,
      ownerGid: owner?.gid ?? null,
      programs: binaries.postgres,
      env: binaries.env,
    });
    const passwordFile = join(dataDir, 'postgres-password');
    if (state === 'absent') {
      // Left by a database that was moved elsewhere.
      await rm(passwordFile, { force: true });
      await createCluster(folder, { binaries, runAs });
    } else {
      await stopOrphanedServer(folder);
      await changeOwner(folder, runAs);
    }
    const password = await ensurePassword(passwordFile, folder, { binaries, runAs });
    const logFile = join(dataDir, 'postgres.log');
    const server = await superviseServer({ folder, logFile, durability, binaries, runAs }, watch);
    return {
      url: `postgres://${roleName}:${password}@127.0.0.1:${server.port}/${databaseName}`,
      isFresh: state === 'absent',
      pid: server.pid,
      stop: async () => {
        await server.stop();
        await release();
      },
    };
  } catch (error) {
    await release();
    if (error instanceof StartupError) throw error;
    throw new StartupError(`Embedded PostgreSQL in ${dataDir}: cannot be started (${fileReason(error)})`, { cause: error });
  }
}

type Launch = { folder: string; logFile: string; durability: Durability; binaries: Binaries; runAs: RunAs };

async function superviseServer(
  launch: Launch,
  { onProblem, onRecovery }: Pick<Options, 'onProblem' | 'onRecovery'>,
): Promise<{ port: number; pid: () => number; stop: () => Promise<void> }> {
  const state = { stopping: false };
  let { child, port } = await startOnFreePort(launch);
  let restarting: Promise<void> = Promise.resolve();

  const watch = (server: ChildProcess): void => {
    server.once('exit', (code, signal) => {
      if (state.stopping) return;
      onProblem(`Embedded PostgreSQL: ended unexpectedly, restarting (${signal ?? `code ${code}`})`);
      restarting = restart();
    });
  };
  const restart = async (): Promise<void> => {
    for (let delay = 0; !state.stopping; delay = Math.min(5000, delay + 1000)) {
      await wait(delay);
      try {
        await stopOrphanedServer(launch.folder);
        child = await startServer(launch, port);
        watch(child);
        onRecovery?.('Embedded PostgreSQL: recovered');
        return;
      } catch (error) {
        onProblem(`Embedded PostgreSQL: restart failed (${error instanceof Error ? error.message : String(error)})`);
      }
    }
  };
  watch(child);
  return {
    port,
    pid: () => child.pid ?? 0,
    stop: async () => {
      state.stopping = true;
      await restarting;
      await stopServer(child);
    },
  };
}

async function startOnFreePort(launch: Launch): Promise<{ child: ChildProcess; port: number }> {
  for (let tries = 1; ; tries += 1) {
    const port = await freePort();
    try {
      return { child: await startServer(launch, port), port };
    } catch (error) {
      // Another program may have taken the port since the probe.
      if (tries >= 3 || !(error instanceof Error && /Address already in use|create any TCP/.test(error.message))) throw error;
    }
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port on 127.0.0.1');
  return address.port;
}

const startSeconds = 120;
const largestLog = 5 * 2 ** 20;

/** Resolves when the server accepts connections. Crash recovery may take minutes. */
async function startServer({ folder, logFile, durability, binaries, runAs }: Launch, port: number): Promise<ChildProcess> {
  const size = await stat(logFile).then(
    (stats) => stats.size,
    () => 0,
  );
  const log = await open(logFile, size > largestLog ? 'w' : 'a', 0o600);
  const command = [binaries.postgres, '-D', folder, ...postgresSettings({ port, durability })];
  const child = spawnAs(runAs, command, { env: binaries.env, cwd: folder, stdio: ['ignore', log.fd, log.fd] });
  const failures: string[] = [];
  child.once('error', (error) => failures.push(error.message));
  child.once('exit', (code, signal) => failures.push(`it ended with ${signal ?? `code ${code}`}`));
  await log.close();
  for (const deadline = Date.now() + startSeconds * 1000; ; await wait(15)) {
    if (failures.length > 0) {
      const logText = (await readFile(logFile, 'utf8')).slice(size > largestLog ? 0 : size);
      throw new Error(`${failures.join(', ')}: ${lastLines(logText)}`);
    }
    const file = await readPostmasterFile(folder);
    if (file?.pid === child.pid && file?.status === 'ready') return child;
    if (Date.now() > deadline) {
      await stopServer(child);
      throw new Error(`it was not ready after ${startSeconds} seconds; see ${logFile}`);
    }
  }
}

/** Fast shutdown. If it takes too long, immediate shutdown, from which PostgreSQL recovers at the next start. */
async function stopServer(child: ChildProcess): Promise<void> {
  const hasExited = () => child.exitCode !== null || child.signalCode !== null;
  if (hasExited()) return;
  const exit = once(child, 'exit');
  for (const [signal, seconds] of [
    ['SIGINT', 20],
    ['SIGQUIT', 5],
    ['SIGKILL', 5],
  ] as const) {
    // A server stopped by SIGSTOP does not handle other signals.
    child.kill('SIGCONT');
    child.kill(signal);
    const timeout = new AbortController();
    await Promise.race([exit, wait(seconds * 1000, undefined, { signal: timeout.signal })]);
    timeout.abort();
    if (hasExited()) return;
  }
}
