import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildWebIfStale } from '../../packages/api/src/cli/build-web.ts';

/**
 * Size limits of the console, in kB (1000 bytes) of gzipped JavaScript and CSS: the sign-in page, the heaviest screen with
 * the frame around it and the largest file that is loaded later than the sign-in page. The sum of all screens has no limit: each loads only its own.
 */
const budgets = { signIn: 212, screen: 440, lazyFile: 92 };

const dist = 'packages/web/dist';
const manifestPath = join(dist, '.vite', 'manifest.json');

type Chunk = { file: string; css: string[]; imports: string[]; isScreen: boolean };
/** The build's own record of which file needs which others. */
type Manifest = Map<string, Chunk>;

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}

function toChunk(entry: unknown): Chunk {
  if (typeof entry !== 'object' || entry === null || !('file' in entry) || typeof entry.file !== 'string') {
    throw new TypeError('an entry without a file');
  }
  return {
    file: entry.file,
    css: textsOf('css' in entry && entry.css),
    imports: textsOf('imports' in entry && entry.imports),
    isScreen: 'isDynamicEntry' in entry && entry.isDynamicEntry === true,
  };
}

/** Every file that must be loaded before the given entries run. */
function filesFor(entries: readonly string[], record: Manifest, files = new Set<string>()): Set<string> {
  for (const name of entries) {
    const chunk = record.get(name);
    if (chunk === undefined) throw new Error(`${manifestPath} does not know ${name}`);
    if (files.has(chunk.file)) continue;
    files.add(chunk.file);
    for (const css of chunk.css) files.add(css);
    filesFor(chunk.imports, record, files);
  }
  return files;
}

/** Size of a file as it travels, in kB. */
async function weight(file: string): Promise<number> {
  return gzipSync(await readFile(join(dist, file)), { level: 9 }).length / 1000;
}

async function total(files: Iterable<string>): Promise<number> {
  const weights = await Promise.all([...files].map(weight));
  return weights.reduce((sum, each) => sum + each, 0);
}

async function readManifest(): Promise<Manifest> {
  try {
    const manifestJson: unknown = JSON.parse(await readFile(manifestPath, 'utf8'));
    return new Map(Object.entries(Object(manifestJson)).map(([name, entry]) => [name, toChunk(entry)]));
  } catch (error) {
    throw new Error(`${manifestPath} cannot be read`, { cause: error });
  }
}

await buildWebIfStale();
const manifest = await readManifest();
const frame = ['index.html', 'src/shell/layout.tsx'];
const screens = await Promise.all(
  [...manifest]
    .filter(([, chunk]) => chunk.isScreen)
    .map(async ([name]) => ({ name, size: await total(filesFor([...frame, name], manifest)) })),
);
const heaviest = screens.reduce((most, each) => (each.size > most.size ? each : most), { name: 'none', size: 0 });
const signInFiles = filesFor(['index.html', 'src/shell/sign-in-screens.tsx'], manifest);
const assets = (await readdir(join(dist, 'assets'))).filter((name) => /\.(js|css)$/.test(name)).map((name) => join('assets', name));
const laterFiles = assets.filter((file) => !signInFiles.has(file));
const weights = [
  { what: 'sign-in page', size: await total(signInFiles), budget: budgets.signIn },
  { what: 'one screen', size: heaviest.size, budget: budgets.screen, detail: `: ${heaviest.name}` },
  { what: 'a later file', size: Math.max(...(await Promise.all(laterFiles.map(weight)))), budget: budgets.lazyFile },
  { what: 'everything', size: await total(assets), budget: Infinity, detail: ` in ${assets.length} files` },
];
for (const { what, size, budget, detail = '' } of weights) {
  console.log(`${what.padEnd(13)} ${size.toFixed(1)}${budget === Infinity ? '' : ` of ${budget}`} kB gzip${detail}`);
}
if (weights.some(({ size, budget }) => size > budget)) {
  console.error('The console is too heavy: load what the page does not need at once with its route.');
  process.exitCode = 1;
}
