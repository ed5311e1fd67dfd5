import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

process.chdir(new URL('../..', import.meta.url).pathname);

// Our own watch, because the one of Node 24.21 (`--watch`) can crash when it is stopped and leave the API running.
const state: { api: ChildProcess | null; changes: number; ending: boolean } = { api: null, changes: 0, ending: false };

function startApi(): void {
  // A group of its own, so that Ctrl-C reaches it through us and not twice.
  const options = { stdio: 'inherit', detached: true } as const;
  state.api = spawn(process.execPath, ['--env-file-if-exists=.env', 'packages/api/src/cli/switchyard.ts', 'start', '--no-build'], options);
}

async function stop(child: ChildProcess | null): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}

/** Restarts the API once the files have been quiet for a moment. An editor writes several at a time. */
async function onChange(): Promise<void> {
  const change = ++state.changes;
  await wait(200);
  if (change !== state.changes || state.ending) return;
  await stop(state.api);
  if (change === state.changes) startApi();
}

async function end(): Promise<void> {
  if (state.ending) return;
  state.ending = true;
  await Promise.all([stop(state.api), stop(web)]);
  process.exit();
}

startApi();
const web = spawn(process.execPath, ['../../node_modules/vite/bin/vite.js'], { cwd: 'packages/web', stdio: 'inherit', detached: true });
web.once('exit', () => void end());
for (const folder of [
  'packages/api/src',
  'packages/contract/src',
  'packages/demo/src',
  'packages/embedded-postgres/src',
  'packages/traffic-store/src',
])
  watch(folder, { recursive: true }, () => void onChange());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end());
