import { execFileSync } from 'node:child_process';
import { existsSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';

/** The Debian of images, and of the test of the archive. */
const codename = 'bookworm';

/** Throws one line that names what is missing: the rights of root, or a program with its Debian package. */
export function requirePrograms(...programs: readonly (readonly [program: string, debianPackage: string])[]): void {
  if (process.getuid?.() !== 0) throw new StartupError('A Debian root needs the rights of root (run as root)');
  const folders = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`.split(':');
  for (const [program, debianPackage] of programs) {
    if (!folders.some((folder) => existsSync(join(folder, program))))
      throw new StartupError(`${program} is missing (apt-get install ${debianPackage})`);
  }
}

/** Loads the packages that commands will install, with all that they need, into a root of Debian that will have no network. */
export function loadPackages(folder: string, commands: readonly string[]): void {
  for (const command of commands) {
    const [program = '', ...args] = command.split(' ');
    execFileSync('chroot', [folder, program, ...args, '--download-only'], { stdio: 'pipe' });
  }
  rmSync(join(folder, 'etc/resolv.conf'));
}

/** Installs the smallest Debian into an empty folder, with these packages beside it, from the mirror that this machine uses. */
export function makeDebianRoot(folder: string, packages: readonly string[] = []): void {
  requirePrograms(['debootstrap', 'debootstrap']);
  const index = ['Created-By: Packages', `Codename: ${codename}`, 'Label: Debian'];
  const found = execFileSync('apt-get', ['indextargets', '--format', '$(REPO_URI)', ...index], { encoding: 'utf8' });
  const mirror = found.split('\n').filter((line) => line !== '');
  const include = packages.length === 0 ? [] : [`--include=${packages.join(',')}`];
  try {
    execFileSync('debootstrap', ['--variant=minbase', ...include, codename, folder, ...mirror.slice(0, 1)], { stdio: 'pipe' });
  } catch {
    const log = globSync(join(folder, 'debootstrap/debootstrap.log'));
    throw new StartupError(`Debian ${codename} could not be installed into ${folder} (${log[0] ?? 'debootstrap'})`);
  }
}
