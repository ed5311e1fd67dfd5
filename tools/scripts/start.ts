import { buildWebIfStale } from '../console/build-web.ts';

process.chdir(new URL('../..', import.meta.url).pathname);

const parent = process.ppid;
// npm hands on SIGINT and SIGTERM only. When it is killed in another way, the console would go on without anyone to stop it.
if (process.env['npm_lifecycle_event'] !== undefined)
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, 1000).unref();

await buildWebIfStale();
await import('../../packages/api/src/main.ts');
