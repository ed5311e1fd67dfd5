import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { isGuessableKey } from './secret-keys/secret-key.ts';
import { appHostUrl, BadSetting, readSettings, isDemoOn, isLocal, variableDefaults, withPort } from './env.ts';

describe('settings from the environment', () => {
  it('[AUTH-003, SHELL-008] has a default for everything', () => {
    const settings = readSettings({});
    expect(settings).toMatchObject({
      listen: { host: '127.0.0.1', port: 3000 },
      appUrl: 'http://127.0.0.1:3000',
      databaseUrl: null,
      names: { appTitle: 'Switchyard', productName: 'Switchyard' },
      firstAdmin: { email: 'admin@switchyard.local', password: null },
      signIn: { methods: 'email', google: null, sessionHours: 12, idleMinutes: 60 },
      console: { utcOffset: '+00:00', hideDocs: false, hideOnlyCf: false },
      eventRetentionDays: 90,
      trustedProxies: [],
    });
  });

  it.each([
    ['PORT', 'http', 'PORT: must be a whole number from 0 to 65535 (got "http")'],
    ['PORT', '70000', 'PORT: must be a whole number from 0 to 65535 (got "70000")'],
    ['HOST', 'a b', 'HOST: must be a host name or an IP address (got "a b")'],
    ['DATABASE_URL', 'mysql://secret@x/y', 'DATABASE_URL: must be an address such as postgres://user:password@host:5432/database'],
    ...['mysql://secret@x/y', 'chdb:', 'http://u:secret@x/a/b', 'http://u:secret@x/a?b=c', 'events'].map((value) => [
      'EVENT_STORE_URL',
      value,
      'EVENT_STORE_URL: must be an address such as http://user:password@host:8123/database, or chdb:FOLDER for the embedded ClickHouse',
    ]),
    ['EVENT_STORE_CLUSTER', 'a b', 'EVENT_STORE_CLUSTER: must be the name of a cluster, of letters, digits and . _ - (got "a b")'],
    ['EVENT_STORE_CLUSTER', 'events', 'EVENT_STORE_CLUSTER: requires EVENT_STORE_URL with the address of a server'],
    [
      'PROTECTED_NETWORKS',
      '::ffff:10.0.0.0/64',
      'PROTECTED_NETWORKS: must be a list of IP addresses or CIDR blocks such as 10.0.0.1,10.1.0.0/16 (got "::ffff:10.0.0.0/64")',
    ],
    [
      'SERVER_UTC_OFFSET',
      '3',
      'SERVER_UTC_OFFSET: must be an offset in quarters of an hour such as +03:00 or -05:30, from -14:00 to +14:00 (got "3")',
    ],
    [
      'SERVER_UTC_OFFSET',
      '+14:30',
      'SERVER_UTC_OFFSET: must be an offset in quarters of an hour such as +03:00 or -05:30, from -14:00 to +14:00 (got "+14:30")',
    ],
    [
      'SERVER_UTC_OFFSET',
      '+05:53',
      'SERVER_UTC_OFFSET: must be an offset in quarters of an hour such as +03:00 or -05:30, from -14:00 to +14:00 (got "+05:53")',
    ],
    ['AUTH_METHODS', 'sms', 'AUTH_METHODS: must be email, google or both (got "sms")'],
    ['DOMAIN_PROVISIONER', 'ftp', 'DOMAIN_PROVISIONER: must be simulated or http (got "ftp")'],
    ['AUTH_METHODS', 'google', 'AUTH_METHODS: google requires GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET'],
    ['GOOGLE_CLIENT_ID', 'x', 'GOOGLE_CLIENT_SECRET: missing (GOOGLE_CLIENT_ID is set)'],
    [
      'SMTP_URL',
      'http://mail.example',
      'SMTP_URL: must be an address such as smtp://user:password@mail.example.com:587 or smtps://mail.example.com',
    ],
    [
      'SMTP_URL',
      'smtp://mail.example/?tls=0',
      'SMTP_URL: must be an address such as smtp://user:password@mail.example.com:587 or smtps://mail.example.com',
    ],
    ['SMTP_URL', 'smtp://mail.example', 'MAIL_FROM: missing (SMTP_URL is set)'],
    ['MAIL_FROM', 'nobody', 'MAIL_FROM: must be an e-mail address (got "nobody")'],
    ['DATABASE_URL', 'postgres://u:p@localhost/db', 'SECRET_KEY: required with DATABASE_URL (it encrypts the stored secrets)'],
    ['SECRET_KEY', 'short', 'SECRET_KEY: must have at least 32 characters'],
    ['SECRET_KEY_PREVIOUS', 'short', 'SECRET_KEY_PREVIOUS: must have at least 32 characters'],
    [
      'TRUSTED_PROXIES',
      'proxy.local',
      'TRUSTED_PROXIES: must be a list of IP addresses or CIDR blocks such as 10.0.0.1,10.1.0.0/16 (got "proxy.local")',
    ],
    [
      'PROVISIONER_NETWORKS',
      '10.0.0.0/33',
      'PROVISIONER_NETWORKS: must be a list of IP addresses or CIDR blocks such as 10.0.0.1,10.1.0.0/16 (got "10.0.0.0/33")',
    ],
    ['APP_HOST_URL', 'https://apps.example', 'APP_HOST_URL: must be an address such as https://{domain} or http://{domain}.localhost:3000'],
    ['DEMO', 'true', 'DEMO: must be 0 or 1 (got "true")'],
    ...['https://u:secret@x.y', 'https://secret@x.y', 'https://x.y/secret', 'https://x.y/?secret', 'https://x.y/#secret'].map((value) => [
      'APP_URL',
      value,
      'APP_URL: must be an address such as https://console.example.com, without credentials and without a path',
    ]),
    ...['short-Aa1', 'no-digit-here-AA', 'NO-LOWERCASE-11', 'no-uppercase-11', 'xA1'.repeat(43)].map((value) => [
      'ADMIN_PASSWORD',
      value,
      'ADMIN_PASSWORD: must have 12 to 128 characters, among them a digit, a lowercase and an uppercase letter',
    ]),
    [
      'WEB_ORIGIN',
      'https://x.y/z',
      'WEB_ORIGIN: must be an origin such as https://console.example.com, without a path (got "https://x.y/z")',
    ],
    ['ASN_FILL_PERCENT', '101', 'ASN_FILL_PERCENT: must be a whole number from 0 to 100 (got "101")'],
    ['EVENT_RETENTION_DAYS', '0', 'EVENT_RETENTION_DAYS: must be a whole number from 1 to 3650 (got "0")'],
  ])('[OPS-007, PERM-052] rejects %s=%s in one line that names it', (name, value, message) => {
    expect(() => readSettings({ [name]: value })).toThrow(new BadSetting(message));
  });

  it('keeps events in PostgreSQL, on a server, on a cluster or in a folder', () => {
    const of = (env: Record<string, string>) => readSettings(env).eventStore;
    expect(of({})).toEqual({ kind: 'postgres' });
    const url = 'https://u:p@clickhouse.example:8443/events';
    expect(of({ EVENT_STORE_URL: url })).toEqual({ kind: 'clickhouse', url, cluster: null });
    expect(of({ EVENT_STORE_URL: url, EVENT_STORE_CLUSTER: 'east-1' })).toEqual({ kind: 'clickhouse', url, cluster: 'east-1' });
    expect(of({ EVENT_STORE_URL: 'chdb:data/events' })).toEqual({ kind: 'chdb', folder: resolve('data/events') });
    expect(() => of({ EVENT_STORE_URL: 'chdb:data/events', EVENT_STORE_CLUSTER: 'x' })).toThrow('EVENT_STORE_CLUSTER: requires');
  });

  describe('secrets from files', () => {
    const folder = mkdtempSync(join(tmpdir(), 'switchyard-secrets-'));
    afterAll(() => rmSync(folder, { recursive: true }));
    const fileWith = (content: string): string => {
      const path = join(folder, randomUUID());
      writeFileSync(path, content);
      return path;
    };

    it('[OPS-009] each secret has the value of its file, without the line break at its end', () => {
      const { secrets, metricsToken, databaseUrl } = readSettings({
        DATABASE_URL_FILE: fileWith('postgres://u:p@db.example/switchyard\n'),
        SECRET_KEY_FILE: fileWith(`${'k'.repeat(32)}\n`),
        SECRET_KEY_PREVIOUS_FILE: fileWith(`${'p'.repeat(32)}\n`),
        METRICS_TOKEN_FILE: fileWith('token-of-metrics'),
        REQUEST_KEY_FILE: ' ',
      });
      expect([databaseUrl, secrets, metricsToken]).toEqual([
        'postgres://u:p@db.example/switchyard',
        { key: 'k'.repeat(32), previousKey: 'p'.repeat(32), requestKey: null },
        'token-of-metrics',
      ]);
    });

    it('[OPS-009] a file that cannot be read, is empty, or is given beside the value ends the start', () => {
      const path = fileWith('s'.repeat(32));
      expect(() => readSettings({ SECRET_KEY_FILE: join(folder, 'none') })).toThrow(/^SECRET_KEY_FILE: cannot be read \(ENOENT.*\)$/);
      for (const name of ['METRICS_TOKEN_FILE', 'SECRET_KEY_FILE'])
        expect(() => readSettings({ [name]: '/dev/zero' })).toThrow(`${name}: cannot be read (it has more than 64 KiB)`);
      expect(() => readSettings({ SECRET_KEY_FILE: fileWith('\n') })).toThrow(/^SECRET_KEY_FILE: \S+ is empty$/);
      expect(() => readSettings({ SECRET_KEY_FILE: path, SECRET_KEY: 'k'.repeat(32) })).toThrow(
        new BadSetting('SECRET_KEY_FILE: must not be set together with SECRET_KEY'),
      );
    });

    it('[OPS-009] an invalid value is named, and never shown', () => {
      expect(() => readSettings({ SECRET_KEY_FILE: fileWith('short') })).toThrow(
        new BadSetting('SECRET_KEY: must have at least 32 characters'),
      );
    });
  });

  it("[DEV-007, AMB-155] the hosts of apps are at their domains, or this machine's own where nobody said where the console is", () => {
    const of = (env: Record<string, string>) => appHostUrl(readSettings(env));
    expect(of({})).toBe('http://{domain}.localhost:3000');
    expect(appHostUrl(withPort(readSettings({ PORT: '0' }), 4123))).toBe('http://{domain}.localhost:4123');
    expect(of({ PORT: '80' })).toBe('http://{domain}.localhost');
    expect(of({ APP_URL: 'https://console.example' })).toBe('https://{domain}');
    expect(of({ DOMAIN_PROVISIONER: 'http' })).toBe('https://{domain}');
    expect(of({ APP_HOST_URL: 'http://{domain}:8080' })).toBe('http://{domain}:8080');
  });

  it('takes an empty value for absent and ignores what it does not know', () => {
    expect(readSettings({ PORT: '', DEMO: ' ', HOME: '/root' })).toEqual(readSettings({}));
  });

  it('derives the address from the port that was found', () => {
    expect(withPort(readSettings({ PORT: '0' }), 4123).appUrl).toBe('http://127.0.0.1:4123');
    expect(withPort(readSettings({ PORT: '0', APP_URL: 'https://console.example/' }), 4123).appUrl).toBe('https://console.example');
  });

  const fresh = { isFresh: true, holdsDemo: false };
  const folderState = { isFresh: false, holdsDemo: false };
  const demo = { isFresh: false, holdsDemo: true };
  const databaseUrl = { DATABASE_URL: 'postgres://u:p@db/x', SECRET_KEY: 'x'.repeat(32) };

  it.each([
    ['a fresh embedded database', {}, fresh, true],
    ['an embedded database with the demo', {}, demo, true],
    ['an embedded database of its own', {}, folderState, false],
    ['a database server', databaseUrl, null, false],
    ['production', { NODE_ENV: 'production' }, fresh, false],
    ['production with the demo', { NODE_ENV: 'production' }, demo, false],
    ['another loopback address', { HOST: '127.8.0.1' }, fresh, true],
    ['the IPv6 loopback address', { HOST: '::1' }, fresh, true],
    ['localhost', { HOST: 'localhost' }, fresh, true],
    ['every address', { HOST: '0.0.0.0' }, fresh, false],
    ['every IPv6 address', { HOST: '::' }, demo, false],
    ['a network address', { HOST: '192.0.2.7' }, fresh, false],
    ['a host name', { HOST: '127.evil.example' }, fresh, false],
    ['a proxy in front', { APP_URL: 'https://console.example' }, fresh, false],
    ['a proxy on this machine', { APP_URL: 'https://console.localhost' }, fresh, true],
    ['DEMO=1', { DEMO: '1', NODE_ENV: 'production', HOST: '0.0.0.0' }, folderState, true],
    ['DEMO=1 with a database server', { DEMO: '1', ...databaseUrl }, null, true],
    ['DEMO=0', { DEMO: '0' }, fresh, false],
  ])('[O35] the demo on %s', (_case, env, embedded, isOn) => {
    expect(isDemoOn(readSettings(env), embedded)).toBe(isOn);
  });

  it('[O35] knows whether others reach the console', () => {
    expect(isLocal(readSettings({}))).toBe(true);
    expect(isLocal(readSettings({ HOST: '0.0.0.0' }))).toBe(false);
    expect(isLocal(readSettings({ APP_URL: 'https://console.example' }))).toBe(false);
  });
});

describe('the table of the README', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8');
  const section = readme.slice(readme.indexOf('## Configuration'), readme.indexOf('## First steps'));
  const rows = [...section.matchAll(/^\| (`[A-Z].*?) \| (.*?) \|/gm)].flatMap(([, names = '', defaults = '']) => {
    const each = defaults.split(', ');
    return names.split(', ').map((name, at) => ({ name: name.replaceAll('`', ''), text: (each[at] ?? defaults).replaceAll('`', '') }));
  });

  const toJson = (text: string): string => (/^\d+$/.test(text) ? text : JSON.stringify(text));

  it('names exactly the variables that are read', () => {
    expect(rows.map((row) => row.name).toSorted()).toEqual(Object.keys(variableDefaults).toSorted());
  });

  it('documents their defaults', () => {
    // Defaults that are no plain value are described in words.
    const inWords = {
      DATA_DIR: './data',
      PROVISIONER_NETWORKS: '–',
      CHANNEL_NETWORKS: '–',
      PROTECTED_NETWORKS: '–',
      LOG_HIDES: 'keys,cards',
      LOG_SECRET_NAMES: '–',
      TRUSTED_PROXIES: '–',
      GOOGLE_ISSUER: "Google's",
    };
    for (const { name, text } of rows) {
      const value = variableDefaults[name];
      if (name in inWords) expect([name, text]).toEqual([name, Reflect.get(inWords, name)]);
      else if (value !== undefined)
        expect([name, JSON.stringify(typeof value === 'boolean' ? Number(value) : value)]).toEqual([name, toJson(text)]);
    }
  });
});

describe('keys', () => {
  it('[S17] are called easy to guess when they are not random', () => {
    const weak = ['x'.repeat(32), '0123456789abcdef'.repeat(2), 'change me, at least 32 characters', '12345671234567123456712345671234'];
    expect(weak.filter((key) => !isGuessableKey(key))).toEqual([]);
    const random = Array.from({ length: 2000 }, (_, at) => randomBytes(at % 2 === 0 ? 16 : 32).toString(at % 4 < 2 ? 'hex' : 'base64'));
    expect(random.filter((key) => isGuessableKey(key))).toEqual([]);
  });
});
