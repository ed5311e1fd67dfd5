import { enableCompileCache } from 'node:module';
import { processEnvironment, readSettings } from './env.ts';
import { StartRefused } from './start-refused.ts';

// A second start loads the compiled modules from the cache: about a second less.
enableCompileCache();

/** Starts the console, says where it is and how to sign in, and stops it on the first signal. */
async function main(): Promise<void> {
  const settings = readSettings(processEnvironment());
  const { runConsole } = await import('./run-console.ts');
  const starting = runConsole(settings, () => new Date());
  const stopping = { begun: false };

  async function stop(): Promise<void> {
    if (stopping.begun) process.exit(1);
    stopping.begun = true;
    const running = await starting.catch(() => null);
    await running?.stop();
    process.exit(0);
  }
  process.on('SIGINT', () => void stop());
  process.on('SIGTERM', () => void stop());

  const { url, firstAdmin, demo } = await starting;
  if (stopping.begun) return;
  const lines = [`${settings.names.productName} is ready at ${url}`];
  if (firstAdmin) {
    const secret = firstAdmin.password === null ? 'the password from ADMIN_PASSWORD' : `password ${firstAdmin.password} (shown only now)`;
    lines.push(`First administrator: ${firstAdmin.email}, ${secret}`);
  }
  if (demo) lines.push(`Demo accounts, password ${demo.password}:`, ...demo.emails.map((email) => `  ${email}`));
  process.stdout.write(`${lines.join('\n')}\n`);
}

try {
  await main();
} catch (error) {
  const text = error instanceof StartRefused ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
