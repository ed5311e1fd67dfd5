import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { bySlowness, slowFiles } from './slow-files-first.ts';

it('begins with the slow files, which are all there, and leaves the order of the others', () => {
  expect(slowFiles.filter((file) => !existsSync(file))).toEqual([]);
  const [slowest = '', second = ''] = slowFiles;
  const files = ['/console/b.test.ts', `/console/${second}`, '/console/a.test.ts', `/console/${slowest}`];
  expect(files.map((moduleId) => ({ moduleId })).toSorted(bySlowness)).toEqual([
    { moduleId: `/console/${slowest}` },
    { moduleId: `/console/${second}` },
    { moduleId: '/console/b.test.ts' },
    { moduleId: '/console/a.test.ts' },
  ]);
});
