import { apiTokenCallsPerMinute, apiTokenMessages } from '@switchyard/contract/api-tokens';
import { grantMessages } from '@switchyard/contract/account-rules';
import { permissionId } from '@switchyard/contract/permissions';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testPassword } from '../../../test/account-form.ts';
import { newAppForm } from '../../../test/app-form.ts';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { makeApiToken, signInAs, signInAsServer, type SignedIn, type TokenFields } from '../../../test/sign-in-as.ts';
import { listUnlabelledFields } from '../../../test/field-labels.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { tokenHash } from '../../secret-keys/secret-token.ts';
import { isApiToken } from './token-secret.ts';

const { databases } = await createTestDatabase();
const { db } = databases;
let api: TestApi;
let admin: SignedIn;
const day = 86_400_000;

beforeAll(async () => {
  api = await buildTestApi({ databases, startsAt: new Date('2026-11-20T12:00:00Z') });
  admin = await signIn({ role: 'Super Admin' });
});
afterAll(async () => api.app.close());

const signIn = async (account: Parameters<typeof signInAs>[1] = {}) => signInAs(databases, { since: api.now(), ...account });
const token = async (fields: TokenFields) => makeApiToken(databases, fields);
const get = async (path: string, { headers }: { headers: Record<string, string> }, ip?: string) =>
  api.call('GET', `/api/${path}`, { headers, ...(ip === undefined ? {} : { ip }) });
const send = async (method: 'POST' | 'PUT' | 'DELETE', path: string, { headers }: { headers: Record<string, string> }, body: object = {}) =>
  api.call(method, `/api/${path}`, { headers, body });
const newToken = (more: object = {}) => ({ name: 'deploy', permission_ids: [12], has_all_apps: true, expires_in_days: 30, ...more });
const newService = (more: object = {}) => ({ ...newToken(), expires_in_days: null, ...more });
const entries = async (entity: string, id: number) =>
  db
    .selectFrom('audit_entries')
    .select(['action', 'actor_id', 'entity_label', 'changes'])
    .where('entity', '=', entity)
    .where('entity_id', '=', String(id))
    .orderBy('id')
    .execute();

describe('own API tokens', () => {
  it('[IDN-047, IDN-048] are shown once, stored as a hash, listed without it, and work until they are revoked', async () => {
    const creation = await send('POST', 'sanctum/tokens', admin, newToken({ networks: ['10.1.2.3/8', '::ffff:10.1.2.3'] }));
    expect(creation.status).toBe(201);
    const { secret, token: shownToken } = creation.body.data;
    expect(isApiToken(secret)).toBe(true);
    expect(shownToken).toEqual({
      id: shownToken.id,
      name: 'deploy',
      ends_with: secret.slice(-4),
      permission_ids: [12],
      has_all_apps: true,
      app_ids: [],
      networks: ['10.0.0.0/8', '10.1.2.3'],
      created_at: '2026-11-20 12:00:00',
      expires_at: '2026-12-20 12:00:00',
      is_expired: false,
      last_used_at: null,
      last_used_ip: null,
    });
    const caller = { headers: { authorization: `Bearer ${secret}` } };
    expect((await get('roles', caller, '10.9.9.9')).status).toBe(200);
    const list = await get('sanctum/tokens', admin);
    expect(list.body.data).toEqual([{ ...shownToken, last_used_at: '2026-11-20 12:00:00', last_used_ip: '10.9.9.9' }]);
    const { rows } = await databases.pools.ops.query(
      `select t::text as row from api_tokens t union all select a::text from audit_entries a`,
    );
    expect(JSON.stringify([rows, api.log(), list.body])).not.toContain(secret);

    const other = await signIn({ role: 'Super Admin' });
    expect((await send('DELETE', `sanctum/tokens/${shownToken.id}`, other)).status).toBe(404);
    expect((await send('DELETE', `sanctum/tokens/${shownToken.id}`, admin)).status).toBe(204);
    expect((await get('roles', caller, '10.9.9.9')).status).toBe(401);
    const trail = await entries('api_token', shownToken.id);
    expect(trail.map(({ action, actor_id, entity_label }) => [action, actor_id, entity_label])).toEqual([
      ['create', admin.accountId, 'deploy'],
      ['revoke', admin.accountId, 'deploy'],
    ]);
  });

  it('[IDN-050] are given nothing that their owner lacks, nothing unknown, and an expiry', async () => {
    const [own, foreign] = [await createApp(databases), await createApp(databases)];
    const owner = await signIn({ permissions: ['manager_app_edit'], apps: [own.id] });
    const post = async (more: object) => send('POST', 'sanctum/tokens', owner, newToken({ permission_ids: [3], ...more }));
    expect((await post({ permission_ids: [3, 12] })).body).toMatchObject({ message: grantMessages.permissions });
    expect((await post({ permission_ids: [3, 23] })).status).toBe(403);
    expect((await post({ has_all_apps: false, app_ids: [own.id, foreign.id] })).body).toMatchObject({ message: grantMessages.apps });
    for (const [field, more] of [
      ['permission_ids', { permission_ids: [3, 999] }],
      ['permission_ids', { permission_ids: [] }],
      ['expires_in_days', { expires_in_days: null }],
      ['expires_in_days', { expires_in_days: 3650 }],
      ['networks', { networks: ['10.0.0.0/8', 'example.com'] }],
      ['networks', { networks: Array.from({ length: 51 }, (_, index) => `10.0.0.${index}`) }],
      ['name', { name: '  ' }],
    ] as const) {
      const answer = await post(more);
      expect([field, answer.status, Object.keys(answer.body.errors)]).toEqual([field, 422, [field]]);
    }
    expect((await send('POST', 'sanctum/tokens', admin, newToken({ has_all_apps: false, app_ids: [999_999] }))).status).toBe(422);
    const creation = await post({ networks: Array.from({ length: 50 }, (_, index) => `10.0.0.${index}`) });
    expect([creation.status, creation.body.data.token.networks.length]).toEqual([201, 50]);
    // With all apps, a token sees those of its owner.
    const caller = { headers: { authorization: `Bearer ${creation.body.data.secret}` } };
    expect((await get(`apps/${own.id}`, caller, '10.0.0.7')).status).toBe(200);
    expect((await get(`apps/${foreign.id}`, caller, '10.0.0.7')).status).toBe(404);
  });

  it('[IDN-052] need a recent sign-in to be made, but not to be revoked or to make sensitive calls', async () => {
    const old = await signIn({ role: 'Super Admin' });
    const past = new Date(api.now().getTime() - 901_000);
    await db.updateTable('sessions').set({ authenticated_at: past }).where('id', '=', old.sessionId).execute();
    const { tokenId, headers } = await token({ ownerId: old.accountId });
    const service = await token({ ownerId: old.accountId, kind: 'service' });
    const calls = [
      await send('POST', 'sanctum/tokens', old, newToken()),
      await send('POST', 'service-accounts', old, newService()),
      await send('PUT', `service-accounts/${service.tokenId}`, old, { name: 'other' }),
      await send('POST', `service-accounts/${service.tokenId}/secret`, old),
    ];
    for (const { status, body } of calls) expect([status, body.data]).toEqual([403, { reauthentication: { methods: [] } }]);
    expect((await send('POST', 'roles', { headers }, { name: 'By a token', permission_ids: [3], panel: 'manager' })).status).toBe(201);
    expect((await send('DELETE', `sanctum/tokens/${tokenId}`, old)).status).toBe(204);
  });

  it('[IDN-050] are 50 at most', async () => {
    const owner = await signIn({ permissions: ['manager_settings_roles'] });
    for (let count = 0; count < 50; count += 1) await token({ ownerId: owner.accountId });
    const answer = await send('POST', 'sanctum/tokens', owner, newToken());
    expect([answer.status, answer.body.message]).toEqual([409, apiTokenMessages.tooMany]);
  });
});

describe('a token that must not work', () => {
  it('[IDN-053] is unknown when its owner lost access or was deleted, when it expired, and outside its networks', async () => {
    const deniedAdmin = await signIn({ role: 'Super Admin', hasAccess: false });
    const deletedAdmin = await signIn({ role: 'Super Admin' });
    await db.updateTable('accounts').set({ deleted_at: api.now() }).where('id', '=', deletedAdmin.accountId).execute();
    const expiredToken = { ownerId: admin.accountId, expiresAt: api.now() };
    const tokens = [
      await token({ ownerId: deniedAdmin.accountId }),
      await token({ ownerId: deletedAdmin.accountId }),
      await token(expiredToken),
    ];
    for (const caller of tokens) expect((await get('time', caller)).status).toBe(401);

    const networks = ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'];
    const limitedToken = await token({ ownerId: admin.accountId, networks });
    const from = async (ip: string) => (await get('time', limitedToken, ip)).status;
    const inside = ['10.255.0.1', '::ffff:10.0.0.1', '192.0.2.7', '2001:db8:1::1'];
    const outside = ['11.0.0.1', '::ffff:11.0.0.1', '192.0.2.8', '2001:db9::1', '::1'];
    expect(await Promise.all(inside.map(from))).toEqual(inside.map(() => 200));
    expect(await Promise.all(outside.map(from))).toEqual(outside.map(() => 401));
    const lines = api.log().filter(({ msg }) => msg === 'API token: rejected (outside its networks)');
    expect(lines).toMatchObject([{ token_id: limitedToken.tokenId }]);
  });

  it('[IDN-053] is one with a wrong checksum, that of a traffic server, or a token at the calls of the other', async () => {
    const caller = await token({ ownerId: admin.accountId });
    const last = caller.token.endsWith('0') ? '1' : '0';
    const forgedToken = `${caller.token.slice(0, -1)}${last}`;
    // Even one whose hash is stored.
    await db
      .updateTable('api_tokens')
      .set({ token_hash: tokenHash(forgedToken) })
      .where('id', '=', (await token({ ownerId: admin.accountId })).tokenId)
      .execute();
    expect((await get('time', { headers: { authorization: `Bearer ${forgedToken}` } })).status).toBe(401);
    const server = await signInAsServer(databases);
    expect((await get('time', server)).status).toBe(401);
    expect((await send('POST', 'ingest/events', caller, { events: [] })).status).toBe(401);
    expect((await get('edge/config', caller)).status).toBe(401);
  });

  it('[IDN-054] loses at the next call what its owner loses: a role, an app, or access until a second factor is set up', async () => {
    const [one, other] = [await createApp(databases), await createApp(databases)];
    const owner = await signIn({ permissions: ['manager_app_edit', 'manager_settings_roles'], apps: [one.id, other.id] });
    const caller = await token({ ownerId: owner.accountId, permissions: ['manager_app_edit', 'manager_settings_server'] });
    expect((await get('sanctum/user', caller)).body.data).toMatchObject({ permissions: ['manager_app_edit'], hasAllApps: false });
    expect((await get('roles', caller)).status).toBe(403);
    expect((await get(`apps/${one.id}`, caller)).status).toBe(200);
    await db.deleteFrom('app_accounts').where('account_id', '=', owner.accountId).where('app_id', '=', one.id).execute();
    expect((await get(`apps/${one.id}`, caller)).status).toBe(404);
    const { role_id: role } = await db
      .selectFrom('account_roles')
      .select('role_id')
      .where('account_id', '=', owner.accountId)
      .executeTakeFirstOrThrow();
    await db.updateTable('roles').set({ requires_second_factor: true }).where('id', '=', role).execute();
    expect((await get(`apps/${other.id}`, caller)).body.message).toBe('Set up a second factor first');
    await db.updateTable('roles').set({ requires_second_factor: false }).where('id', '=', role).execute();
    expect((await get(`apps/${other.id}`, caller)).status).toBe(200);
    await db.deleteFrom('role_permissions').where('role_id', '=', role).execute();
    expect((await get(`apps/${other.id}`, caller)).status).toBe(403);
  });
});

describe('what a token cannot do', () => {
  it('[IDN-051] change passwords and e-mail addresses, also of its owner, or make tokens', async () => {
    const caller = await token({ ownerId: admin.accountId });
    const target = await signIn({ permissions: ['manager_app_edit'] });
    const path = `users/${target.accountId}`;
    const people = { status: 403, body: { message: apiTokenMessages.people } };
    expect(await send('PUT', path, caller, { password: testPassword })).toMatchObject(people);
    expect(await send('PUT', path, caller, { email: 'taken-over@example.com' })).toMatchObject(people);
    const own = { password: `${testPassword}-2`, current_password: testPassword };
    expect(await send('PUT', `users/${admin.accountId}`, caller, own)).toMatchObject(people);
    expect(await send('POST', 'sanctum/tokens', caller, newToken())).toMatchObject(people);
    expect(await send('POST', 'service-accounts', caller, newService())).toMatchObject(people);
    expect((await send('PUT', path, caller, { name: 'Renamed by a token' })).status).toBe(200);
    expect((await get('apps?limit=1', target)).status).toBe(200);
  });

  it('[IDN-055] grant more than it holds, by accounts or by roles, though its owner could', async () => {
    const app = await createApp(databases);
    const accounts = ['manager_user_create', 'manager_user_edit', 'manager_app_statistics'] as const;
    const permissions = ['manager_settings_roles', 'manager_app_edit', ...accounts] as const;
    const caller = await token({ ownerId: admin.accountId, permissions, apps: [app.id] });
    const role = { name: 'Too much', permission_ids: [3, 11], panel: 'manager' };
    expect((await send('POST', 'roles', caller, role)).body.message).toBe(grantMessages.permissions);
    const target = await signIn({ permissions: ['manager_app_edit'], apps: [app.id] });
    const account = async (roles: string[]) => (await send('PUT', `users/${target.accountId}`, caller, { roles })).body.message;
    expect(await account(['Super Admin'])).toBe(grantMessages.superAdmin);
    expect(await account(['App Manager'])).toBe(grantMessages.permissions);
    const renaming = await send('PUT', `users/${admin.accountId}`, caller, { name: 'Somebody else' });
    expect(renaming.body.message).toBe(grantMessages.superAdmin);
    const foreign = await createApp(databases);
    const sync = await send('PUT', `users/${target.accountId}`, caller, { appIds: [app.id, foreign.id] });
    expect(sync.body.message).toBe(grantMessages.apps);
    expect((await send('POST', 'roles', caller, { ...role, name: 'Within', permission_ids: [3] })).status).toBe(201);
  });

  it('[IDN-055] lose the app that it creates, or give it to an owner who sees all apps', async () => {
    const caller = await token({ ownerId: admin.accountId, permissions: ['manager_app_create', 'manager_app_edit'], apps: [] });
    const creation = await send('POST', 'apps', caller, newAppForm());
    expect(creation.status).toBe(201);
    expect((await get(`apps/${creation.body.data.id}`, caller)).status).toBe(200);
    const appAccounts = await db.selectFrom('app_accounts').selectAll().where('account_id', '=', admin.accountId).execute();
    expect(appAccounts).toEqual([]);
  });
});

describe('calls of a token', () => {
  it('[IDN-057] return how many of 600 calls a minute remain, and are rejected beyond them', async () => {
    const caller = await token({ ownerId: admin.accountId });
    const first = await get('time', caller);
    expect(first.headers).toMatchObject({ 'ratelimit-limit': '600', 'ratelimit-remaining': '599', 'ratelimit-reset': '60' });
    expect((await get('sanctum/tokens', caller)).headers).not.toHaveProperty('ratelimit-limit');
    expect((await get('time', admin)).headers).not.toHaveProperty('ratelimit-limit');
    for (let count = 1; count < apiTokenCallsPerMinute; count += 1) await get('time', caller);
    const over = await get('time', caller);
    expect([over.status, over.headers['retry-after'], over.headers['ratelimit-remaining']]).toEqual([429, '60', '0']);
    expect((await get('time', await token({ ownerId: admin.accountId }))).status).toBe(200);
    api.wait(60_000);
    expect((await get('time', caller)).status).toBe(200);
  });

  it('[IDN-058] name the token beside its owner in the audit trail', async () => {
    const caller = await token({ ownerId: admin.accountId });
    const creation = await send('POST', 'roles', caller, { name: 'Named by a token', permission_ids: [3], panel: 'manager' });
    const { body } = await get(`audit?entity=role&entityId=${creation.body.data.id}`, admin);
    expect(body.data[0].actor.id).toBe(admin.accountId);
    expect(body.data[0].via).toEqual({ kind: 'token', id: caller.tokenId, name: caller.name });
    expect(body.data[0].changes.map(({ field }: { field: string }) => field)).not.toContain('via');
  });

  it('[IDN-059] end a live stream within a second after the token was revoked', async () => {
    const { tokenId, headers } = await token({ ownerId: admin.accountId });
    const answer = await api.app.inject({ method: 'GET', url: '/api/all-requests/stream', headers, payloadAsStream: true });
    expect([answer.statusCode, answer.headers['ratelimit-limit']]).toEqual([200, '600']);
    await send('DELETE', `sanctum/tokens/${tokenId}`, admin);
    let text = '';
    for await (const chunk of answer.stream()) text += String(chunk);
    expect(text).toContain('event: end\ndata: {"status":401');
  });
});

describe('service accounts', () => {
  const make = async (caller: SignedIn, more: object = {}) => {
    const { status, body } = await send('POST', 'service-accounts', caller, newService(more));
    expect(status).toBe(201);
    const { secret, service_account: createdAccount } = body.data;
    return { id: Number(createdAccount.id), secret, headers: { authorization: `Bearer ${secret}` }, createdAccount };
  };

  it('[IDN-060] stop with their owner, and go on when another administrator takes them over', async () => {
    const owner = await signIn({ permissions: ['manager_settings_roles', 'manager_app_edit'] });
    const service = await make(owner, { permission_ids: [12, 3], name: 'nightly' });
    expect(service.createdAccount).toMatchObject({ expires_at: null, is_stopped: false, read_only: false, owner: { id: owner.accountId } });
    expect((await get('roles', service)).status).toBe(200);
    await db.updateTable('accounts').set({ has_access: false }).where('id', '=', owner.accountId).execute();
    expect((await get('roles', service)).status).toBe(401);
    const row = (await get('service-accounts', admin)).body.data.find(({ id }: { id: number }) => id === service.id);
    expect(row).toMatchObject({ is_stopped: true });

    const takeover = await send('PUT', `service-accounts/${service.id}`, admin, { take_over: true });
    expect(takeover.body.data).toMatchObject({ is_stopped: false, owner: { id: admin.accountId } });
    expect((await get('roles', service)).status).toBe(200);
    expect((await entries('service_account', service.id)).map(({ action, actor_id }) => [action, actor_id])).toEqual([
      ['create', owner.accountId],
      ['take_over', admin.accountId],
    ]);
  });

  it('[IDN-061] get a new token, whose reader becomes the owner; the old one stops at once', async () => {
    const service = await make(admin, { permission_ids: [12] });
    const other = await signIn({ permissions: ['manager_settings_roles'] });
    const { body, status } = await send('POST', `service-accounts/${service.id}/secret`, other);
    expect([status, body.data.service_account.owner.id]).toEqual([201, other.accountId]);
    expect((await get('roles', service)).status).toBe(401);
    expect((await get('roles', { headers: { authorization: `Bearer ${body.data.secret}` } })).status).toBe(200);
    const [, renewal] = await entries('service_account', service.id);
    expect(renewal).toMatchObject({ action: 'renew_secret' });
    expect(renewal?.changes).toContainEqual({ field: 'token', from: null, to: null });
    expect((await send('DELETE', `service-accounts/${service.id}`, other)).status).toBe(204);
    expect((await get('roles', { headers: { authorization: `Bearer ${body.data.secret}` } })).status).toBe(401);
  });

  it('[IDN-062] are changed only by holders of all their permissions, within what these hold', async () => {
    const service = await make(admin, {
      permission_ids: [permissionId('manager_settings_roles'), permissionId('manager_settings_server')],
    });
    const lesser = await signIn({ permissions: ['manager_settings_roles'] });
    const row = (await get('service-accounts', lesser)).body.data.find(({ id }: { id: number }) => id === service.id);
    expect(row).toMatchObject({ read_only: true });
    for (const answer of [
      await send('PUT', `service-accounts/${service.id}`, lesser, { take_over: true }),
      await send('POST', `service-accounts/${service.id}/secret`, lesser),
      await send('DELETE', `service-accounts/${service.id}`, lesser),
    ])
      expect([answer.status, answer.body.message]).toEqual([403, grantMessages.permissions]);
    const own = await make(lesser);
    expect((await send('PUT', `service-accounts/${own.id}`, lesser, { permission_ids: [11, 12] })).status).toBe(403);
    const change = await send('PUT', `service-accounts/${own.id}`, lesser, { networks: ['2001:db8::/32'], expires_in_days: 365 });
    expect(change.body.data).toMatchObject({ networks: ['2001:db8::/32'], permission_ids: [12], name: 'deploy' });
    expect(new Date(`${change.body.data.expires_at}Z`).getTime() - api.now().getTime()).toBe(365 * day);
    expect((await get('roles', own, '10.0.0.1')).status).toBe(401);
  });

  it('[IDN-062] with apps outside the scope of an administrator return 404', async () => {
    const [visibleApp, unseen] = [await createApp(databases), await createApp(databases)];
    const limitedAdmin = await signIn({ permissions: ['manager_settings_roles'], apps: [visibleApp.id] });
    const foreign = await make(admin, { has_all_apps: false, app_ids: [visibleApp.id, unseen.id] });
    const all = await make(admin);
    const inside = await make(limitedAdmin, { has_all_apps: false, app_ids: [visibleApp.id] });
    expect((await get('service-accounts', limitedAdmin)).body.data.map(({ id }: { id: number }) => id)).toEqual([inside.id]);
    for (const { id } of [foreign, all])
      expect((await send('PUT', `service-accounts/${id}`, limitedAdmin, { name: 'x' })).status).toBe(404);
    expect((await send('POST', 'service-accounts', limitedAdmin, newService())).body.message).toBe(grantMessages.allApps);
  });
});

describe('the trail of this file', () => {
  it('[IDN-104] has a label for every field', async () => {
    expect(await listUnlabelledFields(databases)).toEqual([]);
  });
});
