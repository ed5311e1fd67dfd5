import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Memory, memoryOf } from '../../console/processes.ts';
import { freePort } from '../../console/free-port.ts';
import { stopOf } from '../start-api.ts';

/** Directus in a process of its own. */
export type Directus = { url: string; token: string; memory(): Memory };

type Options = {
  databaseUrl: string;
  /** Takes its files. */
  folder: string;
  onStarted: (stop: () => Promise<void>) => void;
};

const modules = join(import.meta.dirname, 'node_modules');
// `directus` itself would ask the registry for a newer version first.
const program = join(modules, '@directus/api/dist/cli/run.js');
const token = 'bench-peer'.repeat(4);

/** Creates the tables of Directus where they are missing and starts it in production mode. What is not set here has its default. */
export async function startDirectus({ databaseUrl, folder, onStarted }: Options): Promise<Directus> {
  // The native module is compiled at installation. Only scripts of flows and sandboxed extensions call it, of which there are none.
  await mkdir(join(modules, 'isolated-vm/out'), { recursive: true });
  await writeFile(join(modules, 'isolated-vm/out/isolated_vm.js'), 'exports.ivm = {};\n');
  await mkdir(folder, { recursive: true });
  const port = await freePort();
  const env = {
    NODE_ENV: 'production',
    HOME: folder,
    TZ: 'UTC',
    HOST: '127.0.0.1',
    PORT: String(port),
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: databaseUrl,
    SECRET: 'bench'.repeat(10),
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: 'Bench-Peer-1',
    ADMIN_TOKEN: token,
    LOG_LEVEL: 'warn',
    TELEMETRY: 'false',
    // Batches of 1,000 events are larger than 1 MB, its default.
    MAX_PAYLOAD_SIZE: '16mb',
    // Otherwise it answers 503 while its event loop is busy.
    PRESSURE_LIMITER_ENABLED: 'false',
  };
  await promisify(execFile)(process.execPath, [program, 'bootstrap'], { cwd: folder, env });
  const child = spawn(process.execPath, [program, 'start'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('Directus could not be started');
  onStarted(stopOf(child));
  const ended = once(child, 'exit').then(() => {
    throw new Error('Directus ended before it was ready');
  });
  await Promise.race([once(child, 'message'), ended]);
  const url = `http://127.0.0.1:${port}`;
  await keepNoHistory(url);
  return { url, token, memory: () => memoryOf(pid) };
}

/** Otherwise each event would have an entry of its activity and a revision, which the console does not write for ingested rows. */
async function keepNoHistory(url: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ meta: { accountability: null } });
  const answer = await fetch(`${url}/collections/events`, { method: 'PATCH', headers, body });
  if (!answer.ok) throw new Error(`Directus answered ${answer.status}: ${await answer.text()}`);
}
