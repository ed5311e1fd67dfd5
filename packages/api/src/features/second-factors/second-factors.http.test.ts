import * as fc from 'fast-check';
import { createHash } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestApi, testPasswords, type TestApi } from '../../../test/build-test-api.ts';
import { createSoftwareAuthenticator } from '../../../test/software-authenticator.ts';
import { signInAs, type Account, type SignedIn } from '../../../test/sign-in-as.ts';
import { listUnlabelledFields } from '../../../test/field-labels.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { newPasskey, passkeyProof } from '@switchyard/contract/passkeys';
import { createPasskeys } from '../../adapters/passkeys.ts';
import { newTotpSecret } from '../../adapters/totp.ts';
import type { Databases } from '../../database/connect.ts';
import { transaction, unaudited } from '../../database/transaction.ts';
import { takeProof } from '../sign-in/second-step-commands.ts';

let databases: Databases;
const password = 'Correct-Horse-9';
let passwordHash: string;
let api: TestApi;

beforeAll(async () => {
  ({ databases } = await createTestDatabase());
  passwordHash = await testPasswords.hash(password);
  api = await buildTestApi({ databases, startsAt: new Date('2026-11-20T08:00:00Z') });
  return () => api.app.close();
});
beforeEach(async () => {
  await databases.db.deleteFrom('sign_in_attempts').execute();
  await databases.db.deleteFrom('audit_entries').execute();
});

const step = 30_000;
const wrong = { code: ['This code is wrong or was used before. Enter the next one'] };
const person = async (account: Account = {}): Promise<SignedIn> => signInAs(databases, { passwordHash, since: api.now(), ...account });
const login = async ({ email }: { email: string }, ip?: string) =>
  api.call('POST', '/api/sanctum/login', { body: { email, password }, ...(ip === undefined ? {} : { ip }) });
const finish = async (body: object, ip?: string) =>
  api.call('POST', '/api/sanctum/second-factor', { body, ...(ip === undefined ? {} : { ip }) });
const challengeOf = async (account: { email: string }): Promise<string> => (await login(account)).body.data.second_factor.challenge;

/** The code that an authenticator app shows. */
const codeOf = (secret: string, at = api.now()) => TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: at.getTime() });

/** Adds an authenticator app, and waits until its next code. */
async function addApp({ headers }: SignedIn, name = 'Phone') {
  const setup = await api.call('POST', '/api/sanctum/second-factors/totp', { headers, body: {} });
  const { challenge, secret, uri } = setup.body.data;
  const body = { challenge, code: codeOf(secret), name };
  const confirmation = await api.call('POST', '/api/sanctum/second-factors/totp/confirm', { headers, body });
  api.wait(step);
  return {
    secret: String(secret),
    uri: String(uri),
    id: confirmation.body.data?.factor.id,
    codes: confirmation.body.data?.recovery_codes,
    status: confirmation.status,
  };
}

const trail = async (action: string) =>
  (await databases.db.selectFrom('audit_entries').selectAll().where('action', '=', action).orderBy('id').execute()).map(
    ({ actor_id, entity, entity_label, changes }) => ({ actor_id, entity, entity_label, changes }),
  );

describe('an authenticator app', () => {
  it('[IDN-001] is added with its first code, shows the recovery codes once, and is stored sealed', async () => {
    const owner = await person();
    const app = await addApp(owner);
    expect(app.status).toBe(201);
    expect(app.uri).toBe(
      `otpauth://totp/Switchyard:${encodeURIComponent(owner.email)}?issuer=Switchyard&secret=${app.secret}&algorithm=SHA1&digits=6&period=30`,
    );
    expect(new Set(app.codes).size).toBe(10);
    const { body } = await api.call('GET', '/api/sanctum/second-factors', owner);
    const shownFactor = { id: app.id, kind: 'totp', name: 'Phone', created_at: '2026-11-20 08:00:00', last_used_at: null };
    expect(body.data).toEqual({ factors: [shownFactor], recovery_codes_left: 10, required: false, required_from: null, may_add: true });
    const storedText = JSON.stringify([
      await databases.db.selectFrom('second_factors').selectAll().execute(),
      await databases.db.selectFrom('audit_entries').selectAll().execute(),
    ]);
    expect(storedText).not.toContain(app.secret);
    const hashes = await databases.db.selectFrom('recovery_codes').select('code_hash').execute();
    expect(hashes.map(({ code_hash }) => code_hash.toString())).not.toContain(app.codes[0]);
    expect((await addApp(owner, 'Tablet')).codes).toBeNull();
    expect((await trail('create')).map(({ changes }) => changes)).toEqual([
      [
        { field: 'kind', from: null, to: 'totp' },
        { field: 'name', from: null, to: 'Phone' },
      ],
      [
        { field: 'kind', from: null, to: 'totp' },
        { field: 'name', from: null, to: 'Tablet' },
      ],
    ]);
  });

  it('[IDN-002] is not added with a wrong code, after the set-up has expired, or by another session', async () => {
    const owner = await person();
    const begin = async () => (await api.call('POST', '/api/sanctum/second-factors/totp', { headers: owner.headers, body: {} })).body.data;
    const confirm = async (by: SignedIn, body: object) =>
      api.call('POST', '/api/sanctum/second-factors/totp/confirm', { headers: by.headers, body: { name: 'Phone', ...body } });
    const first = await begin();
    const bad = await confirm(owner, { challenge: first.challenge, code: '12345' });
    expect([bad.status, bad.body.errors]).toEqual([422, wrong]);
    expect((await confirm(await person(), { challenge: first.challenge, code: codeOf(first.secret) })).status).toBe(409);
    const second = await begin();
    expect((await confirm(owner, { challenge: first.challenge, code: codeOf(first.secret) })).status).toBe(409);
    api.wait(15 * 60_000);
    expect((await confirm(owner, { challenge: second.challenge, code: codeOf(second.secret) })).status).toBe(409);
    expect(await databases.db.selectFrom('second_factors').select('id').where('account_id', '=', owner.accountId).execute()).toEqual([]);
  });

  it('[IDN-003] asks for a code after the password, and opens a session with it', async () => {
    const owner = await person({ role: 'Admin' });
    const app = await addApp(owner);
    const first = await login(owner);
    expect([first.status, first.body.data.token, first.body.data.second_factor.methods]).toEqual([
      200,
      undefined,
      ['totp', 'recovery_code'],
    ]);
    const { challenge } = first.body.data.second_factor;
    const answer = await finish({ challenge, code: ` ${codeOf(app.secret).slice(0, 3)} ${codeOf(app.secret).slice(3)} ` });
    expect([answer.status, answer.body.data.user.email]).toEqual([200, owner.email]);
    const headers = { authorization: `Bearer ${answer.body.data.token.accessToken}` };
    expect((await api.call('GET', '/api/sanctum/user', { headers })).status).toBe(200);
    expect((await trail('second_step')).map(({ entity_label }) => entity_label)).toEqual([owner.email]);
    expect((await trail('login')).map(({ changes }) => changes)).toEqual([[{ field: 'second_factor', from: null, to: 'totp' }]]);
    const usedAnswer = await finish({ challenge, code: codeOf(app.secret) });
    expect([usedAnswer.status, usedAnswer.body.message]).toEqual([401, 'The sign-in has expired. Sign in again']);
  });

  it('[IDN-004] accepts the codes of one step before and after, and none of further steps', async () => {
    const owner = await person();
    const app = await addApp(owner);
    const at = (steps: number) => codeOf(app.secret, new Date(api.now().getTime() + steps * step));
    api.wait(10 * step);
    const challenge = await challengeOf(owner);
    expect((await finish({ challenge, code: at(-2) })).status).toBe(422);
    expect((await finish({ challenge, code: at(2) })).status).toBe(422);
    expect((await finish({ challenge, code: at(-1) })).status).toBe(200);
    expect((await finish({ challenge: await challengeOf(owner), code: at(1) })).status).toBe(200);
  });

  it('[IDN-005] accepts a code once, also of parallel sign-ins, and no older one afterwards', async () => {
    const owner = await person();
    const app = await addApp(owner);
    const challenges = [await challengeOf(owner), await challengeOf(owner), await challengeOf(owner)];
    const code = codeOf(app.secret);
    const answers = await Promise.all(challenges.map(async (challenge) => finish({ challenge, code })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422, 422]);
    const older = codeOf(app.secret, new Date(api.now().getTime() - step));
    expect((await finish({ challenge: await challengeOf(owner), code: older })).body.errors).toEqual(wrong);
  });

  it('[IDN-006] accepts no code of another account, and no challenge that is invented, expired or of another purpose', async () => {
    const [owner, other] = [await person(), await person()];
    await addApp(owner);
    const foreign = await addApp(other);
    expect((await finish({ challenge: await challengeOf(owner), code: codeOf(foreign.secret) })).status).toBe(422);
    expect((await finish({ challenge: 'x'.repeat(43), code: codeOf(foreign.secret) })).status).toBe(401);
    const setUp = await api.call('POST', '/api/sanctum/second-factors/totp', { headers: other.headers, body: {} });
    expect((await finish({ challenge: setUp.body.data.challenge, code: codeOf(foreign.secret) })).status).toBe(401);
    const challenge = await challengeOf(other);
    api.wait(5 * 60_000);
    expect((await finish({ challenge, code: codeOf(foreign.secret) })).status).toBe(401);
    await api.maintain();
    expect(
      await databases.db.selectFrom('sign_in_challenges').select('id').where('token_hash', '=', Buffer.from(challenge)).execute(),
    ).toEqual([]);
  });

  it('[IDN-007] ends the challenge after five wrong codes, and takes ten of them in 15 minutes', async () => {
    const owner = await person();
    const app = await addApp(owner);
    const challenge = await challengeOf(owner);
    const statuses = [];
    for (let at = 0; at < 5; at += 1) statuses.push((await finish({ challenge, code: '000000' })).status);
    expect(statuses).toEqual([422, 422, 422, 422, 422]);
    expect((await finish({ challenge, code: codeOf(app.secret) })).status).toBe(401);
    const next = await challengeOf(owner);
    for (let at = 0; at < 5; at += 1) expect((await finish({ challenge: next, code: '000000' })).status).toBe(422);
    expect((await finish({ challenge: await challengeOf(owner), code: codeOf(app.secret) })).status).toBe(429);
    expect(await trail('login_failed')).toHaveLength(10);
  });

  it('[IDN-008] ends begun sign-ins with a new password and with the access', async () => {
    const owner = await person();
    const app = await addApp(owner);
    const challenge = await challengeOf(owner);
    const admin = await person({ role: 'Super Admin' });
    const change = async (body: object) => api.call('PUT', `/api/users/${owner.accountId}`, { headers: admin.headers, body });
    expect((await change({ password: 'Other-Horse-10' })).status).toBe(200);
    expect((await finish({ challenge, code: codeOf(app.secret) })).status).toBe(401);
    await databases.db.updateTable('accounts').set({ password_hash: passwordHash }).where('id', '=', owner.accountId).execute();
    const again = await challengeOf(owner);
    await databases.db.updateTable('accounts').set({ has_access: false }).where('id', '=', owner.accountId).execute();
    expect((await finish({ challenge: again, code: codeOf(app.secret) })).status).toBe(401);
  });
});

describe('recovery codes', () => {
  it('[IDN-009] open a session once each, however they are typed', async () => {
    const owner = await person();
    const { codes } = await addApp(owner);
    const typedCode = String(codes[3]).toLowerCase().replaceAll('-', ' ');
    const answer = await finish({ challenge: await challengeOf(owner), recovery_code: typedCode });
    expect(answer.status).toBe(200);
    const again = await finish({ challenge: await challengeOf(owner), recovery_code: codes[3] });
    expect([again.status, again.body.errors]).toEqual([422, { recovery_code: ['This recovery code is wrong or was used before'] }]);
    expect((await api.call('GET', '/api/sanctum/second-factors', owner)).body.data.recovery_codes_left).toBe(9);
  });

  it('[IDN-010] are replaced by new ones, which end the old ones', async () => {
    const owner = await person();
    const { codes } = await addApp(owner);
    const renewal = await api.call('POST', '/api/sanctum/recovery-codes', { headers: owner.headers, body: {} });
    expect([renewal.status, renewal.body.data.recovery_codes.length]).toEqual([201, 10]);
    expect((await finish({ challenge: await challengeOf(owner), recovery_code: codes[0] })).status).toBe(422);
    expect(await trail('renew_codes')).toMatchObject([
      { actor_id: owner.accountId, changes: [{ field: 'recovery_codes', from: null, to: null }] },
    ]);
    const without = await api.call('POST', '/api/sanctum/recovery-codes', { headers: (await person()).headers, body: {} });
    expect(without.status).toBe(404);
  });
});

describe('a passkey', () => {
  const post = async (url: string, body: object, caller?: SignedIn) =>
    api.call('POST', `/api/sanctum/${url}`, { body, ...(caller === undefined ? {} : { headers: caller.headers }) });
  const wrongPasskey = { passkey: ['This passkey could not be verified'] };

  async function addPasskey(owner: SignedIn, key = createSoftwareAuthenticator(), origin?: string) {
    const { challenge, options } = (await post('second-factors/passkey', {}, owner)).body.data;
    const confirmation = await post(
      'second-factors/passkey/confirm',
      { challenge, name: 'Laptop', passkey: key.create(options, origin) },
      owner,
    );
    return { key, options, confirmation };
  }
  const alone = async () => (await post('passkey/options', {})).body.data;
  const step2 = async (owner: SignedIn) => {
    const challenge = await challengeOf(owner);
    return { challenge, options: (await post('second-factor/passkey', { challenge })).body.data.options };
  };

  it('[IDN-019] is added for this console only, verified by its user, and once', async () => {
    const owner = await person();
    const { confirmation, options, key } = await addPasskey(owner);
    expect([confirmation.status, confirmation.body.data.factor.kind, confirmation.body.data.recovery_codes.length]).toEqual([
      201,
      'passkey',
      10,
    ]);
    expect([options.rp.id, options.authenticatorSelection.userVerification]).toEqual(['console.example', 'required']);
    const again = await addPasskey(await person(), key);
    expect([again.confirmation.status, again.confirmation.body.errors]).toEqual([422, wrongPasskey]);
    const phishedPasskey = await addPasskey(owner, createSoftwareAuthenticator(), 'https://console.example.evil.example');
    expect(phishedPasskey.confirmation.status).toBe(422);
    expect(phishedPasskey.options.excludeCredentials.map(({ id }: { id: string }) => id)).toEqual([key.id]);
  });

  it('[IDN-020] finishes a sign-in of its account, with the challenge of that sign-in', async () => {
    const [owner, other] = [await person(), await person()];
    const { key } = await addPasskey(owner);
    const foreign = await addPasskey(other);
    const { challenge, options } = await step2(owner);
    expect(options.allowCredentials).toEqual([{ id: key.id, type: 'public-key', transports: ['internal'] }]);
    for (const passkey of [
      foreign.key.use(options),
      key.use({ challenge: 'b3RoZXI' }),
      key.use(options, { origin: 'https://evil.example' }),
      key.use(options, { isVerified: false }),
    ])
      expect((await finish({ challenge, passkey })).body.errors).toEqual(wrongPasskey);
    expect((await finish({ challenge, passkey: key.use(options) })).status).toBe(200);
    expect((await trail('login')).map(({ changes }) => changes)).toEqual([[{ field: 'second_factor', from: null, to: 'passkey' }]]);
  });

  it('[IDN-021] opens a session without a password, by a challenge that reveals nothing about accounts and works once', async () => {
    const owner = await person();
    const { key } = await addPasskey(owner);
    const { challenge, options } = await alone();
    expect([options.allowCredentials, (await alone()).challenge === challenge]).toEqual([undefined, false]);
    const passkey = key.use(options);
    const answer = await post('passkey', { challenge, passkey });
    expect([answer.status, answer.body.data.user.email]).toEqual([200, owner.email]);
    const refusal = [401, 'This passkey is unknown or could not be verified'];
    const expectRefusal = async (body: object) => {
      const { status, body: sentBody } = await post('passkey', body);
      return [status, sentBody.message];
    };
    expect(await expectRefusal({ challenge, passkey })).toEqual(refusal);
    const stranger = await alone();
    expect(await expectRefusal({ challenge: stranger.challenge, passkey: createSoftwareAuthenticator().use(stranger.options) })).toEqual(
      refusal,
    );
    const late = await alone();
    api.wait(5 * 60_000);
    expect(await expectRefusal({ challenge: late.challenge, passkey: key.use(late.options) })).toEqual(refusal);
    await databases.db.updateTable('accounts').set({ has_access: false }).where('id', '=', owner.accountId).execute();
    const barredChallenge = await alone();
    expect(await expectRefusal({ challenge: barredChallenge.challenge, passkey: key.use(barredChallenge.options) })).toEqual(refusal);
  });

  it('[IDN-091] uses up the challenge of each call, also where the authenticator does not count', async () => {
    const owner = await person();
    const { key } = await addPasskey(owner);
    const bySignIn = await alone();
    const first = { challenge: bySignIn.challenge, passkey: key.use(bySignIn.options, { count: 0 }) };
    expect([(await post('passkey', first)).status, (await post('passkey', first)).status]).toEqual([200, 401]);
    const bySecondStep = await step2(owner);
    const second = { challenge: bySecondStep.challenge, passkey: key.use(bySecondStep.options, { count: 0 }) };
    expect([(await finish(second)).status, (await finish(second)).status]).toEqual([200, 401]);
    const byOwner = (await post('reauthenticate/passkey', {}, owner)).body.data;
    const third = { challenge: byOwner.challenge, passkey: key.use(byOwner.options, { count: 0 }) };
    expect([(await post('reauthenticate', third, owner)).status, (await post('reauthenticate', third, owner)).status]).toEqual([204, 422]);
    const setup = (await post('second-factors/passkey', {}, owner)).body.data;
    const add = async () => {
      const passkey = createSoftwareAuthenticator().create(setup.options);
      return (await post('second-factors/passkey/confirm', { challenge: setup.challenge, name: 'Phone', passkey }, owner)).status;
    };
    expect([await add(), await add()]).toEqual([201, 409]);
    // A proof that does not fit uses up its challenge, too.
    const spoilt = await alone();
    const bad = { challenge: spoilt.challenge, passkey: key.use(spoilt.options, { count: 0, isVerified: false }) };
    const good = { challenge: spoilt.challenge, passkey: key.use(spoilt.options, { count: 0 }) };
    expect([(await post('passkey', bad)).status, (await post('passkey', good)).status]).toEqual([401, 401]);
  });

  it('[IDN-022] is rejected when its signature count goes back, as that of a copy does', async () => {
    const owner = await person();
    const { key } = await addPasskey(owner);
    const use = async (count: number) => {
      const { challenge, options } = await alone();
      return (await post('passkey', { challenge, passkey: key.use(options, { count }) })).status;
    };
    expect([await use(7), await use(7), await use(6), await use(8)]).toEqual([200, 401, 401, 200]);
  });

  it("[IDN-023] confirms the identity of its owner in the owner's session", async () => {
    const owner = await person();
    const { key } = await addPasskey(owner);
    const other = await person();
    api.wait(15 * 60_000);
    const answer = await post('recovery-codes', {}, owner);
    expect(answer.body.data).toEqual({ reauthentication: { methods: ['passkey', 'recovery_code'] } });
    const { challenge, options } = (await post('reauthenticate/passkey', {}, owner)).body.data;
    const passkey = key.use(options);
    expect((await post('reauthenticate', { challenge, passkey }, other)).status).toBe(422);
    expect((await post('reauthenticate', { challenge, passkey }, owner)).status).toBe(204);
    expect((await post('reauthenticate', { challenge, passkey: key.use(options) }, owner)).status).toBe(422);
    expect((await post('recovery-codes', {}, owner)).status).toBe(201);
  });
});

describe('sensitive changes', () => {
  const minutes = 60_000;
  const rejection = (methods: string[]) => [403, 'Confirm that it is you', { reauthentication: { methods } }];
  const summaryOf = ({ status, body }: Awaited<ReturnType<TestApi['call']>>) => [status, body.message, body.data];

  it('[IDN-013] need a sign-in or a confirmation of the last 15 minutes, and change nothing without', async () => {
    const admin = await person({ role: 'Super Admin' });
    const other = await person({ role: 'App Manager' });
    const { headers } = admin;
    const role = { name: 'Readers', permission_ids: [3], panel: 'manager' };
    const server = await api.call('POST', '/api/servers', { headers, body: { name: 'edge', url: 'https://edge.example' } });
    const creation = await api.call('POST', '/api/roles', { headers, body: role });
    expect([server.status, creation.status]).toEqual([201, 201]);
    const sensitive = [
      ['PUT', `/api/users/${other.accountId}`, { password: 'Other-Horse-10' }],
      ['PUT', `/api/users/${other.accountId}`, { roles: ['Admin'] }],
      ['PUT', `/api/users/${other.accountId}`, { email: 'moved@example.com' }],
      ['POST', '/api/users', { name: 'New', email: 'new@example.com', password: 'Other-Horse-10', roles: ['App Manager'] }],
      ['POST', '/api/roles', { ...role, name: 'Writers' }],
      ['PUT', `/api/roles/${creation.body.data.id}`, { permission_ids: [3, 6] }],
      ['PUT', `/api/servers/${server.body.data.id}`, { hash: 'abc' }],
      ['POST', '/api/servers', { name: 'second', url: 'https://edge.example', token: 'x'.repeat(40) }],
      ['POST', '/api/sanctum/second-factors/totp', {}],
    ] as const;
    api.wait(15 * minutes);
    const before = await databases.db.selectFrom('audit_entries').select('id').execute();
    for (const [method, url, body] of sensitive)
      expect([url, ...summaryOf(await api.call(method, url, { headers, body }))]).toEqual([url, ...rejection(['password'])]);
    expect(await databases.db.selectFrom('audit_entries').select('id').execute()).toEqual(before);
    // Calls that are not sensitive go on.
    expect((await api.call('PUT', `/api/users/${other.accountId}`, { headers, body: { name: 'Renamed' } })).status).toBe(200);
    expect((await api.call('PUT', `/api/servers/${server.body.data.id}`, { headers, body: { region: 'fra' } })).status).toBe(200);
    const confirmation = await api.call('POST', '/api/sanctum/reauthenticate', { headers, body: { password } });
    expect(confirmation.status).toBe(204);
    expect(await trail('reauthenticate')).toMatchObject([{ actor_id: admin.accountId, entity: 'session', entity_label: admin.email }]);
    for (const [method, url, body] of sensitive) expect([200, 201]).toContain((await api.call(method, url, { headers, body })).status);
  });

  const confirm = async ({ headers }: SignedIn, body: object) => api.call('POST', '/api/sanctum/reauthenticate', { headers, body });

  it('[IDN-014] are confirmed by a code or a recovery code, once, and not by the password beside a second factor', async () => {
    const owner = await person();
    const app = await addApp(owner);
    api.wait(15 * minutes);
    const renew = async () => api.call('POST', '/api/sanctum/recovery-codes', { headers: owner.headers, body: {} });
    expect(summaryOf(await renew())).toEqual(rejection(['totp', 'recovery_code']));
    const byPassword = await confirm(owner, { password });
    const instead = { password: ['Confirm with your second factor'] };
    expect([byPassword.status, byPassword.body.errors]).toEqual([422, instead]);
    expect((await confirm(owner, { code: '000000' })).body.errors).toEqual(wrong);
    expect((await renew()).status).toBe(403);
    const code = codeOf(app.secret);
    const [recovery] = app.codes;
    expect([(await confirm(owner, { code })).status, (await confirm(owner, { code })).status]).toEqual([204, 422]);
    api.wait(15 * minutes);
    expect([(await confirm(owner, { recovery_code: recovery })).status, (await renew()).status]).toEqual([204, 201]);
    expect((await confirm(owner, { recovery_code: recovery })).status).toBe(422);
  });

  it('[IDN-014] are confirmed by no wrong password, which counts as a failed sign-in', async () => {
    const owner = await person();
    const bad = await confirm(owner, { password: 'wrong' });
    expect([bad.status, bad.body.errors]).toEqual([422, { password: ['*The current password is wrong'] }]);
    const answers = await Promise.all(Array.from({ length: 14 }, async () => confirm(owner, { password: 'wrong' })));
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(9);
    expect((await confirm(owner, { password })).status).toBe(429);
  });

  it('[IDN-090] have wrong proofs in the trail of the account, not as failed sign-ins of nobody', async () => {
    const [plain, owner] = [await person(), await person()];
    await addApp(owner);
    await confirm(plain, { password: 'wrong' });
    await confirm(owner, { code: '000000' });
    await confirm(owner, { recovery_code: 'AAAA' });
    const entry = (by: SignedIn) => ({ actor_id: by.accountId, entity: 'session', entity_label: by.email, changes: [] });
    expect(await trail('reauthenticate_failed')).toEqual([entry(plain), entry(owner), entry(owner)]);
    expect(await trail('login_failed')).toEqual([]);
  });

  it('[IDN-015] of the own password are confirmed by the current one, and by the second factor of an account that has one', async () => {
    const owner = await person();
    const admin = await person({ role: 'Super Admin' });
    const app = await addApp(admin);
    api.wait(15 * minutes);
    const body = { current_password: password, password: 'Other-Horse-10' };
    expect((await api.call('PUT', '/api/sanctum/password', { headers: owner.headers, body })).status).toBe(204);
    for (const url of ['/api/sanctum/password', `/api/users/${admin.accountId}`])
      expect(summaryOf(await api.call('PUT', url, { headers: admin.headers, body }))).toEqual(rejection(['totp', 'recovery_code']));
    expect((await confirm(admin, { code: codeOf(app.secret) })).status).toBe(204);
    expect((await api.call('PUT', '/api/sanctum/password', { headers: admin.headers, body })).status).toBe(204);
  });
});

describe('the factors of an account', () => {
  it('[IDN-011] are renamed and removed by their owner only, and the last one takes the recovery codes along', async () => {
    const [owner, other] = [await person(), await person()];
    const { id } = await addApp(owner);
    const at = `/api/sanctum/second-factors/${id}`;
    expect((await api.call('PUT', at, { headers: other.headers, body: { name: 'Mine' } })).status).toBe(404);
    expect((await api.call('DELETE', at, { headers: other.headers, body: {} })).status).toBe(404);
    const renaming = await api.call('PUT', at, { headers: owner.headers, body: { name: ' Work phone ' } });
    expect(renaming.body.data).toMatchObject({ id, name: 'Work phone' });
    expect((await api.call('DELETE', at, { headers: owner.headers, body: {} })).status).toBe(204);
    expect((await login(owner)).body.data.token).toBeDefined();
    expect(
      await databases.db.selectFrom('recovery_codes').select('account_id').where('account_id', '=', owner.accountId).execute(),
    ).toEqual([]);
    expect((await trail('delete')).map(({ changes }) => changes)).toEqual([[{ field: 'name', from: 'Work phone', to: null }]]);
  });

  it('[IDN-018] are reset only by callers who may manage the account, which ends its sessions', async () => {
    const owner = await person({ role: 'Super Admin' });
    await addApp(owner);
    const [manager, admin] = [await person({ permissions: ['manager_user_edit'] }), await person({ role: 'Super Admin' })];
    const reset = async ({ headers }: SignedIn, id = owner.accountId) =>
      api.call('DELETE', `/api/users/${id}/second-factors`, { headers, body: {} });
    expect([(await reset(manager)).status, (await reset(manager, 999_999)).status]).toEqual([403, 404]);
    expect((await reset(admin, manager.accountId)).status).toBe(404);
    expect((await reset(admin)).status).toBe(204);
    expect((await api.call('GET', '/api/sanctum/user', owner)).status).toBe(401);
    expect((await login(owner)).body.data.token).toBeDefined();
    expect(await trail('reset')).toMatchObject([{ actor_id: admin.accountId, entity: 'second_factor', entity_label: owner.email }]);
  });

  it('[IDN-012] cannot be added to a demo account, which many people use', async () => {
    const demo = await buildTestApi({ databases, startsAt: api.now(), demoIsOn: true });
    const { headers } = await person({ isDemo: true });
    const answer = await demo.call('POST', '/api/sanctum/second-factors/totp', { headers, body: {} });
    expect([answer.status, answer.body.message]).toEqual([403, 'Demo accounts cannot have a second factor']);
    const own = await demo.call('GET', '/api/sanctum/second-factors', { headers });
    expect(own.body.data).toEqual({ factors: [], recovery_codes_left: 0, required: false, required_from: null, may_add: false });
    await demo.app.close();
  });
});

describe('proofs in any order', () => {
  const passkeys = createPasskeys({ address: 'https://console.example', name: 'Switchyard' });
  const runs = { numRuns: 15 };
  type Proof = Parameters<typeof takeProof>[2]['proof'];
  const challenge = 'c2lnbi1pbg';
  const take = async (accountId: number, proof: Proof, now = api.now()): Promise<boolean> =>
    transaction(databases.db, async (tx) => {
      const deps = { now: () => now, readSecret: (sealedSecret: string) => sealedSecret, passkeys };
      return unaudited('a test', (await takeProof(tx, deps, { accountId, challenge, proof })) !== null);
    });
  const addFactor = async (more: object): Promise<number> => {
    const { accountId: account_id } = await person();
    const common = { account_id, name: 'Phone', kind: 'totp', ...more } as const;
    await databases.db.insertInto('second_factors').values(common).execute();
    return account_id;
  };

  it('[IDN-034] accept a code of an authenticator app once, near its time, and none of an earlier step', async () => {
    const attempts = fc.array(fc.record({ waits: fc.nat(2), offset: fc.integer({ min: -3, max: 3 }) }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(attempts, async (tries) => {
        const secret = newTotpSecret();
        const accountId = await addFactor({ secret_sealed: secret });
        let [at, last] = [Math.floor(api.now().getTime() / step), 0];
        for (const { waits, offset } of tries) {
          at += waits;
          const code = codeOf(secret, new Date((at + offset) * step));
          const isGood = Math.abs(offset) <= 1 && at + offset > last;
          expect(await take(accountId, { code }, new Date(at * step))).toBe(isGood);
          if (isGood) last = at + offset;
        }
      }),
      runs,
    );
  });

  it('[IDN-034] accept each recovery code once, those of the earlier form too', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(4), { maxLength: 12 }), async (tries) => {
        const owner = await person();
        const { codes } = await addApp(owner);
        expect(codes[0]).toMatch(/^(?:[A-HJKMNP-TV-Z0-9]{4}-){6}[A-HJKMNP-TV-Z0-9]{4}$/);
        const earlier = 'ABCD-EFGH-JKMN-PQRS';
        const code_hash = createHash('sha256').update(earlier.replaceAll('-', '')).digest();
        await databases.db.insertInto('recovery_codes').values({ account_id: owner.accountId, code_hash, used_at: null }).execute();
        const knownCodes = [earlier, ...codes.slice(0, 3), 'AAAA-AAAA-AAAA-AAAA'];
        const usedPlaces = new Set([4]);
        for (const index of tries) {
          expect(await take(owner.accountId, { recovery_code: String(knownCodes[index]) })).toBe(!usedPlaces.has(index));
          usedPlaces.add(index);
        }
      }),
      runs,
    );
  });

  it('[IDN-034] accept a passkey only with a count above every earlier one', async () => {
    const key = createSoftwareAuthenticator();
    const passkey = newPasskey.parse(key.create({ challenge }));
    const newKey = await passkeys.verifyNew({ passkey, challenge });
    if (newKey === null) throw new Error('The passkey does not fit');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(6), { maxLength: 10 }), async (counts) => {
        await databases.db.deleteFrom('second_factors').where('credential_id', '=', newKey.credentialId).execute();
        const accountId = await addFactor({ kind: 'passkey', credential_id: newKey.credentialId, public_key: newKey.publicKey });
        let last = 0;
        for (const count of counts) {
          // An authenticator that does not count always says 0.
          const isGood = count > last || (count === 0 && last === 0);
          const proof = passkeyProof.parse(key.use({ challenge }, { count }));
          expect(await take(accountId, { passkey: proof })).toBe(isGood);
          if (isGood) last = count;
        }
      }),
      runs,
    );
  });
});

describe('the trail of this file', () => {
  it('[IDN-104] has a label for every field', async () => {
    expect(await listUnlabelledFields(databases)).toEqual([]);
  });
});
