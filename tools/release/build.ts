import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { productVersion } from '@switchyard/contract/limits';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { buildWebIfStale } from '../../packages/api/src/cli/build-web.ts';
import { endInOneLine } from './end-in-one-line.ts';
import { packFolder } from './archive.ts';
import { writeBillOfMaterials } from './bill-of-materials.ts';
import { requirePrograms } from './debian-root.ts';
import { writeImage } from './image.ts';
import { writeInstallation } from './installation-tree.ts';
import { readNativeLibraries } from './notice.ts';
import { productionPackages, readLock } from './production-packages.ts';

const { values: options } = parseArgs({
  options: { out: { type: 'string', default: 'dist' }, tree: { type: 'string' }, image: { type: 'boolean', default: true } },
  allowNegative: true,
});

/** Builds the artefacts of the commit that is checked out: archive, image, bill of materials and checksums. */
async function build(out: string): Promise<void> {
  const platform = `${process.platform}-${process.arch}`;
  if (platform !== 'linux-x64') throw new StartupError(`Release: artefacts are built on linux-x64 (this is ${platform})`);
  if (git('status', '--porcelain') !== '') throw new StartupError('Release: there are uncommitted changes (commit or stash them)');
  if (options.image) requirePrograms(['debootstrap', 'debootstrap']);
  await buildWebIfStale();
  const product = {
    version: productVersion,
    commit: git('rev-parse', 'HEAD'),
    time: new Date(Number(git('log', '-1', '--format=%ct')) * 1000),
  };
  const name = `switchyard-${product.version}`;
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-release-'));
  const [archive, bill, image] = [
    join(out, `${name}-linux-x64.tar.gz`),
    join(out, `${name}.cdx.json`),
    join(out, `${name}-linux-x64.oci.tar`),
  ];
  mkdirSync(out, { recursive: true });
  try {
    const tree = join(folder, name);
    writeInstallation(tree);
    packFolder(archive, folder, name, product);
    if (options.image) writeImage(image, { tree, ...product });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const parts = { packages: productionPackages(readLock()), nativeLibraries: readNativeLibraries() };
  writeFileSync(bill, writeBillOfMaterials(product, parts));
  const files = [archive, bill, ...(options.image ? [image] : [])];
  const sums = files.map((file) => `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${basename(file)}\n`).join('');
  writeFileSync(join(out, 'SHA256SUMS'), sums);
  console.log(`${sums}in ${out}, from ${product.commit}`);
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}

process.chdir(join(import.meta.dirname, '../..'));
await endInOneLine(async () => {
  if (options.tree === undefined) return build(resolve(options.out));
  await buildWebIfStale();
  writeInstallation(resolve(options.tree));
});
