import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';

/** Names of backups in a folder sort by time. Files with other names are never touched. */
const namePattern = /^(\d{4}-\d{2}-\d{2}T\d{6}Z\.backup)(\.part|\.counts)?$/;

/** The file for a backup that begins now. @throws StartupError if there is no such folder. */
export async function nextBackupIn(folder: string, now: Date): Promise<string> {
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new StartupError(`${folder}: no folder (create it, or leave out --keep to name a file)`);
  return join(folder, `${now.toISOString().slice(0, 19).replaceAll(':', '')}Z.backup`);
}

/** Deletes what killed backups left in a folder. Nobody else may write there. */
export async function removeDrafts(folder: string): Promise<void> {
  await removeWhere(folder, (_name, ending) => ending === '.part');
}

/** Deletes all backups of a folder but the newest `keep`; returns how many are left. The last one stays, even if the clock was turned back. */
export async function removeOldBackups(folder: string, { keep, last }: { keep: number; last: string }): Promise<number> {
  const others = (await readdir(folder)).filter((file) => namePattern.exec(file)?.[1] === file && join(folder, file) !== last);
  const kept = new Set([
    basename(last),
    ...others
      .toSorted()
      .toReversed()
      .slice(0, keep - 1),
  ]);
  await removeWhere(folder, (name) => !kept.has(name));
  return kept.size;
}

async function removeWhere(folder: string, isOld: (name: string, ending: string | undefined) => boolean): Promise<void> {
  for (const file of await readdir(folder)) {
    const [, name, ending] = namePattern.exec(file) ?? [];
    if (name !== undefined && isOld(name, ending)) await rm(join(folder, file), { force: true });
  }
}
