import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { processEnvironment } from '../env.ts';
import { createStartOutput, type StartOutput } from '../startup/start-output.ts';

const stampFile = 'packages/web/.build-stamp';
const sources = [
  'packages/web/{src,public}/**/*',
  'packages/web/{index.html,query-frame.html,vite.config.ts,package.json,tsconfig.json}',
  'packages/contract/src/**/*.ts',
  'package-lock.json',
];

/** Fingerprint of everything the built console is made of. */
function fingerprint(): string {
  const hash = createHash('sha256');
  for (const entry of globSync(sources, { withFileTypes: true }).toSorted((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1))) {
    if (entry.isFile())
      hash
        .update(pathOf(entry))
        .update('\0')
        .update(readFileSync(pathOf(entry)));
  }
  return hash.digest('hex');
}

function pathOf(entry: { parentPath: string; name: string }): string {
  return `${entry.parentPath}/${entry.name}`;
}

const vitePath = 'node_modules/vite/bin/vite.js';

/**
 * Builds the console when it was never built or its sources changed since; says so, and how long it took. Images and archives have the
 * built console without its sources.
 */
export async function buildWebIfStale(output: Pick<StartOutput, 'step'> = createStartOutput()): Promise<void> {
  if (!existsSync('packages/web/src')) return;
  const currentFingerprint = fingerprint();
  const builtStamp = existsSync('packages/web/dist/index.html') && existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : '';
  if (builtStamp === currentFingerprint) return;
  // With NODE_ENV=production npm ci leaves development packages out.
  if (!existsSync(vitePath)) throw new StartupError('Console: cannot be built without development packages (run npm ci --include=dev)');
  const finish = output.step('Building the console', true);
  const vite = spawn(process.execPath, [`../../${vitePath}`, 'build', '--logLevel', 'warn'], {
    cwd: 'packages/web',
    // A test runner or a server started for development would have it build the slow, warning React.
    env: { ...processEnvironment(), NODE_ENV: 'production' },
    // Errors go to standard error; its own progress would overwrite ours.
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(vite, 'exit');
  finish(code === 0 ? 'Built the console' : 'The console was not built');
  if (code !== 0) throw new StartupError(`Console: could not be built (vite ended with ${String(code)})`);
  writeFileSync(stampFile, currentFingerprint);
}
