import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { countFiles, examples, readPatch, storedPatch, withTables } from './guide-examples.ts';

describe('worked examples', () => {
  it.each(examples.map((example) => [example.name, example] as const))('%s says in one line what changes in each file', (name) => {
    const files = readPatch(storedPatch(name));
    expect(files.filter(({ change }) => change === '')).toEqual([]);
  });

  it.each(examples.map((example) => [example.name, example] as const))('%s takes no more files by hand than it may', (_, example) => {
    expect(countFiles(example)).toBeLessThanOrEqual(example.mostFiles);
  });

  it('have their tables in CONTRIBUTING.md', async () => {
    const page = new URL('../../CONTRIBUTING.md', import.meta.url);
    await expect(withTables(readFileSync(page, 'utf8'))).toMatchFileSnapshot(page.pathname);
  });
});
