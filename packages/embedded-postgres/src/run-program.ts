import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StartupError } from './startup-error.ts';

/** How to start a PostgreSQL program: the command prefix, and the owner of the files it creates. */
export type RunAs = { prefix: readonly string[]; owner: { uid: number; gid: number } };

type Place = { folder: string; ownerUid: number | null; ownerGid: number | null; programs: string; env: Readonly<Record<string, string>> };

/**
 * Chooses the account for PostgreSQL, which does not run as root. An ordinary user needs nothing. Root tries in this order:
 * 1. a user namespace that maps root to nobody, so that root keeps the files. Containers may forbid it.
 * 2. an unprivileged account, with `dac_override` only if a parent folder is closed to other accounts.
 * A data folder that belongs to an ordinary user is used as that user. Where `setpriv` exists, PostgreSQL also gets SIGINT
 * when this process dies.
 * @throws StartupError if root can use neither.
 */
export async function chooseRunAs(place: Place): Promise<RunAs> {
  const self = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const works = (command: readonly string[]) => succeeds(command, place.env);
  const withParentDeathSignal = await parentDeathPrefix(place.env);
  if (self.uid !== 0) return { prefix: withParentDeathSignal, owner: self };

  const nobody = await unprivilegedAccount();
  const namespace = ['unshare', '--user', `--map-user=${nobody.uid}`, `--map-group=${nobody.gid}`, '--'];
  const isRoots = place.ownerUid === null || place.ownerUid === 0;
  if (isRoots && (await works([...namespace, place.programs, '--version'])))
    return { prefix: [...namespace, ...withParentDeathSignal], owner: self };

  const owner = place.ownerUid === null || place.ownerUid === 0 ? nobody : { uid: place.ownerUid, gid: place.ownerGid ?? nobody.gid };
  const command = ['setpriv', `--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups'];
  const variants = [
    [...command, '--inh-caps=-all'],
    [...command, ...passClosedFolders],
  ];
  const reachable = (await othersMayPass(place.folder)) && (await othersMayPass(dirname(place.programs)));
  for (const variant of reachable ? variants : variants.slice(1))
    if (await works([...variant, '--', place.programs, '--version']))
      return { prefix: [...variant, ...(withParentDeathSignal.length > 0 ? ['--pdeathsig', 'INT'] : []), '--'], owner };
  throw new StartupError(
    'Embedded PostgreSQL: cannot run as root, and neither unshare nor setpriv works here (start as an ordinary user, or set DATABASE_URL)',
  );
}

/** SIGINT is PostgreSQL's fast shutdown: open transactions are rolled back, acknowledged ones are on disk. */
const endWithParent = ['setpriv', '--pdeathsig', 'INT', '--'];

/** The prefix of a command that gets SIGINT when this process dies, however it dies; empty where there is no `setpriv`. */
export async function parentDeathPrefix(env: Readonly<Record<string, string | undefined>>): Promise<readonly string[]> {
  return (await succeeds([...endWithParent, 'true'], env)) ? endWithParent : [];
}

const passClosedFolders = ['--inh-caps=-all,+dac_override', '--ambient-caps=-all,+dac_override'];

/** PostgreSQL looks up its account by number, so the account must exist on this machine. */
async function unprivilegedAccount(): Promise<{ uid: number; gid: number }> {
  const accounts = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'));
  for (const wantedName of ['nobody', 'postgres', 'daemon']) {
    const account = accounts.find(([name]) => name === wantedName);
    const uid = Number(account?.[2]);
    const gid = Number(account?.[3]);
    if (uid > 0 && gid > 0) return { uid, gid };
  }
  throw new StartupError(
    'Embedded PostgreSQL: cannot run as root, and there is no account "nobody" (start as an ordinary user, or set DATABASE_URL)',
  );
}

/** Whether an unprivileged account can reach `folder`. A folder that does not exist yet counts as reachable. */
async function othersMayPass(folder: string): Promise<boolean> {
  const stats = await stat(folder).catch(() => null);
  if (stats !== null && (stats.mode & 0o001) === 0) return false;
  return dirname(folder) === folder || othersMayPass(dirname(folder));
}

async function succeeds([program = '', ...args]: readonly string[], env: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', env });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
  });
}

/**
 * Starts a PostgreSQL program as the chosen account, in its own process group. Ctrl-C then reaches only this process,
 * which stops PostgreSQL last.
 */
export function spawnAs(runAs: RunAs, [program = '', ...args]: readonly string[], options: SpawnOptions): ChildProcess {
  const [first = program, ...rest] = [...runAs.prefix, program, ...args];
  return spawn(first, rest, { ...options, detached: true });
}

/**
 * Runs a program with `input` on its standard input and waits for its end.
 * @throws Error with the end of its output if it fails.
 */
export async function runToEnd(
  runAs: RunAs,
  command: readonly string[],
  { env, cwd, input }: { env: Readonly<Record<string, string>>; cwd: string; input: string },
): Promise<void> {
  const child = spawnAs(runAs, command, { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  // A program that fails before it reads raises EPIPE here; its exit code is the better report.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`${command[0]} ended with ${signal ?? `code ${code}`}: ${lastLines(output)}`)),
    );
  });
}

/** The last lines of a program's output, joined to one. */
export function lastLines(output: string): string {
  return output.trim().split('\n').slice(-3).join(' | ').slice(-600);
}
