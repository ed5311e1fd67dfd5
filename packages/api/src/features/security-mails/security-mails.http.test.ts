import { optionalSecurityMails, requiredSecurityMails, type SecurityMailEvent } from '@switchyard/contract/security-mails';
import { Secret, TOTP } from 'otpauth';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { testPassword } from '../../../test/account-form.ts';
import { buildTestApi, testPasswords, type TestApi } from '../../../test/build-test-api.ts';
import { decode, startMailServer, type MailServer } from '../../../test/mail-server.ts';
import { makeApiToken, signInAs, type Account, type SignedIn } from '../../../test/sign-in-as.ts';
import { createSoftwareAuthenticator } from '../../../test/software-authenticator.ts';
import { soon } from '../../../test/soon.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { networkPrefix } from '../../overload/address-limit.ts';
import { eventTitles } from './write-security-mail.ts';

const { databases } = await createTestDatabase();
const passwordHash = await testPasswords.hash(testPassword);
let server: MailServer;
let api: TestApi;
let admin: SignedIn;

const background = { timings: { pollSeconds: 0.5, expireSeconds: 30, superviseSeconds: 10 }, retrySeconds: [0, 0] };

beforeAll(async () => {
  server = await startMailServer();
  const env = { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'console@example.com', PRODUCT_NAME: 'Tollgate' };
  api = await buildTestApi({ databases, env, background, startsAt: new Date('2026-11-20T08:00:00Z') });
  await api.startJobs();
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now(), passwordHash });
  return async () => {
    await api.stopJobs();
    await api.app.close();
    await server.stop();
  };
});

const person = async (account: Account = {}): Promise<SignedIn> => signInAs(databases, { passwordHash, since: api.now(), ...account });
const mailsTo = (email: string): string[] => server.mails.filter(({ to }) => to.includes(email)).map(({ source }) => decode(source));
const hasMail = (email: string, event: SecurityMailEvent): boolean =>
  mailsTo(email).some((mail) => mail.includes(`Subject: ${eventTitles[event]}: your account on Tollgate`));
/** The mail about an event to an address. */
async function mailAbout(email: string, event: SecurityMailEvent): Promise<string> {
  await expect.poll(() => hasMail(email, event), soon).toBe(true);
  return mailsTo(email).find((mail) => mail.includes(eventTitles[event])) ?? '';
}
/** Waits until no mail waits to be sent, so that a missing mail was never queued. */
async function allSent(): Promise<void> {
  const waiting = async () =>
    (await databases.pools.ops.query("select from jobs.job where name = 'mails' and state < 'completed'")).rowCount;
  await expect.poll(waiting, soon).toBe(0);
}

const ip = '198.51.100.20';
const login = async (email: string, from: string, on = api) =>
  on.call('POST', '/api/sanctum/login', { body: { email, password: testPassword }, ip: from, headers: { 'user-agent': 'Browser/7' } });
const own = async (owner: SignedIn, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body: object = {}) =>
  api.call(method, `/api/${path}`, { ...owner, ip, ...(method === 'GET' ? {} : { body }) });

async function addApp(owner: SignedIn): Promise<{ id: number; codes: string[] }> {
  const { body } = await own(owner, 'POST', 'sanctum/second-factors/totp');
  const { challenge, secret } = body.data;
  const code = TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: api.now().getTime() });
  const confirmation = await own(owner, 'POST', 'sanctum/second-factors/totp/confirm', { challenge, code, name: 'Phone' });
  expect(confirmation.status).toBe(201);
  return { id: confirmation.body.data.factor.id, codes: confirmation.body.data.recovery_codes };
}

const newToken = { name: 'deploy', permission_ids: [3], has_all_apps: true, expires_in_days: 30 };
const superAdmin = { role: 'Super Admin' } as const;

/** An event, what causes it, and lines that its mail has. */
const cases: readonly [
  event: SecurityMailEvent,
  how: string,
  cause: (owner: SignedIn) => Promise<unknown>,
  lines: string[],
  account?: Account,
][] = [
  ['factor_added', 'an authenticator app', addApp, ['Authenticator app: Phone', 'Done by: Your account', `IP address: ${ip}`]],
  [
    'factor_added',
    'a passkey',
    async (owner) => {
      const { body } = await own(owner, 'POST', 'sanctum/second-factors/passkey');
      const passkey = createSoftwareAuthenticator().create(body.data.options);
      const confirmationBody = { challenge: body.data.challenge, passkey, name: 'Key' };
      expect((await own(owner, 'POST', 'sanctum/second-factors/passkey/confirm', confirmationBody)).status).toBe(201);
    },
    ['Passkey: Key', 'Done by: Your account'],
  ],
  [
    'factor_removed',
    'by its owner',
    async (owner) => own(owner, 'DELETE', `sanctum/second-factors/${(await addApp(owner)).id}`),
    ['Authenticator app: Phone', 'Done by: Your account'],
  ],
  [
    'factor_removed',
    'by an administrator',
    async (owner) => {
      await addApp(owner);
      expect((await own(admin, 'DELETE', `users/${owner.accountId}/second-factors`)).status).toBe(204);
    },
    ['Removed: All second factors', 'Done by: Person '],
  ],
  [
    'recovery_codes_renewed',
    'by its owner',
    async (owner) => {
      await addApp(owner);
      expect((await own(owner, 'POST', 'sanctum/recovery-codes')).status).toBe(201);
    },
    ['Done by: Your account'],
  ],
  [
    'recovery_code_used',
    'to sign in',
    async (owner) => {
      const { codes } = await addApp(owner);
      const { body } = await login(owner.email, ip);
      const finishBody = { challenge: body.data.second_factor.challenge, recovery_code: codes[0] };
      expect((await api.call('POST', '/api/sanctum/second-factor', { body: finishBody, ip })).status).toBe(200);
    },
    ['Recovery codes left: 9', 'Done by: Your account'],
  ],
  [
    'recovery_code_used',
    'to confirm the identity',
    async (owner) => {
      const { codes } = await addApp(owner);
      expect((await own(owner, 'POST', 'sanctum/reauthenticate', { recovery_code: codes[1] })).status).toBe(204);
    },
    ['Recovery codes left: 9', `IP address: ${ip}`],
  ],
  [
    'password_changed',
    'by its owner',
    async (owner) => {
      const passwordChange = { current_password: testPassword, password: `${testPassword}-2` };
      expect((await own(owner, 'PUT', 'sanctum/password', passwordChange)).status).toBe(204);
    },
    ['Done by: Your account'],
  ],
  [
    'password_changed',
    'by an administrator',
    async (owner) => {
      expect((await own(admin, 'PUT', `users/${owner.accountId}`, { password: `${testPassword}-2` })).status).toBe(200);
    },
    ['Done by: Person ', 'tell an administrator'],
  ],
  [
    'address_changed',
    'by an administrator',
    async (owner) => {
      expect((await own(admin, 'PUT', `users/${owner.accountId}`, { email: `moved-${owner.accountId}@example.com` })).status).toBe(200);
    },
    ['Done by: Person ', 'the last mail to this address'],
  ],
  [
    'token_created',
    'of a person',
    async (owner) => {
      expect((await own(owner, 'POST', 'sanctum/tokens', newToken)).status).toBe(201);
    },
    ['API token: deploy', 'Done by: Your account'],
    superAdmin,
  ],
  [
    'token_created',
    'of a service account',
    async (owner) => {
      expect((await own(owner, 'POST', 'service-accounts', { ...newToken, name: 'edge' })).status).toBe(201);
    },
    ['API token: edge'],
    superAdmin,
  ],
  [
    'token_created',
    'in place of another',
    async (owner) => {
      const { tokenId } = await makeApiToken(databases, { ownerId: owner.accountId, kind: 'service' });
      expect((await own(owner, 'POST', `service-accounts/${tokenId}/secret`)).status).toBe(201);
    },
    ['API token: '],
    superAdmin,
  ],
  ['new_network', 'with the password', async (owner) => login(owner.email, ip), ['Device: Browser/7', `IP address: ${ip}`]],
  [
    'mail_switched_off',
    'by its owner',
    async (owner) => {
      expect((await own(owner, 'PUT', 'sanctum/security-mails', { event: 'new_network', is_on: false })).status).toBe(200);
    },
    ['Mails about: Sign-in from a new network'],
  ],
];

describe('the mail to the owner of an account', () => {
  it.each(cases)('[IDN-128] about %s, %s, says what, who, when and from where', async (event, _how, cause, lines, account = {}) => {
    const owner = await person(account);
    await cause(owner);
    const mail = await mailAbout(owner.email, event);
    for (const line of [...lines, 'Time: 20.11.2026 08:', 'Tollgate', 'https://console.example/account']) expect(mail).toContain(line);
    expect(mail).toMatch(/^Content-Type: multipart\/alternative;/m);
    expect(mail).toMatch(/^Content-Type: text\/plain;[^]*^Content-Type: text\/html;/m);
    // Each event is mailed once.
    await allSent();
    expect(mailsTo(owner.email).filter((source) => source.includes(`Subject: ${eventTitles[event]}`))).toHaveLength(1);
  });

  it('[IDN-128] covers every event', () => {
    const coveredEvents = new Set(cases.map(([event]) => event));
    expect([...requiredSecurityMails, ...optionalSecurityMails].filter((event) => !coveredEvents.has(event))).toEqual([]);
  });

  it('[IDN-129] about a new address goes to the old one, and so does that about a password set with it', async () => {
    const owner = await person();
    const newEmail = `new-${owner.accountId}@example.com`;
    const saveAnswer = await own(admin, 'PUT', `users/${owner.accountId}`, { email: newEmail, password: `${testPassword}-2` });
    expect(saveAnswer.status).toBe(200);
    await mailAbout(owner.email, 'address_changed');
    await mailAbout(owner.email, 'password_changed');
    await allSent();
    expect(mailsTo(newEmail)).toEqual([]);
  });

  it('[IDN-129] is not sent where only the case of the address or something else changes', async () => {
    const owner = await person();
    const saveAnswer = await own(admin, 'PUT', `users/${owner.accountId}`, { email: owner.email.toUpperCase(), name: 'Renamed' });
    expect(saveAnswer.status).toBe(200);
    await allSent();
    expect(mailsTo(owner.email)).toEqual([]);
  });

  it('[IDN-130] about a sign-in comes once a network in 30 days, and after a silence of 30 days again', async () => {
    const owner = await person();
    const count = () => mailsTo(owner.email).filter((mail) => mail.includes(eventTitles.new_network)).length;
    const from = async (address: string) => {
      expect((await login(owner.email, address)).status).toBe(200);
      await allSent();
      return count();
    };
    expect(await from('192.0.2.1')).toBe(1);
    expect(await from('192.0.2.77')).toBe(1);
    expect(await from('192.0.20.1')).toBe(2);
    expect(await from('2001:db8:1:1::1')).toBe(3);
    expect(await from('2001:db8:1:2::9')).toBe(3);
    expect(await from('2001:db8:10:1::1')).toBe(4);
    api.wait(31 * 86_400_000);
    onTestFinished(() => api.wait(-31 * 86_400_000));
    expect(await from('192.0.2.1')).toBe(5);
  });

  it('[IDN-138] about a sign-in comes again for networks of before a new password, except that of its owner', async () => {
    const owner = await person();
    const count = async (address: string, password: string) => {
      const body = { email: owner.email, password };
      expect((await api.call('POST', '/api/sanctum/login', { body, ip: address })).status).toBe(200);
      await allSent();
      return mailsTo(owner.email).filter((mail) => mail.includes(eventTitles.new_network)).length;
    };
    await count('192.0.2.1', testPassword);
    expect(await count(ip, testPassword)).toBe(2);
    const change = { current_password: testPassword, password: `${testPassword}-2` };
    expect((await own(owner, 'PUT', 'sanctum/password', change)).status).toBe(204);
    expect(await count(ip, change.password)).toBe(2);
    expect(await count('192.0.2.1', change.password)).toBe(3);
    const password = `${testPassword}-3`;
    expect((await own(admin, 'PUT', `users/${owner.accountId}`, { password })).status).toBe(200);
    expect(await count('192.0.2.1', password)).toBe(4);
  });

  it('[IDN-130] a network is an IPv4 /24 or an IPv6 /48', () => {
    expect(['192.0.2.77', '::ffff:192.0.2.77', '2001:db8:1:2::9', '::1'].map(networkPrefix)).toEqual([
      '192.0.2.',
      '192.0.2.',
      '2001:db8:1:',
      '0:0:0:',
    ]);
  });

  it('[IDN-131] is not sent where the change is not made', async () => {
    const owner = await person();
    await databases.pools.ops.query(`
      create function refuse_entry() returns trigger language plpgsql as $$ begin raise exception 'the trail is broken'; end $$;
      create trigger refuse_entry before insert on audit_entries for each row when (new.request_id = 'broken-mail') execute function refuse_entry();
    `);
    const body = { current_password: testPassword, password: `${testPassword}-2` };
    const failure = await api.call('PUT', '/api/sanctum/password', { headers: { ...owner.headers, 'x-request-id': 'broken-mail' }, body });
    expect(failure.status).toBe(500);
    await allSent();
    expect(mailsTo(owner.email)).toEqual([]);
  });

  it('[IDN-131] is retried while the mail server is unavailable, then abandoned; an address that the server rejects is abandoned at once', async () => {
    const owner = await person();
    server.state.refuses = 451;
    onTestFinished(() => {
      server.state.refuses = null;
    });
    const faults = () => api.log().filter(({ msg, accountId }) => msg === 'Mail: could not be sent' && accountId === owner.accountId);
    await own(owner, 'PUT', 'sanctum/password', { current_password: testPassword, password: `${testPassword}-2` });
    await expect.poll(() => faults().map(({ isFinal }) => isFinal), soon).toEqual([false, false, true]);
    server.state.refuses = 550;
    await own(owner, 'PUT', 'sanctum/security-mails', { event: 'factor_added', is_on: false });
    await expect.poll(() => faults().map(({ isFinal }) => isFinal), soon).toEqual([false, false, true, true]);
    await allSent();
    expect(faults().at(-1)).toMatchObject({ mail: 'mail_switched_off', err: { message: 'The mail server rejected the message (550)' } });
  });

  it('[IDN-131] has the same id when it is sent again', async () => {
    const owner = await person();
    await own(owner, 'PUT', 'sanctum/security-mails', { event: 'factor_added', is_on: false });
    const mail = await mailAbout(owner.email, 'mail_switched_off');
    const { rows } = await databases.pools.ops.query<{ id: string }>(
      `select data->>'id' as id from jobs.job where data->>'accountId' = $1`,
      [String(owner.accountId)],
    );
    expect(mail).toContain(`Message-ID: <${rows[0]?.id}@example.com>`);
  });

  it('[IDN-132] goes neither to demo accounts nor without a mail server, and what causes it works there', async () => {
    const silent = await buildTestApi({ databases, startsAt: api.now(), demoIsOn: true });
    onTestFinished(async () => silent.app.close());
    const owner = await person();
    const demo = await person({ isDemo: true });
    expect((await login(owner.email, '203.0.113.77', silent)).status).toBe(200);
    expect((await own(admin, 'PUT', `users/${demo.accountId}`, { password: `${testPassword}-2` })).status).toBe(200);
    await allSent();
    expect([mailsTo(owner.email), mailsTo(demo.email)]).toEqual([[], []]);
    const list = await silent.call('GET', '/api/sanctum/security-mails', owner);
    expect([list.body.data.available, (await own(owner, 'GET', 'sanctum/security-mails')).body.data.available]).toEqual([false, true]);
  });
});

describe('switches of security mails', () => {
  it('[IDN-133] list every event, and switch off those that are not about lost control', async () => {
    const owner = await person();
    const { body } = await own(owner, 'GET', 'sanctum/security-mails');
    expect(body.data.mails).toEqual([
      ...requiredSecurityMails.map((event) => ({ event, is_on: true, is_required: true })),
      ...optionalSecurityMails.map((event) => ({ event, is_on: true, is_required: false })),
    ]);
    const off = await own(owner, 'PUT', 'sanctum/security-mails', { event: 'new_network', is_on: false });
    expect(off.body.data.mails.filter(({ is_on }: { is_on: boolean }) => !is_on)).toEqual([
      { event: 'new_network', is_on: false, is_required: false },
    ]);
    expect((await login(owner.email, '192.0.2.200')).status).toBe(200);
    await allSent();
    expect(hasMail(owner.email, 'new_network')).toBe(false);
    await own(owner, 'PUT', 'sanctum/security-mails', { event: 'new_network', is_on: true });
    expect((await login(owner.email, '203.0.113.200')).status).toBe(200);
    await mailAbout(owner.email, 'new_network');
    const entries = await databases.db
      .selectFrom('audit_entries')
      .select(['action', 'changes'])
      .where('entity', '=', 'security_mail')
      .where('actor_id', '=', owner.accountId)
      .orderBy('id')
      .execute();
    expect(entries).toEqual([
      { action: 'update', changes: [{ field: 'new_network', from: true, to: false }] },
      { action: 'update', changes: [{ field: 'new_network', from: false, to: true }] },
    ]);
  });

  it.each(requiredSecurityMails)('[IDN-133] [S38] cannot switch off %s', async (event) => {
    const owner = await person();
    expect((await own(owner, 'PUT', 'sanctum/security-mails', { event, is_on: false })).status).toBe(422);
    await expect(databases.pools.ops.query('insert into switched_off_mails values ($1, $2)', [owner.accountId, event])).rejects.toThrow(
      'switched_off_mails_event_check',
    );
  });

  it('[IDN-134] [S38] are switched off after a recent sign-in only, and never unseen', async () => {
    const owner = await person({ since: new Date(api.now().getTime() - 3_600_000) });
    await databases.db.updateTable('sessions').set({ last_used_at: api.now() }).where('id', '=', owner.sessionId).execute();
    const off = { event: 'token_created', is_on: false };
    const stale = await own(owner, 'PUT', 'sanctum/security-mails', off);
    expect([stale.status, stale.body.message]).toEqual([403, 'Confirm that it is you']);
    await databases.db.updateTable('sessions').set({ authenticated_at: api.now() }).where('id', '=', owner.sessionId).execute();
    expect((await own(owner, 'PUT', 'sanctum/security-mails', off)).status).toBe(200);
    expect(await mailAbout(owner.email, 'mail_switched_off')).toContain('Mails about: API token created');
  });
});
