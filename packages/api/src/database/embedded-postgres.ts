import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { open, readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { StartRefused } from '../start-refused.ts';
import { findBinaries, type Binaries } from './embedded/binaries.ts';
import { createCluster, databaseName, ensurePassword, handOver, inspectCluster, roleName } from './embedded/cluster.ts';
import { fileReason, prepareDataDir, takeFolder } from './embedded/data-folder.ts';
import { endLeftovers, readPostmasterFile } from './embedded/leftover-processes.ts';
import { postgresSettings, type Durability } from './embedded/postgres-settings.ts';
import { chooseRunAs, type RunAs } from './embedded/run-as.ts';
import { lastLines, spawnAs } from './embedded/run-program.ts';

/** A PostgreSQL server of our own, which lives as long as this process. */
export type EmbeddedPostgres = {
  /** Address of our database, password included; the role may create further databases. */
  url: string;
  /** Whether this start made the cluster. */
  isFresh: boolean;
  /** Process number of the postmaster now; it changes when a killed one is replaced. */
  pid: () => number;
  /** Shuts the server down and frees the data folder; every acknowledged transaction is on disk afterwards. */
  stop: () => Promise<void>;
};

type Options = {
  dataDir: string;
  durability?: Durability;
  /** Told in one line when the server went away by itself and when it is back. */
  onProblem: (message: string) => void;
};

/**
 * Starts PostgreSQL on the folder `postgres` of `dataDir`, making it first when need be. A server that an earlier,
 * killed run left behind is shut down before. If the server goes away while we run, it is started again on the same
 * port, so connections recover by themselves.
 * @throws StartRefused in one clear line: folder not writable, in use, of another version; PostgreSQL not startable.
 */
export async function startEmbeddedPostgres({ dataDir, durability = 'full', onProblem }: Options): Promise<EmbeddedPostgres> {
  await prepareDataDir(dataDir);
  const release = await takeFolder(dataDir);
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
    if (state === 'absent') await createCluster(folder, { binaries, runAs });
    else {
      await endLeftovers(folder);
      await handOver(folder, runAs);
    }
    const password = await ensurePassword(join(dataDir, 'postgres-password'), folder, { binaries, runAs });
    const logFile = join(dataDir, 'postgres.log');
    const server = await superviseServer({ folder, logFile, durability, binaries, runAs }, onProblem);
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
    if (error instanceof StartRefused) throw error;
    throw new StartRefused(`The embedded PostgreSQL in ${dataDir} could not be started: ${fileReason(error)}`, { cause: error });
  }
}

type Launch = { folder: string; logFile: string; durability: Durability; binaries: Binaries; runAs: RunAs };

async function superviseServer(
  launch: Launch,
  onProblem: (message: string) => void,
): Promise<{ port: number; pid: () => number; stop: () => Promise<void> }> {
  const life = { stopping: false };
  let { child, port } = await startOnFreePort(launch);
  let restarting: Promise<void> = Promise.resolve();

  const watch = (watched: ChildProcess): void => {
    watched.once('exit', (code, signal) => {
      if (life.stopping) return;
      onProblem(`PostgreSQL ended unexpectedly (${signal ?? `code ${code}`}); starting it again.`);
      restarting = restart();
    });
  };
  const restart = async (): Promise<void> => {
    for (let delay = 0; !life.stopping; delay = Math.min(5000, delay + 1000)) {
      await wait(delay);
      try {
        await endLeftovers(launch.folder);
        child = await startServer(launch, port);
        watch(child);
        onProblem('PostgreSQL is back.');
        return;
      } catch (error) {
        onProblem(`PostgreSQL could not be started again: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  };
  watch(child);
  return {
    port,
    pid: () => child.pid ?? 0,
    stop: async () => {
      life.stopping = true;
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
      // Another program may have taken the port between our look and PostgreSQL's start.
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

/** Resolves when the server accepts connections; a long recovery after a crash may take its time. */
async function startServer({ folder, logFile, durability, binaries, runAs }: Launch, port: number): Promise<ChildProcess> {
  const size = await stat(logFile).then(
    (found) => found.size,
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
      const written = (await readFile(logFile, 'utf8')).slice(size > largestLog ? 0 : size);
      throw new Error(`${failures.join(', ')}: ${lastLines(written)}`);
    }
    const file = await readPostmasterFile(folder);
    if (file?.pid === child.pid && file?.status === 'ready') return child;
    if (Date.now() > deadline) {
      await stopServer(child);
      throw new Error(`it was not ready after ${startSeconds} seconds; see ${logFile}`);
    }
  }
}

/** Fast shutdown; an immediate one, from which PostgreSQL recovers at the next start, when that takes too long. */
async function stopServer(child: ChildProcess): Promise<void> {
  const gone = () => child.exitCode !== null || child.signalCode !== null;
  if (gone()) return;
  const exit = once(child, 'exit');
  for (const [signal, seconds] of [
    ['SIGINT', 20],
    ['SIGQUIT', 5],
    ['SIGKILL', 5],
  ] as const) {
    // A stopped (SIGSTOP) server would never see the other signals.
    child.kill('SIGCONT');
    child.kill(signal);
    const patience = new AbortController();
    await Promise.race([exit, wait(seconds * 1000, undefined, { signal: patience.signal })]);
    patience.abort();
    if (gone()) return;
  }
}
