import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { vi } from 'vitest';
import { endOf } from '../../packages/api/test/console-process.ts';

/** A Debian that systemd runs in namespaces of its own, with a shell of root. */
export type Machine = {
  /** Runs a command in the shell, which keeps its folder and variables, and returns its output. @throws Error if it does not exit with 0. */
  run: (command: string) => Promise<string>;
  stop: () => Promise<void>;
};

/** Addresses that are reserved for documentation: of the tests, and of the machine, which reaches nothing else. */
export const addresses = { tests: '192.0.2.1', machine: '192.0.2.2' } as const;

/**
 * Boots a folder with Debian, which stays as it is: changes go to another one. `prepare` changes its root before the start; `variables` are
 * those of the shell. Needs a network namespace and a mount namespace of the caller.
 */
export async function bootMachine(
  debian: string,
  { prepare, variables }: { prepare: (root: string) => void; variables: readonly string[] },
): Promise<Machine> {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-machine-'));
  const id = basename(folder);
  const makeFolder = (name: string): string => {
    mkdirSync(join(folder, name));
    return join(folder, name);
  };
  const [root, changes, work, groups] = [makeFolder('root'), makeFolder('changes'), makeFolder('work'), makeFolder('groups')];
  run('mount', '-t', 'overlay', '-o', `lowerdir=${debian},upperdir=${changes},workdir=${work}`, 'overlay', root);
  // A control group of its own, below which its systemd makes those of its services.
  run('mount', '-t', 'cgroup2', 'cgroup2', groups);
  const group = join(groups, id);
  mkdirSync(group);
  prepare(root);
  run('ip', 'netns', 'add', id);
  run('ip', 'link', 'add', 'tests', 'type', 'veth', 'peer', 'name', 'eth0', 'netns', id);
  for (const [address, device, ...namespace] of [
    [addresses.tests, 'tests'],
    [addresses.machine, 'eth0', '-n', id],
  ] as const) {
    run('ip', ...namespace, 'address', 'add', `${address}/24`, 'dev', device);
    run('ip', ...namespace, 'link', 'set', device, 'up');
  }
  const unshare = 'unshare --mount --pid --fork --kill-child --uts --ipc --cgroup';
  const boot = `echo $$ > "$1/cgroup.procs" && exec ip netns exec ${id} ${unshare} sh "$2" "$3"`;
  const child = spawn('sh', ['-c', boot, 'sh', group, join(import.meta.dirname, 'machine.sh'), root], { stdio: 'inherit' });
  const enter = await vi.waitFor(
    () => {
      const first = run('pgrep', '--parent', String(child.pid)).trim();
      const inside = [
        '--target',
        first,
        '--all',
        ...'env -i -C /root HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin'.split(' '),
        ...variables,
      ];
      if (run('nsenter', ...inside, 'cat', '/proc/1/comm') !== 'systemd\n') throw new Error('not booted');
      run('nsenter', ...inside, 'systemctl', 'is-system-running', '--wait');
      return inside;
    },
    { timeout: 60_000, interval: 200 },
  );
  const shell = spawn('nsenter', [...enter, 'bash'], { stdio: ['pipe', 'pipe', 'inherit'] });
  let output = '';
  shell.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));

  return {
    async run(command) {
      output = '';
      shell.stdin.write(`{ ${command}\n} < /dev/null 2>&1; echo "ended with $?"\n`);
      const end = await vi.waitUntil(() => /^(.*?)ended with (\d+)\n$/s.exec(output), { timeout: 300_000, interval: 20 });
      const [, text = '', code] = end;
      console.log(`# ${command}\n${text}`);
      if (code === '0') return text;
      console.log(run('nsenter', ...enter, 'journalctl', '--no-pager', '--lines=40'));
      throw new Error(`${command}: exit code ${code}`);
    },
    async stop() {
      shell.stdin.end();
      run('nsenter', ...enter, 'systemctl', 'poweroff', '--no-block');
      await endOf(child);
      run('ip', 'netns', 'delete', id);
      const services = readdirSync(group, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory());
      const paths = services.map((entry) => join(entry.parentPath, entry.name));
      // The innermost first.
      for (const path of paths.toSorted((a, b) => b.length - a.length)) rmdirSync(path);
      rmdirSync(group);
      for (const path of [root, groups]) run('umount', path);
      rmSync(folder, { recursive: true });
    },
  };
}

function run(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe' });
}
