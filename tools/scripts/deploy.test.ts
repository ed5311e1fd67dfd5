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
const texts = z.record(z.string(), z.string());

describe('deploy/Dockerfile', () => {
  const dockerfile = read('deploy/Dockerfile');

  it('copies files that exist, and the manifest of every workspace', () => {
    const copied = matches(dockerfile, /^COPY (?!--from)(.+) \S+$/gm).flatMap((sources) => sources.split(' '));
    expect(copied.filter((path) => !existsSync(path))).toEqual([]);
    expect(globSync('packages/*/package.json').filter((path) => !copied.includes(path))).toEqual([]);
  });

  it('runs programs that exist', () => {
    expect(dockerfile).toContain('\nRUN npm run release:build -- --tree /opt/switchyard\n');
    const { scripts } = z.object({ scripts: texts }).parse(JSON.parse(read('package.json')));
    expect(scripts['release:build']).toBe('node tools/release/build.ts');
    expect(dockerfile).toContain('\nENV PATH=/opt/switchyard/bin:/opt/switchyard/node_modules/node/bin:$PATH\n');
    expect(dockerfile).toContain('\nENTRYPOINT ["tini", "--", "switchyard"]\nCMD ["start"]\n');
  });

  it('[OPS-010] has client programs of the PostgreSQL of compose.yaml, for the same Debian', () => {
    const [, major, debian] = /^ARG POSTGRES=(\d+)\n(?:ARG .*\n)*FROM postgres:\$\{POSTGRES\}-(\w+) AS postgres$/m.exec(dockerfile) ?? [];
    expect(read('deploy/compose.yaml')).toContain(`\n    image: postgres:${major}\n`);
    expect(matches(dockerfile, /^ARG \w+_IMAGE=(?:node:\d+-|debian:)(\w+)-slim$/gm)).toEqual([debian, debian]);
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
    const run = ['tools/release/build.ts', 'packages/api/bin/switchyard', 'packages/client-test/package.json', 'docs/operations.md'];
    expect(run.filter((path) => !isCopied(path))).toEqual([]);
  });
});

describe('deploy/nginx.conf, deploy/Caddyfile, deploy/haproxy.cfg and deploy/haproxy-single.cfg', () => {
  // HAProxy skips the lines for HTTPS without HTTPS_URL, which compose.https.yaml sets.
  const nginx = read('deploy/nginx.conf');
  const haproxy = read('deploy/haproxy.cfg');
  const single = read('deploy/haproxy-single.cfg');

  it('offer TLS 1.2 with forward secrecy and AES-256 or ChaCha20, and TLS 1.3', () => {
    expect(nginx).toMatch(/^ {2}ssl_protocols TLSv1\.2 TLSv1\.3;$/m);
    for (const file of [haproxy, single]) expect(file).toMatch(/^ {2}ssl-default-bind-options ssl-min-ver TLSv1\.2$/m);
    const suites = [...matches(nginx, /^ {2}ssl_ciphers (.+);$/gm), ...matches(haproxy + single, /^ {2}ssl-default-bind-ciphers (.+)$/gm)];
    expect(suites).toHaveLength(3);
    for (const suite of suites.join(':').split(':')) expect(suite).toMatch(/^ECDHE-(ECDSA|RSA)-(AES256-GCM-SHA384|CHACHA20-POLY1305)$/);
  });

  it('redirect pages to HTTPS, and reject calls of the API over HTTP', () => {
    const plain = nginx.slice(nginx.indexOf('listen 80;'));
    expect(plain).toContain('location / { return 301 https://');
    expect(plain).toContain('location /api/ { return 403; }');
    const [caddyPlain = ''] = read('deploy/Caddyfile').split('https://console.example.com {');
    expect(caddyPlain).toMatch(/handle \/api\/\* \{\s+respond 403\s+\}\s+handle \{\s+redir https:\/\//);
    const https = /^ {2}\.if defined\(HTTPS_URL\)$(.+?)^ {2}\.endif$/ms.exec(haproxy)?.[1] ?? '';
    expect(matches(https, /^ {2}http-request (.+)$/gm)).toEqual([
      'deny deny_status 403 if { path_beg /api/ } !{ ssl_fc }',
      'redirect prefix %[env(HTTPS_URL),rtrim(/)] code 301 unless { ssl_fc }',
    ]);
    expect(matches(single, /^ {2}http-request (.+)$/gm).slice(0, 2)).toEqual([
      'deny deny_status 403 if { path_beg /api/ } !{ ssl_fc }',
      'redirect prefix https://console.example.com code 301 unless { ssl_fc }',
    ]);
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

describe('deploy/switchyard-backup.service and .timer', () => {
  const backup = read('deploy/switchyard-backup.service');

  it('[OPS-011] back up as the account and with the settings of the console, and no less protected', () => {
    const lines = read('deploy/switchyard.service').split('\n');
    const shared = lines.filter((line) =>
      /^(User|Group|WorkingDirectory|Environment|EnvironmentFile|StateDirectory|StateDirectoryMode|CacheDirectory|UMask)=/.test(line),
    );
    const protections = lines
      .slice(lines.indexOf('NoNewPrivileges=true'))
      .filter((line) => /^\w+=/.test(line) && !line.startsWith('WantedBy'));
    expect(shared).toHaveLength(9);
    expect(protections.length).toBeGreaterThan(10);
    expect([...shared, ...protections].filter((line) => !backup.split('\n').includes(line))).toEqual([]);
    const [, folder] = /^ExecStart=\S+\/switchyard backup --keep 14 (\S+)$/m.exec(backup) ?? [];
    expect(backup).toContain(`\nReadWritePaths=-${folder}\n`);
    expect(read('docs/operations.md')).toContain(`install -d -o switchyard -g switchyard -m 700 ${folder}\n`);
  });

  it('[OPS-011] run once a day, also after the machine was off', () => {
    expect(read('deploy/switchyard-backup.timer')).toMatch(/^OnCalendar=\*-\*-\* 03:15\n(.*\n)*Persistent=true$/m);
    expect(backup).toContain('\nType=oneshot\n');
  });
});

/** The part of the Compose Specification that compose.yaml uses: unknown keys are errors. */
const service = z.strictObject({
  image: z.string(),
  build: z.strictObject({ context: z.literal('..'), dockerfile: z.literal('deploy/Dockerfile') }).optional(),
  hostname: z.string().optional(),
  environment: z.record(z.string(), z.string()).default({}),
  profiles: strings.optional(),
  entrypoint: strings.optional(),
  command: strings.optional(),
  depends_on: z
    .union([strings, z.record(z.string(), z.strictObject({ condition: z.literal('service_healthy') }))])
    .default([])
    .transform((names) => (Array.isArray(names) ? names : Object.keys(names))),
  ports: strings.optional(),
  volumes: strings.default([]),
  healthcheck: z
    .union([
      z.strictObject({ test: strings, interval: z.string(), timeout: z.string(), retries: z.number(), start_period: z.string() }),
      z.strictObject({ disable: z.literal(true) }),
    ])
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
  logging: z.strictObject({ driver: z.literal('json-file'), options: texts }),
});
const composeFile = z.strictObject({
  name: z.literal('switchyard'),
  'x-console': z.unknown(),
  'x-logging': z.unknown(),
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
      if (!/PASSWORD|KEY$/.test(name)) continue;
      expect([use, fallback]).toEqual([use, `:?set ${name} in deploy/.env`]);
      expect(example).toMatch(new RegExp(`^${name}=$`, 'm'));
    }
    expect(variables.length).toBeGreaterThan(5);
    expect(matches(example, /^(\w+)=/gm).filter((name) => !variables.some(([, used]) => used === name))).toEqual([]);
  });

  it('limits the log of every container, and has the consoles write theirs there', () => {
    for (const [name, { logging }] of services) expect([name, Object.keys(logging.options)]).toEqual([name, ['max-size', 'max-file']]);
    expect(consoles.map(([, { environment }]) => environment['LOG_STDOUT'])).toEqual(['1', '1']);
  });

  it('publishes HTTPS with a certificate at the address where pages over HTTP move to', () => {
    const { services: overlay } = z
      .strictObject({
        services: z.strictObject({ haproxy: z.strictObject({ environment: texts, ports: strings, volumes: strings }) }),
      })
      .parse(parse(read('deploy/compose.https.yaml')));
    expect(overlay.haproxy.environment).toEqual({ HTTPS_URL: '${APP_URL:?set APP_URL in deploy/.env}' });
    const [, port, certificate] = /bind :(\d+) ssl crt (\S+)/.exec(read('deploy/haproxy.cfg')) ?? [];
    expect(overlay.haproxy.ports.join(' ')).toMatch(new RegExp(`^\\S+:${port}$`));
    expect(overlay.haproxy.volumes.join(' ')).toContain(`:${certificate}:ro`);
    const example = read('deploy/.env.example');
    const variables = matches(read('deploy/compose.https.yaml'), /\$\{(\w+)/g);
    expect(variables.filter((name) => !example.includes(`\n# ${name}=`))).toEqual([]);
  });

  it('[OPS-011] backs up with the command of the image into its folder, and keeps the newest', () => {
    const [console] = consoles;
    const backup = compose.services['backup'];
    expect(backup).toMatchObject({ profiles: ['backup'], image: console?.[1].image, entrypoint: ['tini', '-g', '--', 'sh', '-ec'] });
    expect(backup?.command).toEqual(['while :; do switchyard backup --keep ${BACKUP_KEEP:-14} /backups; sleep ${BACKUP_EVERY:-1d}; done']);
    expect(backup?.environment['DATABASE_URL']).toBe(console?.[1].environment['DATABASE_URL']);
    expect(backup?.volumes).toEqual(['backups:/backups']);
    // A new volume takes over its owner.
    expect(read('deploy/Dockerfile')).toContain('install -d -o 1000 -g 1000 -m 0700 /backups\n');
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

  it.each([
    ['two sources of certificates', { caBundle: { secret: 'a', configMap: 'b' } }],
    ['a backup without a claim', { backup: { enabled: true, existingClaim: '' } }],
    ['no backup to keep', { backup: { keep: 0 } }],
    ['a size without a unit', { sizeLimits: { tmp: '512' } }],
    ['a volume without a place', { extraVolumeMounts: [{ name: 'fonts' }] }],
    ['a variable without a name', { extraEnv: [{ value: '1' }] }],
    ['a port without a protocol', { networkPolicy: { egress: { ports: [{ port: 53 }] } } }],
    ['a relative path', { ingress: { closedPaths: ['metrics'] } }],
    ['an interval without a unit', { serviceMonitor: { interval: '15' } }],
  ])('rejects values with %s', (_, wrong) => {
    expect(isValid({ ...values, ...required, ...wrong })).toBe(false);
  });

  it('has every value in the schema and every name of the schema among the values', () => {
    const node = z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() });
    const paths = (at: unknown, path: string): string[] => {
      const { properties } = node.safeParse(at).data ?? {};
      return properties === undefined ? [path] : Object.entries(properties).flatMap(([name, inner]) => paths(inner, `${path}.${name}`));
    };
    const stored = (path: string): unknown => {
      let at: unknown = values;
      for (const key of path.split('.').slice(1)) at = z.record(z.string(), z.unknown()).safeParse(at).data?.[key];
      return at;
    };
    const described = paths(schema, '').filter((path) => path !== '.global' && !path.startsWith('.settings.'));
    expect(described.filter((path) => stored(path) === undefined)).toEqual([]);
    expect(described.length).toBeGreaterThan(50);
  });

  it('closes /metrics and /readyz at the ingress, before the path of the console, by a Service without pods', () => {
    expect(values['ingress']).toMatchObject({ closedPaths: ['/metrics', '/readyz'] });
    const [rules = '', closed = ''] = read(`${chart}/templates/ingress.yaml`).split(/^---$/m);
    expect(rules.indexOf('range .Values.ingress.closedPaths')).toBeGreaterThan(0);
    expect(rules.indexOf('range .Values.ingress.closedPaths')).toBeLessThan(rules.indexOf('path: /\n'));
    expect(rules).toMatch(/pathType: Exact\s+backend:\s+service:\s+name: \{\{ include "switchyard.closedService" \$ \}\}/);
    expect(closed).toContain('name: {{ include "switchyard.closedService" . }}');
    expect(closed).not.toContain('selector');
  });

  it('limits connections to other machines to the ports of the services in use', () => {
    const { networkPolicy } = z
      .object({
        networkPolicy: z.object({
          enabled: z.boolean(),
          egress: z.object({ enabled: z.boolean(), ports: z.array(z.object({ port: z.number(), protocol: z.string() })) }),
        }),
      })
      .parse(values);
    const { ports } = networkPolicy.egress;
    expect([networkPolicy.enabled, networkPolicy.egress.enabled]).toEqual([true, true]);
    expect(ports.map(({ port, protocol }) => `${port}/${protocol}`)).toEqual([
      '53/UDP',
      ...[53, 5432, 8123, 8443, 25, 465, 587, 443].map((port) => `${port}/TCP`),
    ]);
  });

  it('[OPS-011] backs up with the command of the image into the claim, and keeps the newest', () => {
    const template = read(`${chart}/templates/backup.yaml`);
    expect(template).toMatch(/ args:\n +- backup\n +- --keep\n +- \{\{ \.Values\.backup\.keep \| quote \}\}\n +- \/backups\n/);
    expect(template).toMatch(/ - name: backups\n +mountPath: \/backups\n/);
    expect(template).not.toContain(' command:');
    // The Service of the consoles selects pods by these labels.
    expect(template).toContain('app.kubernetes.io/name: {{ .Chart.Name }}-backup\n');
    expect(template).not.toMatch(/include "switchyard.selectorLabels"/);
  });

  it('has Prometheus scrape with the token, under the name that the alerts need', () => {
    const monitor = read(`${chart}/templates/service-monitor.yaml`);
    expect(monitor).toContain('key: METRICS_TOKEN\n');
    const job = /targetLabel: job\s+replacement: (\S+)/.exec(monitor)?.[1];
    expect(read('deploy/monitoring/prometheus.yml')).toContain(`job_name: ${job}\n`);
  });

  it('sets every setting in one place: its template or the value `settings`', () => {
    const fixed = [...matches(templates, /- name: ([A-Z][A-Z_]+)$/gm), ...matches(templates, /"([A-Z]+_[A-Z_]+)"/g)];
    // Read by Node.js itself.
    const other = 'NODE_EXTRA_CA_CERTS';
    expect(fixed).toContain(other);
    const all = [...fixed.filter((name) => name !== other), ...Object.keys(schema.properties.settings.properties)];
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
