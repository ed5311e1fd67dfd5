import { buildWebIfStale } from './build-web.ts';

process.chdir(new URL('..', import.meta.url).pathname);
await buildWebIfStale();
await import('../packages/api/src/main.ts');
