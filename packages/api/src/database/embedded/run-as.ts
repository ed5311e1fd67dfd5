import { spawn } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartRefused } from '../../start-refused.ts';

/** How a program of PostgreSQL is started: what stands before it, and who owns the files it makes. */
export type RunAs = { prefix: readonly string[]; owner: { uid: number; gid: number } };

type Place = { folder: string; ownerUid: number | null; ownerGid: number | null; programs: string; env: Readonly<Record<string, string>> };

/**
 * PostgreSQL refuses to run as root. As an ordinary user nothing is to be done. As root there are two ways, tried in
 * this order, because a container may forbid the first and a mode-700 folder above us the plain form of the second:
 * 1. a user namespace in which root is called nobody: PostgreSQL is content and the files stay root's;
 * 2. an unprivileged account, with the one capability that lets it pass folders closed to others when it must.
 * A folder that belongs to an ordinary user goes on as that user's, whoever starts us.
 * Where `setpriv` exists, PostgreSQL is also told to shut down when this process dies without a word.
 * @throws StartRefused when root can use neither way.
 */
export async function chooseRunAs(place: Place): Promise<RunAs> {
  const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const works = (command: readonly string[]) => succeeds(command, place.env);
  const farewell = (await works([...endWithParent, 'true'])) ? endWithParent : [];
  if (self.uid !== 0) return { prefix: farewell, owner: self };

  const nobody = await unprivilegedAccount();
  const namespace = ['unshare', '--user', `--map-user=${nobody.uid}`, `--map-group=${nobody.gid}`, '--'];
  const isRoots = place.ownerUid === null || place.ownerUid === 0;
  if (isRoots && (await works([...namespace, place.programs, '--version']))) return { prefix: [...namespace, ...farewell], owner: self };

  const owner = place.ownerUid === null || place.ownerUid === 0 ? nobody : { uid: place.ownerUid, gid: place.ownerGid ?? nobody.gid };
  const dropped = ['setpriv', `--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups'];
  const variants = [
    [...dropped, '--inh-caps=-all'],
    [...dropped, ...passClosedFolders],
  ];
  const reachable = (await othersMayPass(place.folder)) && (await othersMayPass(dirname(place.programs)));
  for (const variant of reachable ? variants : variants.slice(1))
    if (await works([...variant, '--', place.programs, '--version']))
      return { prefix: [...variant, ...(farewell.length > 0 ? ['--pdeathsig', 'INT'] : []), '--'], owner };
  throw new StartRefused(
    'PostgreSQL does not run as root, and this machine lets root neither use a user namespace (unshare) nor change the account (setpriv). Start as an ordinary user, or set DATABASE_URL.',
  );
}

/** SIGINT is PostgreSQL's fast shutdown: open transactions are rolled back, acknowledged ones are kept. */
const endWithParent = ['setpriv', '--pdeathsig', 'INT', '--'];
const passClosedFolders = ['--inh-caps=-all,+dac_override', '--ambient-caps=-all,+dac_override'];

/** PostgreSQL looks its account up by number, so it must be one that the machine knows. */
async function unprivilegedAccount(): Promise<{ uid: number; gid: number }> {
  const accounts = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'));
  for (const wanted of ['nobody', 'postgres', 'daemon']) {
    const found = accounts.find(([name]) => name === wanted);
    const uid = Number(found?.[2]);
    const gid = Number(found?.[3]);
    if (uid > 0 && gid > 0) return { uid, gid };
  }
  throw new StartRefused(
    'PostgreSQL does not run as root, and this machine has no account "nobody". Start as an ordinary user, or set DATABASE_URL.',
  );
}

/** Whether an account without rights of its own gets as far as `folder`; a folder still to be made counts as passable. */
async function othersMayPass(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => null);
  if (found !== null && (found.mode & 0o001) === 0) return false;
  return dirname(folder) === folder || othersMayPass(dirname(folder));
}

async function succeeds([program = '', ...args]: readonly string[], env: Readonly<Record<string, string>>): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', env });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
  });
}
