import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { Secret, TOTP } from 'otpauth';
import { SMTPServer } from 'smtp-server';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { endOf } from '../../packages/api/test/console-process.ts';
import { addresses, bootMachine, type Machine } from './machine.ts';

// The machine of the page reaches this one, which has the mail server, the certificate authority and the browser.
const artefacts = resolve(process.env['ARTEFACTS'] ?? 'dist');
const debian = process.env['DEBIAN_WITH_SYSTEMD'] ?? '';
const folder = mkdtempSync(join(tmpdir(), 'switchyard-production-'));
const file = (name: string): string => join(folder, name);

/** What the reader of the page enters, in the place of its examples. */
const name = 'yard.example.net';
const admin = 'operator@example.net';
const entered = [
  ['console=console.example.com', `console=${name}`],
  ['admin=admin@example.com', `admin=${admin}`],
] as const;
const hosts = [
  [addresses.machine, name],
  [addresses.tests, 'mail.example.com'],
  [addresses.tests, 'acme-v02.api.letsencrypt.org'],
] as const;
const trust = 'NODE_EXTRA_CA_CERTS=/usr/local/share/ca-certificates/test.crt';
const recipients: string[] = [];

beforeAll(async () => {
  const makeCertificate = (holder: string, ...more: readonly string[]): void => {
    const files = ['-keyout', file(`${holder}.key`), '-out', file(`${holder}.pem`), '-subj', `/CN=${holder} of the tests`];
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc'];
    execFileSync('openssl', ['req', '-x509', '-days', '2', ...key, ...files, ...more], { stdio: 'pipe' });
  };
  makeCertificate('ca');
  const extensions = ['basicConstraints=critical,CA:FALSE', `subjectAltName=${hosts.map(([, host]) => `DNS:${host}`).join(',')}`];
  makeCertificate('hosts', '-CA', file('ca.pem'), '-CAkey', file('ca.key'), ...extensions.flatMap((text) => ['-addext', text]));
  setDefaultCACertificates([...getCACertificates(), readFileSync(file('ca.pem'), 'utf8')]);
  writeFileSync(file('hosts'), ['127.0.0.1 localhost', ...hosts.map((host) => host.join(' '))].join('\n'));
  execFileSync('mount', ['--bind', file('hosts'), '/etc/hosts']);
  const mail = await startMail();
  const authority = startAuthority();
  return async () => {
    mail.close();
    await endOf(authority, 'SIGTERM');
    execFileSync('umount', ['/etc/hosts']);
    rmSync(folder, { recursive: true });
  };
});

/** A mail server that takes the account of the page's example. */
async function startMail(): Promise<SMTPServer> {
  const server = new SMTPServer({
    secure: true,
    cert: readFileSync(file('hosts.pem')),
    key: readFileSync(file('hosts.key')),
    onAuth: ({ username, password }, _session, callback) =>
      username === 'user' && password === 'password' ? callback(null, { user: 'console' }) : callback(new Error('No such account')),
    onRcptTo({ address }, _session, callback) {
      recipients.push(address);
      callback();
    },
  });
  await new Promise<void>((ready) => void server.listen(465, ready));
  return server;
}

/** The authority that Caddy asks for certificates. It verifies that the machine has the name, as the real one does. */
function startAuthority(): ChildProcess {
  const lines = [
    '{\nadmin off\nskip_install_trust',
    `pki {\nca local {\nroot {\ncert ${file('ca.pem')}\nkey ${file('ca.key')}\n}\n}\n}\n}`,
    `acme-v02.api.letsencrypt.org {\ntls ${file('hosts.pem')} ${file('hosts.key')}`,
    'rewrite /directory /acme/local/directory\nacme_server\n}',
  ];
  writeFileSync(file('Caddyfile'), lines.join('\n'));
  return spawn('caddy', ['run', '--config', file('Caddyfile'), '--adapter', 'caddyfile'], {
    stdio: 'inherit',
    env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
}

/** What the operator has before the first command: archive, certificate, and name servers that know the hosts. */
function prepare(root: string): void {
  for (const path of globSync(`${artefacts}/*{.tar.gz,SUMS}`)) cpSync(path, join(root, 'root', path.slice(artefacts.length)));
  for (const [source, target] of [
    ['hosts', 'etc/hosts'],
    ['hosts.pem', `etc/ssl/${name}.pem`],
    ['hosts.key', `etc/ssl/${name}.key`],
    ['ca.pem', 'usr/local/share/ca-certificates/test.crt'],
  ] as const) {
    mkdirSync(join(root, target, '..'), { recursive: true });
    cpSync(file(source), join(root, target));
  }
  // Programs on Node.js trust a list of their own.
  mkdirSync(join(root, 'etc/systemd/system.conf.d'));
  writeFileSync(join(root, 'etc/systemd/system.conf.d/test.conf'), `[Manager]\nDefaultEnvironment=${trust}\n`);
}

/** Calls the console as a browser on another machine does, which claims to have another address. */
async function call(
  method: string,
  path: string,
  { token, body }: { token?: string; body?: object } = {},
): Promise<Record<string, unknown>> {
  const response = await fetch(`https://${name}/api/sanctum/${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': '198.51.100.7',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return z.record(z.string(), z.unknown()).parse(text === '' ? {} : z.looseObject({ data: z.unknown() }).parse(JSON.parse(text)));
}

type Command = { step: number; way: string | null; text: string };

/** Commands of the page in their order. A paragraph that begins in bold names the way that the block below it belongs to. */
function readCommands(): Command[] {
  const commands: Command[] = [];
  let step = 0;
  let way: string | null = null;
  const page = readFileSync('docs/production.md', 'utf8');
  for (const [, heading, bold, block] of page.matchAll(/^## (\d+)\.|^\*\*(.+?)\.\*\*|^```sh\n(.+?)\n```$/gms)) {
    if (heading !== undefined) step = Number(heading);
    else if (bold !== undefined) way = bold;
    else {
      for (const text of (block ?? '').replaceAll('\\\n', ' ').split('\n')) commands.push({ step, way, text });
      way = null;
    }
  }
  return commands;
}

const commands = readCommands();

/** Follows these steps of the page; what the last command printed. */
async function follow(machine: Machine, { ways, from, to }: { ways: readonly string[]; from: number; to: number }): Promise<string> {
  let output = '';
  for (const { step, way, text } of commands) {
    if (step < from || step > to || !(way === null || ways.includes(way))) continue;
    output = await machine.run(entered.find(([example]) => example === text)?.[1] ?? text);
  }
  return output;
}

/** Step 6. Signs in with the first password, changes it, and signs in with a second factor. */
async function signInFirst(password: string): Promise<void> {
  const token = tokenIn(await call('POST', 'login', { body: { email: admin, password } }));
  const session = z.array(z.looseObject({ ip: z.string() })).parse((await call('GET', 'sessions', { token }))['data']);
  expect(session[0]?.ip).toBe(addresses.tests);
  const changed = 'Tr4in-Yard-Lamp';
  await call('PUT', 'password', { token, body: { current_password: password, password: changed } });
  const setup = z.object({ challenge: z.string(), secret: z.string() });
  const { challenge, secret } = setup.parse((await call('POST', 'second-factors/totp', { token, body: {} }))['data']);
  const code = (timestamp: number): string => TOTP.generate({ secret: Secret.fromBase32(secret), timestamp });
  await call('POST', 'second-factors/totp/confirm', { token, body: { challenge, code: code(Date.now()), name: 'Phone' } });
  const first = await call('POST', 'login', { body: { email: admin, password: changed } });
  const step = z.object({ second_factor: z.object({ challenge: z.string() }) }).parse(first['data']).second_factor;
  // Each code works once. That of the next 30 seconds is accepted, too.
  const second = await call('POST', 'second-factor', { body: { challenge: step.challenge, code: code(Date.now() + 30_000) } });
  expect(tokenIn(second)).not.toBe(token);
}

const tokenIn = ({ data }: Record<string, unknown>): string =>
  z.object({ token: z.object({ accessToken: z.string() }) }).parse(data).token.accessToken;

const runs = [
  ['Archive', 'Embedded PostgreSQL', 'Caddy'],
  ['Archive', 'PostgreSQL of your own', 'nginx'],
  ['Archive', 'Embedded PostgreSQL', 'HAProxy'],
];

it('[OPS-028] the page has no ways but those that are followed, and a checkout', () => {
  const ways = new Set(commands.flatMap(({ way }) => way ?? []));
  expect([...ways].toSorted()).toEqual([...new Set([...runs.flat(), 'Checkout'])].toSorted());
  for (const [example] of entered) expect(commands.map(({ text }) => text)).toContain(example);
});

it.each(runs)('[OPS-028] docs/production.md leads to a console in production: %s, %s, %s', async (...ways) => {
  const machine = await bootMachine(debian, { prepare, variables: [trust] });
  onTestFinished(machine.stop);
  recipients.length = 0;
  const log = await follow(machine, { ways, from: 0, to: 5 });
  const page = await fetch(`https://${name}/login`, { headers: { accept: 'text/html' } });
  expect([page.status, page.headers.get('strict-transport-security')]).toEqual([200, expect.stringContaining('max-age')]);
  for (const path of ['metrics', 'readyz']) expect((await fetch(`https://${name}/${path}`)).status).toBe(403);
  const plain = await fetch(`http://${name}/apps`, { redirect: 'manual' });
  expect([plain.status, plain.headers.get('location')]).toEqual([301, `https://${name}/apps`]);
  expect((await fetch(`http://${name}/api/apps`)).status).toBe(403);
  const [, password = ''] = /First administrator: \S+, password (\S+) \(shown only now\)/.exec(log) ?? [];
  await signInFirst(password);
  await vi.waitFor(() => expect(recipients).toContain(admin), { timeout: 30_000 });
  const drill = await follow(machine, { ways, from: 7, to: 7 });
  expect(drill).toContain('Drill: passed');
  await follow(machine, { ways, from: 8, to: 9 });
  const metric = `curl -fsS 'http://127.0.0.1:9090/api/v1/query?query=up'`;
  await vi.waitFor(async () => expect(await machine.run(metric)).toMatch(/"job":"switchyard".+"1"/), { timeout: 120_000, interval: 1000 });
  expect(await machine.run('systemctl --failed --no-legend; systemctl is-active switchyard switchyard-backup.timer prometheus')).toBe(
    'active\nactive\nactive\n',
  );
});
