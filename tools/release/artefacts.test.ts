import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chownSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { productVersion } from '@switchyard/contract/limits';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { endOf } from '../../packages/api/test/console-process.ts';
import { databaseUrl, startPrimary } from '../console/postgres-pair.ts';

// This machine is the whole network: test-artefacts.ts runs the tests in a network namespace.
const artefacts = resolve(process.env['ARTEFACTS'] ?? 'dist');
const debian = process.env['BARE_DEBIAN'] ?? '';
const folder = mkdtempSync(join(tmpdir(), 'switchyard-artefacts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const account = 1000;
const settings = { ADMIN_EMAIL: 'operator@example.com', ADMIN_PASSWORD: 'Tr4in-Yard-Lamp', PORT: '3000' };
const ready = { timeout: 120_000, interval: 100 };

/** Starts a program, prints what it says, and stops it after the test. */
function start(
  program: string,
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string> },
): ChildProcess & { output: () => string } {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(async () => void (await endOf(child, 'SIGTERM')));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      process.stdout.write(chunk);
    });
  return Object.assign(child, { output: () => output });
}

/** Waits for the console, opens its page and signs in; what it has: version, commit and number of apps. */
async function useConsole(child: ReturnType<typeof start>): Promise<{ build: unknown; apps: number }> {
  const url = 'http://127.0.0.1:3000';
  await vi.waitFor(() => {
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${child.output()}`);
    expect(child.output()).toContain('is ready at');
  }, ready);
  const page = await (await fetch(`${url}/login`, { headers: { accept: 'text/html' } })).text();
  const script = /<script [^>]*src="([^"]+\.js)"/.exec(page)?.[1] ?? '';
  expect((await fetch(`${url}${script}`)).headers.get('content-type')).toContain('javascript');
  const call = async (path: string, headers: Record<string, string>, body?: object): Promise<unknown> => {
    const response = await fetch(`${url}/api/${path}`, {
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    expect([path, response.status]).toEqual([path, 200]);
    return response.json();
  };
  const signedIn = z
    .object({ data: z.object({ token: z.object({ accessToken: z.string() }) }) })
    .parse(await call('sanctum/login', {}, { email: settings.ADMIN_EMAIL, password: settings.ADMIN_PASSWORD }));
  const headers = { authorization: `Bearer ${signedIn.data.token.accessToken}` };
  const build = z.object({ data: z.unknown() }).parse(await call('build', headers)).data;
  const apps = z.object({ pagination: z.object({ total: z.number() }) }).parse(await call('apps', headers)).pagination.total;
  console.log(`saw ${JSON.stringify(build)}, ${apps} apps, page and script of the console`);
  return { build, apps };
}

it('[OPS-016] SHA256SUMS has the checksum of every artefact', () => {
  const checked = execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: artefacts, encoding: 'utf8' });
  console.log(checked);
  const names = globSync(`switchyard-${productVersion}*`, { cwd: artefacts });
  expect(checked.trim().split('\n').toSorted()).toEqual(names.map((name) => `${name}: OK`).toSorted());
});

describe('the archive on a bare Debian', () => {
  const name = `switchyard-${productVersion}`;
  const program = `/opt/${name}/bin/switchyard`;

  beforeAll(() => {
    execFileSync('tar', ['-xzf', join(artefacts, `${name}-linux-x64.tar.gz`), '-C', join(debian, 'opt')]);
    execFileSync('chroot', [debian, 'useradd', '--uid', String(account), '--create-home', 'switchyard']);
  });

  /** Runs the command as an account without rights, with nothing in its environment but these settings. */
  const run = (args: readonly string[], env: Record<string, string>): ReturnType<typeof start> =>
    start('/usr/sbin/chroot', [`--userspec=${account}:${account}`, debian, program, ...args], {
      env: {
        PATH: '/usr/bin:/bin',
        DATA_DIR: `/home/switchyard/${env['DATABASE_URL'] === undefined ? 'embedded' : 'data'}`,
        ...settings,
        ...env,
      },
    });

  it('[OPS-016] starts with the embedded database where there is neither Node.js nor npm nor a network', async () => {
    const programs = execFileSync('chroot', [debian, 'sh', '-c', 'command -v node npm psql || echo none'], { encoding: 'utf8' });
    expect(programs).toBe('none\n');
    await expect(fetch('http://192.0.2.1/')).rejects.toThrow('fetch failed');
    const child = run(['start'], { DEMO: '1' });
    const { build, apps } = await useConsole(child);
    expect(build).toMatchObject({ version: productVersion, commit: readFileSync(join(debian, `opt/${name}/COMMIT`), 'utf8').trim() });
    expect(apps).toBeGreaterThan(30);
    expect(await endOf(child, 'SIGTERM')).toBe(0);
  });

  it('[OPS-016] starts on a PostgreSQL of the operator', async () => {
    const primary = await startPrimary();
    onTestFinished(primary.stop);
    const env = { DATABASE_URL: databaseUrl(primary.port), SECRET_KEY: 'Zp3kM9wQx7Lr2VtB8nYc5HsJ4dFg6TaE', NODE_ENV: 'production' };
    const check = run(['check'], env);
    expect([await endOf(check), check.output()]).toEqual([0, expect.stringContaining('PostgreSQL')]);
    const child = run(['start'], env);
    expect((await useConsole(child)).apps).toBe(0);
    expect(await endOf(child, 'SIGTERM')).toBe(0);
  });

  it('[OPS-016] has the documents and examples, and neither tests nor the settings of the machine that built it', () => {
    const files = globSync('{packages,deploy,docs}/**/{*,.*}', { cwd: join(debian, `opt/${name}`) });
    expect(files).toEqual(expect.arrayContaining(['docs/operations.md', 'deploy/switchyard.service', 'deploy/.env.example']));
    expect(files.filter((path) => /\.test\.tsx?$|\/testing\/|\/\.env$/.test(path))).toEqual([]);
  });

  it('[OPS-017] has the licence text of everything in it', () => {
    const notice = readFileSync(join(debian, `opt/${name}/NOTICE`), 'utf8');
    const manifests = globSync(join(debian, `opt/${name}/node_modules/{*,@*/*}/package.json`)).filter(
      (path) => !path.includes('/@switchyard/'),
    );
    const missing = manifests
      .map((path) => z.object({ name: z.string(), version: z.string() }).parse(JSON.parse(readFileSync(path, 'utf8'))))
      .filter((manifest) => !notice.includes(`\n## ${manifest.name} ${manifest.version} (`));
    expect(missing).toEqual([]);
    expect(manifests.length).toBeGreaterThan(100);
  });
});

describe('the image', () => {
  it('[OPS-018] runs as an unprivileged user on a read-only root with a volume, and its health check answers', async () => {
    const [layout, bundle, data] = [join(folder, 'layout'), join(folder, 'bundle'), join(folder, 'data')];
    for (const path of [layout, data]) mkdirSync(path);
    chownSync(data, account, account);
    execFileSync('tar', ['-xf', join(artefacts, `switchyard-${productVersion}-linux-x64.oci.tar`), '-C', layout]);
    execFileSync('umoci', ['unpack', '--image', `${layout}:${productVersion}`, bundle], { stdio: 'inherit' });
    const file = join(bundle, 'config.json');
    const shape = z.looseObject({
      root: z.looseObject({}),
      process: z.looseObject({ user: z.looseObject({ uid: z.number() }), env: z.array(z.string()) }),
      mounts: z.array(z.looseObject({ destination: z.string() })),
      linux: z.looseObject({ namespaces: z.array(z.looseObject({ type: z.string() })) }),
    });
    const config = shape.parse(JSON.parse(readFileSync(file, 'utf8')));
    expect(config.process.user.uid).toBe(account);
    config.root['readonly'] = true;
    config.process['terminal'] = false;
    config.process.env.push(...Object.entries({ ...settings, DEMO: '0' }).map(([key, value]) => `${key}=${value}`));
    config.mounts.push({ destination: '/var/lib/switchyard', type: 'bind', source: data, options: ['bind', 'rw'] });
    config.mounts.push({ destination: '/tmp', type: 'tmpfs', source: 'tmpfs', options: ['mode=1777'] });
    // The network is the one that the tests have.
    config.linux.namespaces = config.linux.namespaces.filter(({ type }) => type !== 'network');
    writeFileSync(file, JSON.stringify(config));
    const container = `switchyard-${process.pid}`;
    const child = start('runc', ['run', '--bundle', bundle, container], {
      env: { PATH: process.env['PATH'] ?? '' },
    });
    await useConsole(child);
    const exec = (...command: readonly string[]): string => execFileSync('runc', ['exec', container, ...command], { encoding: 'utf8' });
    expect(exec('id', '-u')).toBe(`${account}\n`);
    expect(() => exec('touch', '/opt/switchyard/file')).toThrow('Read-only file system');
    exec(...healthCheck(layout));
    expect(globSync(`${data}/*`)).toContain(`${data}/postgres`);
    execFileSync('runc', ['kill', container, 'SIGTERM']);
    expect(await endOf(child)).toBe(0);
  });
});

/** The command that Docker runs to see whether a container is healthy. */
function healthCheck(layout: string): string[] {
  const configs = globSync(join(layout, 'blobs/sha256/*')).map((path) => readFileSync(path));
  const shape = z.object({ config: z.object({ Healthcheck: z.object({ Test: z.tuple([z.literal('CMD')]).rest(z.string()) }) }) });
  const parsed = configs.filter((bytes) => bytes[0] === 0x7b).map((bytes) => shape.safeParse(JSON.parse(bytes.toString())).data);
  return parsed.find((config) => config !== undefined)?.config.Healthcheck.Test.slice(1) ?? [];
}
