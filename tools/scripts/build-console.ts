import { buildWebIfStale } from '../../packages/api/src/cli/build-web.ts';

process.chdir(new URL('../..', import.meta.url).pathname);
await buildWebIfStale();
