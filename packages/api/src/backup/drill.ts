import { existsSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { lockDataDir, prepareDataDir } from '@switchyard/embedded-postgres/data-folder';
import { stopOrphanedServer } from '@switchyard/embedded-postgres/orphaned-servers';
import { openDatabases } from '../database/connect.ts';
import { migrate } from '../database/migrate.ts';
import { verifyTrail } from '../features/audit-seals/verify-trail.ts';
import { findSecretKeys } from '../secret-keys/secret-key.ts';
import { createLoadAuditKeys } from '../secret-keys/derived-keys.ts';
import { holdKeys, type GivenKeys } from '../secret-keys/held-keys.ts';
import { matchKeys } from '../secret-keys/match-keys.ts';
import { findKeyState } from '../secret-keys/secret-keys-store.ts';
import { readServerVersion, withEmbedded } from './backup-store.ts';
import { compareRows, loadDump, unpackFolder } from './restore.ts';
import { checkRestore, type Job, kindOfBackup } from './run-tool.ts';

/**
 * Tries a backup out: restores it into an embedded database of its own, compares its rows with those that were backed up, migrates it
 * and verifies the seals of its audit trail, then deletes it. Prints a line for each problem. Uses no other database.
 * @returns whether there is no problem
 * @throws StartupError if another drill runs, the file is damaged or no backup, or a program is missing.
 */
export async function drill(file: string, job: Job): Promise<boolean> {
  const kind = await kindOfBackup(file);
  const folder = join(job.settings.dataDir, 'restore-drill');
  await prepareDataDir(folder);
  const release = await lockDataDir(folder);
  const dataDir = join(folder, 'data');
  try {
    await discard(dataDir);
    if (kind === 'folder') await unpackFolder(file, dataDir, job);
    return await withEmbedded(
      dataDir,
      async (client, url) => {
        if (kind === 'dump') {
          await checkRestore(await readServerVersion(client), job.env);
          await loadDump(file, url, job);
        }
        const hasAllRows = (await compareRows(file, client, job)) === 'same';
        const givenKeys = await findSecretKeys({ secrets: job.settings.secrets, dataDir });
        return (await verifySeals({ url, givenKeys }, job)) && hasAllRows;
      },
      'none',
    );
  } finally {
    await discard(dataDir);
    await release();
    await rmdir(folder);
  }
}

/** Deletes a data folder, also that of a drill that was killed. */
async function discard(dataDir: string): Promise<void> {
  const database = join(dataDir, 'postgres');
  if (existsSync(database)) await stopOrphanedServer(database);
  await rm(dataDir, { recursive: true, force: true });
}

async function verifySeals({ url, givenKeys }: { url: string; givenKeys: GivenKeys | null }, { tell, signal }: Job): Promise<boolean> {
  signal.throwIfAborted();
  const databases = openDatabases({ url, onError: () => undefined });
  try {
    const migrations = await migrate(databases.opsDb);
    if (migrations.length > 0) tell(`Database migrations applied: ${migrations.length}`);
    if (givenKeys === null) {
      tell('Audit trail: not verified (set SECRET_KEY to that of the console)');
      return true;
    }
    const keys = holdKeys(givenKeys);
    const match = matchKeys(await findKeyState(databases.opsDb), keys);
    if (typeof match === 'string') {
      tell(match);
      return false;
    }
    // The anchors of the console are newer than its backups. That no seal is missing follows from the number of rows.
    const trail = { db: databases.opsDb, loadKeys: createLoadAuditKeys(keys), anchors: [], file: null };
    return (await verifyTrail({ ...trail, tell: (line) => tell(`Audit trail: ${line}`) })) !== 'changed';
  } finally {
    await databases.close();
  }
}
