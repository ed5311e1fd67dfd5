import { existsSync, readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { productVersion } from '@switchyard/contract/limits';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The released versions of the changelog with their commits, newest first. */
const releases = [...read('CHANGELOG.md').matchAll(/^## (\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)(?:, commit ([0-9a-f]{8}))?\)$/gm)].map(
  ([, version, , commit]) => ({ version, commit }),
);
const isDevelopment = productVersion.endsWith('-dev');

describe('a release (docs/releasing.md)', () => {
  it('[O43, CONST-028] has one version, that of package.json, which its lock and the chart repeat', () => {
    const packages = z.object({ version: z.string(), packages: z.looseObject({ '': z.object({ version: z.string() }) }) });
    const lock = packages.parse(JSON.parse(read('package-lock.json')));
    const chart = z.object({ version: z.string(), appVersion: z.string() }).parse(parse(read('deploy/helm/switchyard/Chart.yaml')));
    expect({ lock: lock.version, root: lock.packages[''].version, chart }).toEqual({
      lock: productVersion,
      root: productVersion,
      chart: { version: productVersion, appVersion: productVersion },
    });
  });

  it('[CONST-028] states its version nowhere else by hand', () => {
    // The changelog and the documents of upgrades name versions, as do lists of packages.
    const generated = new Set(['package.json', 'deploy/helm/switchyard/Chart.yaml']);
    const files = execFileSync('git', ['grep', '-lF', productVersion, '--', '.', ':!CHANGELOG.md', ':!docs', ':!*package-lock.json'], {
      cwd: root,
      encoding: 'utf8',
    });
    const tests = /\.test\.tsx?$/;
    expect(files.split('\n').filter((file) => file !== '' && !generated.has(file) && !tests.test(file))).toEqual([]);
  });

  it('[O43, R14] describes how to upgrade, every version before it left its commit, and each version a dump that upgrades are tested with', () => {
    if (!isDevelopment) expect(releases[0]?.version).toBe(productVersion);
    const earlier = isDevelopment ? releases : releases.slice(1);
    expect(earlier.length).toBeGreaterThan(0);
    expect(earlier.filter(({ commit }) => commit === undefined)).toEqual([]);
    const dump = (version = '') => `packages/api/test/databases/switchyard-${version}.sql.gz`;
    expect(releases.filter(({ version }) => !existsSync(join(root, dump(version))))).toEqual([]);
    expect(read('CHANGELOG.md')).toContain(`### Upgrading from ${earlier[0]?.version}`);
  });
});
