import { existsSync, readFileSync } from 'node:fs';

/** A worked example of CONTRIBUTING.md: a patch below docs/examples that `npm run test:guide` applies, checks and tests. */
export type Example = {
  readonly name: string;
  /** The example whose patch comes before. */
  readonly after?: string;
  /** Most files that may change by hand, with those of the examples before. */
  readonly mostFiles: number;
  /** Tests that write generated files, and the files that they write. */
  readonly generators: Readonly<Record<string, readonly string[]>>;
  /** Tests that the change concerns, its own among them, by the project of vitest. */
  readonly tests: { readonly node: readonly string[]; readonly browser: readonly string[] };
};

const schema = { 'database/schema': ['packages/api/src/database/schema.sql'] };
const emittedSql = ['postgres', 'clickhouse'].map((engine) => `packages/traffic-store/src/${engine}/sql/`);

const columnTests = [
  'packages/contract/src/ingest.test.ts',
  'packages/traffic-store/src/event-',
  'packages/traffic-store/src/emitted-sql',
  'packages/traffic-store/src/clickhouse/migrate-engine',
  'packages/traffic-store/src/copy',
  'packages/api/src/features/ingest',
  'packages/api/src/features/all-requests',
  'packages/api/src/features/operations/open-api',
  'packages/api/src/database/upgrade',
  'packages/web/src/traffic',
  'tools/scripts',
];

/** Every example, each behind the one that it continues. */
export const examples: readonly Example[] = [
  {
    name: 'column',
    mostFiles: 8,
    generators: { 'emitted-sql': emittedSql, ...schema },
    tests: { node: columnTests, browser: ['packages/web/src/traffic/all-requests'] },
  },
  {
    name: 'column-with-filter',
    after: 'column',
    mostFiles: 14,
    generators: {
      'emitted-sql': emittedSql,
      'migrate-engine': ['packages/traffic-store/src/clickhouse/migrations/cluster.sql'],
      'access-matrix': ['docs/further-calls.md'],
    },
    tests: {
      node: [...columnTests, 'packages/api/src/http/access-matrix'],
      browser: ['packages/web/src/traffic/all-requests', 'packages/web/src/traffic/request-note'],
    },
  },
  {
    name: 'channel-field',
    mostFiles: 7,
    generators: schema,
    tests: {
      node: [
        'packages/contract/src/entity.test.ts',
        'packages/api/src/database/migrate',
        'packages/api/src/database/declared-rows',
        'packages/api/src/database/upgrade',
        'packages/api/src/entities',
        'packages/api/src/features/channels/channel',
        'packages/api/src/features/operations/open-api',
        'packages/api/src/features/audit/every-write',
        'tools/scripts',
      ],
      browser: ['packages/web/src/features/channels'],
    },
  },
  {
    name: 'alert-kind',
    mostFiles: 7,
    generators: {},
    tests: {
      node: [
        'packages/api/src/features/alerts',
        'packages/api/src/features/operations/open-api',
        'packages/api/src/http/conformance',
        'tools/scripts',
      ],
      browser: ['packages/web/src/features/alerts'],
    },
  },
  {
    name: 'tag',
    mostFiles: 17,
    generators: { 'access-matrix': ['docs/access-matrix.md', 'docs/further-calls.md'], ...schema },
    tests: {
      node: [
        'packages/contract/src/permissions.test.ts',
        'packages/api/src/database/migrate',
        'packages/api/src/database/declared-rows',
        'packages/api/src/database/upgrade',
        'packages/api/src/features/tags',
        'packages/api/src/features/audit/every-write',
        'packages/api/src/features/operations/open-api',
        'packages/api/src/features/roles',
        'packages/api/src/http/access-matrix',
        'packages/web/src/features/audit',
        'packages/web/src/shared/accounts',
        'packages/web/src/shell',
        'tools/scripts',
      ],
      browser: ['packages/web/src/features/tags', 'packages/web/src/shell/palette'],
    },
  },
];

/** A file that a patch changes, and what changes in one line. */
export type ChangedFile = { readonly path: string; readonly isNew: boolean; readonly change: string };

/** The patch of an example. */
export function patchPath(name: string): string {
  return `docs/examples/${name}.patch`;
}

/**
 * The files that a patch changes, in the order of its head: lines `path: what changes` in front of the first difference, which
 * `git apply` passes over. Throws if the head and the differences name other files.
 */
export function readPatch(text: string): ChangedFile[] {
  const start = text.search(/^diff --git /m);
  const lines = new Map([...text.slice(0, start).matchAll(/^(\S+): ?(.*)$/gm)].map(([, path = '', change = '']) => [path, change]));
  const isNew = new Map(
    text
      .slice(start)
      .split(/^(?=diff --git )/m)
      .map((part) => [/^diff --git a\/\S+ b\/(\S+)$/m.exec(part)?.[1] ?? '', /^new file mode/m.test(part)]),
  );
  for (const path of new Set([...lines.keys(), ...isNew.keys()]))
    if (!lines.has(path) || !isNew.has(path)) throw new Error(`Patch: its head and its differences do not both name ${path}`);
  return [...lines].map(([path, change]) => ({ path, change, isNew: isNew.get(path) === true }));
}

/** The patch of an example as it is stored. */
export function storedPatch(name: string): string {
  return existsSync(patchPath(name)) ? readFileSync(patchPath(name), 'utf8') : '';
}

/** The table of an example for CONTRIBUTING.md; a file of the example before counts once. */
export function exampleTable({ name, after, generators }: Example): string {
  const before = after === undefined ? [] : readPatch(storedPatch(after));
  const files = readPatch(storedPatch(name));
  const all = new Set([...before, ...files].map(({ path }) => path));
  const rows = files.map(({ path, isNew, change }, at) => `| ${at + 1} | \`${path}\`${isNew ? ' (new)' : ''} | ${change} |`);
  const commands = Object.keys(generators).map((test) => `\`npx vitest run ${test} -u\``);
  const generatedPaths = [...new Set(Object.values(generators).flat())].map((path) => `\`${path}\``);
  const total = after === undefined ? `${files.length} files by hand.` : `${all.size} files by hand, with those of \`${after}.patch\`.`;
  const generated = commands.length === 0 ? '' : ` Generated by ${commands.join(', ')}: ${generatedPaths.join(', ')}.`;
  return [`[${name}.patch](${patchPath(name)}): ${total}${generated}`, '', '| | File | Change |', '|---|---|---|', ...rows].join('\n');
}

/** How many files an example changes by hand, with those of the examples before. */
export function countFiles({ name, after }: Example): number {
  const chain = after === undefined ? [name] : [after, name];
  return new Set(chain.flatMap((part) => readPatch(storedPatch(part)).map(({ path }) => path))).size;
}

/** CONTRIBUTING.md with the table of each example between its two marks. Throws if it lacks one. */
export function withTables(page: string): string {
  return examples.reduce((text, example) => {
    const [begin, end] = [`<!-- ${patchPath(example.name)} -->`, `<!-- end of ${example.name} -->`];
    const [head, rest] = text.split(begin);
    const tail = rest?.split(end)[1];
    if (head === undefined || tail === undefined) throw new Error(`CONTRIBUTING.md: has no place for the table of ${example.name}`);
    return `${head}${begin}\n\n${exampleTable(example)}\n\n${end}${tail}`;
  }, page);
}
