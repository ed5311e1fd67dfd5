import { existsSync, globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { productVersion } from '@switchyard/contract/limits';
import { variableDefaults } from '../../packages/api/src/env.ts';

const read = (path: string): string => readFileSync(path, 'utf8');
const matches = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);
const settings = new Set(Object.keys(variableDefaults));
const strings = z.array(z.string());

describe('deploy/Dockerfile', () => {
  const dockerfile = read('deploy/Dockerfile');

  it('copies files that exist, and the manifest of every workspace', () => {
    const copied = matches(dockerfile, /^COPY (?!--from)(.+) \S+$/gm).flatMap((sources) => sources.split(' '));
    expect(copied.filter((path) => !existsSync(path))).toEqual([]);
    expect(globSync('packages/*/package.json').filter((path) => !copied.includes(path))).toEqual([]);
  });

  it('runs programs that exist', () => {
    const programs = matches(dockerfile, /([\w/-]+\.ts)\b/g);
    expect(programs).toEqual(['tools/scripts/build-console.ts']);
    expect(programs.filter((path) => !existsSync(path))).toEqual([]);
    expect(dockerfile).toContain('\nENV PATH=/opt/switchyard/node_modules/.bin:$PATH\n');
    expect(dockerfile).toContain('\nENTRYPOINT ["tini", "--", "switchyard"]\nCMD ["start"]\n');
  });

  it('leaves tests, local files and the history out of the image, and nothing that it runs', () => {
    const rules = read('.dockerignore')
      .split('\n')
      .filter((line) => /^[^#]/.test(line));
    /** Whether the last rule that matches a path, or a folder above it, lets it through. */
    const isCopied = (path: string): boolean => {
      const folders = path.split('/').map((_, at, parts) => parts.slice(0, at + 1).join('/'));
      const rule = rules.findLast((line) => folders.some((folder) => posix.matchesGlob(folder, line.replace(/^!/, ''))));
      return rule?.startsWith('!') ?? true;
    };
    const tests = globSync(['{packages,tools}/**/*.{test,spec}.{ts,tsx}', 'packages/*/{test,src/**/testing}/**/*.ts*'], {
      exclude: ['**/node_modules'],
    });
    expect(tests.length).toBeGreaterThan(300);
    expect([...tests, '.git/config', 'deploy/.env', 'data/secret-key'].filter(isCopied)).toEqual([]);
    const run = ['tools/scripts/build-console.ts', 'packages/api/bin/switchyard', 'packages/client-test/package.json'];
    expect(run.filter((path) => !isCopied(path))).toEqual([]);
  });
});

describe('deploy/nginx.conf and deploy/haproxy.cfg', () => {
  // The lines for HTTPS of haproxy.cfg are comments, because it starts without a certificate.
  const nginx = read('deploy/nginx.conf');
  const haproxy = read('deploy/haproxy.cfg');

  it('offer TLS 1.2 with forward secrecy and AES-256 or ChaCha20, and TLS 1.3', () => {
    expect(nginx).toMatch(/^ {2}ssl_protocols TLSv1\.2 TLSv1\.3;$/m);
    expect(haproxy).toMatch(/^ {2}ssl-default-bind-options ssl-min-ver TLSv1\.2$/m);
    const suites = [...matches(nginx, /^ {2}ssl_ciphers (.+);$/gm), ...matches(haproxy, /^ {2}ssl-default-bind-ciphers (.+)$/gm)];
    expect(suites).toHaveLength(2);
    for (const suite of suites.join(':').split(':')) expect(suite).toMatch(/^ECDHE-(ECDSA|RSA)-(AES256-GCM-SHA384|CHACHA20-POLY1305)$/);
  });

  it('redirect pages to HTTPS, and reject calls of the API over HTTP', () => {
    const plain = nginx.slice(nginx.indexOf('listen 80;'));
    expect(plain).toContain('location / { return 301 https://');
    expect(plain).toContain('location /api/ { return 403; }');
    const rules = matches(haproxy, /^ {2}# http-request (.+)$/gm);
    expect(rules).toEqual(['deny deny_status 403 if { path_beg /api/ } !{ ssl_fc }', 'redirect scheme https code 301 unless { ssl_fc }']);
  });
});

it('[OPS-001] deploy/switchyard.service and the npm scripts run the command', () => {
  const service = read('deploy/switchyard.service');
  const folder = /^WorkingDirectory=(.+)$/m.exec(service)?.[1];
  expect(service).toContain(`\nExecStart=${folder}/node_modules/.bin/switchyard start\n`);
  const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read('package.json')));
  const commands = ['start', 'backup', 'restore', 'events:copy', 'audit:verify', 'asns', 'simulate'];
  const calls = commands.map((name) => scripts[name]?.replace('exec ', ''));
  expect(calls).toEqual(commands.map((name) => `packages/api/bin/switchyard ${name.replace(':', ' ')}`));
});

it('deploy/switchyard.service hides the history of the checkout from the console', () => {
  const service = read('deploy/switchyard.service');
  const folder = /^WorkingDirectory=(.+)$/m.exec(service)?.[1];
  expect(service).toContain(`\nInaccessiblePaths=-${folder}/.git\n`);
});

/** The part of the Compose Specification that compose.yaml uses: unknown keys are errors. */
const service = z.strictObject({
  image: z.string(),
  build: z.strictObject({ context: z.literal('..'), dockerfile: z.literal('deploy/Dockerfile') }).optional(),
  hostname: z.string().optional(),
  environment: z.record(z.string(), z.string()).default({}),
  command: strings.optional(),
  depends_on: z
    .union([strings, z.record(z.string(), z.strictObject({ condition: z.literal('service_healthy') }))])
    .default([])
    .transform((names) => (Array.isArray(names) ? names : Object.keys(names))),
  ports: strings.optional(),
  volumes: strings.default([]),
  healthcheck: z
    .strictObject({ test: strings, interval: z.string(), timeout: z.string(), retries: z.number(), start_period: z.string() })
    .optional(),
  restart: z.literal('unless-stopped'),
  stop_grace_period: z.string().optional(),
  read_only: z.boolean().optional(),
  tmpfs: strings.optional(),
  cap_drop: strings.optional(),
  security_opt: strings.optional(),
  ulimits: z.record(z.string(), z.strictObject({ soft: z.number(), hard: z.number() })).optional(),
  shm_size: z.string().optional(),
  mem_limit: z.string(),
});
const composeFile = z.strictObject({
  name: z.literal('switchyard'),
  'x-console': z.unknown(),
  services: z.record(z.string(), service),
  networks: z.strictObject({
    default: z.strictObject({ ipam: z.strictObject({ config: z.array(z.strictObject({ subnet: z.string() })) }) }),
  }),
  volumes: z.record(z.string(), z.null()),
});

describe('deploy/compose.yaml', () => {
  const text = read('deploy/compose.yaml');
  const compose = composeFile.parse(parse(text, { merge: true }));
  const services = Object.entries(compose.services);
  const consoles = services.filter(([name]) => name.startsWith('console-'));

  it('starts two consoles with the same settings, all of which exist', () => {
    expect(consoles).toHaveLength(2);
    const [first, second] = consoles.map(([, { environment }]) => environment);
    expect(consoles.map(([name]) => name)).toEqual([first?.['INSTANCE_NAME'], second?.['INSTANCE_NAME']]);
    expect({ ...first, INSTANCE_NAME: '' }).toEqual({ ...second, INSTANCE_NAME: '' });
    expect(Object.keys(first ?? {})).toContain('SECRET_KEY');
    expect(Object.keys(first ?? {}).filter((name) => !settings.has(name))).toEqual([]);
    expect(compose.networks.default.ipam.config.map(({ subnet }) => subnet)).toEqual([first?.['TRUSTED_PROXIES']]);
  });

  it('has no default passwords, and explains every variable in .env.example', () => {
    const example = read('deploy/.env.example');
    const variables = matches(text, /\$\{(\w+[^}]*)\}/g).map((use) => /^(\w+)(.*)$/.exec(use) ?? []);
    for (const [use, name = '', fallback] of variables) {
      expect(example).toMatch(new RegExp(`^${name}=`, 'm'));
      if (!/PASSWORD|KEY/.test(name)) continue;
      expect([use, fallback]).toEqual([use, `:?set ${name} in deploy/.env`]);
      expect(example).toMatch(new RegExp(`^${name}=$`, 'm'));
    }
    expect(variables.length).toBeGreaterThan(5);
    expect(matches(example, /^(\w+)=/gm).filter((name) => !variables.some(([, used]) => used === name))).toEqual([]);
  });

  it('keeps passwords out of the image and out of git', () => {
    expect(read('.dockerignore')).toMatch(/^\*\*\/\.env$/m);
    expect(read('.gitignore')).toMatch(/^\/deploy\/\.env$/m);
  });

  it('names services, volumes and files that exist', () => {
    const volumes = services.flatMap(([, { volumes: mounted }]) => mounted.map((mount) => mount.split(':', 1)[0] ?? ''));
    const files = volumes.filter((source) => source.startsWith('./')).map((source) => posix.join('deploy', source));
    expect(files.filter((path) => !existsSync(path))).toEqual([]);
    expect(new Set(volumes.filter((source) => !source.startsWith('./')))).toEqual(new Set(Object.keys(compose.volumes)));
    expect(services.flatMap(([, { depends_on: names }]) => names.filter((name) => !(name in compose.services)))).toEqual([]);
  });

  it('has HAProxy and ClickHouse reach the services by their names', () => {
    const proxy = read('deploy/haproxy.cfg');
    expect(compose.services['haproxy']?.volumes.join(' ')).toContain('./haproxy.cfg:');
    expect(matches(proxy, /^ {2}server \S+ ([\w-]+):3000/gm)).toEqual(consoles.map(([name]) => name));
    const hosts = matches(read('deploy/clickhouse/config.d/switchyard.xml'), /<(?:host|replica)>([\w-]+)</g);
    expect(new Set(hosts)).toEqual(new Set(['keeper', 'clickhouse']));
    for (const host of hosts) expect(compose.services[host]?.hostname).toBe(host);
  });
});

describe('deploy/helm/switchyard', () => {
  const chart = 'deploy/helm/switchyard';
  const templates = globSync(`${chart}/templates/*`).map(read).join('\n');
  const values = z.record(z.string(), z.unknown()).parse(parse(read(`${chart}/values.yaml`)));
  const required = { image: { repository: 'registry.example.com/switchyard' }, appUrl: 'https://a.example', existingSecret: 'switchyard' };
  const schema = z
    .looseObject({ properties: z.looseObject({ settings: z.looseObject({ properties: z.record(z.string(), z.unknown()) }) }) })
    .parse(JSON.parse(read(`${chart}/values.schema.json`)));
  const isValid = new Ajv({ strictTypes: false }).compile(schema);

  it('has values that fit their schema once the required ones are set', () => {
    expect(isValid(values)).toBe(false);
    isValid({ ...values, ...required });
    expect(isValid.errors).toBeNull();
    expect(isValid({ ...values, ...required, settings: { NO_SUCH_SETTING: '1' } })).toBe(false);
  });

  it('sets every setting in one place: its template or the value `settings`', () => {
    const fixed = [...matches(templates, /- name: ([A-Z][A-Z_]+)$/gm), ...matches(templates, /"([A-Z]+_[A-Z_]+)"/g)];
    const all = [...fixed, ...Object.keys(schema.properties.settings.properties)];
    expect(all.toSorted()).toEqual([...settings].toSorted());
  });

  it('reads values that exist', () => {
    const hasPath = (path: string): boolean => {
      let at: unknown = values;
      for (const key of path.split('.')) {
        const folder = z.record(z.string(), z.unknown()).safeParse(at).data ?? {};
        if (!(key in folder)) return path.startsWith('settings.');
        at = folder[key];
      }
      return true;
    };
    const paths = matches(templates, /\.Values\.([\w.]+)/g);
    expect(paths).toContain('image.repository');
    expect(paths.filter((path) => !hasPath(path))).toEqual([]);
  });

  it('installs this version, and gives running calls their 30 seconds', () => {
    expect(parse(read(`${chart}/Chart.yaml`))).toMatchObject({ appVersion: productVersion });
    const { preStopSeconds, terminationGracePeriodSeconds } = z
      .object({ preStopSeconds: z.number(), terminationGracePeriodSeconds: z.number() })
      .parse(values);
    expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(preStopSeconds + 30 + 15);
  });
});
