import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { withPostgres } from './npm-postgres.ts';

/**
 * Runs the tests of the API and of the event stores against several versions of PostgreSQL, which come from npm:
 * `npm run test:postgres -- 15 16 17`. Prints a line for each; the exit code tells whether all passed.
 */
const supported = ['15', '16', '17', '18'];

function testVersion(major: string): Promise<boolean> {
  return withPostgres({ major, durability: 'none' }, async ({ version, url }) => {
    const began = Date.now();
    const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'node', 'packages/api', 'packages/traffic-store'], {
      cwd: join(import.meta.dirname, '../..'),
      env: { ...process.env, TEST_POSTGRES_URL: url },
      stdio: 'inherit',
    });
    console.log(`\nPostgreSQL ${version}: ${status === 0 ? 'passed' : 'failed'} in ${Math.round((Date.now() - began) / 1_000)} s`);
    return status === 0;
  });
}

const majors = process.argv.length > 2 ? process.argv.slice(2) : supported;
const unknown = majors.find((major) => !supported.includes(major));
if (unknown === undefined) {
  const results: boolean[] = [];
  for (const major of majors) results.push(await testVersion(major));
  if (results.includes(false)) process.exitCode = 1;
} else {
  console.error(`npm run test:postgres -- [${supported.join('] [')}]: ${unknown} is no supported version`);
  process.exitCode = 2;
}
