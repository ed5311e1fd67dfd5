import fc from 'fast-check';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { newAccountForm, testPassword, trailOfAccount } from '../../../test/account-form.ts';
import { buildTestApi, testPasswords, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { mailServerCertificate } from '../../../test/mail-server-certificate.ts';
import { decode, startMailServer, type MailServer } from '../../../test/mail-server.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { soon } from '../../../test/soon.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { createMailer } from '../../adapters/mailer.ts';
import { openDatabases } from '../../database/connect.ts';
import { writeLinkMail } from './write-link-mail.ts';
import { writeSecurityMail } from '../security-mails/write-security-mail.ts';

const { databases, url } = await createTestDatabase();
const passwordHash = await testPasswords.hash(testPassword);
let api: TestApi;
let admin: SignedIn;

beforeAll(async () => {
  api = await buildTestApi({ databases });
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  return async () => api.app.close();
});

let calls = 0;
/** A public call, each from an address of its own. */
async function post(path: string, body: object, { on = api, headers = {} }: { on?: TestApi; headers?: Record<string, string> } = {}) {
  calls += 1;
  return on.call('POST', `/api/sanctum/${path}`, { body, headers, ip: `2001:db8:${calls.toString(16)}::1` });
}

const tokenOf = (link: string): string => link.slice(link.indexOf('#') + 1);
const newInvitee = () => newAccountForm({ password: undefined });

async function invite({ on = api, caller = admin, path = 'users', form = newInvitee() } = {}) {
  const { status, body } = await on.call('POST', `/api/${path}/invite`, { ...caller, body: form });
  return { status, body, id: body.data?.id, email: form.email, link: String(body.data?.invitation?.link) };
}
const renew = async (id: number, caller = admin) => api.call('POST', `/api/users/${id}/invitation`, caller);
const stateOf = async (id: number, on = api) => (await on.call('GET', `/api/users/${id}/invitation`, admin)).body.data;
const login = async (email: string, password: string) => (await post('login', { email, password })).status;

const unknownInvitation = {
  success: false,
  message: 'This invitation is invalid, was used or has expired. Ask your administrator for a new link',
};

describe('invitations', () => {
  it('[IDN-065] creates the account without a password and shows a link once, which is stored as a hash', async () => {
    const { status, body, id, email, link } = await invite();
    expect([status, body.data.invitation]).toEqual([
      201,
      { state: 'pending', expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/), mail: null, link },
    ]);
    expect(link).toMatch(/^https:\/\/console\.example\/invitation#[\w-]{43}$/);
    expect(Date.parse(`${body.data.invitation.expires_at}Z`) - api.now().getTime()).toBeGreaterThan(72 * 3_600_000 - 1000);
    const { password_hash: hash } = await databases.db
      .selectFrom('accounts')
      .select('password_hash')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(hash).toBeNull();
    expect(JSON.stringify(await databases.db.selectFrom('account_links').selectAll().execute())).not.toContain(tokenOf(link));
    expect(await stateOf(id)).toEqual({ state: 'pending', expires_at: body.data.invitation.expires_at, mail: null });
    const [createEntry] = await trailOfAccount(databases, id);
    expect(createEntry).toMatchObject({ action: 'create', actor_id: admin.accountId });
    expect(createEntry?.changes).toContainEqual({ field: 'invitation', from: null, to: body.data.invitation.expires_at });
    expect(JSON.stringify(createEntry)).not.toContain(tokenOf(link));
    expect(JSON.stringify(api.log())).not.toContain(tokenOf(link));
    expect(await login(email, '')).toBe(422);
    expect((await invite({ form: newAccountForm() })).status).toBe(422);
  });

  it('[IDN-065] the invited person sees the name and the address, sets a password and is signed in', async () => {
    const { id, email, link } = await invite({ path: 'buyers', form: newAccountForm({ roles: ['Buyer'], password: undefined }) });
    const answer = await post('invitation', { token: tokenOf(link) });
    expect(answer.body.data).toEqual({ name: expect.stringMatching(/^Person /), email, panel: 'buyer' });
    const { status, body } = await post('accept-invitation', { token: tokenOf(link), password: testPassword });
    expect([status, body.data.user.id]).toEqual([200, id]);
    expect(
      (await api.call('GET', '/api/sanctum/user', { headers: { authorization: `Bearer ${body.data.token.accessToken}` } })).status,
    ).toBe(200);
    expect(await login(email, testPassword)).toBe(200);
    expect(await stateOf(id)).toEqual({ state: 'none', expires_at: null, mail: null });
    expect((await renew(id)).body.message).toBe('The account is already in use');
    const entry = await databases.db
      .selectFrom('audit_entries')
      .selectAll()
      .where('entity', '=', 'invitation')
      .where('entity_id', '=', String(id))
      .executeTakeFirst();
    expect(entry).toMatchObject({ action: 'accept', actor_id: id, changes: [{ field: 'password', from: null, to: null }] });
  });

  it('[IDN-066] a link works once: of ten calls at once one succeeds', async () => {
    const { id, email, link } = await invite();
    const passwords = Array.from({ length: 10 }, (_, at) => `Str0ngPassw0rd${at}`);
    const answers = await Promise.all(passwords.map(async (password) => post('accept-invitation', { token: tokenOf(link), password })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, ...passwords.slice(1).map(() => 404)]);
    const winner = passwords[answers.findIndex(({ status }) => status === 200)] ?? '';
    expect(await login(email, winner)).toBe(200);
    expect(await databases.db.selectFrom('account_links').select('id').where('account_id', '=', id).execute()).toEqual([]);
  });

  const deny = async (id: number) => api.call('PUT', `/api/users/${id}/switch-access`, { ...admin, body: { hasAccess: false } });
  it.each<[string, (id: number) => Promise<unknown>, string]>([
    ['withdrawn', async (id) => api.call('DELETE', `/api/users/${id}/invitation`, admin), 'withdrawn'],
    ['replaced by a new one', renew, 'pending'],
    ['of an account that lost access', deny, 'withdrawn'],
    [
      'of an account with a password of its own',
      async (id) => api.call('PUT', `/api/users/${id}`, { ...admin, body: { password: testPassword } }),
      'none',
    ],
    [
      'sent to an old address',
      async (id) => api.call('PUT', `/api/users/${id}`, { ...admin, body: { email: `moved-${id}@example.com` } }),
      'withdrawn',
    ],
    ['of a deleted account', async (id) => api.call('DELETE', `/api/users/${id}`, admin), 'gone'],
  ])('[IDN-067] a link %s is as unknown', async (_what, end, state) => {
    const { id, link } = await invite();
    await end(id);
    const token = tokenOf(link);
    const answers = [
      await post('invitation', { token }),
      await post('accept-invitation', { token, password: testPassword }),
      await post('invitation', { token: 'never made' }),
    ];
    expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [404, unknownInvitation]));
    expect((await post('reset-password', { token, password: testPassword })).status).toBe(404);
    expect(state === 'gone' ? state : (await stateOf(id)).state).toBe(state);
  });

  it('[IDN-067] a link expires after 72 hours, and a new one can be made', async () => {
    const later = await buildTestApi({ databases, startsAt: api.now() });
    onTestFinished(async () => later.app.close());
    const { id, link } = await invite({ on: later });
    later.wait(72 * 3_600_000 - 1000);
    expect((await post('invitation', { token: tokenOf(link) }, { on: later })).status).toBe(200);
    later.wait(1000);
    expect((await post('invitation', { token: tokenOf(link) }, { on: later })).body).toEqual(unknownInvitation);
    expect((await post('accept-invitation', { token: tokenOf(link), password: testPassword }, { on: later })).body).toEqual(
      unknownInvitation,
    );
    const support = await signInAs(databases, { role: 'Super Admin', since: later.now() });
    expect((await later.call('GET', `/api/users/${id}/invitation`, support)).body.data.state).toBe('expired');
    const renewedLink = (await later.call('POST', `/api/users/${id}/invitation`, support)).body.data.link;
    expect((await post('accept-invitation', { token: tokenOf(renewedLink), password: testPassword }, { on: later })).status).toBe(200);
  });

  it.each([
    ['short', 'Ab1'],
    ['common', 'Password12345'],
  ])('[IDN-068] a %s password leaves the link as it was', async (_what, password) => {
    const { link } = await invite();
    const weak = await post('accept-invitation', { token: tokenOf(link), password });
    expect([weak.status, Object.keys(weak.body.errors)]).toEqual([422, ['password']]);
    expect((await post('accept-invitation', { token: tokenOf(link), password: testPassword })).status).toBe(200);
  });

  it('[IDN-069] links have the address of the settings, whatever host a request claims to be for', async () => {
    const headers = {
      ...admin.headers,
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
      origin: 'https://evil.example',
    };
    const { body } = await api.call('POST', '/api/users/invite', { headers, body: newInvitee() });
    expect(body.data.invitation.link).toMatch(/^https:\/\/console\.example\//);
    const renewal = await api.call('POST', `/api/users/${body.data.id}/invitation`, { headers });
    expect(renewal.body.data.link).toMatch(/^https:\/\/console\.example\//);
  });

  it('[IDN-070] an account with a second factor gets its second step instead of a session', async () => {
    const { id, link } = await invite();
    await databases.db.insertInto('second_factors').values({ account_id: id, kind: 'totp', name: 'Phone' }).execute();
    const { body } = await post('accept-invitation', { token: tokenOf(link), password: testPassword });
    expect(body.data).toEqual({ second_factor: { methods: ['totp'], challenge: expect.any(String) } });
    expect(await databases.db.selectFrom('sessions').select('id').where('account_id', '=', id).execute()).toEqual([]);
  });

  it('[IDN-071] inviting follows the rules on accounts, and needs a recent sign-in', async () => {
    const creator = await signInAs(databases, { permissions: ['manager_user_create', 'manager_user_edit'], since: api.now() });
    expect((await invite({ caller: creator })).body.errors.roles).toEqual(['Only the role Buyer can be given']);
    const stale = await signInAs(databases, { role: 'Super Admin', since: new Date(api.now().getTime() - 3_600_000), lifetime: 7_200_000 });
    await databases.db.updateTable('sessions').set({ last_used_at: api.now() }).where('id', '=', stale.sessionId).execute();
    expect((await invite({ caller: stale })).body.message).toBe('Confirm that it is you');
    const { id } = await invite({ form: newAccountForm({ roles: ['Super Admin'], password: undefined }) });
    expect((await renew(id, stale)).body.message).toBe('Confirm that it is you');
    expect((await renew(id, creator)).body.message).toBe('Only a super admin can change a super admin');
    expect((await api.call('DELETE', `/api/users/${id}/invitation`, creator)).status).toBe(403);
    const [own, foreign] = [await createApp(databases), await createApp(databases)];
    const limitedAdmin = await signInAs(databases, { role: 'Super Admin', apps: [own.id], since: api.now() });
    const buyer = await signInAs(databases, { panel: 'buyer', role: 'Buyer', apps: [own.id, foreign.id] });
    expect((await renew(buyer.accountId, limitedAdmin)).body.message).toBe('You cannot grant access to apps you do not have');
    expect((await renew(buyer.accountId)).status).toBe(201);
    const demo = await signInAs(databases, { isDemo: true });
    expect((await renew(demo.accountId)).body.message).toBe('Demo accounts cannot be invited');
    expect((await api.call('DELETE', `/api/users/${demo.accountId}/invitation`, admin)).status).toBe(409);
  });

  it('[IDN-071] there are no invitations and no resets where only Google signs in', async () => {
    const env = {
      AUTH_METHODS: 'google',
      GOOGLE_CLIENT_ID: 'id',
      GOOGLE_CLIENT_SECRET: 'secret',
      SMTP_URL: 'smtp://127.0.0.1:4',
      MAIL_FROM: 'console@example.com',
    };
    const google = await buildTestApi({ databases, env, startsAt: api.now() });
    onTestFinished(async () => google.app.close());
    const { link } = await invite();
    expect((await invite({ on: google })).status).toBe(404);
    expect((await post('accept-invitation', { token: tokenOf(link), password: testPassword }, { on: google })).status).toBe(404);
    expect((await post('forgot-password', { email: admin.email }, { on: google })).status).toBe(404);
    expect((await google.call('GET', '/api/sanctum/forgot-password')).body.data).toEqual({ available: false });
  });

  it('[IDN-076] links are guessed no faster than passwords', async () => {
    const ip = '198.51.100.7';
    const guess = async (path: string) =>
      (await api.call('POST', `/api/sanctum/${path}`, { body: { token: 'x', password: testPassword }, ip })).status;
    const statuses = [];
    for (let at = 0; at < 31; at += 1) statuses.push(await guess(at % 2 === 0 ? 'reset-password' : 'accept-invitation'));
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 404), 429]);
  });
});

describe('without a mail server', () => {
  it('[IDN-074] forgotten passwords are not reset, and the sign-in page does not offer it', async () => {
    expect((await api.call('GET', '/api/sanctum/forgot-password')).body.data).toEqual({ available: false });
    const { status, body } = await post('forgot-password', { email: admin.email });
    expect([status, body.message]).toEqual([404, 'Passwords cannot be reset by e-mail here. Contact your administrator']);
  });
});

describe('a process that is killed while it sends', () => {
  /** Runs a worker that is killed before the mail server has taken its mail, then a console that works. */
  async function killWorker(leaveMail: (on: TestApi) => Promise<unknown>) {
    const server = await startMailServer();
    onTestFinished(server.stop);
    const smtpUrl = `smtp://127.0.0.1:${server.port}`;
    const console = async (pollSeconds: number) => {
      const env = { SMTP_URL: smtpUrl, MAIL_FROM: 'console@example.com', PRODUCT_NAME: 'Tollgate' };
      const background = { timings: { pollSeconds, expireSeconds: 30, superviseSeconds: pollSeconds === 60 ? 60 : 1 } };
      const testApi = await buildTestApi({ databases, env, startsAt: api.now(), background });
      await testApi.startJobs();
      return testApi;
    };
    // Its one poll finds no job.
    const asker = await console(60);
    await leaveMail(asker);
    await asker.stopJobs();
    await asker.app.close();
    expect(server.mails).toEqual([]);

    server.state.holds = true;
    const script = join(import.meta.dirname, '../../../test/mail-worker-process.ts');
    const victim = spawn(process.execPath, [script, url, smtpUrl], { stdio: ['ignore', 'ignore', 'inherit'] });
    onTestFinished(() => void victim.kill('SIGKILL'));
    await expect.poll(() => server.mails.length, soon).toBe(1);
    victim.kill('SIGKILL');
    await once(victim, 'exit');
    server.state.holds = false;
    const restart = async () => {
      // As if the time after which a job counts as lost had passed.
      await databases.pools.ui.query(`update jobs.job set started_on = started_on - interval '1 minute' where state = 'active'`);
      const next = await console(0.5);
      onTestFinished(async () => {
        await next.stopJobs();
        await next.app.close();
      });
      return next;
    };
    return { server, restart };
  }

  it('[IDN-073] [R1] leaves the mail to the next one, whose link works and ends the one before', async () => {
    let [id, email] = [0, ''];
    const { server, restart } = await killWorker(async (on) => {
      ({ id, email } = await invite({ on }));
    });
    expect((await stateOf(id)).mail).toBe('queued');
    const next = await restart();
    await expect.poll(async () => (await stateOf(id, next)).mail, soon).toBe('sent');
    const [first, second] = server.mails.map(({ to, source }) => [to, tokenOf(linkIn(decode(source)))] as const);
    expect([first?.[0], second?.[0], server.mails.length]).toEqual([[email], [email], 2]);
    const use = async (token = '') => (await post('accept-invitation', { token, password: testPassword })).status;
    expect([await use(first?.[1]), await use(second?.[1])]).toEqual([404, 200]);
  });

  it('[IDN-131] leaves the mail about a new password to the next one, which sends it with the same message id', async () => {
    const owner = await signInAs(databases, { passwordHash, since: api.now() });
    const { server, restart } = await killWorker(async (on) => {
      const body = { current_password: testPassword, password: `${testPassword}-2` };
      expect((await on.call('PUT', '/api/sanctum/password', { ...owner, body })).status).toBe(204);
    });
    await restart();
    await expect.poll(() => server.mails.length, soon).toBe(2);
    const headersOfMails = server.mails.map(({ to, source }) => [to, ...(decode(source).match(/^(?:subject|message-id): .*$/gim) ?? [])]);
    expect(headersOfMails[0]).toEqual([
      [owner.email],
      'Subject: Password changed: your account on Tollgate',
      expect.stringMatching(/^Message-ID: /i),
    ]);
    expect(headersOfMails[1]).toEqual(headersOfMails[0]);
  });
});

const textOf = (query: unknown): unknown => (typeof query === 'object' && query !== null && 'text' in query ? query.text : query);

describe('a request for a forgotten password', () => {
  it('[IDN-127] [S2] a request for a forgotten password makes the same statements in the same order, known or not', async () => {
    // Fetches no jobs while the test runs, so every statement is one of the calls.
    const env = { SMTP_URL: 'smtp://127.0.0.1:4', MAIL_FROM: 'console@example.com' };
    const background = { timings: { pollSeconds: 3600, expireSeconds: 3600, superviseSeconds: 3600 } };
    // Connections keep the method that they begin with.
    const statements = vi.spyOn(pg.Client.prototype, 'query');
    onTestFinished(() => statements.mockRestore());
    const observer = openDatabases({ url, onError: () => undefined });
    // Without the connection of the job queue, which maintains its tables at any time.
    const observedClients = new Set<unknown>();
    const { jobs: _jobs, ...pools } = observer.pools;
    for (const pool of Object.values(pools)) pool.on('connect', (client) => observedClients.add(client));
    const quiet = await buildTestApi({ databases: observer, env, startsAt: api.now(), background });
    await quiet.startJobs();
    onTestFinished(async () => {
      await quiet.stopJobs();
      await quiet.app.close();
      await observer.close();
      // The console of the tests that follow would send their mails.
      await databases.pools.ops.query('delete from jobs.job');
    });
    const person = async (account: object = {}) => signInAs(databases, { passwordHash, since: quiet.now(), ...account });
    const knownPerson = await person();
    const others = [await person({ hasAccess: false }), await person({ isDemo: true }), await person({ passwordHash: null })];
    const emails = [knownPerson.email, 'nobody-at-all@example.com', `${'x'.repeat(300)}@example.com`, ...others.map(({ email }) => email)];
    await post('forgot-password', { email: 'first@example.com' }, { on: quiet });
    const timings: unknown[][] = [];
    for (const email of [...emails, knownPerson.email]) {
      statements.mockClear();
      expect((await post('forgot-password', { email }, { on: quiet })).status).toBe(204);
      const ofCaller = statements.mock.calls.filter((_, at) => observedClients.has(statements.mock.contexts[at]));
      timings.push(ofCaller.map(([query]: unknown[]) => textOf(query)));
    }
    const count = 'insert into sign_in_attempts';
    const inOrder = [count, count, count, 'begin', 'INSERT INTO jobs.job_common', 'commit'];
    expect(timings[0]).toEqual(inOrder.map((beginning) => expect.stringMatching(new RegExp(`^\\s*${beginning}`))));
    for (const statementsOfOne of timings) expect(statementsOfOne).toEqual(timings[0]);
    expect(quiet.log()).toEqual([]);
  });
});

const linkIn = (mail: string): string => /https?:\/\/\S+#[\w-]{43}/.exec(mail)?.[0] ?? '';

describe('with a mail server', () => {
  const product = { productName: 'Tollgate', publicUrl: 'https://console.example' };
  const sampleLink = 'https://console.example/invitation#x';
  const origin = { by: 'Ann Admin', at: '2026-11-23T10:11:12.000Z', ip: '203.0.113.9' };
  const sample = { purpose: 'invitation', name: 'One', email: 'one@example.com', link: sampleLink, origin } as const;
  let server: MailServer;
  let mailing: TestApi;

  beforeAll(async () => {
    server = await startMailServer();
    const env = { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'console@example.com', PRODUCT_NAME: 'Tollgate' };
    const timings = { pollSeconds: 0.5, expireSeconds: 30, superviseSeconds: 10 };
    mailing = await buildTestApi({ databases, env, startsAt: api.now(), background: { timings, retrySeconds: [0, 0] } });
    await mailing.startJobs();
    return async () => {
      await mailing.stopJobs();
      await mailing.app.close();
      await server.stop();
    };
  });

  const forget = async (email: string) => post('forgot-password', { email }, { on: mailing });
  const someone = async (account: Parameters<typeof signInAs>[1] = {}) =>
    signInAs(databases, { passwordHash, since: mailing.now(), ...account });
  const faultsOf = (id: number) => mailing.log().filter(({ msg, accountId }) => msg === 'Mail: could not be sent' && accountId === id);
  const resetsTo = (email: string) => server.mails.filter(({ to, source }) => to.includes(email) && linkIn(decode(source)) !== '');
  const mailTo = async (email: string) => {
    await expect.poll(() => server.newest(email), soon).not.toBe('');
    return server.newest(email);
  };

  it('[IDN-072] mails the invitation, and the answer, the log and the database have no link', async () => {
    const { id, email, link, body } = await invite({ on: mailing });
    expect([link, body.data.invitation.mail]).toEqual(['null', 'queued']);
    const mail = await mailTo(email);
    expect(mail).toMatch(/^From: Tollgate <console@example.com>\r$/m);
    expect(mail).toMatch(/^Subject: Your account on Tollgate\r$/m);
    expect(mail).toContain(`Hello ${body.data.name},`);
    await expect.poll(async () => (await stateOf(id, mailing)).mail, soon).toBe('sent');
    const token = tokenOf(linkIn(mail));
    expect(linkIn(mail)).toBe(`https://console.example/invitation#${token}`);
    const { rows } = await databases.pools.ops.query<{ text: string }>('select j::text as text from jobs.job j');
    expect(JSON.stringify([rows, mailing.log()])).not.toContain(token);
    expect((await post('accept-invitation', { token, password: testPassword }, { on: mailing })).status).toBe(200);
  });

  it('[IDN-072] mails the invitation of an account without access, whose link works once it has access', async () => {
    const { id, email } = await invite({ on: mailing, form: newAccountForm({ password: undefined, hasAccess: false }) });
    const token = tokenOf(linkIn(await mailTo(email)));
    await expect.poll(async () => (await stateOf(id, mailing)).mail, soon).toBe('sent');
    const accept = async () => (await post('accept-invitation', { token, password: testPassword }, { on: mailing })).status;
    expect(await accept()).toBe(404);
    const change = async (path: string, body: object) => (await mailing.call('PUT', `/api/users/${id}${path}`, { ...admin, body })).status;
    expect([await change('', { name: 'Renamed' }), await change('/switch-access', { hasAccess: true })]).toEqual([200, 200]);
    expect(await accept()).toBe(200);
  });

  it('[IDN-073, MON-001] a mail server that is down loses no invitation: the account shows it, and the mail can be sent again', async () => {
    const { port } = server;
    await server.stop();
    const { id, email } = await invite({ on: mailing });
    await expect.poll(async () => (await stateOf(id, mailing)).mail, soon).toBe('failed');
    expect(faultsOf(id)).toHaveLength(3);
    const { body: metrics } = await mailing.call('GET', '/metrics');
    expect(metrics).toMatch(/^switchyard_mail_failures_total\{result="retried"\} [2-9]$/m);
    expect(metrics).toMatch(/^switchyard_mail_failures_total\{result="given_up"\} [1-9]$/m);
    server = await startMailServer({ port });
    const again = await mailing.call('POST', `/api/users/${id}/invitation`, admin);
    expect(again.body.data).toMatchObject({ state: 'pending', mail: 'queued', link: null });
    expect(linkIn(await mailTo(email))).toMatch(/^https:\/\/console\.example\/invitation#/);
    await expect.poll(async () => (await stateOf(id, mailing)).mail, soon).toBe('sent');
  });

  it('[IDN-073] an address that the server rejects is not tried again', async () => {
    server.state.refuses = 550;
    onTestFinished(() => {
      server.state.refuses = null;
    });
    const { id } = await invite({ on: mailing });
    await expect.poll(async () => (await stateOf(id, mailing)).mail, soon).toBe('failed');
    expect(faultsOf(id)).toMatchObject([{ isFinal: true, err: { message: 'The mail server rejected the message (550)' } }]);
  });

  it('[IDN-074] a request for a forgotten password answers and works alike for every address', async () => {
    const knownPerson = await someone();
    const deniedPerson = await someone({ hasAccess: false });
    const demo = await someone({ isDemo: true });
    const passwordless = await someone({ passwordHash: null });
    const emails = [
      deniedPerson.email,
      demo.email,
      passwordless.email,
      'nobody@example.com',
      `${'x'.repeat(300)}@example.com`,
      knownPerson.email,
    ];
    const jobs = async () =>
      Number((await databases.pools.ops.query("select count(*) from jobs.job where data->>'kind' = 'forgotten'")).rows[0]?.['count']);
    const before = await jobs();
    const answers = [];
    for (const email of emails) answers.push(await forget(email));
    const shape = answers.map(({ status, body, headers }) => [status, body, Object.keys(headers).toSorted()]);
    expect(shape).toEqual(shape.map(() => [204, null, shape[0]?.[2]]));
    // Each call creates one job and nothing else. The job looks for the account.
    expect((await jobs()) - before).toBe(emails.length);
    expect(linkIn(await mailTo(knownPerson.email))).toMatch(/^https:\/\/console\.example\/reset-password#/);
    const countJobs = async () =>
      (await databases.pools.ops.query("select from jobs.job where data->>'kind' = 'forgotten' and state < 'completed'")).rows.length;
    await expect.poll(countJobs, soon).toBe(0);
    expect(emails.slice(0, -1).map((email) => server.newest(email))).toEqual(['', '', '', '', '']);
    const entries = await databases.db
      .selectFrom('audit_entries')
      .select(['action', 'actor_id', 'entity_label'])
      .where('entity', '=', 'password_reset')
      .execute();
    expect(entries).toEqual([{ action: 'request', actor_id: null, entity_label: knownPerson.email }]);
  });

  it('[IDN-075] the link sets the password once, ends every session and signs nobody in', async () => {
    const person = await someone();
    await databases.db.insertInto('second_factors').values({ account_id: person.accountId, kind: 'totp', name: 'Phone' }).execute();
    for (let at = 0; at < 10; at += 1)
      await mailing.call('POST', '/api/sanctum/login', { body: { email: person.email, password: 'wrong' }, ip: '198.51.100.9' });
    await forget(person.email.toUpperCase());
    const first = tokenOf(linkIn(await mailTo(person.email)));
    const token = first;
    const use = async (password: string) =>
      mailing.call('POST', '/api/sanctum/reset-password', { body: { token, password }, ip: '198.51.100.9' });
    const show = async () => mailing.call('POST', '/api/sanctum/reset-password/show', { body: { token }, ip: '198.51.100.9' });
    expect((await show()).body.data).toEqual({ email: person.email });
    expect((await use('Password12345')).status).toBe(422);
    expect((await mailing.call('GET', '/api/sanctum/user', person)).status).toBe(200);
    expect([await use(`${testPassword}-2`)].map(({ status, body }) => [status, body])).toEqual([[204, null]]);
    expect((await mailing.call('GET', '/api/sanctum/user', person)).status).toBe(401);
    expect((await show()).status).toBe(404);
    expect((await use(`${testPassword}-3`)).body.message).toBe('This link is invalid, was used or has expired. Request a new one');
    const signedIn = await mailing.call('POST', '/api/sanctum/login', {
      body: { email: person.email, password: `${testPassword}-2` },
      ip: '198.51.100.9',
    });
    expect([signedIn.status, Object.keys(signedIn.body.data)]).toEqual([200, ['second_factor']]);
  });

  it('[IDN-075] a link ends after an hour, with a new request, and with another password', async () => {
    const person = await someone();
    const links: string[] = [];
    for (const count of [1, 2, 3]) {
      await forget(person.email);
      await expect.poll(() => resetsTo(person.email).length, soon).toBe(count);
      links.push(tokenOf(linkIn(decode(resetsTo(person.email).at(-1)?.source ?? ''))));
      if (count === 2) await mailing.call('PUT', `/api/users/${person.accountId}`, { ...admin, body: { password: `${testPassword}-2` } });
    }
    const use = async (token = '') => (await post('reset-password', { token, password: testPassword }, { on: mailing })).status;
    expect([await use(links[0]), await use(links[1])]).toEqual([404, 404]);
    const later = await buildTestApi({ databases, startsAt: new Date(mailing.now().getTime() + 3_600_000) });
    onTestFinished(async () => later.app.close());
    expect((await post('reset-password', { token: links[2] ?? '', password: testPassword }, { on: later })).status).toBe(404);
    expect(await use(links[2])).toBe(204);
  });

  it('[IDN-076] five requests an hour for an address, known or not, and 30 a minute from one network', async () => {
    const { email } = await someone();
    const statuses = async (to: string) => {
      const attempts = [];
      for (let at = 0; at < 6; at += 1) attempts.push((await forget(to)).status);
      return attempts;
    };
    expect([await statuses(email), await statuses('stranger@example.com')]).toEqual([
      [204, 204, 204, 204, 204, 429],
      [204, 204, 204, 204, 204, 429],
    ]);
    expect((await post('login', { email, password: testPassword }, { on: mailing })).status).toBe(200);
    const flood = [];
    for (let at = 0; at < 31; at += 1)
      flood.push(
        (await mailing.call('POST', '/api/sanctum/forgot-password', { body: { email: `${at}@example.com` }, ip: '192.0.2.50' })).status,
      );
    expect(flood.filter((status) => status === 429)).toHaveLength(1);
  });

  it('[IDN-072] sends no password to a mail server that it cannot talk to in private', async () => {
    for (const offersTls of [false, true]) {
      const stranger = await startMailServer({ offersTls });
      onTestFinished(stranger.stop);
      const smtpUrl = `smtp://console:p%40ss@127.0.0.1:${stranger.port}`;
      const mailer = createMailer({ smtpUrl, from: 'console@example.com' }, { senderName: 'Tollgate' });
      const mail = writeLinkMail(product, sample);
      await expect(mailer.send(mail, new AbortController().signal)).rejects.toThrow(offersTls ? /certificate/ : /STARTTLS/);
      expect([stranger.passwords, stranger.mails]).toEqual([[], []]);
    }
  });

  it('[IDN-072] sends mail and password to a server whose certificate is trusted and has its name', async () => {
    const trustedServer = await startMailServer({ offersTls: true });
    onTestFinished(trustedServer.stop);
    const usual = getCACertificates('default');
    setDefaultCACertificates([...usual, mailServerCertificate.cert]);
    onTestFinished(() => setDefaultCACertificates(usual));
    const send = async (place: string) => {
      const mailer = createMailer(
        { smtpUrl: `smtp://${place}:${trustedServer.port}`, from: 'console@example.com' },
        { senderName: 'Tollgate' },
      );
      const mail = writeLinkMail(product, sample);
      return mailer.send(mail, new AbortController().signal);
    };
    await expect(send('console:p%40ss@localhost')).rejects.toThrow(/does not match certificate/);
    expect([trustedServer.passwords, trustedServer.mails]).toEqual([[], []]);
    await send('console:p%40ss@127.0.0.1');
    await send('127.0.0.1');
    expect(trustedServer.passwords).toEqual(['p@ss']);
    expect(trustedServer.mails.map(({ isEncrypted }) => isEncrypted)).toEqual([true, true]);
  });

  it('[IDN-077] no name and no address adds a header, a recipient or markup', async () => {
    // A server of its own: the console of the other tests may still send mails to theirs.
    const inbox = await startMailServer();
    onTestFinished(inbox.stop);
    const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${inbox.port}`, from: 'console@example.com' }, { senderName: 'Tollgate' });
    const signal = new AbortController().signal;
    const hostile = fc.array(
      fc.oneof(fc.constantFrom('\r\n', '\n', 'Bcc: victim@example.com', '<', '>', '"', ',', ';', 'é', '=?utf-8?B?'), fc.string()),
      { maxLength: 6 },
    );
    // Greeting, lead, link and its words, four facts, what to do, and who sent it.
    const noticeLines = 16;
    await fc.assert(
      fc.asyncProperty(hostile, async (parts) => {
        const name = parts.join('');
        await mailer.send(writeLinkMail(product, { ...sample, name, origin: { ...origin, by: name } }), signal);
        const { to: recipients, source } = inbox.mails.at(-1) ?? { to: [], source: '' };
        expect(recipients).toEqual(['one@example.com']);
        const fields = [...source.slice(0, source.indexOf('\r\n\r\n')).matchAll(/^([\w-]+):/gm)].map(([, field = '']) =>
          field.toLowerCase(),
        );
        expect(fields.toSorted()).toEqual([
          'auto-submitted',
          'content-type',
          'date',
          'from',
          'message-id',
          'mime-version',
          'subject',
          'to',
        ]);
        const tags = (by: string) => writeLinkMail(product, { ...sample, name: by, origin: { ...origin, by } }).html.match(/[<>"][^<>"]*/g);
        expect(tags(name)?.length).toBe(tags('One')?.length);
        const facts = [['API token', name]] as const;
        const to = { name, address: 'one@example.com' };
        const notice = writeSecurityMail(product, { ...origin, event: 'token_created', to, by: name, at: new Date(0), facts });
        expect(notice.text.split('\n')).toHaveLength(noticeLines);
        expect(notice.subject).toBe('API token created: your account on Tollgate');
      }),
      { numRuns: 60 },
    );
    const sentCount = inbox.mails.length;
    for (const address of [
      'a@b.example\r\nRCPT TO:<victim@example.com>',
      'a,victim@example.com',
      '<victim@example.com>',
      '"a b"@b.example',
      'a;b@c.example',
    ]) {
      const mail = writeLinkMail(product, { ...sample, email: address });
      await expect(mailer.send(mail, signal)).rejects.toThrow('characters that are not allowed');
    }
    expect(inbox.mails.length).toBe(sentCount);
  });
});
