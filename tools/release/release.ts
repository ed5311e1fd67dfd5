import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';
import { endInOneLine } from './end-in-one-line.ts';
import { beginNextSection, dateChangelog, lastRelease, nextVersion, settingsIn, unnamedInUpgrade } from './changelog.ts';

const root = join(import.meta.dirname, '../..');
const usage = 'npm run release -- VERSION [--next VERSION] [--tested all|SUITE,…] [--no-sign] [--rehearsal]';

/** Checks that have to pass on the commit to be released. A run of each takes from minutes to hours. */
const suites = {
  test: ['test'],
  postgres: ['run', 'test:postgres', '--', '15', '16', '17'],
  faults: ['run', 'test:faults'],
  cluster: ['run', 'test:cluster'],
  soak: ['run', 'test:soak', '--', '--hours', '2'],
  bench: ['run', 'bench'],
} as const;

type Options = { version: string; next: string; tested: readonly string[]; signs: boolean; rehearsal: boolean };

/** Findings that stop a release, which a rehearsal only lists. */
const findings: string[] = [];

function readOptions(): Options {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    allowNegative: true,
    options: {
      next: { type: 'string' },
      tested: { type: 'string', default: '' },
      sign: { type: 'boolean', default: true },
      rehearsal: { type: 'boolean', default: false },
    },
  });
  const [version = ''] = positionals;
  const next = values.next ?? nextVersion(version);
  const tested = values.tested === 'all' ? Object.keys(suites) : values.tested.split(',').filter((name) => name !== '');
  if (positionals.length !== 1 || ![version, next].every((text) => /^\d+\.\d+\.\d+$/.test(text))) throw new StartupError(usage);
  const unknown = tested.find((name) => !(name in suites));
  if (unknown !== undefined) throw new StartupError(`--tested: there is no suite ${unknown} (${Object.keys(suites).join(', ')})`);
  return { version, next, tested, signs: values.sign, rehearsal: values.rehearsal };
}

function step(name: string): void {
  console.log(`\n== ${name}`);
}

/** Runs a program to its end, with its output; throws one line if it fails. */
function run(folder: string, program: string, ...args: readonly string[]): void {
  const { status } = spawnSync(program, args, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new StartupError(`${program} ${args.join(' ')}: ended with ${status}`);
}

function read(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
}

function stopIf(isWrong: boolean, finding: string, { rehearsal }: Options): void {
  if (!isWrong) return;
  if (!rehearsal) throw new StartupError(finding);
  console.log(`A release would stop here: ${finding}`);
  findings.push(finding);
}

/** Asks the registry for vulnerable packages. A machine without that service gets no answer, which is no answer that all is well. */
function audit(folder: string, options: Options): void {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { cwd: folder, encoding: 'utf8' });
  const counts = /"vulnerabilities": \{\s*"info": \d+,\s*"low": \d+,\s*"moderate": (\d+),\s*"high": (\d+),\s*"critical": (\d+)/.exec(
    stdout,
  );
  if (counts === null) console.log('npm audit could not be answered: ask it on another machine, or read the advisories of the packages');
  else
    stopIf(
      counts.slice(1).some((count) => count !== '0'),
      'npm audit lists packages above "low" (update them, or explain them in SECURITY.md)',
      options,
    );
}

/** Files of `deploy/` that changed since the last release, and settings that are new, as far as the upgrade text leaves them out. */
function unnamedChanges(clone: string): string[] {
  const changelog = readFileSync(join(clone, 'CHANGELOG.md'), 'utf8');
  const last = lastRelease(changelog);
  if (last === null) return [];
  const files = read(clone, 'diff', '--name-only', last, 'HEAD', '--', 'deploy').split('\n');
  const env = 'packages/api/src/env.ts';
  const before = settingsIn(read(clone, 'show', `${last}:${env}`));
  const settings = [...settingsIn(readFileSync(join(clone, env), 'utf8'))].filter((name) => !before.has(name));
  return unnamedInUpgrade(changelog, [...files.map((file) => file.replace(/^deploy\//, '')), ...settings]);
}

/** Writes a version where package managers need it: package.json, its lock and the chart. */
function writeVersion(folder: string, version: string): void {
  run(folder, 'npm', 'version', version, '--no-git-tag-version', '--workspaces-update=false');
  edit(join(folder, 'deploy/helm/switchyard/Chart.yaml'), (text) => text.replace(/^((?:version|appVersion): "?)[^"\n]+/gm, `$1${version}`));
}

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

function commit(folder: string, subject: string, body: string): string {
  run(folder, 'git', 'commit', '--quiet', '--all', '-m', subject, '-m', body);
  return read(folder, 'rev-parse', 'HEAD');
}

/** Does every step in a clone, so that one that fails leaves nothing behind and the release can be run again. */
function release(clone: string, options: Options): void {
  const { version, next, tested, signs, rehearsal } = options;
  const tag = `v${version}`;
  const branch = read(root, 'branch', '--show-current');
  step('Repository');
  stopIf(read(root, 'status', '--porcelain') !== '', 'there are uncommitted changes', options);
  stopIf(branch !== 'main', `the branch is ${branch}, not main`, options);
  if (read(root, 'tag', '--list', tag) !== '') throw new StartupError(`${tag} exists already`);
  run(root, 'git', 'clone', '--quiet', '--no-local', root, clone);
  for (const name of ['user.name', 'user.email', 'user.signingkey']) {
    const { stdout } = spawnSync('git', ['config', name], { cwd: root, encoding: 'utf8' });
    if (stdout.trim() !== '') run(clone, 'git', 'config', name, stdout.trim());
  }
  const unnamed = unnamedChanges(clone);
  stopIf(unnamed.length > 0, `CHANGELOG.md: the upgrade text does not name ${unnamed.join(', ')}`, options);
  step('Packages');
  run(clone, 'npm', 'ci', '--include=dev');
  audit(clone, options);
  step(`Version ${version}`);
  writeVersion(clone, version);
  edit(join(clone, 'CHANGELOG.md'), (text) => dateChangelog(text, { version, day: new Date().toISOString().slice(0, 10) }));
  run(clone, 'npm', 'run', 'release:dump');
  run(clone, 'git', 'add', 'packages/api/test/databases');
  const released = commit(
    clone,
    `release: version ${version}`,
    'Raises the version, dates the section of the changelog, and adds the dump that upgrades from this version are tested with.',
  );
  step('Checks');
  run(clone, 'npm', 'run', 'check');
  run(clone, 'npx', 'vitest', 'run', '--project', 'node', 'tools/scripts/release.test.ts', 'upgrade.db');
  for (const [name, args] of Object.entries(suites)) {
    if (tested.includes(name)) console.log(`Stated as passed: npm ${args.join(' ')}`);
    else run(clone, 'npm', ...args);
  }
  step('Artefacts');
  run(clone, 'npm', 'run', 'release:build');
  run(clone, 'npm', 'run', 'test:release');
  step(`Tag ${tag}`);
  run(clone, 'git', 'tag', signs && !rehearsal ? '--sign' : '--annotate', '-m', `Switchyard ${version}`, tag);
  step(`Version ${next}-dev`);
  writeVersion(clone, `${next}-dev`);
  edit(join(clone, 'CHANGELOG.md'), (text) => beginNextSection(text, { version, commit: released }));
  commit(
    clone,
    `release: begin version ${next}`,
    `Names the commit of ${version} in the changelog, because tags may not travel with a copy.`,
  );
  const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'node', 'tools/scripts/release.test.ts'], {
    cwd: clone,
    stdio: 'inherit',
  });
  stopIf(status !== 0, 'tools/scripts/release.test.ts fails on the next version', options);
  if (rehearsal) return;
  run(root, 'git', 'pull', '--quiet', '--ff-only', '--tags', clone, branch);
  run(root, 'cp', '-r', join(clone, 'dist'), root);
  console.log(`\n${tag} is made. What is left: git push --follow-tags, and publish what is in dist (docs/releasing.md).`);
}

const clone = mkdtempSync(join(tmpdir(), 'switchyard-release-'));
try {
  await endInOneLine(() => {
    const options = readOptions();
    release(clone, options);
    if (!options.rehearsal) return;
    console.log(
      `\nRehearsed: nothing was changed. ${findings.length === 0 ? 'Nothing would have stopped a release.' : 'A release would have stopped:'}`,
    );
    for (const finding of findings) console.log(`  ${finding}`);
    process.exitCode = findings.length === 0 ? 0 : 1;
  });
} finally {
  rmSync(clone, { recursive: true, force: true });
}
