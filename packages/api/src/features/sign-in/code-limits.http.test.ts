import * as fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestApi, testPasswords, type TestApi } from '../../../test/build-test-api.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import type { Databases } from '../../database/connect.ts';
import { tokenHash } from '../../secret-keys/secret-token.ts';

let databases: Databases;
let api: TestApi;
let passwordHash: string;
let admin: SignedIn;

beforeAll(async () => {
  ({ databases } = await createTestDatabase());
  passwordHash = await testPasswords.hash('Correct-Horse-9');
  api = await buildTestApi({ databases, startsAt: new Date('2026-11-20T08:00:00Z') });
  return () => api.app.close();
});
beforeEach(async () => {
  await databases.db.deleteFrom('sign_in_attempts').execute();
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
});

const step = 30_000;
const window = 15 * 60_000;
/** A new address for each call, so that only the limits of the account count. */
let addresses = 0;
const anywhere = (): string => `198.51.${Math.floor((addresses += 1) / 250) % 250}.${addresses % 250}`;
const call = async (
  method: 'POST' | 'PUT' | 'GET' | 'DELETE',
  url: string,
  options: { headers?: Record<string, string>; body?: object; ip?: string },
) => api.call(method, `/api/${url}`, { ip: anywhere(), ...(method === 'GET' ? {} : { body: {} }), ...options });

/** An account with an authenticator app, and what a thief of a session and of the password knows. */
type Owner = SignedIn & { secret: string; codes: string[]; password: string };

const codeOf = ({ secret }: Pick<Owner, 'secret'>) => TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: api.now().getTime() });
const confirm = async ({ headers }: Owner, body: object, ip = anywhere()) =>
  (await call('POST', 'sanctum/reauthenticate', { headers, body, ip })).status;
const login = async ({ email, password }: Owner) => (await call('POST', 'sanctum/login', { body: { email, password } })).body.data;
const finish = async (owner: Owner, body: object) =>
  (await call('POST', 'sanctum/second-factor', { body: { challenge: (await login(owner)).second_factor.challenge, ...body } })).status;
const tryWrongCodes = async (owner: Owner, count: number) => {
  const statuses = [];
  for (let at = 0; at < count; at += 1) statuses.push(await confirm(owner, { code: '000000' }));
  return statuses;
};
const repeatStatus = (count: number, status: number) => Array.from({ length: count }, () => status);

/** An account whose authenticator app shows a code that was not used yet. */
async function addOwner(): Promise<Owner> {
  const caller = await signInAs(databases, { passwordHash, role: 'Super Admin', since: api.now() });
  const { secret, codes } = await addApp(caller);
  api.wait(step);
  return { ...caller, secret, codes, password: 'Correct-Horse-9' };
}
async function addApp({ headers }: SignedIn) {
  const { challenge, secret } = (await call('POST', 'sanctum/second-factors/totp', { headers })).body.data;
  const body = { challenge, code: codeOf({ secret }), name: 'Phone' };
  const { status, body: addedFactor } = await call('POST', 'sanctum/second-factors/totp/confirm', { headers, body });
  return { status, secret: String(secret), codes: addedFactor.data.recovery_codes, id: addedFactor.data.factor.id };
}

/** A session that was opened before: a thief may have several. */
async function openSession(accountId: number): Promise<SignedIn['headers']> {
  const token = `swy_${randomBytes(32).toString('base64url')}`;
  const [now, expires_at] = [api.now(), new Date(api.now().getTime() + 3_600_000)];
  const times = { created_at: now, last_used_at: now, authenticated_at: now, expires_at };
  await databases.db
    .insertInto('sessions')
    .values({ account_id: accountId, token_hash: tokenHash(token), ...times })
    .execute();
  return { authorization: `Bearer ${token}` };
}

const newPassword = () => `Next-Horse-${randomBytes(4).toString('hex')}1aA`;
const setOwn = async (owner: Owner, url: string) => {
  const password = newPassword();
  const { status } = await call('PUT', url, { headers: owner.headers, body: { current_password: owner.password, password } });
  owner.password = password;
  return status;
};
const byAdmin = async (owner: Owner, body: object) =>
  (await call('PUT', `users/${owner.accountId}`, { headers: admin.headers, body })).status;

/** Calls other than a right code that succeed or prove the password, with their results. */
const otherCalls: Record<string, [result: unknown, run: (owner: Owner) => Promise<unknown>]> = {
  'rejected new password': [
    422,
    async ({ headers, password: current_password }) =>
      (await call('PUT', 'sanctum/password', { headers, body: { current_password, password: 'Password1234' } })).status,
  ],
  'own password': [204, async (owner) => setOwn(owner, 'sanctum/password')],
  'own password in the form': [200, async (owner) => setOwn(owner, `users/${owner.accountId}`)],
  'own e-mail': [
    200,
    async (owner) => {
      owner.email = `moved-${randomBytes(6).toString('hex')}@example.com`;
      return (await call('PUT', `users/${owner.accountId}`, { headers: owner.headers, body: { email: owner.email } })).status;
    },
  ],
  'first step of a sign-in': [['totp', 'recovery_code'], async (owner) => (await login(owner)).second_factor.methods],
  'options of passkeys': [200, async ({ headers }) => (await call('POST', 'sanctum/reauthenticate/passkey', { headers })).status],
  'own account': [200, async ({ headers }) => (await call('GET', 'sanctum/user', { headers })).status],
  'other sessions ended': [204, async ({ headers }) => (await call('DELETE', 'sanctum/sessions', { headers })).status],
  'new recovery codes': [201, async ({ headers }) => (await call('POST', 'sanctum/recovery-codes', { headers })).status],
  'another app added and removed': [
    [201, 204],
    async (owner) => {
      const { status, id } = await addApp(owner);
      return [status, (await call('DELETE', `sanctum/second-factors/${id}`, { headers: owner.headers })).status];
    },
  ],
  'forgotten password': [
    204,
    async (owner) => {
      const token = randomBytes(32).toString('base64url');
      const expires_at = new Date(api.now().getTime() + 3_600_000);
      const link = { account_id: owner.accountId, purpose: 'password_reset', token_hash: tokenHash(token), expires_at } as const;
      await databases.db.insertInto('account_links').values(link).execute();
      owner.password = newPassword();
      return (await call('POST', 'sanctum/reset-password', { body: { token, password: owner.password } })).status;
    },
  ],
  'password by an administrator': [
    200,
    async (owner) => {
      owner.password = newPassword();
      return byAdmin(owner, { password: owner.password });
    },
  ],
  'access taken and given': [
    [200, 200],
    async (owner) => [await byAdmin(owner, { hasAccess: false }), await byAdmin(owner, { hasAccess: true })],
  ],
  maintenance: [undefined, async () => api.maintain()],
};

/** Runs some of them, each in a session of its own; the last one goes on. */
async function runOther(owner: Owner, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const [result, run] = otherCalls[name] ?? [];
    owner.headers = await openSession(owner.accountId);
    expect([name, await run?.(owner)]).toEqual([name, result]);
  }
  owner.headers = await openSession(owner.accountId);
}

describe('wrong codes', () => {
  it('[IDN-087] stay counted when the current password is proved with a new one that is rejected', async () => {
    const owner = await addOwner();
    for (let round = 0; round < 2; round += 1) {
      expect(await tryWrongCodes(owner, 5)).toEqual(repeatStatus(5, 422));
      await runOther(owner, ['rejected new password']);
    }
    expect(await confirm(owner, { code: codeOf(owner) })).toBe(429);
    expect(await finish(owner, { code: codeOf(owner) })).toBe(429);
    api.wait(window);
    expect(await confirm(owner, { code: codeOf(owner) })).toBe(204);
  });

  it('[IDN-087] stay counted whatever other calls succeed', async () => {
    const every = Object.keys(otherCalls);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...every), { maxLength: 8 }), fc.nat(8), async (names, limit) => {
        const thief = await addOwner();
        admin.headers = await openSession(admin.accountId);
        await tryWrongCodes(thief, 5);
        await runOther(thief, names.slice(0, limit));
        expect(await tryWrongCodes(thief, 5)).toEqual(repeatStatus(5, 422));
        await runOther(thief, names.slice(limit));
        expect([await confirm(thief, { code: codeOf(thief) }), await finish(thief, { code: codeOf(thief) })]).toEqual([429, 429]);
      }),
      {
        numRuns: 8,
        examples: [
          [every.slice(0, 7), 3],
          [every.slice(7), 0],
        ],
      },
    );
  });

  it('[IDN-088] are cleared by a right code, a right recovery code and an opened session', async () => {
    const owner = await addOwner();
    const right = [
      async () => confirm(owner, { code: codeOf(owner) }),
      async () => confirm(owner, { recovery_code: owner.codes[0] }),
      async () => finish(owner, { recovery_code: owner.codes[1] }),
    ];
    for (const [at, prove] of right.entries()) {
      expect(await tryWrongCodes(owner, 9)).toEqual(repeatStatus(9, 422));
      expect(await prove()).toBe(at < 2 ? 204 : 200);
    }
    expect(await tryWrongCodes(owner, 11)).toEqual([...repeatStatus(10, 422), 429]);
  });

  it('[IDN-087] and wrong passwords are counted apart', async () => {
    const owner = await addOwner();
    expect(await tryWrongCodes(owner, 11)).toEqual([...repeatStatus(10, 422), 429]);
    expect((await login(owner)).second_factor.methods).toContain('totp');
    const other = await addOwner();
    const wrong = { current_password: 'Wrong-Horse-9', password: newPassword() };
    for (let at = 0; at < 10; at += 1) await call('PUT', 'sanctum/password', { headers: other.headers, body: wrong });
    expect((await call('PUT', 'sanctum/password', { headers: other.headers, body: wrong })).status).toBe(429);
    expect(await confirm(other, { code: codeOf(other) })).toBe(204);
  });

  it('[IDN-087] of parallel calls are counted before they are checked', async () => {
    const owner = await addOwner();
    const statuses = await Promise.all(Array.from({ length: 25 }, async () => confirm(owner, { code: '000000' })));
    expect(statuses.filter((status) => status === 422)).toHaveLength(10);
  });

  it('[IDN-089] are limited by address, too, as sign-ins are', async () => {
    const owners = [await addOwner(), await addOwner(), await addOwner(), await addOwner()];
    const statuses = [];
    for (let at = 0; at < 32; at += 1)
      for (const owner of owners.slice(at % 4, (at % 4) + 1)) statuses.push(await confirm(owner, { code: '000000' }, '203.0.113.80'));
    expect(statuses).toEqual([...repeatStatus(30, 422), 429, 429]);
    expect((await call('POST', 'sanctum/login', { body: {}, ip: '203.0.113.80' })).status).toBe(429);
  });
});
