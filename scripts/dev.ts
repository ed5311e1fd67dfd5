import { spawn, type ChildProcess } from 'node:child_process';

process.chdir(new URL('..', import.meta.url).pathname);

const api = spawn(process.execPath, ['--watch', '--watch-preserve-output', '--env-file-if-exists=.env', 'packages/api/src/main.ts'], {
  stdio: 'inherit',
});
const web = spawn(process.execPath, ['../../node_modules/vite/bin/vite.js'], { cwd: 'packages/web', stdio: 'inherit' });

/** One of the two without the other is of no use, so they end together. */
function endTogether(one: ChildProcess, other: ChildProcess): void {
  one.once('exit', () => other.kill('SIGTERM'));
}
endTogether(api, web);
endTogether(web, api);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => [api, web].forEach((child) => child.kill(signal)));
