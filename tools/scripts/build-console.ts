import { buildWebIfStale } from '../console/build-web.ts';

process.chdir(new URL('../..', import.meta.url).pathname);
await buildWebIfStale();
