import { expect, it } from 'vitest';
import { z } from 'zod';
import { writeBillOfMaterials } from './bill-of-materials.ts';
import { readNativeLibraries, writeNotice } from './notice.ts';
import { packagesOf, productionPackages, readLock } from './production-packages.ts';

it('[OPS-017] the bill of materials and the notice name what runs and what is in the pages, once, and no tools', () => {
  const lock = readLock();
  const packages = productionPackages(lock);
  const product = { version: '1.3.0', commit: '284766b5', time: new Date(0) };
  const bill = writeBillOfMaterials(product, { packages, nativeLibraries: readNativeLibraries() });
  const component = z.object({
    name: z.string(),
    'bom-ref': z.string(),
    hashes: z.array(z.object({ content: z.string().length(128) })).optional(),
  });
  const { components } = z.object({ components: z.array(component) }).parse(JSON.parse(bill));
  const names = components.map(({ name }) => name);
  // The tests depend on fastify and zod, too; openssl is part of the embedded PostgreSQL.
  expect(names).toEqual(expect.arrayContaining(['fastify', 'zod', 'react', 'node', 'postgresql', 'openssl']));
  expect(names.filter((name) => ['vite', 'vitest', 'typescript'].includes(name))).toEqual([]);
  expect(new Set(components.map((entry) => entry['bom-ref'])).size).toBe(components.length);
  const installed = packagesOf('packages/api', lock).packages.flatMap((path) => path.split('node_modules/').at(-1) ?? []);
  expect(installed).toContain('fastify');
  expect(installed).not.toContain('react');
  expect(installed.filter((name) => !names.includes(name))).toEqual([]);
  const notice = writeNotice(packages);
  expect(packages.filter(({ name, version }) => !notice.includes(`\n## ${name} ${version} (`))).toEqual([]);
  expect(notice).toContain('Copyright Node.js contributors');
});
