import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const program = join(import.meta.dirname, '../../packages/api/bin/switchyard');

/** A running console with its database. */
export type ConsoleServer = { readonly url: string; readonly child: ChildProcess; readonly stop: () => Promise<void> };

/** Milliseconds the server may take to be ready, also on its very first start on a busy machine. */
const timeoutFactor = 120_000;

/** Starts the real server on a free port and waits until it is ready; its output is part of any failure, and `onOutput` gets all of it. */
export async function startConsole(
  environment: Record<string, string>,
  onOutput: (text: string) => void = () => undefined,
): Promise<ConsoleServer> {
  const child = spawn(program, ['start', '--no-build'], {
    env: { ...process.env, HOST: '127.0.0.1', PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-8_000);
    onOutput(chunk.toString());
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const exit = once(child, 'exit');
  const close = once(child, 'close');

  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await exit;
  };
  const deadline = Date.now() + timeoutFactor;
  for (;;) {
    // Its own word: whatever answers on a port may be another server.
    const url = / is ready at (\S+)/.exec(output)?.[1];
    if (url !== undefined) return { url, child, stop };
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline) {
      await stop();
      await close;
      throw new Error(`The console did not start (${child.signalCode ?? `code ${child.exitCode}`}).\n${output}`);
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
}
