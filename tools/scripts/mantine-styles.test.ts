import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { readSourceFiles } from './source-files.ts';

const sheet = 'packages/web/src/shared/ui/theme/mantine.css';
const indexOf = (name: string): string => fileURLToPath(import.meta.resolve(name));

/** Names that files import from a package as values. */
function importedNames(texts: readonly string[], specifier: string): string[] {
  const pattern = new RegExp(`import \\{([^}]*)\\} from ['"]${specifier}['"]`, 'g');
  const lists = texts.flatMap((text) => Array.from(text.matchAll(pattern), ([, names = '']) => names.split(',')));
  return lists.flat().flatMap((part) => /^(?!type )\w+/.exec(part.trim()) ?? []);
}

/** Every file that these exports of a package lead to. */
function filesBehind(index: string, names: readonly string[]): Set<string> {
  const found = new Set<string>();
  function follow(path: string): void {
    if (found.has(path) || !existsSync(path)) return;
    found.add(path);
    for (const [, target = ''] of readFileSync(path, 'utf8').matchAll(/from "(\.[^"]+)"/g)) follow(join(dirname(path), target));
  }
  for (const [, exported = '', target = ''] of readFileSync(index, 'utf8').matchAll(/import \{([^}]*)\} from "(\.[^"]+)"/g)) {
    if (exported.split(',').some((name) => names.includes(/(\w+)\s*$/.exec(name)?.[1] ?? ''))) follow(join(dirname(index), target));
  }
  return found;
}

it('loads the styles of every component in use, and of no other', () => {
  const texts = readSourceFiles()
    .filter(({ path }) => path.startsWith('packages/web/src/') && !path.includes('.test.'))
    .map(({ text }) => text);
  const dates = filesBehind(indexOf('@mantine/dates'), importedNames(texts, '@mantine/dates'));
  const sources = [...texts, ...Array.from(dates, (path) => readFileSync(path, 'utf8'))];
  const modules = filesBehind(indexOf('@mantine/core'), importedNames(sources, '@mantine/core'));
  const neededSheets = Array.from(modules, (path) => /^(.+)\.module\.mjs$/.exec(basename(path))?.[1] ?? []).flat();
  const general = ['baseline', 'global'];
  const loadedSheets = Array.from(readFileSync(sheet, 'utf8').matchAll(/styles\/([\w-]+)\.css/g), ([, name = '']) => name);
  expect(loadedSheets.toSorted()).toEqual([...general, ...neededSheets].toSorted());
});
