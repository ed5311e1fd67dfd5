import { posix } from 'node:path';

/** A source file as the rules see it: its path from the root, with forward slashes, and its text. */
export type SourceFile = { path: string; text: string };

/** An import as written and, when relative, the path it leads to. */
type Import = { specifier: string; target: string | null };

type Rule = { why: string; applies: (path: string) => boolean; breaks: (entry: Import, path: string) => boolean };

const isTest = (path: string): boolean =>
  /\.(test|spec)\.tsx?$/.test(path) || /^packages\/(api|demo)\/test\//.test(path) || path.startsWith('tools/e2e/');
const inside = (folder: string) => (path: string) => path.startsWith(folder) && !isTest(path);
const isPackage = (specifier: string, name: string): boolean => specifier === name || specifier.startsWith(`${name}/`);

/** Feature folder of a path below `features/`, e.g. `apps`. */
function featureOf(path: string): string | null {
  return /^packages\/(?:api|web)\/src\/features\/([^/]+)\//.exec(path)?.[1] ?? null;
}

const uiKit = ['react', 'react-dom', '@mantine', '@tabler/icons-react', '@tanstack', 'dayjs', 'country-flag-icons'];
const queryBuilders = ['kysely', 'pg', 'pg-cursor', 'pg-copy-streams'];
const mayQuery = /^packages\/api\/src\/database\/|-(store|read-model|lookup)\.ts$/;

/** The layers of the web from the outermost to the innermost. */
const webLayers = ['shell', 'features', 'traffic', 'shared'].map((name) => `packages/web/src/${name}/`);

/** The features of signing in, from the outermost to the innermost. */
const signInFeatures = 'accounts mailed-links google sign-in passkeys sessions api-tokens credentials second-factors security-mails'.split(
  ' ',
);

/** Features of what traffic servers report. */
const trafficFeatures = 'ingest streams all-requests postbacks pushes conversions subjects reports dashboard home'.split(' ');
const copies = 'packages/traffic-store/src/copy/';

/** Who may import whom; docs/decisions/0009-import-direction.md gives the reasons. */
const rules: readonly Rule[] = [
  {
    why: 'the contract imports zod, ipaddr.js, punycode.js, the version of package.json and itself only',
    applies: inside('packages/contract/'),
    breaks: ({ specifier, target }) =>
      target === null
        ? !['zod', 'ipaddr.js', 'punycode.js'].includes(specifier)
        : target !== 'package.json' && !target.startsWith('packages/contract/'),
  },
  {
    why: 'api and web know each other only through the contract',
    applies: (path) => path.startsWith('packages/'),
    breaks: ({ specifier, target }, path) => {
      const other = path.startsWith('packages/web/') ? 'api' : path.startsWith('packages/api/') ? 'web' : null;
      return other !== null && (isPackage(specifier, `@switchyard/${other}`) || (target?.startsWith(`packages/${other}/`) ?? false));
    },
  },
  {
    why: 'demo knows the contract only',
    applies: (path) => path.startsWith('packages/demo/'),
    breaks: ({ specifier, target }) =>
      target === null
        ? specifier.startsWith('@switchyard/') && !isPackage(specifier, '@switchyard/contract')
        : !target.startsWith('packages/demo/'),
  },
  {
    why: 'embedded-postgres knows no other package of the product',
    applies: (path) => path.startsWith('packages/embedded-postgres/'),
    breaks: ({ specifier, target }) =>
      target === null ? specifier.startsWith('@switchyard/') : !target.startsWith('packages/embedded-postgres/'),
  },
  {
    why: 'web layers point one way: shell, then features, then traffic, then shared',
    applies: inside('packages/web/src/'),
    breaks: ({ target }, path) => {
      const [from, to] = [
        webLayers.findIndex((layer) => path.startsWith(layer)),
        webLayers.findIndex((layer) => target?.startsWith(layer)),
      ];
      if (from === -1 || target === null || target.includes('/assets/')) return false;
      return to === -1 ? webLayers[from]?.endsWith('/shared/') === true : to < from;
    },
  },
  {
    why: 'shared/ui imports React, the UI kit, shared/external-store.ts, the comparison of texts and itself',
    applies: inside('packages/web/src/shared/ui/'),
    breaks: ({ specifier, target }) => {
      if (target === null) return specifier !== '@switchyard/contract/text-fields' && !uiKit.some((name) => isPackage(specifier, name));
      return !target.startsWith('packages/web/src/shared/ui/') && target !== 'packages/web/src/shared/external-store.ts';
    },
  },
  {
    why: 'a feature is entered from another only by its -lookup file (api), never (web)',
    applies: (path) => featureOf(path) !== null && !isTest(path),
    breaks: ({ target }, path) => {
      const other = target === null ? null : featureOf(target);
      if (target === null || other === null || other === featureOf(path)) return false;
      return path.startsWith('packages/web/') || !target.endsWith('-lookup.ts');
    },
  },
  {
    why: 'features of signing in point one way: accounts, mailed-links, google, sign-in, passkeys, sessions, api-tokens, …',
    applies: inside('packages/api/src/features/'),
    breaks: ({ target }, path) => {
      const [from = -1, to = -1] = [path, target ?? ''].map((file) => signInFeatures.indexOf(featureOf(file) ?? ''));
      return to !== -1 && to < from;
    },
  },
  {
    why: 'only http/ and what builds the server imports Fastify',
    applies: inside('packages/api/src/'),
    breaks: ({ specifier }, path) =>
      (specifier === 'fastify' || specifier.startsWith('@fastify/')) &&
      !/^packages\/api\/src\/(http\/|build-api\.ts|composition\.ts)/.test(path),
  },
  {
    why: 'of the api, only stores, read models, lookups and database/ import the query builder or a driver',
    applies: inside('packages/api/src/'),
    breaks: ({ specifier }, path) => queryBuilders.some((name) => isPackage(specifier, name)) && !mayQuery.test(path),
  },
  {
    why: 'traffic-store knows the contract and what starts databases, and nothing of the api',
    applies: inside('packages/traffic-store/'),
    breaks: ({ specifier, target }) =>
      target === null
        ? specifier.startsWith('@switchyard/') && !/^@switchyard\/(contract|embedded-postgres)\//.test(specifier)
        : !target.startsWith('packages/traffic-store/'),
  },
  {
    why: 'of the api, only commands of operators and backups know the engines of events',
    applies: inside('packages/api/src/'),
    breaks: ({ specifier }, path) =>
      /^@switchyard\/traffic-store\/(clickhouse|postgres)\//.test(specifier) && !/^packages\/api\/src\/(cli|backup)\//.test(path),
  },
  {
    why: 'features know the interfaces of the traffic store; the start of the console opens it',
    applies: inside('packages/api/src/'),
    breaks: ({ specifier }, path) =>
      specifier === '@switchyard/traffic-store/open-traffic-store' && path !== 'packages/api/src/startup/run-console.ts',
  },
  {
    why: 'what features stand on imports none of them',
    applies: inside('packages/api/src/'),
    breaks: ({ target }, path) =>
      /^packages\/api\/src\/(adapters|database|entities|http|jobs|mails|observability|overload|secret-keys|traffic-queries)\//.test(path) &&
      target?.startsWith('packages/api/src/features/') === true,
  },
  {
    why: 'env.ts imports no folder of the api',
    applies: (path) => path === 'packages/api/src/env.ts',
    breaks: ({ target }) => target?.startsWith('packages/api/src/') === true && target.split('/').length > 4,
  },
  {
    why: 'the traffic store knows nothing of what copies it',
    applies: inside('packages/traffic-store/src/'),
    breaks: ({ target }, path) => target?.startsWith(copies) === true && !path.startsWith(copies),
  },
  {
    why: 'accounts and signing in know nothing of traffic',
    applies: (path) => signInFeatures.includes(featureOf(path) ?? '') && !isTest(path),
    breaks: ({ target }) => trafficFeatures.includes(featureOf(target ?? '') ?? ''),
  },
  {
    why: 'tools share code through tools/console only',
    applies: (path) => path.startsWith('tools/'),
    breaks: ({ target }, path) => {
      if (target === null || !target.startsWith('tools/') || target.startsWith('tools/console/')) return false;
      return target.split('/')[1] !== path.split('/')[1];
    },
  },
  {
    why: 'production code imports no test code',
    applies: (path) => path.startsWith('packages/') && !isTest(path) && !path.includes('/testing/'),
    breaks: ({ target }) => target !== null && (isTest(target) || target.includes('/testing/')),
  },
];

/**
 * Files of features that open a transaction to write. Beside commands, which serve a call: the steps of jobs, the evaluation of alerts, seals and counters
 * of servers, which nobody calls; and exports, opened sessions and added factors, which other features record through a lookup.
 */
const writers =
  /-commands\.ts$|\/(app-domains\/link-jobs|mailed-links\/mailed-link-jobs|bulk\/bulk-jobs|alerts\/evaluate-rules|channels\/deliver-messages|schedules\/run-schedules|audit-seals\/seal-entries|traffic-servers\/server-activity-store|(audit\/record-export|sign-in\/open-session|second-factors\/new-factor)-lookup)\.ts$/;

/** One owner of each global: only files that match `owners` may contain the pattern. */
const owners: readonly { pattern: RegExp; owners: RegExp; why: string; folder: string }[] = [
  { pattern: /\bprocess\.env\b/, owners: /\/env\.ts$/, why: 'process.env is read in env.ts', folder: 'packages/api/src/' },
  {
    pattern: /\blocalStorage\b/,
    owners: /\/(local-settings|testing\/prepare-page)\.ts$/,
    why: 'localStorage is read and written in local-settings.ts',
    folder: 'packages/web/src/',
  },
  {
    pattern: /\bsessionStorage\b/,
    owners: /\/(tab-settings|testing\/prepare-page)\.ts$/,
    why: 'sessionStorage is read and written in tab-settings.ts',
    folder: 'packages/web/src/',
  },
  {
    pattern: /\bfetch\(/,
    owners: /\/shared\/api\/|\/query-frame\/send-to-app\.ts$/,
    why: 'the web fetches in shared/api, and the frame of Query for itself',
    folder: 'packages/web/src/',
  },
  { pattern: /\bfetch\(/, owners: /\/adapters\//, why: 'the api fetches in adapters', folder: 'packages/api/src/' },
  {
    pattern: /\.(transaction|startTransaction)\(\)/,
    owners: /\/database\/transaction\.ts$/,
    why: 'transactions are opened by transaction() or readSnapshot(), which know of the audit trail',
    folder: 'packages/api/src/',
  },
  {
    pattern:
      /\bdb\s*\.(insertInto|updateTable|deleteFrom|mergeInto)\(|`\s*(insert into|update|delete from)\b[^`]*`\s*\.execute\((?!tx\b|statement\b|target\b|unaudited\b)[\w.]+\)/,
    owners: /\/database\/migrations\//,
    why: 'a write belongs to a transaction(), or says by unauditedStatement() why it has no audit entry',
    folder: 'packages/api/src/',
  },
  {
    pattern: /(?<![.\w])(transaction|unaudited|recordAudits?)\(/,
    owners: writers,
    why: 'a feature writes in its -commands.ts',
    folder: 'packages/api/src/features/',
  },
  { pattern: /dangerouslySetInnerHTML/, owners: /^$/, why: 'no raw HTML', folder: 'packages/web/src/' },
];

const vagueName = /(^|[/-])(utils?|helpers?|common|misc|manager|types)(\.|\/)|(^|\/)index\.tsx?$/;

/** Names of the queries of a store, and of the methods of the stores of traffic; docs/decisions/0003-read-models.md gives the verbs. */
const storeQueries: readonly { files: RegExp; query: RegExp }[] = [
  { files: /^packages\/api\/src\/features\/.*-(store|read-model)\.ts$/, query: /^export async function (\w+)/gm },
  { files: /^packages\/traffic-store\/src\/(event|delivery|traffic)-store\.ts$/, query: /^  (\w+)\(/gm },
];
const storeVerb = /^(find|get|list|insert|update|delete|count|lock|is|has|export|follow|maintain)(?=[A-Z]|$)/;

/** Queries of a store that begin with another verb. */
function otherVerbs({ path, text }: SourceFile): string[] {
  return storeQueries
    .filter(({ files }) => files.test(path))
    .flatMap(({ query }) => Array.from(text.matchAll(query), ([, name = '']) => name))
    .filter((name) => !storeVerb.test(name))
    .map((name) => `${path}: ${name} begins with none of the verbs of stores`);
}

/** Lengths in lines that cause a warning. Cohesion decides, so a longer file is no error. */
const lineWarning = { code: 400, test: 600 } as const;

function importsOf(file: SourceFile): Import[] {
  const pattern = /(?:^|\n)\s*(?:import|export)\s[^'";]*?from\s*'([^']+)'|(?:^|\n)\s*import\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g;
  return [...file.text.matchAll(pattern)].map((match) => {
    const specifier = match[1] ?? match[2] ?? match[3] ?? '';
    const target = specifier.startsWith('.') ? posix.join(posix.dirname(file.path), specifier) : null;
    return { specifier, target };
  });
}

/** Circles of imports, each reported once; imports of types and lazy ones count. */
function circles(files: readonly SourceFile[]): string[] {
  const targets = new Map(files.map((file) => [file.path, importsOf(file).flatMap(({ target }) => target ?? [])]));
  const visitedPaths = new Set<string>();
  const visit = (path: string, way: readonly string[]): string[] => {
    if (way.includes(path)) return [[...way.slice(way.indexOf(path)), path].join(' imports ')];
    if (visitedPaths.has(path)) return [];
    const circlesBelow = (targets.get(path) ?? []).flatMap((target) => visit(target, [...way, path]));
    visitedPaths.add(path);
    return circlesBelow;
  };
  return files.flatMap(({ path }) => visit(path, [])).map((circle) => `a circle: ${circle}`);
}

/** A folder of the web with screens of one subject: each folder of `features/`, and those of `traffic/` that have a page or a tab. */
const screensOf = /^packages\/web\/src\/(?:features\/([^/]+)\/|traffic\/([^/]+)\/[^/]+-(?:page|tab)\.tsx$)/;

/** Screens that put several subjects of one reader together, and so have no feature of the api of their own. */
const gatheredScreens = new Set(['own-account']);

/** Folders of screens whose subject has another name in the api; nothing for files of the web alone. */
function otherSubjects(files: readonly SourceFile[]): string[] {
  const subjects = new Set(files.flatMap(({ path }) => (path.startsWith('packages/api/') ? (featureOf(path) ?? []) : [])));
  const screens = new Set(files.flatMap(({ path }) => screensOf.exec(path)?.slice(1).filter(Boolean) ?? []));
  if (subjects.size === 0) return [];
  return [...screens]
    .filter((name) => !subjects.has(name) && !gatheredScreens.has(name))
    .map((name) => `screens of ${name}: the api has no feature of that name`);
}

/**
 * Every breach of the architecture in these files, one readable line each: import direction and circles, owners of
 * globals, names of files, and subjects that web and api name differently. An empty list means the rules hold.
 */
export function architectureBreaches(files: readonly SourceFile[]): string[] {
  return [...files.flatMap(breachesOf), ...circles(files), ...otherSubjects(files)];
}

function breachesOf(file: SourceFile): string[] {
  const imports = importsOf(file);
  return [
    ...rules
      .filter((rule) => rule.applies(file.path))
      .flatMap((rule) =>
        imports.filter((entry) => rule.breaks(entry, file.path)).map((entry) => `${file.path} imports ${entry.specifier}: ${rule.why}`),
      ),
    ...owners
      .filter(
        (rule) => file.path.startsWith(rule.folder) && !isTest(file.path) && !rule.owners.test(file.path) && rule.pattern.test(file.text),
      )
      .map((rule) => `${file.path}: ${rule.why}`),
    ...otherVerbs(file),
    ...(vagueName.test(file.path) ? [`${file.path}: the name says nothing`] : []),
  ];
}

/** One line for each file that is long enough to ask whether it still holds one idea. */
export function longFiles(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const lines = text.split('\n').length - 1;
    const limit = isTest(path) ? lineWarning.test : lineWarning.code;
    return lines > limit ? [`${path}: ${lines} lines (more than ${limit}); does it still hold one idea?`] : [];
  });
}
