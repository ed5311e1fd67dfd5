import { execFileSync } from 'node:child_process';

/**
 * Packs `name` of a folder into a tar file, compressed if the file's name says so. One commit gives one checksum: names are sorted, and no file
 * is newer than the commit. `keepsOwners`: those of a root of Debian; otherwise all files belong to root.
 */
export function packFolder(
  file: string,
  folder: string,
  name: string,
  { time, keepsOwners = false }: { time: Date; keepsOwners?: boolean },
): void {
  const seconds = Math.floor(time.getTime() / 1000);
  const owners = keepsOwners ? [] : ['--owner=0', '--group=0', '--mode=u+rwX,go+rX,go-w'];
  // gzip stores the time of its file unless it is told not to.
  const compression = file.endsWith('.gz') ? ['--use-compress-program=gzip -n'] : [];
  const order = ['--sort=name', `--mtime=@${seconds}`, '--numeric-owner', ...owners];
  execFileSync('tar', ['--create', `--file=${file}`, ...compression, ...order, `--directory=${folder}`, name]);
}
