import { spawn } from 'node:child_process';
import { longFiles } from './architecture-rules.ts';
import { readSourceFiles } from './source-files.ts';

/**
 * The static checks, each a command; they run two at a time because every one is busy on one core. The compiler would check
 * what its threads share once in each of them, so it has one.
 */
const checks: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  // One program for all packages but the web: each of them would check the contract, and most the API, again.
  ['types: all but web', 'tsc', '-p', '.', '--checkers', '1'],
  ['types: web', 'tsc', '-p', 'packages/web', '--checkers', '1'],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings'],
  ['format', 'oxfmt', '--check'],
  ['unused code', 'knip', '--no-progress'],
  ['bundle size', 'node', 'tools/scripts/bundle-size.ts'],
];

type Outcome = { name: string; passed: boolean; seconds: number; output: string };

function run([name, command, ...args]: (typeof checks)[number]): Promise<Outcome> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', (error) => (output += error.message));
    child.on('close', (code) => resolve({ name, passed: code === 0, seconds: (performance.now() - startedAt) / 1000, output }));
  });
}

const queue = [...checks];
const failedChecks: string[] = [];

async function work(): Promise<void> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const outcome = await run(next);
    console.log(`${outcome.passed ? 'ok    ' : 'FAILED'} ${outcome.name} (${outcome.seconds.toFixed(1)} s)`);
    if (outcome.passed) continue;
    failedChecks.push(outcome.name);
    console.log(outcome.output.trimEnd());
  }
}

await Promise.all([work(), work()]);
for (const line of longFiles(readSourceFiles())) console.log(`warning: ${line}`);
if (failedChecks.length > 0) {
  console.error(`\n${failedChecks.length} of ${checks.length} checks failed: ${failedChecks.join(', ')}`);
  process.exitCode = 1;
}
