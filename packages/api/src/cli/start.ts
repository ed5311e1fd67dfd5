import { processEnvironment, readSettings } from '../env.ts';
import { createStartOutput, jsonStreams } from '../startup/start-output.ts';

/** npm repeats the Ctrl-C that the terminal already sent. Only a later signal forces the exit. */
const echoMilliseconds = 1000;

/** Starts the console, prints its address and how to sign in, and stops it on the first signal. `build`: builds its pages if they are stale. */
export async function startConsole({ build }: { build: boolean }): Promise<void> {
  const env = processEnvironment();
  if (env['npm_lifecycle_event'] !== undefined) stopWithParent();
  const settings = readSettings(env);
  const { environment, logs } = settings;
  const output = createStartOutput(logs.toStdout ? jsonStreams({ environment }) : process);
  const { say, warn } = output;
  if (build) await (await import('./build-web.ts')).buildWebIfStale(output);
  const { runConsole } = await import('../startup/run-console.ts');
  let isReady = false;
  const ending = new AbortController();
  const starting = runConsole({
    settings,
    signal: ending.signal,
    now: () => new Date(),
    onFirstAdmin: ({ email, password }) => {
      const secret = password === null ? 'the password from ADMIN_PASSWORD' : `password ${password} (shown only now)`;
      say(`First administrator: ${email}, ${secret}`);
    },
    onDemo: ({ emails, password, isGenerated }) => {
      const secret = password === null ? 'with the password set before' : `password ${password}${isGenerated ? ' (shown only now)' : ''}`;
      say(`Demo accounts, ${secret}:`, ...emails.map((email) => `  ${email}`));
    },
    onDemoLocked: (line) => say(line),
    onProblem: warn,
    onStep: output.step,
    // Print the address before any progress.
    onPast: (share) => isReady && output.past(share),
  });
  const stopping: { since: number | null } = { since: null };

  async function stop(reason: string): Promise<void> {
    if (stopping.since !== null) {
      if (performance.now() - stopping.since > echoMilliseconds) process.exit(1);
      return;
    }
    stopping.since = performance.now();
    output.close();
    ending.abort();
    const running = await starting.catch(() => null);
    await running?.stop(reason);
    process.exit(0);
  }
  // Closing a terminal window sends SIGHUP.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(signal));

  const running = await starting.catch((error: unknown) => {
    output.close();
    if (stopping.since === null) throw error;
    return null;
  });
  if (running === null || stopping.since !== null) return;
  // The log says so, too.
  if (!logs.toStdout) say(`${settings.names.productName} is ready at ${running.url}`);
  isReady = true;
}

/** npm hands on SIGINT and SIGTERM only. When it is killed in another way, the console would go on without anyone to stop it. */
function stopWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, 1000).unref();
}
