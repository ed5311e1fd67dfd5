import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { buildWebIfStale } from '../../packages/api/src/cli/build-web.ts';

process.chdir(new URL('../..', import.meta.url).pathname);
await buildWebIfStale().catch((error: unknown) => {
  if (!(error instanceof StartupError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
});
