import type { EventStoreSettings } from '@switchyard/traffic-store/event-store-settings';
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { hiddenKinds, type HiddenKind, type SecretRules } from '@switchyard/contract/log-viewer';
import { passwordCharacters, passwordError } from '@switchyard/contract/account-rules';
import { canonicalNetwork } from '@switchyard/contract/ip-network';
import { loginMethods } from '@switchyard/contract/settings';
import { appHostForm } from './app-hosts.ts';
import { StartupError } from '@switchyard/embedded-postgres/startup-error';

/** An environment variable is invalid. The message is one line that names it. */
export class BadSetting extends StartupError {
  override name = 'BadSetting';
}

const flag = z.enum(['0', '1', 'false', 'true'], { error: 'must be 0 or 1' }).transform((value) => value === '1' || value === 'true');

function wholeNumber(min: number, max: number) {
  const rule = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, rule)
    .transform(Number)
    .pipe(z.number().min(min, rule).max(max, rule));
}

function webAddress(rule: string, protocols: RegExp) {
  return z.url({ protocol: protocols, error: rule }).transform((value) => value.replace(/\/+$/, ''));
}

const httpAddress = webAddress('must be an address such as https://console.example.com', /^https?$/);
const publicAddress = httpAddress.refine((value) => {
  const { username, password, pathname, search, hash } = new URL(value);
  return username + password === '' && pathname === '/' && search + hash === '';
}, 'must be an address such as https://console.example.com, without credentials and without a path');
const originRule = 'must be an origin such as https://console.example.com, without a path';
const webOrigin = webAddress(originRule, /^https?$/).refine((value) => new URL(value).origin === value, originRule);
const hostForm = z.string().regex(appHostForm, 'must be an address such as https://{domain} or http://{domain}.localhost:3000');
const postgresAddress = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must be an address such as postgres://user:password@host:5432/database',
});
const eventStoreRule = 'must be an address such as http://user:password@host:8123/database, or chdb:FOLDER for the embedded ClickHouse';
const eventStoreAddress = z.string().transform((value, context): { folder: string } | { url: string } => {
  const [, embedded] = /^chdb:(.+)$/.exec(value) ?? [];
  if (embedded !== undefined) return { folder: resolve(embedded) };
  const url = URL.parse(value);
  // The client takes further parts of an address for options of its own.
  if (url !== null && /^https?:$/.test(url.protocol) && /^\/[^/]*$/.test(url.pathname) && url.search + url.hash === '')
    return { url: value };
  context.addIssue(eventStoreRule);
  return z.NEVER;
});
const offsetRule = 'must be an offset in quarters of an hour such as +03:00 or -05:30, from -14:00 to +14:00';
/** Both event stores count by quarters of an hour, as the offsets of all zones are today. */
const utcOffset = z
  .string()
  .regex(/^[+-](0\d|1[0-4]):(00|15|30|45)$/, offsetRule)
  .refine((value) => !/^[+-]14:(?!00)/.test(value), offsetRule);

function isAddressOrBlock(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

const parts = (value: string): string[] => value.split(/[\s,]+/).filter((part) => part !== '');

const hiddenRule = 'must be keys, cards, both as keys,cards, or none';
const hiddenList = z.string().transform((value, context): HiddenKind[] => {
  const kinds = parts(value);
  if (kinds.join() === 'none') return [];
  const known = hiddenKinds.filter((kind) => kinds.includes(kind));
  if (known.length > 0 && known.length === new Set(kinds).size) return known;
  context.addIssue(hiddenRule);
  return z.NEVER;
});
const nameList = z
  .string()
  .transform(parts)
  .refine(
    (names) => names.length <= 100 && names.every((name) => /\p{L}/u.test(name) && name.length >= 3 && name.length <= 64),
    'must be at most 100 names of 3 to 64 characters such as otp_code,iban',
  );

const networkListRule = 'must be a list of IP addresses or CIDR blocks such as 10.0.0.1,10.1.0.0/16';
const networkList = z
  .string()
  .transform(parts)
  .refine((networks) => networks.every(isAddressOrBlock), networkListRule);
// A network without a canonical form, such as ::ffff:10.0.0.0/64, would protect nothing.
const protectedNetworkList = networkList.refine(
  (networks) => networks.every((network) => canonicalNetwork(network) !== null),
  networkListRule,
);

const smtpRule = 'must be an address such as smtp://user:password@mail.example.com:587 or smtps://mail.example.com';
const smtpAddress = z.url({ protocol: /^smtps?$/, error: smtpRule }).refine((value) => {
  const url = URL.parse(value);
  return url !== null && url.hostname !== '' && /^\/?$/.test(url.pathname) && url.search + url.hash === '';
}, smtpRule);

const text = z.string();
const passwordRule = `must have ${passwordCharacters.min} to ${passwordCharacters.max} characters, among them a digit, a lowercase and an uppercase letter`;
const folder = z.string().transform((value) => resolve(value));

/** All environment variables, in the order of the README's table. */
const variables = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test'], { error: 'must be production, development or test' }).default('development'),
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/, 'must be a host name or an IP address')
    .default('127.0.0.1'),
  DATABASE_URL: postgresAddress.optional(),
  EVENT_STORE_URL: eventStoreAddress.optional(),
  EVENT_STORE_CLUSTER: z
    .string()
    .regex(/^[\w.-]{1,100}$/, 'must be the name of a cluster, of letters, digits and . _ -')
    .optional(),
  DATA_DIR: folder.default(() => resolve('data')),
  APP_URL: publicAddress.optional(),
  WEB_ORIGIN: webOrigin.optional(),
  APP_HOST_URL: hostForm.optional(),
  APP_TITLE: text.max(100, 'must have at most 100 characters').default('Switchyard'),
  PRODUCT_NAME: text.max(100, 'must have at most 100 characters').default('Switchyard'),
  BUYER_PANEL_URL: httpAddress.optional(),
  ADMIN_EMAIL: z.email('must be an e-mail address').default('admin@switchyard.local'),
  ADMIN_PASSWORD: text
    .max(passwordCharacters.max, passwordRule)
    .refine((value) => passwordError(value) === null, passwordRule)
    .optional(),
  // No other spelling: DEMO opens accounts with a public password.
  DEMO: z
    .enum(['0', '1'], { error: 'must be 0 or 1' })
    .transform((value) => value === '1')
    .optional(),
  SECRET_KEY: text.min(32, 'must have at least 32 characters').optional(),
  SECRET_KEY_PREVIOUS: text.min(32, 'must have at least 32 characters').optional(),
  REQUEST_KEY: text.min(32, 'must have at least 32 characters').optional(),
  AUTH_METHODS: z.enum(loginMethods, { error: 'must be email, google or both' }).optional(),
  GOOGLE_CLIENT_ID: text.optional(),
  GOOGLE_CLIENT_SECRET: text.optional(),
  GOOGLE_ISSUER: httpAddress.default('https://accounts.google.com'),
  GOOGLE_HOSTED_DOMAIN: text.optional(),
  SMTP_URL: smtpAddress.optional(),
  MAIL_FROM: z.email('must be an e-mail address').optional(),
  SERVER_UTC_OFFSET: utcOffset.default('+00:00'),
  LOG_DIR: folder.optional(),
  APP_LOG_DIR: folder.optional(),
  INSTANCE_NAME: z
    .string()
    .regex(/^[A-Za-z0-9][\w.-]{0,62}$/, 'must have 1 to 63 letters, digits, dots, dashes and underscores')
    .optional(),
  LOG_RETENTION_DAYS: wholeNumber(1, 3650).default(30),
  LOG_STDOUT: flag.default(false),
  LOG_HIDES: hiddenList.default([...hiddenKinds]),
  LOG_SECRET_NAMES: nameList.default([]),
  EVENT_RETENTION_DAYS: wholeNumber(1, 3650).default(90),
  ATTRIBUTION_DAYS: wholeNumber(1, 365).default(30),
  CURRENCY: z
    .string()
    .regex(/^[A-Z]{3,5}$/, 'must be the code of a currency, such as EUR')
    .optional(),
  ASN_FILL_PERCENT: wholeNumber(0, 100).default(10),
  SESSION_HOURS: wholeNumber(1, 8760).default(12),
  SESSION_IDLE_MINUTES: wholeNumber(1, 525_600).default(60),
  HIDE_DOCS: flag.default(false),
  HIDE_ONLY_CF: flag.default(false),
  HIDE_REFERENCE: flag.default(false),
  PUSH_IMAGES: flag.default(true),
  DOMAIN_PROVISIONER: z.enum(['simulated', 'http'], { error: 'must be simulated or http' }).default('simulated'),
  PROVISIONER_NETWORKS: networkList.default([]),
  CHANNEL_NETWORKS: networkList.default([]),
  PROTECTED_NETWORKS: protectedNetworkList.default([]),
  TRUSTED_PROXIES: networkList.default([]),
  METRICS_TOKEN: text.min(16, 'must have at least 16 characters').optional(),
  DRAIN_SECONDS: wholeNumber(0, 60).default(0),
});
type Variables = z.output<typeof variables>;

/** Default of each variable; undefined if it has none. */
export const variableDefaults: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(variables.shape).map(([name, schema]) => [name, schema.parse(undefined)]),
);

/** Values of these variables never appear in a message. */
const secret = /PASSWORD|SECRET|KEY|TOKEN|_URL$/;

export type GoogleSettings = { clientId: string; clientSecret: string; issuer: string; hostedDomain: string | null };

/** How mail is sent. `smtpUrl` may contain a password. */
export type MailSettings = { smtpUrl: string; from: string };

/** Settings of the process, read once at startup. */
export type Settings = {
  environment: Variables['NODE_ENV'];
  /** Port 0 means any free port; `withPort` replaces it. */
  listen: { host: string; port: number };
  /** Public address of the console, without a trailing slash. */
  appUrl: string;
  /** Whether `appUrl` is derived from host and port because APP_URL is not set. */
  appUrlIsDerived: boolean;
  /** Null: pages of other origins may not read responses. */
  webOrigin: string | null;
  /** Address of app hosts with the placeholder `{domain}`; null: see `appHostUrl`. */
  appHostUrl: string | null;
  /** Absolute. */
  dataDir: string;
  /** Null: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | null;
  eventStore: EventStoreSettings;
  names: { appTitle: string; productName: string; buyerPanelUrl: string | null };
  /** Password null: generated and printed once. */
  firstAdmin: { email: string; password: string | null };
  /** Null: decided at startup, see `isDemoOn`. */
  demo: boolean | null;
  /** Null: `key` comes from a file of `dataDir`, `requestKey` is derived from the first key. `previousKey` is the one that `key` replaces. */
  secrets: { key: string | null; previousKey: string | null; requestKey: string | null };
  signIn: { methods: (typeof loginMethods)[number]; google: GoogleSettings | null; sessionHours: number; idleMinutes: number };
  /** Null: no mail is sent. */
  mail: MailSettings | null;
  console: { utcOffset: string; hideDocs: boolean; hideOnlyCf: boolean; hideReference: boolean; pushImages: boolean };
  /** `instance`: the name of this process in the names of its log files; null if it is the only one. */
  logs: {
    consoleDir: string;
    appDir: string;
    instance: string | null;
    retentionDays: number;
    toStdout: boolean;
    secrets: SecretRules;
  };
  eventRetentionDays: number;
  /** How many days before a delivery the event may lie that its place comes from. */
  attributionDays: number;
  /** The currency of payouts. */
  currency: string | undefined;
  /** Share of the time in which systems of earlier events are filled in; 0: never. */
  asnFillPercent: number;
  /** How app domains are linked to traffic servers. */
  domainProvisioner: Variables['DOMAIN_PROVISIONER'];
  /** IP addresses and CIDR blocks that the `http` provisioner may contact besides public ones. */
  provisionerNetworks: readonly string[];
  /** IP addresses and CIDR blocks to which messages of channels may be posted besides public ones. */
  channelNetworks: readonly string[];
  /** Addresses and blocks that imports and networks of the black list must not have. */
  protectedNetworks: readonly string[];
  /** IP addresses and CIDR blocks; forwarding headers of others are ignored. */
  trustedProxies: readonly string[];
  metricsToken: string | null;
  /** How long calls are still served after a signal, while `/readyz` already returns 503. */
  drainSeconds: number;
};

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Environment of this process. Tests pass their own. */
export function processEnvironment(): Environment {
  return process.env;
}

/**
 * Adds the variables of a file, one `NAME=value` a line, to the environment of this process, and returns their names. It reads the
 * form of systemd: lines that begin with `#` are comments, a `#` within a value is part of it, and quotes around a value are dropped.
 * @throws StartupError if the file cannot be read.
 */
export function addEnvironmentFile(path: string): string[] {
  const variablesOfFile = readEnvironmentFile(path);
  Object.assign(process.env, variablesOfFile);
  return Object.keys(variablesOfFile);
}

function readEnvironmentFile(path: string): Record<string, string> {
  try {
    const lines = readFileSync(path, 'utf8').matchAll(/^[ \t]*(?:export[ \t]+)?(\w+)=[ \t]*(["']?)(.*?)\2[ \t]*\r?$/gm);
    return Object.fromEntries([...lines].map(([, name = '', , value = '']) => [name, value]));
  } catch (error) {
    throw new StartupError(`${path}: cannot be read (${error instanceof Error ? error.message : String(error)})`);
  }
}

/** Variables with a secret. Each can come from a file, which the same name with `_FILE` gives. */
const fromFile = [
  'DATABASE_URL',
  'EVENT_STORE_URL',
  'ADMIN_PASSWORD',
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'REQUEST_KEY',
  'GOOGLE_CLIENT_SECRET',
  'SMTP_URL',
  'METRICS_TOKEN',
] as const satisfies readonly (keyof Variables)[];

/** Names of the variables that name a file with a secret. */
export const secretFileVariables: readonly string[] = fromFile.map((name) => `${name}_FILE`);

/** The secrets that files give, without white space around them, as mounted secrets end with a line break. */
function readSecretFiles(env: Environment): { secrets: Record<string, string>; problems: SettingProblem[] } {
  const secrets: Record<string, string> = {};
  const problems: SettingProblem[] = [];
  for (const name of fromFile) {
    const path = env[`${name}_FILE`]?.trim() ?? '';
    if (path === '') continue;
    if ((env[name]?.trim() ?? '') !== '') problems.push({ name: `${name}_FILE`, message: `must not be set together with ${name}` });
    try {
      secrets[name] = readSecretFile(path).trim();
      if (secrets[name] === '') problems.push({ name: `${name}_FILE`, message: `${path} is empty` });
    } catch (error) {
      problems.push({ name: `${name}_FILE`, message: `cannot be read (${error instanceof Error ? error.message : String(error)})` });
    }
  }
  return { secrets, problems };
}

const mostSecretBytes = 65_536;

/** The text of a file of at most 64 KiB: a device would never end. */
function readSecretFile(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(mostSecretBytes + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null);
    if (length > mostSecretBytes) throw new Error('it has more than 64 KiB');
    return bytes.toString('utf8', 0, length);
  } finally {
    closeSync(file);
  }
}

/** A variable with an invalid value, or one that another variable requires. */
export type SettingProblem = { name: string; message: string };

type ReadOptions = {
  /** Whether the work needs SECRET_KEY. Default: true. */
  needsKey?: boolean;
};

/**
 * Reads and validates the settings, and the files that hold secrets. An empty value counts as absent; unknown names are ignored.
 * @throws BadSetting for the first variable that is invalid, alone or in combination.
 */
export function readSettings(env: Environment, options?: ReadOptions): Settings {
  const { settings, problems } = inspectSettings(env, options);
  const [first] = problems;
  if (first !== undefined) throw new BadSetting(`${first.name}: ${first.message}`);
  return settings;
}

/** Reads the settings and lists everything that is invalid. The settings have the defaults in place of invalid values. */
export function inspectSettings(
  env: Environment,
  { needsKey = true }: ReadOptions = {},
): { settings: Settings; problems: SettingProblem[] } {
  const files = readSecretFiles(env);
  const set = Object.entries({ ...env, ...files.secrets });
  const environment = Object.fromEntries(set.filter(([name, value]) => name in variables.shape && value?.trim() !== ''));
  const { data, error } = variables.safeParse(environment);
  const invalid = new Map(error?.issues.toReversed().map((issue) => [String(issue.path[0]), issue.message]));
  const problems = [...invalid].toReversed().map(([name, message]) => ({ name, message: message + shownValue(name, environment[name]) }));
  const valid = Object.fromEntries(Object.entries(environment).filter(([name]) => !invalid.has(name)));
  return {
    settings: settingsOf(data ?? variables.parse(valid)),
    problems: [...files.problems, ...problems, ...missingSettings(environment, { needsKey })],
  };
}

function shownValue(name: string, value = ''): string {
  return secret.test(name) ? '' : ` (got ${JSON.stringify(value).slice(0, 80)})`;
}

function missingSettings(environment: Environment, { needsKey }: Required<ReadOptions>): SettingProblem[] {
  const has = (name: keyof Variables): boolean => environment[name] !== undefined;
  const rules: readonly [isBroken: boolean, name: keyof Variables, message: string][] = [
    [
      has('EVENT_STORE_CLUSTER') && !/^https?:/.test(environment['EVENT_STORE_URL'] ?? ''),
      'EVENT_STORE_CLUSTER',
      'requires EVENT_STORE_URL with the address of a server',
    ],
    [has('GOOGLE_CLIENT_SECRET') && !has('GOOGLE_CLIENT_ID'), 'GOOGLE_CLIENT_ID', 'missing (GOOGLE_CLIENT_SECRET is set)'],
    [has('GOOGLE_CLIENT_ID') && !has('GOOGLE_CLIENT_SECRET'), 'GOOGLE_CLIENT_SECRET', 'missing (GOOGLE_CLIENT_ID is set)'],
    // With `both` people can still sign in by e-mail, and the Google calls report that Google is not configured.
    [
      environment['AUTH_METHODS'] === 'google' && !(has('GOOGLE_CLIENT_ID') || has('GOOGLE_CLIENT_SECRET')),
      'AUTH_METHODS',
      'google requires GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET',
    ],
    [needsKey && has('DATABASE_URL') && !has('SECRET_KEY'), 'SECRET_KEY', 'required with DATABASE_URL (it encrypts the stored secrets)'],
    [
      has('SECRET_KEY') && environment['SECRET_KEY'] === environment['SECRET_KEY_PREVIOUS'],
      'SECRET_KEY_PREVIOUS',
      'must differ from SECRET_KEY, which replaces it',
    ],
    [has('SMTP_URL') && !has('MAIL_FROM'), 'MAIL_FROM', 'missing (SMTP_URL is set)'],
    // A derived address may be one that only this machine can open.
    [has('SMTP_URL') && !has('APP_URL'), 'APP_URL', 'missing (SMTP_URL is set, and mails contain links to the console)'],
  ];
  return rules.flatMap(([isBroken, name, message]) => (isBroken ? [{ name, message }] : []));
}

function settingsOf(values: Variables): Settings {
  const google = googleSettings(values);
  return {
    environment: values.NODE_ENV,
    listen: { host: values.HOST, port: values.PORT },
    appUrl: values.APP_URL ?? addressOf(values.HOST, values.PORT),
    appUrlIsDerived: values.APP_URL === undefined,
    webOrigin: values.WEB_ORIGIN ?? null,
    appHostUrl: values.APP_HOST_URL ?? null,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL ?? null,
    eventStore: eventStoreSettings(values),
    names: { appTitle: values.APP_TITLE, productName: values.PRODUCT_NAME, buyerPanelUrl: values.BUYER_PANEL_URL ?? null },
    firstAdmin: { email: values.ADMIN_EMAIL, password: values.ADMIN_PASSWORD ?? null },
    demo: values.DEMO ?? null,
    secrets: { key: values.SECRET_KEY ?? null, previousKey: values.SECRET_KEY_PREVIOUS ?? null, requestKey: values.REQUEST_KEY ?? null },
    signIn: {
      methods: values.AUTH_METHODS ?? (google === null ? 'email' : 'both'),
      google,
      sessionHours: values.SESSION_HOURS,
      idleMinutes: values.SESSION_IDLE_MINUTES,
    },
    mail: mailSettings(values),
    console: {
      utcOffset: values.SERVER_UTC_OFFSET,
      hideDocs: values.HIDE_DOCS,
      hideOnlyCf: values.HIDE_ONLY_CF,
      hideReference: values.HIDE_REFERENCE,
      pushImages: values.PUSH_IMAGES,
    },
    logs: {
      consoleDir: values.LOG_DIR ?? resolve(values.DATA_DIR, 'logs'),
      appDir: values.APP_LOG_DIR ?? resolve(values.DATA_DIR, 'app-logs'),
      instance: values.INSTANCE_NAME ?? null,
      retentionDays: values.LOG_RETENTION_DAYS,
      toStdout: values.LOG_STDOUT,
      secrets: { hides: values.LOG_HIDES, names: values.LOG_SECRET_NAMES },
    },
    eventRetentionDays: values.EVENT_RETENTION_DAYS,
    attributionDays: values.ATTRIBUTION_DAYS,
    currency: values.CURRENCY,
    asnFillPercent: values.ASN_FILL_PERCENT,
    domainProvisioner: values.DOMAIN_PROVISIONER,
    provisionerNetworks: values.PROVISIONER_NETWORKS,
    channelNetworks: values.CHANNEL_NETWORKS,
    protectedNetworks: values.PROTECTED_NETWORKS,
    trustedProxies: values.TRUSTED_PROXIES,
    metricsToken: values.METRICS_TOKEN ?? null,
    drainSeconds: values.DRAIN_SECONDS,
  };
}

/** Returns the settings with the actual port, if PORT was 0. */
export function withPort(settings: Settings, port: number): Settings {
  const appUrl = settings.appUrlIsDerived ? addressOf(settings.listen.host, port) : settings.appUrl;
  return { ...settings, listen: { ...settings.listen, port }, appUrl };
}

/**
 * Address of app hosts, with the placeholder `{domain}`. With simulated domains and no APP_URL, the console answers for
 * app hosts itself: browsers resolve names under `.localhost` to this machine.
 */
export function appHostUrl({ appHostUrl: configuredUrl, appUrl, appUrlIsDerived, domainProvisioner }: Settings): string {
  if (configuredUrl !== null) return configuredUrl;
  if (!appUrlIsDerived || domainProvisioner !== 'simulated') return 'https://{domain}';
  const { port } = new URL(appUrl);
  return `http://{domain}.localhost${port === '' ? '' : `:${port}`}`;
}

/**
 * Whether the demo is on. Without DEMO it is on outside production if only this machine can reach the console and the
 * embedded database is fresh or contains the demo.
 */
export function isDemoOn(settings: Settings, embedded: { isFresh: boolean; holdsDemo: boolean } | null): boolean {
  if (settings.demo !== null) return settings.demo;
  return embedded !== null && (embedded.isFresh || embedded.holdsDemo) && settings.environment !== 'production' && isLocal(settings);
}

/** Whether only this machine can reach the console: `listen` and `appUrl` are loopback addresses. */
export function isLocal({ listen, appUrl }: Pick<Settings, 'listen' | 'appUrl'>): boolean {
  return isLoopback(listen.host) && isLoopback(new URL(appUrl).hostname);
}

function isLoopback(host: string): boolean {
  return host === '::1' || host === '[::1]' || /^(.+\.)?localhost$/i.test(host) || (isIP(host) === 4 && host.startsWith('127.'));
}

function eventStoreSettings({ EVENT_STORE_URL: store, EVENT_STORE_CLUSTER: cluster }: Variables): EventStoreSettings {
  if (store === undefined) return { kind: 'postgres' };
  return 'url' in store ? { kind: 'clickhouse', url: store.url, cluster: cluster ?? null } : { kind: 'chdb', folder: store.folder };
}

function googleSettings(values: Variables): GoogleSettings | null {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret } = values;
  if (clientId === undefined || clientSecret === undefined) return null;
  return { clientId, clientSecret, issuer: values.GOOGLE_ISSUER, hostedDomain: values.GOOGLE_HOSTED_DOMAIN ?? null };
}

function mailSettings({ SMTP_URL: smtpUrl, MAIL_FROM: from }: Variables): MailSettings | null {
  return smtpUrl === undefined || from === undefined ? null : { smtpUrl, from };
}

/** Address that a browser on this machine can open, also if the console listens on every interface. */
function addressOf(host: string, port: number): string {
  const hostName = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${isIP(hostName) === 6 ? `[${hostName}]` : hostName}:${port}`;
}
