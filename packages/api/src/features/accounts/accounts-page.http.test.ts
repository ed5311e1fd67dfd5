import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { makeApiToken, signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import type { Databases } from '../../database/connect.ts';

let databases: Databases;
let api: TestApi;
let admin: SignedIn;

beforeAll(async () => {
  ({ databases } = await createTestDatabase());
  api = await buildTestApi({ databases });
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  return async () => api.app.close();
});

const get = async (path: string, { headers }: Pick<SignedIn, 'headers'> = admin) => api.call('GET', `/api/${path}`, { headers });
const rename = async ({ accountId }: SignedIn, name: string, email: string) =>
  databases.db.updateTable('accounts').set({ name, email }).where('id', '=', accountId).execute();
const idsIn = (rows: { id: number }[]): number[] => rows.map(({ id }) => id);

describe('a page of accounts', () => {
  it('[LARGE-001] holds the matching accounts of the panel, their total, and no list of apps', async () => {
    const app = await createApp(databases);
    const people = [];
    for (const name of ['Page 2', 'Page 10', 'Page 1']) {
      const person = await signInAs(databases, { permissions: ['manager_dev_logs'], apps: [app.id] });
      await rename(person, name, `${name.replace(' ', '')}@page.example`);
      people.push(person.accountId);
    }
    const deleted = await signInAs(databases, {});
    await rename(deleted, 'Page 3', 'page3@page.example');
    await databases.db.updateTable('accounts').set({ deleted_at: new Date() }).where('id', '=', deleted.accountId).execute();
    const { data, pagination } = (await get('accounts?search=page.example&orderBy=keyName&limit=2')).body;
    const [two, ten, one] = people;
    expect(idsIn(data)).toEqual([one, two]);
    expect(pagination).toMatchObject({ total: 3, count: 2, totalPages: 2 });
    expect(idsIn((await get('accounts?search=page.example&orderBy=keyName&limit=2&page=2')).body.data)).toEqual([ten]);
    expect((await get('accounts?search=page.example&panel=buyer')).body.data).toEqual([]);
    const { appIds: _ids, ...listed } = (await get('users')).body.data.find(({ id }: { id: number }) => id === one);
    expect(data[0]).toEqual({ ...listed, second_factor: { has_factor: false, required: false }, is_read_only: false });
  });

  it('[LARGE-001] tells second factors only to people who may see them, and which buyers are of other teams', async () => {
    const [own, foreign] = [await createApp(databases), await createApp(databases)];
    const buyer = await signInAs(databases, { panel: 'buyer', role: 'Buyer', apps: [own.id, foreign.id] });
    const editor = await signInAs(databases, { permissions: ['manager_user_edit'], apps: [own.id], since: api.now() });
    const watcher = await signInAs(databases, { permissions: ['manager_user_deactivate'] });
    const token = await makeApiToken(databases, { ownerId: editor.accountId, permissions: ['manager_user_edit'] });
    const find = async (reader: Pick<SignedIn, 'headers'>, panel: string, id: number) => {
      const { data } = (await get(`accounts?panel=${panel}&limit=200`, reader)).body;
      return data.find((row: { id: number }) => row.id === id);
    };
    expect(await find(editor, 'buyer', buyer.accountId)).toMatchObject({ is_read_only: true });
    expect(await find(admin, 'buyer', buyer.accountId)).toMatchObject({ is_read_only: false });
    expect(await find(editor, 'user', editor.accountId)).toMatchObject({ second_factor: { has_factor: false } });
    for (const reader of [watcher, token]) {
      expect(await find(reader, 'user', editor.accountId)).toMatchObject({ second_factor: null });
      expect((await get('accounts?secondFactor=none', reader)).body.data).toEqual([]);
    }
  });

  it('[LARGE-002] says whether another account uses a name or an address', async () => {
    const person = await signInAs(databases, {});
    await rename(person, 'Taken name', 'Taken@page.example');
    const ask = async (query: string) => (await get(`accounts/taken?${query}`)).body.data;
    expect(await ask('name=%20Taken%20name%20&email=taken@PAGE.example')).toEqual({ name: true, email: true });
    expect(await ask('name=taken%20NAME&email=free@page.example')).toEqual({ name: false, email: false });
    expect(await ask('panel=buyer&name=Taken%20name&email=taken@page.example')).toEqual({ name: false, email: true });
    expect(await ask(`name=Taken%20name&email=taken@page.example&exceptId=${person.accountId}`)).toEqual({ name: false, email: false });
  });
});

it('[API-085] answers about ids that no table can hold', async () => {
  for (const path of [
    'accounts/taken?name=a&exceptId=',
    'picks/apps?exceptAccount=',
    'picks/buyers?exceptApp=',
    'apps/check?name=abc&exceptId=',
    'audit?actor=',
    'audit?viaId=',
    'incidents?appId=',
    'incidents?serverId=',
    'incidents?ruleId=',
    'incidents/news?after=',
    'roles/who-can?permission=manager_app_edit&appId=',
  ])
    expect((await get(`${path}863088581122`)).status, path).toBeLessThan(500);
  const channel = await api.call('POST', '/api/channels', {
    ...admin,
    body: { name: 'C', target: { kind: 'webhook', url: 'https://hook.example/x' } },
  });
  expect(channel.status).toBe(201);
  expect((await api.call('DELETE', `/api/channels/${channel.body.data.id}?replacement=863088581122`, admin)).status).toBe(404);
});

describe('a page of API tokens', () => {
  it('[LARGE-007] holds the matching tokens of accounts that the caller may change, and their total', async () => {
    const owner = await signInAs(databases, { permissions: ['manager_dev_logs'] });
    await rename(owner, 'Token owner', 'owner@token.example');
    const tokenIds = [];
    for (let at = 0; at < 3; at += 1) tokenIds.push((await makeApiToken(databases, { ownerId: owner.accountId })).tokenId);
    const { data, pagination } = (await get('tokens/page?search=token.example&limit=2')).body;
    const all = (await get('tokens')).body.data.filter((token: { owner: { id: number } }) => token.owner.id === owner.accountId);
    expect(data).toEqual(all.slice(0, 2));
    expect(pagination).toMatchObject({ total: tokenIds.length, count: 2 });
    expect((await get('tokens/page?search=token.example&use=used')).body.data).toEqual([]);
    const lower = await signInAs(databases, { permissions: ['manager_user_edit'], since: api.now() });
    expect((await get('tokens/page?search=token.example', lower)).body.pagination.total).toBe(0);
  });
});

describe('pages of options', () => {
  it('[LARGE-003] find apps of the scope by a part of their texts, name those with the ids, and leave out those of an account', async () => {
    const names = ['Pick 2', 'Pick 10', 'Pick 1'];
    const apps = await Promise.all(names.map(async (name) => createApp(databases, { name })));
    const archived = await createApp(databases, { name: 'Pick 3', deleted_at: new Date() });
    const [two, ten, one] = idsIn(apps);
    const { data, pagination } = (await get('picks/apps?search=PICK&limit=2')).body;
    expect(idsIn(data)).toEqual([one, two]);
    expect(pagination).toMatchObject({ total: 3, count: 2 });
    expect(idsIn((await get('picks/apps?search=pick&limit=2&page=2')).body.data)).toEqual([ten]);
    expect((await get('picks/apps?search=pick&limit=2&page=9')).body).toMatchObject({ data: [], pagination: { total: pagination.total } });
    expect(idsIn((await get(`picks/apps?ids=${two},${archived.id},${ten}`)).body.data)).toEqual([two, ten]);

    const limited = await signInAs(databases, { permissions: ['manager_app_create'], apps: [two ?? 0] });
    expect((await get('picks/apps?search=pick', limited)).body).toMatchObject({ data: [{ id: two }], pagination: { total: 1 } });
    expect((await get(`picks/apps?ids=${ten}`, limited)).body.data).toEqual([]);
    expect((await get(`picks/apps?exceptAccount=${limited.accountId}&search=pick`)).body.data.map(({ id }: { id: number }) => id)).toEqual([
      one,
      ten,
    ]);
    expect((await get(`picks/apps?exceptAccount=${limited.accountId}`, limited)).status).toBe(403);
  });

  it('[LARGE-003] find buyers by name, address or badge, and leave out those of an app that the caller sees', async () => {
    const [app, other] = [await createApp(databases), await createApp(databases)];
    const having = await signInAs(databases, { panel: 'buyer', role: 'Buyer', apps: [app.id] });
    const lacking = await signInAs(databases, { panel: 'buyer', role: 'Super Buyer' });
    await rename(having, 'Pick b', 'one@buyer.example');
    await rename(lacking, 'Pick a', 'two@buyer.example');
    const find = async (query: string) => idsIn((await get(`picks/buyers?${query}`)).body.data);
    expect(await find('search=pick')).toEqual([lacking.accountId, having.accountId]);
    expect(await find('search=ONE@buyer')).toEqual([having.accountId]);
    expect(await find('search=%C2%B7%20SB')).toEqual([lacking.accountId]);
    expect(await find(`search=pick&exceptApp=${app.id}`)).toEqual([lacking.accountId]);
    expect(await find(`ids=${having.accountId}`)).toEqual([having.accountId]);
    const limited = await signInAs(databases, { permissions: ['manager_app_edit'], apps: [other.id] });
    const creator = await signInAs(databases, { permissions: ['manager_app_create'] });
    expect((await get(`picks/buyers?exceptApp=${app.id}`, limited)).status).toBe(404);
    expect((await get(`picks/buyers?exceptApp=${app.id}`, creator)).status).toBe(403);
  });
});
