import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { productVersion } from '@switchyard/contract/limits';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The versions of the changelog, newest first. */
const versions = [...read('CHANGELOG.md').matchAll(/^## (\d+\.\d+\.\d+)/gm)].map(([, version]) => version);

describe('a release (docs/releasing.md)', () => {
  it('[O43, CONST-028] has one version in package.json, its lock, the console, the changelog and the chart', () => {
    const packages = z.object({ version: z.string(), packages: z.looseObject({ '': z.object({ version: z.string() }) }) });
    const lock = packages.parse(JSON.parse(read('package-lock.json')));
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(read('package.json')));
    const chart = z.object({ version: z.string(), appVersion: z.string() }).parse(parse(read('deploy/helm/switchyard/Chart.yaml')));
    const [image] = [...read('deploy/helm/switchyard/README.md').matchAll(/docker push \S+:(\S+)/g)].map(([, tag]) => tag);
    expect({ lock: lock.version, root: lock.packages[''].version, console: productVersion, changelog: versions[0], image, chart }).toEqual({
      lock: version,
      root: version,
      console: version,
      changelog: version,
      image: version,
      chart: { version, appVersion: version },
    });
  });

  it('[O43, R14] describes how to upgrade, and every version before it left a dump that upgrades are tested with', () => {
    const [, ...earlier] = versions;
    expect(earlier.length).toBeGreaterThan(0);
    expect(earlier.filter((version) => !existsSync(join(root, `packages/api/test/databases/switchyard-${version}.sql.gz`)))).toEqual([]);
    expect(read('CHANGELOG.md')).toContain(`### Upgrading from ${earlier[0]}`);
  });
});
