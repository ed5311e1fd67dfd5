import { allEndpoints } from '@switchyard/contract/all-endpoints';
import type { Endpoint } from '@switchyard/contract/endpoint';
import { auditActions } from '@switchyard/contract/audit';
import { superAdminRoleId } from '@switchyard/contract/permissions';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { newAccountForm, testPassword } from '../../../test/account-form.ts';
import { newAppForm } from '../../../test/app-form.ts';
import { buildTestApi, testPasswords, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { listUnlabelledFields } from '../../../test/field-labels.ts';
import { makeApiToken, signInAs, signInAsServer, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;

/** Ids that earlier steps created, for later steps. */
const ids = {
  app: 0,
  link: 0,
  role: 0,
  user: 0,
  buyer: 0,
  server: 0,
  view: 0,
  invited: 0,
  rule: 0,
  incident: 0,
  silence: 0,
  channel: 0,
  tile: 0,
  note: 0,
  board: 0,
};
let app = { id: 0, domain: '' };
let endedSessions: SignedIn[] = [];
let factor = 0;
let ownToken = 0;
let service = 0;
let otherToken = 0;
let server: { headers: { authorization: string } };
const logDate = '2026-11-20';

type Step = {
  number: number;
  /** Filled into the path of the call. */
  id?: () => number | string;
  sessionId?: () => number;
  /** Restores the creation of an entity of this kind. */
  restores?: string;
  body?: () => object | Buffer;
  query?: () => string;
  headers?: () => Record<string, string>;
  writes: `${string} ${string}`;
  /** Changes a field that needs a recent sign-in, where only some fields do. */
  isGuarded?: true;
  /** Takes what was made out of the answer. */
  keeps?: keyof typeof ids;
};

const boundary = 'push-file-form';
const part = (name: string, content: string) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}\r\n\r\n${content}\r\n`;
const pushFile = () =>
  Buffer.from(
    `${part('appId"', String(app.id))}${part('configuration"; filename="acme.json"', '{"project_id":"acme-1"}')}--${boundary}--\r\n`,
  );
const session = (index: number) => (): Record<string, string> => ({ ...endedSessions[index]?.headers });

const fromServer = (): Record<string, string> => server.headers;
const stream = (change: object, second: number) => () => {
  const times = { created_at: '2026-11-20 10:00:00', updated_at: `2026-11-20 10:00:0${second}` };
  return { streams: [{ app_id: app.id, uid: 'st_1', name: 'DE organic', buyer_id: ids.buyer, ...times, ...change }] };
};

/** Every call that changes or hands out something, in an order in which each can succeed. */
const steps: readonly Step[] = [
  { number: 1, body: () => ({ email: admin.email, password: testPassword }), headers: () => ({}), writes: 'session login' },
  { number: 2, headers: session(0), writes: 'session logout' },
  { number: 3, headers: session(1), writes: 'session logout' },
  { number: 6, id: () => endedSessions[2]?.sessionId ?? 0, headers: session(2), writes: 'session end' },
  // The sign-in of [1] opened a second session of the caller.
  { number: 113, writes: 'session end' },
  { number: 114, id: () => endedSessions[3]?.accountId ?? 0, sessionId: () => endedSessions[3]?.sessionId ?? 0, writes: 'session end' },
  {
    number: 112,
    body: () => ({ current_password: testPassword, password: `${testPassword}-2` }),
    writes: 'user update',
  },
  { number: 174, id: () => factor, body: () => ({ name: 'Work phone' }), headers: session(4), writes: 'second_factor update' },
  { number: 180, id: () => endedSessions[5]?.accountId ?? 0, writes: 'second_factor reset' },
  { number: 176, headers: session(4), writes: 'second_factor renew_codes' },
  { number: 216, headers: session(4), body: () => ({ event: 'token_created', is_on: false }), writes: 'security_mail update' },
  { number: 175, id: () => factor, headers: session(4), writes: 'second_factor delete' },
  { number: 177, body: () => ({ password: `${testPassword}-2` }), writes: 'session reauthenticate' },
  { number: 12, body: () => newAppForm(), writes: 'app create', keeps: 'app' },
  { number: 14, id: () => ids.app, body: () => ({ whiteUserAgent: 'Mozilla' }), writes: 'app update' },
  { number: 242, id: () => ids.app, restores: 'app', writes: 'app update' },
  { number: 15, id: () => ids.app, writes: 'app archive' },
  { number: 16, id: () => ids.app, writes: 'app restore' },
  { number: 65, body: () => ({ name: 'edge', url: 'https://edge.example' }), writes: 'server create', keeps: 'server' },
  { number: 67, id: () => ids.server, body: () => ({ region: 'fra' }), writes: 'server update' },
  { number: 254, id: () => ids.server, restores: 'server', writes: 'server update' },
  { number: 67, id: () => ids.server, body: () => ({ url: 'https://edge-2.example' }), isGuarded: true, writes: 'server update' },
  { number: 19, body: () => ({ domain: app.domain, serverId: ids.server }), writes: 'app_server link', keeps: 'link' },
  { number: 20, id: () => ids.link, writes: 'app_server unlink' },
  { number: 68, id: () => ids.server, writes: 'server delete' },
  {
    number: 21,
    body: pushFile,
    headers: () => ({ ...admin.headers, 'content-type': `multipart/form-data; boundary=${boundary}` }),
    writes: 'firebase upload',
  },
  { number: 38, body: () => ({ name: 'Reviewers', permission_ids: [3], panel: 'manager' }), writes: 'role create', keeps: 'role' },
  { number: 40, id: () => ids.role, body: () => ({ permission_ids: [3, 6] }), writes: 'role update' },
  { number: 245, id: () => ids.role, restores: 'role', writes: 'role update' },
  { number: 182, body: () => ({ all_staff: false, role_ids: [ids.role] }), writes: 'second_factor require' },
  { number: 47, body: () => newAccountForm(), writes: 'user create', keeps: 'user' },
  { number: 49, id: () => ids.user, body: () => ({ name: 'Renamed user' }), writes: 'user update' },
  { number: 248, id: () => ids.user, restores: 'user', writes: 'user update' },
  { number: 49, id: () => ids.user, body: () => ({ appIds: [app.id] }), isGuarded: true, writes: 'user update' },
  { number: 55, id: () => ids.user, body: () => ({ appIds: [ids.app] }), writes: 'user sync_apps' },
  { number: 53, id: () => ids.user, body: () => ({ appIds: [app.id] }), writes: 'user attach_apps' },
  { number: 54, id: () => ids.user, body: () => ({ appIds: [app.id] }), writes: 'user detach_app' },
  { number: 51, id: () => ids.user, body: () => ({ hasAccess: false }), writes: 'user switch_access' },
  { number: 50, id: () => ids.user, writes: 'user delete' },
  { number: 57, body: () => newAccountForm({ roles: ['Buyer'] }), writes: 'buyer create', keeps: 'buyer' },
  { number: 59, id: () => ids.buyer, body: () => ({ name: 'Renamed buyer' }), writes: 'buyer update' },
  { number: 251, id: () => ids.buyer, restores: 'buyer', writes: 'buyer update' },
  { number: 59, id: () => ids.buyer, body: () => ({ hasAccess: false }), isGuarded: true, writes: 'buyer update' },
  { number: 14, id: () => ids.app, body: () => ({ userIds: [ids.buyer] }), isGuarded: true, writes: 'app update' },
  { number: 53, id: () => ids.buyer, body: () => ({ appIds: [app.id] }), writes: 'buyer attach_apps' },
  { number: 54, id: () => ids.buyer, body: () => ({ appIds: [app.id] }), writes: 'buyer detach_app' },
  { number: 55, id: () => ids.buyer, body: () => ({ appIds: [app.id] }), writes: 'buyer sync_apps' },
  { number: 195, body: () => newAccountForm({ password: undefined }), writes: 'user create', keeps: 'invited' },
  { number: 197, id: () => ids.invited, writes: 'invitation create' },
  { number: 198, id: () => ids.invited, writes: 'invitation withdraw' },
  { number: 196, body: () => newAccountForm({ roles: ['Buyer'], password: undefined }), writes: 'buyer create' },
  { number: 93, headers: fromServer, body: stream({}, 1), writes: 'stream create' },
  { number: 93, headers: fromServer, body: stream({ offer: 'https://offer.example' }, 2), writes: 'stream replace' },
  { number: 93, headers: fromServer, body: stream({ deleted_at: '2026-11-20 10:00:03' }, 3), writes: 'stream hide' },
  { number: 61, id: () => ids.buyer, body: () => ({ hasAccess: true }), writes: 'buyer switch_access' },
  { number: 60, id: () => ids.buyer, writes: 'buyer delete' },
  { number: 85, id: () => 64_496, body: () => ({ isBanCreate: true }), writes: 'asn update' },
  { number: 87, body: () => ({ ips: ['203.0.113.9'] }), writes: 'black_ip create' },
  { number: 87, body: () => ({ ips: ['203.0.113.9'], reason: 'Manager' }), writes: 'black_ip update' },
  { number: 88, id: () => '203.0.113.9', writes: 'black_ip delete' },
  { number: 441, body: () => ({ entries: ['198.51.100.0/24'], source: 'DROP' }), writes: 'black_ip create' },
  { number: 441, body: () => ({ entries: ['198.51.100.0/24'], expires_in_hours: 24 }), writes: 'black_ip update' },
  { number: 443, writes: 'black_ip export' },
  { number: 442, id: () => '198.51.100.0%2F24', writes: 'black_ip delete' },
  {
    number: 445,
    body: () => Buffer.from(`${part('list"', '198.18.0.0/15')}--${boundary}--\r\n`),
    headers: () => ({ ...admin.headers, 'content-type': `multipart/form-data; boundary=${boundary}` }),
    writes: 'black_ip import',
  },
  { number: 441, body: () => ({ entries: ['198.18.0.1'] }), writes: 'black_ip create' },
  { number: 446, writes: 'black_ip merge' },
  {
    number: 153,
    body: () => ({ list: 'reports', name: 'Night', query: '', sharing: 'everyone' }),
    writes: 'saved_view create',
    keeps: 'view',
  },
  { number: 154, id: () => ids.view, body: () => ({ query: 'days=3' }), writes: 'saved_view update' },
  {
    number: 346,
    body: () => ({ view_id: ids.view, shape: 'table', role_ids: [superAdminRoleId] }),
    writes: 'dashboard_tile create',
    keeps: 'tile',
  },
  { number: 347, id: () => ids.tile, body: () => ({ shape: 'figure', measure: 'requests' }), writes: 'dashboard_tile update' },
  { number: 348, id: () => ids.tile, writes: 'dashboard_tile delete' },
  { number: 458, body: () => ({ name: 'Traffic' }), writes: 'board create', keeps: 'board' },
  { number: 459, id: () => ids.board, body: () => ({ name: 'All traffic', read_version: 1 }), writes: 'board update' },
  { number: 460, id: () => ids.board, writes: 'board delete' },
  { number: 155, id: () => ids.view, writes: 'saved_view delete' },
  { number: 321, body: () => ({ name: 'Domains', kind: 'domain_expiry' }), writes: 'alert_rule create', keeps: 'rule' },
  { number: 323, id: () => ids.rule, body: () => ({ threshold: 7 }), writes: 'alert_rule update' },
  { number: 324, id: () => ids.rule, writes: 'alert_rule delete' },
  {
    number: 385,
    body: () => ({ target: { filter: 'search=of many' }, ends_at: new Date(api.now().getTime() + 3_600_000).toISOString() }),
    writes: 'silence create',
  },
  { number: 328, id: () => ids.incident, body: () => ({ note: 'Renewing' }), writes: 'incident acknowledge' },
  { number: 384, body: () => ({ target: { filter: 'search=of many' } }), writes: 'incident acknowledge' },
  {
    number: 330,
    body: () => ({ kind: 'log_disk', ends_at: new Date(api.now().getTime() + 3_600_000).toISOString() }),
    writes: 'silence create',
    keeps: 'silence',
  },
  { number: 331, id: () => ids.silence, writes: 'silence end' },
  { number: 449, body: () => ({ text: 'Campaign', app_id: app.id }), writes: 'app_note create', keeps: 'note' },
  { number: 450, id: () => ids.note, writes: 'app_note delete' },
  { number: 449, body: () => ({ text: 'Campaign' }), writes: 'note create', keeps: 'note' },
  { number: 450, id: () => ids.note, writes: 'note delete' },
  {
    number: 301,
    body: () => ({ name: 'Duty', target: { kind: 'webhook', url: 'https://hooks.example/1' } }),
    writes: 'channel create',
    keeps: 'channel',
  },
  {
    number: 303,
    id: () => ids.channel,
    body: () => ({ target: { kind: 'webhook', url: 'https://hooks.example/2' } }),
    isGuarded: true,
    writes: 'channel update',
  },
  { number: 306, id: () => ids.channel, writes: 'channel rotate_secret' },
  { number: 304, id: () => ids.channel, writes: 'channel delete' },
  {
    number: 220,
    body: () => ({ change: { action: 'asn.ban', params: { isBanCreate: true } }, target: { keys: [64_496] } }),
    writes: 'bulk_run check',
  },
  { number: 480, id: () => 64_496, body: () => ({ reason: 'Scans' }), writes: 'asn update' },
  { number: 270, id: () => 3, writes: 'view_as begin' },
  { number: 272, writes: 'view_as end' },
  { number: 271, id: () => endedSessions[0]?.accountId ?? 0, writes: 'view_as begin' },
  {
    number: 188,
    body: () => ({ name: 'deploy', permission_ids: [3], has_all_apps: true, expires_in_days: 30 }),
    writes: 'api_token create',
  },
  { number: 189, id: () => ownToken, writes: 'api_token revoke' },
  { number: 211, id: () => otherToken, writes: 'api_token revoke' },
  {
    number: 191,
    body: () => ({ name: 'edge', permission_ids: [3], has_all_apps: true, expires_in_days: null }),
    writes: 'service_account create',
  },
  { number: 192, id: () => service, body: () => ({ name: 'edge-2', networks: ['10.0.0.0/8'] }), writes: 'service_account update' },
  { number: 193, id: () => service, writes: 'service_account renew_secret' },
  { number: 194, id: () => service, writes: 'service_account delete' },
  { number: 25, id: () => app.id, writes: 'app export' },
  { number: 34, query: () => 'search=10.', writes: 'request export' },
  { number: 151, writes: 'report export' },
  { number: 159, writes: 'app_list export' },
  { number: 386, writes: 'incident export' },
  { number: 161, writes: 'activity export' },
  { number: 146, id: () => 'c_88', writes: 'request export' },
  { number: 147, id: () => '203.0.113.9', writes: 'request export' },
  { number: 100, id: () => app.id, writes: 'app export' },
  { number: 101, id: () => app.id, writes: 'app export' },
  { number: 76, id: () => logDate, writes: 'log download' },
  { number: 130, id: () => logDate, writes: 'log download' },
  { number: 78, body: () => ({ date: logDate }), writes: 'log delete' },
  { number: 81, id: () => logDate, writes: 'app_log download' },
  { number: 131, id: () => logDate, writes: 'app_log download' },
  { number: 83, query: () => `date=${logDate}`, writes: 'app_log delete' },
];

/** Calls that write no row here, and why. */
const exempt: Readonly<Record<number, string>> = {
  7: 'signing in with Google: proven with its provider, in sign-in-with-google.http.test.ts',
  90: 'traffic is no change by a person',
  91: 'traffic is no change by a person',
  92: 'traffic is no change by a person',
  165: 'needs a code of an authenticator app: proven in second-factors.http.test.ts',
  444: 'says what an import would do',
  166: 'gives options and writes nothing but a challenge',
  167: 'gives options and writes nothing but a challenge',
  168: 'needs a passkey: proven in second-factors.http.test.ts',
  200: 'shows the account of a link',
  186: 'shows the account of a link',
  201: 'needs the link of an invitation: proven in account-links.http.test.ts',
  202: 'needs a mail server: proven in account-links.http.test.ts',
  203: 'needs a mailed link: proven in account-links.http.test.ts',
  172: 'a begun set-up has changed nothing yet',
  173: 'needs a passkey: proven in second-factors.http.test.ts',
  178: 'gives options and writes nothing but a challenge',
  170: 'a begun set-up has changed nothing yet',
  171: 'needs a code of an authenticator app: proven in second-factors.http.test.ts',
  116: 'checks a password and stores nothing',
  207: 'compares and stores nothing',
  208: 'needs a missing seal: proven in audit-anchor.http.test.ts',
  325: 'asks only',
  123: 'asks only',
  222: 'needs a checked run: proven in bulk-apps.http.test.ts',
  223: 'needs a run under way: proven in bulk-apps.http.test.ts',
  224: 'needs a finished run: proven in bulk-apps.http.test.ts',
  341: 'needs a mail server: proven in schedules.http.test.ts',
  343: 'needs a mail server: proven in schedules.http.test.ts',
  388: 'needs a mail server: proven in schedules.http.test.ts',
  344: 'needs a schedule: proven in schedules.http.test.ts',
  374: 'needs a schedule: proven in belongings.http.test.ts',
  305: 'contacts a receiver: proven in channels.http.test.ts',
  308: 'needs a failed message: proven in channels.http.test.ts',
  156: 'how a list opens concerns its reader alone',
  392: 'what a reader has seen concerns them alone',
  349: 'a layout changes neither what a tile shows nor who sees it',
  456: 'only its owner sees a tile that is not shared',
  70: 'encodes what it is given and keeps nothing',
  71: 'decodes what it is given and keeps nothing',
  73: 'gives back what it is given and keeps nothing',
};

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-writes-'));
  const [LOG_DIR, APP_LOG_DIR] = [join(folder, 'logs'), join(folder, 'app-logs')];
  for (const dir of [LOG_DIR, APP_LOG_DIR]) {
    await mkdir(dir);
    await writeFile(join(dir, `console-${logDate}.log`), '{"level":"info","msg":"x"}\n');
  }
  api = await buildTestApi({ databases, env: { LOG_DIR, APP_LOG_DIR } });
  const passwordHash = await testPasswords.hash(testPassword);
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now(), passwordHash });
  endedSessions = await Promise.all([1, 2, 3, 4, 5, 6].map(async () => signInAs(databases, { since: api.now() })));
  const ownFactor = { account_id: endedSessions[4]?.accountId ?? 0, kind: 'totp', name: 'Phone' } as const;
  await databases.db
    .insertInto('second_factors')
    .values({ ...ownFactor, account_id: endedSessions[5]?.accountId ?? 0 })
    .execute();
  factor = (await databases.db.insertInto('second_factors').values(ownFactor).returning('id').executeTakeFirstOrThrow()).id;
  ownToken = (await makeApiToken(databases, { ownerId: admin.accountId })).tokenId;
  otherToken = (await makeApiToken(databases, { ownerId: endedSessions[0]?.accountId ?? 0 })).tokenId;
  service = (await makeApiToken(databases, { ownerId: admin.accountId, kind: 'service' })).tokenId;
  app = await createApp(databases);
  server = await signInAsServer(databases);
  await databases.pools.ops.query(`
    insert into asns (code, domain, name) values (64496, 'example.net', 'Example');
    create function refuse_entry() returns trigger language plpgsql as $$ begin raise exception 'the trail is broken'; end $$;
    create trigger refuse_entry before insert on audit_entries for each row when (new.request_id like 'broken-%') execute function refuse_entry();
  `);
  // Jobs are stored but not run, and calls of servers are not counted: whole tables are compared, so nothing else may write.
  await api.startJobs();
  await api.stopJobs();
  const { rows } = await databases.pools.ops.query<{ id: number }>(
    `insert into incidents (rule_name, kind, severity, subject_id, affected, names, reason, is_silenced, started_at)
     values ('Disk', 'log_disk', 'critical', 0, 1, '{}', 'It is full.', false, now()) returning id`,
  );
  ids.incident = rows[0]?.id ?? 0;
  await databases.pools.ops.query(
    `with rule as (insert into alert_rules (name, kind) values ('Disk of many', 'log_disk') returning id)
     insert into incidents (rule_id, rule_name, kind, severity, subject_id, affected, names, reason, is_silenced, started_at)
     select id, 'Disk', 'log_disk', 'critical', 1, 1, '{}', 'One of many.', false, now() from rule`,
  );
  return async () => {
    await api.app.close();
    await rm(folder, { recursive: true });
  };
});

/** Sets the age of everybody's last sign-in or confirmation, in milliseconds. */
async function signedIn(ago: number): Promise<void> {
  await databases.db
    .updateTable('sessions')
    .set({ authenticated_at: new Date(api.now().getTime() - ago) })
    .execute();
}

function endpointOf({ number }: Pick<Step, 'number'>) {
  const endpoint: Endpoint | undefined = allEndpoints.find((candidate) => candidate.number === number);
  if (!endpoint) throw new Error(`[${number}] is no call`);
  return endpoint;
}

/** Whether the contract demands a recent sign-in for this step. */
function needsRecentSignIn(step: Step): boolean {
  const { recentSignIn } = endpointOf(step);
  return recentSignIn?.before === 'change' ? step.isGuarded === true : recentSignIn?.before !== undefined;
}

/** The entry of the creation that a step restores. */
async function creationOf({ restores, id }: Step): Promise<number | undefined> {
  if (restores === undefined) return undefined;
  const entries = databases.db.selectFrom('audit_entries').select('id').where('entity', '=', restores).where('action', '=', 'create');
  return (await entries.where('entity_id', '=', String(id?.())).executeTakeFirstOrThrow()).id;
}

async function make(step: Step, requestId: string) {
  const endpoint = endpointOf(step);
  const path = endpoint.path
    .replace('{sessionId}', String(step.sessionId?.()))
    .replace('{revision}', String(await creationOf(step)))
    .replace(/\{\w+\}/, String(step.id?.()));
  const url = `/api/${path}?${step.query?.() ?? ''}`;
  const headers = { ...(step.headers?.() ?? admin.headers), 'x-request-id': requestId };
  return api.call(endpoint.method, url, { headers, ...(endpoint.method === 'GET' ? {} : { body: step.body?.() ?? {} }) });
}

/** A sign-in counts as an attempt before it is known what becomes of it, so this table changes even when nothing else does. */
const attempts = 'sign_in_attempts';

/** A digest of every table by name: what a call changed shows as a difference. */
async function digestTables(): Promise<ReadonlyMap<string, string>> {
  const { rows: tables } = await databases.pools.ops.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> $1`,
    [attempts],
  );
  const digests = await Promise.all(
    tables.map(async ({ name }) => {
      // When a session was last used is noted by every call, also by one that fails.
      const row = name === 'sessions' ? `(to_jsonb(t) - 'last_used_at')::text` : 't::text';
      const { rows } = await databases.pools.ops.query<{ digest: string }>(
        `select md5(coalesce(string_agg(${row}, E'\n' order by ${row}), '')) as digest from ${name} t`,
      );
      return [name, rows[0]?.digest ?? ''] as const;
    }),
  );
  return new Map(digests);
}

/** The tables of which the digests differ. */
function changedTables(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...after].filter(([name, digest]) => before.get(name) !== digest).map(([name]) => name);
}

/** Steps that change no row but the trail's: they hand out a file or delete one. */
const isOfFiles = (writes: Step['writes']): boolean => /(?: (?:export|download)|log delete)$/.test(writes);

describe('every write of the product (api [89])', () => {
  it('[AMB-189] of the contract has a step here or a reason why not, and so has every file that is handed out', () => {
    const coveredNumbers = new Set([...steps.map(({ number }) => number), ...Object.keys(exempt).map(Number)]);
    const isFile = ({ answer, path }: (typeof allEndpoints)[number]) =>
      answer.kind === 'raw' && (answer.contentType === 'text/csv' || /\/(download\/|raw)$/.test(path));
    const due = allEndpoints.filter((endpoint) => endpoint.method !== 'GET' || endpoint.path === 'sanctum/logout' || isFile(endpoint));
    expect(due.map(({ number }) => number).filter((number) => !coveredNumbers.has(number))).toEqual([]);
    const numbers = new Set(allEndpoints.map(({ number }) => number));
    expect([...coveredNumbers].filter((number) => !numbers.has(number))).toEqual([]);
    const actions = Object.entries(auditActions).flatMap(([entity, names]) => names.map((name) => `${entity} ${name}`));
    expect(actions).toEqual(expect.arrayContaining(steps.map(({ writes }) => writes)));
  });

  it.each(steps.map((step, index) => [step.number, step.writes, step, index] as const))(
    '[AMB-189, IDN-105] call %i writes its change and one entry, %s, or nothing at all when the entry cannot be written',
    async (number, writes, step, index) => {
      await signedIn(3_600_000);
      const untouchedTables = await digestTables();
      if (needsRecentSignIn(step)) {
        const late = await make(step, `late-${index}-${number}`);
        expect([late.status, late.body.message]).toEqual([403, 'Confirm that it is you']);
        expect(changedTables(untouchedTables, await digestTables())).toEqual([]);
        await signedIn(1000);
      }
      const before = await digestTables();
      const failure = await make(step, `broken-${index}-${number}`);
      expect([failure.status, failure.body.message]).toEqual([500, 'Something went wrong']);
      expect(changedTables(before, await digestTables())).toEqual([]);
      const requestId = `walked-${index}-${number}`;
      const answer = await make(step, requestId);
      expect([200, 201, 204]).toContain(answer.status);
      const tables = changedTables(before, await digestTables());
      expect(tables).toContain('audit_entries');
      expect(tables.length > 1).toBe(!isOfFiles(writes));
      if (step.keeps) ids[step.keeps] = (answer.body.data.channel ?? answer.body.data).id;
      const rows = await databases.db
        .selectFrom('audit_entries')
        .select(['entity', 'action', 'app_id'])
        .where('request_id', '=', requestId)
        .execute();
      expect(rows.map(({ entity, action }) => `${entity} ${action}`)).toEqual([writes]);
      expect(rows[0]?.app_id !== null).toBe(/^(app|app_server|app_note|firebase|stream) /.test(writes));
    },
  );

  it('[IDN-104] leaves no field in the trail without a label', async () => {
    expect(await listUnlabelledFields(databases)).toEqual([]);
  });
});
