import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { endInOneLine } from './end-in-one-line.ts';
import { loadPackages, makeDebianRoot, requirePrograms } from './debian-root.ts';

/**
 * Installs a bare Debian, and one with systemd and the packages of docs/production.md, then runs the tests in namespaces in which this machine
 * is the whole network. Arguments choose test files, such as `production`.
 */
function testArtefacts(folder: string): number {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { artefacts: { type: 'string', default: 'dist' } } });
  if (!existsSync(join(values.artefacts, 'SHA256SUMS'))) throw new StartupError('No artefacts (run npm run release:build)');
  requirePrograms(['debootstrap', 'debootstrap'], ['unshare', 'util-linux'], ['ip', 'iproute2'], ['umoci', 'umoci'], ['runc', 'runc']);
  requirePrograms(['pg_createcluster', 'postgresql'], ['caddy', 'caddy'], ['openssl', 'openssl']);
  console.log('Installing a bare Debian …');
  const [bare, machine] = [join(folder, 'debian'), join(folder, 'machine')];
  makeDebianRoot(bare);
  console.log('Installing a Debian with systemd, and loading the packages of docs/production.md …');
  // What any installed Debian has beyond the smallest one.
  makeDebianRoot(machine, ['systemd-sysv', 'dbus', 'procps']);
  loadPackages(machine, readFileSync('docs/production.md', 'utf8').match(/apt-get install [\w -]+\w/g) ?? []);
  const vitest =
    'ip link set lo up && mount -t proc proc "$BARE_DEBIAN/proc" && exec vitest run --config tools/release/vitest.config.ts "$@"';
  // What the tests started ends with them.
  const namespaces = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const { status } = spawnSync('unshare', [...namespaces, 'sh', '-c', vitest, 'sh', ...positionals], {
    stdio: 'inherit',
    env: { ...process.env, BARE_DEBIAN: bare, DEBIAN_WITH_SYSTEMD: machine, ARTEFACTS: values.artefacts },
  });
  return status ?? 1;
}

process.chdir(join(import.meta.dirname, '../..'));
const folder = mkdtempSync(join(tmpdir(), 'switchyard-artefacts-'));
try {
  await endInOneLine(() => {
    process.exitCode = testArtefacts(folder);
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
