import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Example, examples, patchPath, readPatch, storedPatch } from './guide-examples.ts';

process.chdir(new URL('../..', import.meta.url).pathname);

/** A copy of the last commit, where examples are applied. */
const copy = join(process.cwd(), '.guide');

const usage = `npm run test:guide [example]    applies each worked example, or one, to a copy, checks and tests it
npm run guide edit <example>    applies an example to .guide, with conflicts where it no longer fits
npm run guide save <example>    writes the changes in .guide to the example's patch`;

class GuideError extends Error {
  override name = 'GuideError';
}

function git(...args: string[]): string {
  return execFileSync('git', ['-C', copy, ...args], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}

/** Runs a program in the copy and shows its output. */
function run(...[program, ...args]: [string, ...string[]]): void {
  process.stdout.write(`> ${program} ${args.join(' ')}\n`);
  const PATH = `${join(copy, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`;
  const { status } = spawnSync(program, args, { cwd: copy, stdio: 'inherit', env: { ...process.env, PATH } });
  if (status !== 0) throw new GuideError(`${program} failed in ${copy}`);
}

/** Makes the copy with the installed packages as hard links; links between the packages of the project lead into the copy. */
function makeCopy(): void {
  removeCopy();
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', copy, 'HEAD']);
  const folders = ['.', 'embedded-clickhouse', ...readdirSync('packages').map((name) => join('packages', name))];
  for (const folder of folders.filter((name) => existsSync(join(name, 'node_modules')))) {
    const [from, to] = [join(folder, 'node_modules'), join(copy, folder, 'node_modules')];
    if (spawnSync('cp', ['-al', from, to], { stdio: 'ignore' }).status !== 0) execFileSync('cp', ['-R', from, to]);
  }
}

function removeCopy(): void {
  rmSync(copy, { recursive: true, force: true });
  execFileSync('git', ['worktree', 'prune']);
}

function exampleOf(name: string | undefined): Example {
  const storedExample = examples.find((example) => example.name === name);
  if (storedExample === undefined) throw new GuideError(usage);
  return storedExample;
}

/** Applies a patch to the copy; `git apply` merges what changed around it, and leaves marks where it cannot. */
function apply(name: string): boolean {
  return spawnSync('git', ['-C', copy, 'apply', '--3way', join(process.cwd(), patchPath(name))], { stdio: 'inherit' }).status === 0;
}

/** Puts the copy into the state before an example: the last commit, and the examples that come before. */
function reset({ after }: Example): void {
  git('checkout', '--quiet', '--force', '--detach', execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim());
  git('clean', '--quiet', '-fd');
  if (after === undefined) return;
  if (!apply(after)) throw new GuideError(`${patchPath(after)} no longer applies: npm run guide edit ${after}`);
  for (const generator of Object.keys(exampleOf(after).generators)) run('vitest', 'run', '--project=node', generator, '-u');
  git('add', '--all');
  git('-c', 'user.name=Guide', '-c', 'user.email=guide@localhost', 'commit', '--quiet', '--no-verify', '-m', after);
}

/** Paths that differ from the state before the example. */
function changedPaths(): string[] {
  git('add', '--all');
  return git('diff', '--cached', '--name-only', 'HEAD')
    .split('\n')
    .filter((path) => path !== '');
}

function testExample(example: Example): void {
  const { name, generators, tests } = example;
  process.stdout.write(`\n${name}\n`);
  reset(example);
  if (!apply(name)) throw new GuideError(`${patchPath(name)} no longer applies: npm run guide edit ${name}`);
  const byHand = readPatch(storedPatch(name)).map(({ path }) => path);
  for (const folder of ['.', 'embedded-clickhouse', ...readdirSync('packages').map((folderName) => join('packages', folderName))])
    if (existsSync(join(copy, folder, 'tsconfig.json'))) run('tsc', '-p', folder);
  const code = byHand.filter((path) => /\.tsx?$/.test(path));
  run('oxlint', '--type-aware', '--deny-warnings', ...code);
  run('oxfmt', '--check', ...code);
  for (const generator of Object.keys(generators)) run('vitest', 'run', '--project=node', generator, '-u');
  const generatedPaths = Object.values(generators).flat();
  const further = changedPaths().filter((path) => !byHand.includes(path) && !generatedPaths.some((start) => path.startsWith(start)));
  if (further.length > 0) throw new GuideError(`${name}: generators also changed ${further.join(', ')}`);
  run('vitest', 'run', '--project=node', ...tests.node);
  if (tests.browser.length > 0) run('vitest', 'run', '--project=browser', ...tests.browser);
}

function testExamples(testedExamples: readonly Example[]): void {
  makeCopy();
  for (const example of testedExamples) testExample(example);
  removeCopy();
  process.stdout.write(`\n${testedExamples.map(({ name }) => name).join(', ')}: applied and passed\n`);
}

function edit(example: Example): void {
  makeCopy();
  reset(example);
  const fits = existsSync(patchPath(example.name)) && apply(example.name);
  process.stdout.write(`${copy}: ${fits ? 'the example applies' : 'resolve the conflicts'}, then npm run guide save ${example.name}\n`);
}

/** Writes the changes of the copy as a patch, in the order and with the lines of the head that it has; new files come last. */
function save({ name, generators }: Example): void {
  const generatedPaths = Object.values(generators).flat();
  const patchText = storedPatch(name);
  const knownFiles = patchText === '' ? [] : readPatch(patchText);
  const changedFiles = changedPaths().filter((path) => !generatedPaths.some((start) => path.startsWith(start)));
  const order = [...knownFiles.map(({ path }) => path).filter((path) => changedFiles.includes(path)), ...changedFiles];
  const head = [...new Set(order)].map((path) => `${path}: ${knownFiles.find((file) => file.path === path)?.change ?? ''}`);
  const orderFile = join(copy, '.git-order');
  writeFileSync(orderFile, order.join('\n'));
  const diff = git('diff', '--cached', '--full-index', '--unified=2', `-O${orderFile}`, 'HEAD', '--', ...changedFiles);
  rmSync(orderFile);
  writeFileSync(patchPath(name), `${head.join('\n')}\n\n${diff}`);
  process.stdout.write(`${patchPath(name)}: ${changedFiles.length} files. Refresh the table: npx vitest run guide -u\n`);
}

try {
  const [command, name] = process.argv.slice(2);
  if (command === 'test') testExamples(name === undefined ? examples : [exampleOf(name)]);
  else if (command === 'edit') edit(exampleOf(name));
  else if (command === 'save') save(exampleOf(name));
  else throw new GuideError(usage);
} catch (error) {
  if (!(error instanceof GuideError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
