import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { fileReason, makeFolder } from '@switchyard/embedded-postgres/data-folder';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';

/** The embedded ClickHouse as a process of its own. */
export type EmbeddedEngine = {
  /** Address with the credentials. The database is the default one. */
  url: string;
  /** Number of the current process. It changes when an engine that ended is started again. */
  pid: () => number;
  /** Lets running queries end as cancelled and closes the folder. All acknowledged inserts are stored afterwards. */
  stop: () => Promise<void>;
};

const packageFolder = join(import.meta.dirname, '../../../../embedded-clickhouse');
const stopMilliseconds = 25_000;

/** Whether the embedded engine is installed: `npm ci` at the root leaves it out, and it has no library for some systems. */
export const isEngineInstalled = (engineFolder = packageFolder): boolean => existsSync(join(engineFolder, 'node_modules/@chdb'));

type Options = {
  /** Receives one line when the engine ends unexpectedly, and for each restart that fails. */
  onProblem: (line: string) => void;
  /** Receives one line when it has recovered. */
  onRecovery?: ((line: string) => void) | undefined;
  /** Folder of the engine's package. */
  engineFolder?: string;
  /** How long to wait for a folder that is in use, in milliseconds; by default as long as an engine may take to end. */
  openWithin?: number;
};

/**
 * Starts the embedded ClickHouse on a data folder, which it creates if it is missing. It ends with this process, however
 * that ends. One process may use a folder at a time. An engine that ends unexpectedly is started again at the same address.
 * @throws StartupError if the engine is not installed, the folder is in use or the engine does not start.
 */
export async function startEngine(
  folder: string,
  { onProblem, onRecovery, engineFolder = packageFolder, openWithin }: Options,
): Promise<EmbeddedEngine> {
  if (!isEngineInstalled(engineFolder))
    throw new StartupError('EVENT_STORE_URL: the embedded ClickHouse is not installed (run npm ci --prefix embedded-clickhouse)');
  try {
    makeFolder(folder);
  } catch (error) {
    throw new StartupError(`Embedded ClickHouse in ${folder}: cannot be started (${fileReason(error)})`);
  }
  const password = randomBytes(24).toString('hex');
  const state = { isStopping: false };
  let restarting: Promise<void> = Promise.resolve();
  const first = await launch('0');
  const { url } = first;
  let { child } = first;

  async function launch(port: string): Promise<{ child: ChildProcess; url: string }> {
    // A group of its own, so that Ctrl-C reaches it only through us. It watches its standard input for our end.
    const openFlags = openWithin === undefined ? [] : ['--open-within', String(openWithin)];
    const gateway = spawn(process.execPath, [join(engineFolder, 'gateway.ts'), folder, '--port', port, ...openFlags], {
      env: { ENGINE_PASSWORD: password, TZ: 'UTC', NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    const errors = text(gateway.stderr);
    const address = await Promise.race([readAddress(gateway.stdout), once(gateway, 'exit').then(() => null)]);
    if (address === null) throw new StartupError(`Embedded ClickHouse in ${folder}: cannot be started (${reasonIn(await errors)})`);
    return { child: gateway, url: address };
  }

  function watch(process: ChildProcess): void {
    process.once('exit', (code, signal) => {
      if (state.isStopping) return;
      onProblem(`Embedded ClickHouse: ended unexpectedly, restarting (${signal ?? `code ${code}`})`);
      restarting = restart();
    });
  }

  async function restart(): Promise<void> {
    for (let delay = 0; !state.isStopping; delay = Math.min(5000, delay + 1000)) {
      await wait(delay);
      try {
        ({ child } = await launch(new URL(url).port));
        watch(child);
        onRecovery?.('Embedded ClickHouse: recovered');
        return;
      } catch (error) {
        onProblem(error instanceof Error ? error.message : String(error));
      }
    }
  }

  watch(child);
  return {
    url,
    pid: () => child.pid ?? 0,
    stop: async () => {
      state.isStopping = true;
      await restarting;
      await stopProcess(child);
    },
  };
}

async function readAddress(output: NodeJS.ReadableStream): Promise<string | null> {
  for await (const line of createInterface({ input: output })) {
    const [, url] = /^listening on (http:\S+)$/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  return null;
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const timeout = new AbortController();
  await Promise.race([exit, wait(stopMilliseconds, undefined, { signal: timeout.signal }).then(() => child.kill('SIGKILL'))]);
  timeout.abort();
  await exit;
}

function reasonIn(errors: string): string {
  if (errors.includes('Cannot lock file')) return 'the folder is in use by another process';
  return errors.trim().split('\n')[0] ?? '';
}
