import { apiTokenMessages } from '@switchyard/contract/api-tokens';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newAccountForm, testPassword } from '../../../test/account-form.ts';
import { buildTestApi, testPasswords, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { makeApiToken, signInAs, type Account, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { linkAddress } from '../mailed-links/account-links-lookup.ts';
import { tokenHash } from '../../secret-keys/secret-token.ts';

const { databases } = await createTestDatabase();
const { db } = databases;
const day = 86_400_000;
let api: TestApi;
let mailing: TestApi;
let admin: SignedIn;
let passwordHash: string;

beforeAll(async () => {
  const startsAt = new Date('2026-11-20T12:00:00Z');
  api = await buildTestApi({ databases, startsAt });
  mailing = await buildTestApi({ databases, startsAt, env: { SMTP_URL: 'smtp://127.0.0.1:4', MAIL_FROM: 'console@example.com' } });
  // The queue of mails takes jobs once it is started.
  await mailing.startJobs();
  passwordHash = await testPasswords.hash(testPassword);
  admin = await signIn({ role: 'Super Admin' });
});
afterAll(async () => {
  await api.app.close();
  await mailing.stopJobs();
  await mailing.app.close();
});

type Bearer = { headers: Record<string, string> };
const signIn = async (account: Account = {}) => signInAs(databases, { since: api.now(), passwordHash, ...account });
const get = async (path: string, { headers }: Bearer, of = api) => of.call('GET', `/api/${path}`, { headers });
const send = async (method: 'POST' | 'PUT' | 'DELETE', path: string, { headers }: Bearer, body: object = {}, of = api) =>
  of.call(method, `/api/${path}`, { headers, body });
const isAlive = async (token: Bearer) => (await get('time', token)).status === 200;

describe('the tokens of an account', () => {
  /** A person whose token was made by somebody who had the account. */
  async function victim(account: Account = {}) {
    const owner = await signIn({ permissions: ['manager_app_edit'], ...account });
    const token = await makeApiToken(databases, { ownerId: owner.accountId });
    expect(await isAlive(token)).toBe(true);
    return { owner, token };
  }
  async function revocations({ tokenId }: { tokenId: number }) {
    const rows = db.selectFrom('audit_entries').select('actor_id').where('entity', '=', 'api_token').where('action', '=', 'revoke');
    return (await rows.where('entity_id', '=', String(tokenId)).execute()).map(({ actor_id: actor }) => actor);
  }

  it.each([
    ['password', () => ({ password: `${testPassword}-2` })],
    ['e-mail address', (id: number) => ({ email: `recovered-${id}@example.com` })],
  ])('[IDN-108] end with a new %s that an administrator sets', async (_, body) => {
    const { owner, token } = await victim();
    expect((await send('PUT', `users/${owner.accountId}`, admin, { name: `Renamed ${owner.accountId}` })).status).toBe(200);
    expect(await isAlive(token)).toBe(true);
    expect((await send('PUT', `users/${owner.accountId}`, admin, body(owner.accountId))).status).toBe(200);
    expect(await isAlive(token)).toBe(false);
    expect(await revocations(token)).toEqual([admin.accountId]);
  });

  it('[IDN-108] end when an administrator resets the second factors', async () => {
    const { owner, token } = await victim();
    await db.insertInto('second_factors').values({ account_id: owner.accountId, kind: 'totp', name: 'Phone' }).execute();
    expect((await send('DELETE', `users/${owner.accountId}/second-factors`, admin)).status).toBe(204);
    expect([await isAlive(token), await revocations(token)]).toEqual([false, [admin.accountId]]);
  });

  it('[IDN-108] end with a password that a mailed link sets', async () => {
    const { owner, token } = await victim();
    const link = linkAddress('', 'password_reset', 'mailed-token');
    const expires = new Date(api.now().getTime() + 600_000);
    const storedLink = {
      account_id: owner.accountId,
      purpose: 'password_reset',
      token_hash: tokenHash('mailed-token'),
      mail: 'sent',
    } as const;
    await db
      .insertInto('account_links')
      .values({ ...storedLink, expires_at: expires })
      .execute();
    const body = { token: link.split('#')[1], password: `${testPassword}-3` };
    expect((await send('POST', 'sanctum/reset-password', { headers: {} }, body, mailing)).status).toBe(204);
    expect([await isAlive(token), await revocations(token)]).toEqual([false, [owner.accountId]]);
  });

  it('[IDN-109] end with a new password of one’s own, and with the other sessions, where that is wanted', async () => {
    const { owner, token } = await victim();
    const service = await makeApiToken(databases, { ownerId: owner.accountId, kind: 'service' });
    const change = { current_password: testPassword, password: `${testPassword}-2` };
    expect((await send('PUT', 'sanctum/password', owner, change)).status).toBe(204);
    expect((await send('DELETE', 'sanctum/sessions', owner)).status).toBe(204);
    expect(await isAlive(token)).toBe(true);
    // There is no other session, so the tokens alone change.
    expect((await send('DELETE', 'sanctum/sessions', owner, { revoke_tokens: true })).status).toBe(204);
    expect([await isAlive(token), await isAlive(service)]).toEqual([false, true]);
    const second = await makeApiToken(databases, { ownerId: owner.accountId });
    const again = { current_password: change.password, password: `${testPassword}-3`, revoke_tokens: true };
    expect((await send('PUT', 'sanctum/password', owner, again)).status).toBe(204);
    expect([await isAlive(second), await revocations(second)]).toEqual([false, [owner.accountId]]);
  });

  it.each([
    ['are not made', () => 'sanctum/tokens'],
    ['are not made for programs', () => 'service-accounts'],
    ['of programs are not renewed', (serviceId: number) => `service-accounts/${serviceId}/secret`],
  ] as const)('[IDN-110] %s by a session that a reset has ended meanwhile', async (_, pathOf) => {
    const { owner } = await victim({ permissions: ['manager_app_edit', 'manager_settings_roles'] });
    const service = await makeApiToken(databases, { ownerId: owner.accountId, kind: 'service' });
    const path = pathOf(service.tokenId);
    const body = path.endsWith('/secret') ? {} : { name: 'late', permission_ids: [3], has_all_apps: true, expires_in_days: 30 };
    const pending = await databases.db.transaction().execute(async (tx) => {
      await tx.selectFrom('accounts').select('id').where('id', '=', owner.accountId).forUpdate().execute();
      const call = send('POST', path, owner, body);
      const waiting = async () =>
        (
          await databases.pools.ops.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%accounts%'`,
          )
        ).rowCount;
      await expect.poll(waiting, { timeout: 60_000 }).toBeGreaterThan(0);
      await tx.deleteFrom('sessions').where('account_id', '=', owner.accountId).execute();
      return { call };
    });
    expect((await pending.call).status).toBe(401);
    expect(await isAlive(service)).toBe(true);
  });
});

describe('administrators', () => {
  it('[IDN-111] see the tokens of accounts that they may change, and revoke them', async () => {
    const app = await createApp(databases);
    const owner = await signIn({ permissions: ['manager_app_edit'] });
    const soon = await makeApiToken(databases, { ownerId: owner.accountId, expiresAt: new Date(api.now().getTime() + 3 * day) });
    const service = await makeApiToken(databases, { ownerId: owner.accountId, kind: 'service', expiresAt: null });
    const list = await get(`users/${owner.accountId}/tokens`, admin);
    expect(list.body.data).toMatchObject([
      { id: service.tokenId, kind: 'service', expires_at: null, expires_soon: false, owner: { id: owner.accountId, email: owner.email } },
      { id: soon.tokenId, kind: 'personal', expires_soon: true, last_used_at: null, owner: { id: owner.accountId } },
    ]);
    expect(JSON.stringify(list.body)).not.toContain(soon.token.slice(4, -4));
    const all = await get('tokens', admin);
    expect(all.body.data.map(({ id }: { id: number }) => id)).toEqual(expect.arrayContaining([soon.tokenId, service.tokenId]));
    // Somebody with fewer permissions or apps than the owner sees nothing of them, and revokes nothing.
    const limitedAdmin = await signIn({ permissions: ['manager_user_edit', 'manager_app_edit'], apps: [app.id] });
    expect((await get(`users/${owner.accountId}/tokens`, limitedAdmin)).status).toBe(403);
    expect((await get('tokens', limitedAdmin)).body.data).toEqual([]);
    expect((await send('DELETE', `tokens/${soon.tokenId}`, limitedAdmin)).status).toBe(403);
    expect(await isAlive(soon)).toBe(true);
    expect((await send('DELETE', `tokens/${service.tokenId}`, admin)).status).toBe(404);
    expect((await send('DELETE', `tokens/${soon.tokenId}`, admin)).status).toBe(204);
    expect(await isAlive(soon)).toBe(false);
    expect((await send('DELETE', `tokens/${soon.tokenId}`, admin)).status).toBe(404);
  });
});

describe('a token', () => {
  it('[IDN-112] makes no person with a password, and invites only where the link is mailed', async () => {
    const token = await makeApiToken(databases, { ownerId: admin.accountId, networks: ['127.0.0.0/8'] });
    const people = { status: 403, body: { message: apiTokenMessages.people } };
    expect(await send('POST', 'users', token, newAccountForm({ roles: ['Super Admin'] }))).toMatchObject(people);
    expect(await send('POST', 'buyers', token, newAccountForm({ roles: ['Buyer'] }))).toMatchObject(people);
    const invitationForm = newAccountForm({ password: undefined });
    expect(await send('POST', 'users/invite', token, invitationForm)).toMatchObject(people);
    expect(await send('POST', 'buyers/invite', token, newAccountForm({ roles: ['Buyer'], password: undefined }))).toMatchObject(people);
    const invitation = await send('POST', 'users/invite', token, invitationForm, mailing);
    expect([invitation.status, invitation.body.data.invitation]).toMatchObject([201, { mail: 'queued', link: null }]);
  });

  it('[IDN-113] sees and changes no private view of its owner', async () => {
    const token = await makeApiToken(databases, { ownerId: admin.accountId });
    const view = async (name: string, sharing: string, caller: Bearer = admin) =>
      send('POST', 'views', caller, { list: 'apps', name, query: 'search=acme', sharing });
    const { id: privateId } = (await view('Secret margin', 'private')).body.data;
    const { id: sharedId } = (await view('Shared margin', 'everyone')).body.data;
    const names = async (caller: Bearer) =>
      (await get('views?list=apps', caller)).body.data.views.map(({ name }: { name: string }) => name);
    expect(await names(admin)).toEqual(['Secret margin', 'Shared margin']);
    expect(await names(token)).toEqual(['Shared margin']);
    expect((await get('search?q=margin', token)).body.data.items.map(({ name }: { name: string }) => name)).toEqual(['Shared margin']);
    expect((await send('PUT', `views/${privateId}`, token, { sharing: 'everyone' })).status).toBe(404);
    expect((await send('DELETE', `views/${privateId}`, token)).status).toBe(404);
    const people = { status: 403, body: { message: apiTokenMessages.people } };
    expect(await send('PUT', `views/${sharedId}`, token, { sharing: 'private' })).toMatchObject(people);
    expect(await view('Of a token', 'private', token)).toMatchObject(people);
    expect(await send('PUT', 'views/default', token, { list: 'apps', id: sharedId })).toMatchObject(people);
    expect((await send('PUT', `views/${sharedId}`, token, { query: 'search=other' })).status).toBe(200);
  });
});
