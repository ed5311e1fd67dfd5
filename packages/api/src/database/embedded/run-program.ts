import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import type { RunAs } from './run-as.ts';

/**
 * Starts a program of PostgreSQL as the account that may run it, in a process group of its own: Ctrl-C at the terminal
 * reaches us alone, and we end PostgreSQL after our own work is done.
 */
export function spawnAs(runAs: RunAs, [program = '', ...args]: readonly string[], options: SpawnOptions): ChildProcess {
  const [first = program, ...rest] = [...runAs.prefix, program, ...args];
  return spawn(first, rest, { ...options, detached: true });
}

/**
 * Runs a program to its end, with `input` on its standard input.
 * @throws Error with what it wrote when it fails.
 */
export async function runToEnd(
  runAs: RunAs,
  command: readonly string[],
  { env, cwd, input }: { env: Readonly<Record<string, string>>; cwd: string; input: string },
): Promise<void> {
  const child = spawnAs(runAs, command, { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  // A program that fails before it reads would otherwise raise EPIPE here; its exit code says it better.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`${command[0]} ended with ${signal ?? `code ${code}`}: ${lastLines(output)}`)),
    );
  });
}

/** The end of what a program wrote, on one line. */
export function lastLines(output: string): string {
  return output.trim().split('\n').slice(-3).join(' | ').slice(-600);
}
