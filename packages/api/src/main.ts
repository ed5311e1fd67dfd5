import { enableCompileCache } from 'node:module';
import { processEnvironment, readSettings } from './env.ts';
import { createStartOutput } from './start-output.ts';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';

// The compile cache saves about a second from the second start on.
enableCompileCache();

/** npm repeats the Ctrl-C that the terminal already sent. Only a later signal forces the exit. */
const echoMilliseconds = 1000;

const output = createStartOutput();
const { say, warn } = output;

/** Starts the console, prints its address and how to sign in, and stops it on the first signal. */
async function main(): Promise<void> {
  const settings = readSettings(processEnvironment());
  const { runConsole } = await import('./run-console.ts');
  let isReady = false;
  const starting = runConsole({
    settings,
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

  async function stop(): Promise<void> {
    if (stopping.since !== null) {
      if (performance.now() - stopping.since > echoMilliseconds) process.exit(1);
      return;
    }
    stopping.since = performance.now();
    output.close();
    const running = await starting.catch(() => null);
    await running?.stop();
    process.exit(0);
  }
  // Closing a terminal window sends SIGHUP.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());

  const { url } = await starting;
  if (stopping.since !== null) return;
  say(`${settings.names.productName} is ready at ${url}`);
  isReady = true;
}

// A closed terminal or pipe must not end the console before its graceful shutdown.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

try {
  await main();
} catch (error) {
  output.close();
  warn(error instanceof StartupError ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exit(1);
}
