import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { endInOneLine } from './end-in-one-line.ts';
import { makeDebianRoot, requirePrograms } from './debian-root.ts';

/** Installs a bare Debian, then runs the tests in namespaces in which this machine is the whole network. */
function testArtefacts(folder: string): number {
  const { values } = parseArgs({ options: { artefacts: { type: 'string', default: 'dist' } } });
  if (!existsSync(join(values.artefacts, 'SHA256SUMS'))) throw new StartupError('No artefacts (run npm run release:build)');
  requirePrograms(['debootstrap', 'debootstrap'], ['unshare', 'util-linux'], ['ip', 'iproute2'], ['umoci', 'umoci'], ['runc', 'runc']);
  requirePrograms(['pg_createcluster', 'postgresql']);
  console.log('Installing a bare Debian …');
  makeDebianRoot(join(folder, 'debian'));
  const vitest = 'ip link set lo up && mount -t proc proc "$BARE_DEBIAN/proc" && exec vitest run --config tools/release/vitest.config.ts';
  const { status } = spawnSync('unshare', ['--net', '--mount', 'sh', '-c', vitest], {
    stdio: 'inherit',
    env: { ...process.env, BARE_DEBIAN: join(folder, 'debian'), ARTEFACTS: values.artefacts },
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
