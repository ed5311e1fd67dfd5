import { existsSync } from 'node:fs';
import { chmod, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../database/embedded-postgres.ts';
import { takeFolder } from '../database/embedded/data-folder.ts';
import type { Settings } from '../env.ts';
import { StartRefused } from '../start-refused.ts';
import { clientArguments, runTool } from './run-tool.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What makes an installation with a database of its own: the database, its password, the key of its secrets, the tokens of its demo. */
const kept = ['postgres', 'postgres-password', 'secret-key', 'demo'];

/**
 * Writes everything that is stored into `file`, which only its owner may read: with DATABASE_URL a dump of pg_dump, which may run beside the
 * console; else an archive of the data folder of a console that is stopped. The file appears when it is whole.
 * @throws StartRefused in one line: the console runs, a program is missing, the file exists.
 */
export async function backUp(file: string, settings: Settings, env: Environment): Promise<void> {
  if (existsSync(file)) throw new StartRefused(`${file} exists; choose another name.`);
  const draft = `${file}.part`;
  await rm(draft, { force: true });
  try {
    if (settings.databaseUrl === null) await archiveFolder(draft, settings.dataDir, env);
    else {
      const { address, password } = clientArguments(settings.databaseUrl);
      const command = ['pg_dump', '--format=custom', '--no-owner', '--no-privileges', `--file=${draft}`, `--dbname=${address}`] as const;
      await runTool(command, { env: { ...env, PGPASSWORD: password }, comesWith: 'the client programs of PostgreSQL' });
    }
    await chmod(draft, 0o600);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function archiveFolder(file: string, dataDir: string, env: Environment): Promise<void> {
  if (!existsSync(join(dataDir, 'postgres'))) throw new StartRefused(`${dataDir} holds no database; set DATA_DIR or DATABASE_URL.`);
  // Ends in order what a killed console may have left running, so that the files are at rest.
  const server = await startEmbeddedPostgres({ dataDir, onProblem: () => undefined });
  await server.stop();
  const release = await takeFolder(dataDir);
  try {
    const entries = kept.filter((name) => existsSync(join(dataDir, name)));
    await runTool(['tar', '-czf', file, '-C', dataDir, ...entries], { env, comesWith: 'every Unix system' });
  } finally {
    await release();
  }
}
