import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { productVersion } from '@switchyard/contract/limits';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { isEngineInstalled } from '@switchyard/traffic-store/clickhouse/start-engine';
import pg from 'pg';
import { buildWebIfStale } from '../../packages/api/src/cli/build-web.ts';
import { endInOneLine } from './end-in-one-line.ts';
import { withPostgres } from './npm-postgres.ts';
import { emptyTables, useProduct } from './use-product.ts';

/** A larger file would be a burden to everyone who copies the repository. */
const maximumBytes = 100_000;
/** Lines that name the version of pg_dump, that older servers do not know, and that only psql understands. */
const strangeLines = /^(?:-- Dumped |CREATE SCHEMA |SET transaction_timeout |\\(?:un)?restrict ).*\n/gm;

/** The public schema with its rows, as SQL that a client can run in an empty database. */
function dump(databaseUrl: string): Buffer {
  const options = ['--schema=public', '--no-owner', '--no-privileges', '--rows-per-insert=100', databaseUrl];
  const { status, error, stdout } = spawnSync('pg_dump', options, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (error !== undefined) throw new StartupError(`pg_dump: ${error.message} (apt-get install postgresql-client)`);
  if (status !== 0) throw new StartupError(`pg_dump: ended with ${status}`);
  return gzipSync(`create extension pg_trgm with schema public;\n${stdout.replaceAll(strangeLines, '')}`, { level: 9 });
}

process.chdir(join(import.meta.dirname, '../..'));
await endInOneLine(async () => {
  await buildWebIfStale();
  if (!isEngineInstalled()) execFileSync('npm', ['ci', '--prefix', 'embedded-clickhouse'], { stdio: 'inherit' });
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-dump-'));
  try {
    await withPostgres({ major: '15', durability: 'full' }, async ({ url }) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        await useProduct({ databaseUrl: url, folder, client });
        const empty = await emptyTables(client);
        if (empty.length > 0) throw new StartupError(`Dump: no rows in ${empty.join(', ')} (extend tools/release/use-product.ts)`);
        const bytes = dump(url);
        if (bytes.length > maximumBytes) throw new StartupError(`Dump: ${bytes.length} bytes, at most ${maximumBytes} (store fewer rows)`);
        const file = `packages/api/test/databases/switchyard-${productVersion.replace('-dev', '')}.sql.gz`;
        writeFileSync(file, bytes);
        console.log(`${file}: ${bytes.length} bytes`);
      } finally {
        await client.end();
      }
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
