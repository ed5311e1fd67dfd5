import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { examples, readPatch, storedPatch } from './guide-examples.ts';

const trackedFiles = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(path));
/** Files that worked examples add. */
const addedFiles = examples.flatMap(({ name }) => readPatch(storedPatch(name)).flatMap(({ path, isNew }) => (isNew ? [path] : [])));

/** Documents that describe the code as it is; those of the product's owner describe what it is meant to be. */
const documents = trackedFiles.filter((path) => path.endsWith('.md') && !/^docs\/(specification\/|requirements\.md)/.test(path));

/** Names in backticks, `a/{b,c}.ts` as two. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/`([^`\s]+)`/g)].flatMap(([, name = '']) => {
    const [whole, before = '', inner = '', after = ''] = /^(.*)\{([^}]*,[^}]*)\}(.*)$/.exec(name) ?? [];
    return whole === undefined ? [name] : inner.split(',').map((part) => `${before}${part}${after}`);
  });
}

/** The name of a migration, as the database records it. */
const isMigration = (name: string): boolean => /^\d{4}-[a-z-]+$/.test(name);

const isPath = (name: string): boolean =>
  !/[<>]/.test(name) &&
  (isMigration(name) ||
    /^\w[\w./-]*\.(ts|tsx|css)$/.test(name) ||
    /^(packages|features|shared|shell|adapters|tools|deploy|http|jobs)\//.test(name));

/** Whether a path, from the root or from any folder, exists. A star matches any end. */
function leadsSomewhere(name: string): boolean {
  const [stem = ''] = (isMigration(name) ? `${name}.ts` : name).split('*', 1);
  const ends = name.includes('*') || stem.endsWith('/') ? [stem] : [`${stem}\n`, `${stem}/`];
  return [...trackedFiles, ...addedFiles].some((path) => ends.some((end) => `/${path}\n`.includes(`/${end}`)));
}

describe('documents', () => {
  it('name files and folders that exist', () => {
    const missingNames = documents.flatMap((path) =>
      namesIn(readFileSync(path, 'utf8'))
        .filter((name) => isPath(name) && !leadsSomewhere(name))
        .map((name) => `${path}: ${name}`),
    );
    expect(missingNames).toEqual([]);
  });

  it('link to what exists', () => {
    const brokenLinks = documents.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
        .map(([, link = '']) => link)
        .filter((link) => !link.startsWith('https://') && !existsSync(posix.join(posix.dirname(path), link)))
        .map((link) => `${path}: ${link}`),
    );
    expect(brokenLinks).toEqual([]);
  });

  it('give each decision a number of its own, without a gap', () => {
    const numbers = readdirSync('docs/decisions').map((name) => Number(name.slice(0, 4)));
    expect(numbers).toEqual(numbers.map((_, at) => at + 1));
  });
});

describe('docs/map.md', () => {
  it.each([
    'packages',
    'packages/api/src',
    'packages/api/src/features',
    'packages/web/src',
    'packages/web/src/features',
    'packages/web/src/shared',
  ])('names every folder of %s', (folder) => {
    const namedParts = new Set(namesIn(readFileSync('docs/map.md', 'utf8')).flatMap((name) => name.split('/')));
    const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map((entry) => entry.name).filter((name) => !namedParts.has(name))).toEqual([]);
  });
});

it('docs/asvs.md has one of three results for each requirement, counts them, and names ids that its tests have', () => {
  const text = readFileSync('docs/asvs.md', 'utf8');
  const rows = [...text.matchAll(/^\| ([\d.]+) \| [12] \| .+? \| (met|not met|not applicable) \| (.+) \|$/gm)];
  expect(new Set(rows.map(([, number]) => number)).size).toBe(253);
  for (const [line, chapter, ...statedCounts] of text.matchAll(/^\| (?:V(\d+) .*|All) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$/gm)) {
    const own = rows.filter(([, number = '']) => chapter === undefined || number.startsWith(`${chapter}.`));
    const counts = ['met', 'not met', 'not applicable'].map((result) => own.filter((row) => row[2] === result).length);
    expect(statedCounts.map(Number), line).toEqual([...counts, own.length]);
  }
  const [, ...levels] = /Level 1: (.+) met, (.+) not met, (.+) not .*?Level 2: (.+) met, (.+) not met, (.+) not /.exec(text) ?? [];
  const kinds = ['met', 'not met', 'not applicable'];
  const levelCounts = ['1', '2'].flatMap((level) =>
    kinds.map((kind) => rows.filter(([line, , result]) => result === kind && line.split(' | ')[1] === level).length),
  );
  expect(levels.map(Number)).toEqual(levelCounts);
  for (const [, file = '', ids = ''] of text.matchAll(/`([^`]+)` \[([A-Z][^\]]+)\]/g)) {
    const tests = trackedFiles.filter((path) => `/${path}`.endsWith(`/${file}`)).map((path) => readFileSync(path, 'utf8'));
    for (const id of ids.split(', ')) expect([file, id, tests.some((test) => test.includes(id))]).toEqual([file, id, true]);
  }
});

it('docs/requirements.md counts the rows of each area and has each id once', () => {
  const text = readFileSync('docs/requirements.md', 'utf8');
  const ids = [...text.matchAll(/^\| ([A-Z]+-\d+) \|/gm)].map(([, id = '']) => id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  const of = (area: string): number => ids.filter((id) => id.startsWith(`${area}-`)).length;
  const areas = [...text.matchAll(/^\| ([A-Z]+) — .* \| (\d+) \|$/gm)];
  expect(areas.map(([line]) => line)).toEqual(areas.map(([line, area = '']) => line.replace(/\d+ \|$/, `${of(area)} |`)));
  expect(text).toContain(`Total: ${ids.length - of('AMB')} rows in ${areas.length} areas, ${of('AMB')} ambiguities.`);
});

describe('docs/dependencies.md', () => {
  it('names what the packages depend on, and nothing else', () => {
    const manifest = z.object({
      dependencies: z.record(z.string(), z.string()).default({}),
      devDependencies: z.record(z.string(), z.string()).default({}),
    });
    const wantedPackages = [
      '.',
      'embedded-clickhouse',
      'packages/client-test/generators',
      'tools/bench/lighthouse',
      'tools/bench/peer',
      ...readdirSync('packages').map((name) => `packages/${name}`),
    ].flatMap((folder) => {
      const { dependencies, devDependencies } = manifest.parse(JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')));
      return Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !name.startsWith('@switchyard/'));
    });
    const rows = readFileSync('docs/dependencies.md', 'utf8').matchAll(/^\| ([^|]+) \|/gm);
    const namedPackages = [...rows].flatMap(([, cell = '']) => cell.replaceAll(' (its peer)', '').split(/[,;] /));
    const explainedPackages = namedPackages.filter((name) => name !== 'Package');
    expect(explainedPackages.toSorted()).toEqual([...new Set(wantedPackages)].toSorted());
  });
});
