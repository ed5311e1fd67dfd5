import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, testKeys, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { longToken, misfit, only, plain, trafficServerCalls } from '../../../test/traffic-server-calls.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;

beforeAll(async () => {
  api = await buildTestApi({ databases, startsAt: new Date('2026-11-20T10:11:12Z') });
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  return async () => api.app.close();
});

const { post, put, get, add, stored, trail, ingest } = trafficServerCalls(databases, () => ({ api, admin }));

describe('POST servers', () => {
  it('[API-059][ENT-034][SRV-014][SRV-023] adds a server, shows none of its secrets and stores none of them readable', async () => {
    const token = longToken('canary');
    const body = {
      name: '  edge-ams-1 ',
      url: 'http://10.0.0.7:8080/x',
      token,
      region: 'eu',
      mainHash: 'canary main',
      hash: 'canary hash',
      ip: '::FFFF:203.0.113.9',
    };
    const { status, body: answer, headers } = await post(body);
    const { id } = answer.data;
    expect({ status, answer }).toEqual({
      status: 201,
      answer: {
        success: true,
        data: {
          id,
          name: 'edge-ams-1',
          url: 'http://10.0.0.7:8080/x',
          region: 'eu',
          ip: '203.0.113.9',
          token: null,
          mainHash: null,
          hash: null,
          has_token: true,
          has_main_hash: true,
          has_hash: true,
          ingest_enabled: true,
          created_at: '2026-11-20 10:11:12',
          updated_at: '2026-11-20 10:11:12',
          version: 1,
        },
      },
    });
    expect(headers['etag']).toBeUndefined();
    const row = await stored(id);
    expect(JSON.stringify(row)).not.toContain('canary');
    expect(row.token_hash?.toString()).not.toContain('canary');
    expect(testKeys.open(row.main_hash_sealed ?? '', { table: 'traffic_servers', column: 'main_hash_sealed', id })).toBe('canary main');
    expect(testKeys.open(row.hash_sealed ?? '', { table: 'traffic_servers', column: 'hash_sealed', id })).toBe('canary hash');
    expect(await trail(id)).toEqual([
      {
        action: 'create',
        entity_label: 'edge-ams-1',
        actor_id: admin.accountId,
        changes: [
          { field: 'name', from: null, to: 'edge-ams-1' },
          { field: 'url', from: null, to: 'http://10.0.0.7:8080/x' },
          { field: 'region', from: null, to: 'eu' },
          { field: 'ip', from: null, to: '203.0.113.9' },
          ...['token', 'mainHash', 'hash'].map((field) => ({ field, from: null, to: null })),
        ],
      },
    ]);
  });

  it('takes no more than a name and an address; empty texts are none', async () => {
    const { body } = await post({ ...plain, token: '', region: '', mainHash: null, hash: '', ip: '' });
    const nothing = { region: null, ip: null, has_token: false, has_main_hash: false, has_hash: false, ingest_enabled: false };
    expect(body.data).toMatchObject(nothing);
  });

  it('[SRV-019][SRV-020][AMB-196] names every field that does not fit, shape and value alike', async () => {
    expect(only(await post({}))).toEqual(misfit({ name: 'The name field is required.', url: 'The url field is required.' }));
    expect(
      only(await post({ name: '   ', url: 'ftp://x', token: 'a b', ip: '10.0.0.0/8', extra: 1, region: 5, hash: 'x'.repeat(1025) })),
    ).toEqual(
      misfit({
        name: 'The name field is required.',
        url: 'The url must be a valid http or https URL.',
        token: 'The token must not contain spaces.',
        ip: 'The ip must be a valid IPv4 or IPv6 address.',
        region: 'The region field must be of type string.',
        hash: 'The hash field must not be longer than 1024 characters.',
        extra: 'Unknown field.',
      }),
    );
  });

  it.each([
    'x.example',
    'https://',
    'https:///x.example',
    'https://a@x.example',
    'https://a:b@x.example',
    'https://@x.example',
    'https://x .example',
    ' https://x',
    'javascript:1',
    'https:\\\\x.example',
    'https://x.example/y?z',
    'https://x.example?',
    'https://x.example/y#z',
    'https://x.example/#',
  ])('[S40] rejects the address %j', async (url) => {
    expect(only(await post({ ...plain, url }))).toEqual(misfit({ url: 'The url must be a valid http or https URL.' }));
  });

  it('rejects a token that another server uses, also of two at the same moment, and frees that of a deleted one', async () => {
    const token = longToken('taken');
    const takenToken = misfit({ token: 'The token is already used by another server.' });
    const racing = await Promise.all([post({ ...plain, token }), post({ ...plain, token }), post({ ...plain, token })]);
    expect(racing.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422, 422]);
    expect(racing.filter(({ status }) => status === 422).map(only)).toEqual([takenToken, takenToken]);
    const id: number = racing.find(({ status }) => status === 201)?.body.data.id;
    const other = await add();
    expect(only(await put(other, { token }))).toEqual(takenToken);
    expect((await put(id, { token })).body.data.version).toBe(1);
    await api.call('DELETE', `/api/servers/${id}`, admin);
    expect((await put(other, { token })).status).toBe(200);
  });
});

describe('PUT servers/{id}', () => {
  it('[API-061] changes what was sent and keeps the rest; what changes nothing keeps the version', async () => {
    const id = await add({ region: 'eu', mainHash: 'm1', token: longToken('kept') });
    api.wait(60_000);
    const same = await put(id, { ...plain, region: 'eu', token: '', mainHash: null, hash: '' });
    expect([same.body.data.version, same.body.data.updated_at === same.body.data.created_at]).toEqual([1, true]);
    const sameSecrets = await put(id, { token: longToken('kept'), mainHash: 'm1' });
    expect(sameSecrets.body.data.version).toBe(1);
    const { body, headers } = await put(id, { ip: '2001:DB8:0::1', region: null });
    expect(headers['etag']).toBe('"v2"');
    expect(body.data).toMatchObject({ name: plain.name, region: null, ip: '2001:db8::1', has_main_hash: true, version: 2 });
    expect((await trail(id)).map(({ action, changes }) => [action, changes]).slice(1)).toEqual([
      [
        'update',
        [
          { field: 'region', from: 'eu', to: null },
          { field: 'ip', from: null, to: '2001:db8::1' },
        ],
      ],
    ]);
  });

  it('[S40] shows a server whose url is no longer valid, and saves its other fields', async () => {
    const id = await add();
    const url = 'https://edge.example/admin?x=1#y';
    await databases.db.updateTable('traffic_servers').set({ url }).where('id', '=', id).execute();
    expect((await get(`servers/${id}`)).body.data.url).toBe(url);
    const renaming = await put(id, { name: 'renamed' });
    expect([renaming.status, renaming.body.data.name, renaming.body.data.url]).toEqual([200, 'renamed', url]);
    expect(only(await put(id, { name: 'again', url }))).toEqual(misfit({ url: 'The url must be a valid http or https URL.' }));
  });

  it('[SRV-022] rejects the old token from the next call on, accepts the new one, and audits only that it changed', async () => {
    const [first, second] = [longToken('first'), longToken('second')];
    const id = await add({ token: first });
    expect([await ingest(first), await ingest(second)]).toEqual([422, 401]);
    await put(id, { token: second });
    expect([await ingest(first), await ingest(second)]).toEqual([401, 422]);
    expect((await trail(id)).at(-1)?.changes).toEqual([{ field: 'token', from: null, to: null }]);
    expect((await put(id, { token: 'short-token-of-23-chars' })).body.data).toMatchObject({ has_token: true, ingest_enabled: false });
    expect([await ingest(second), await ingest('short-token-of-23-chars')]).toEqual([401, 401]);
  });

  it('rejects in the order of the contract: shape, 404, 412 with what is stored, values', async () => {
    const id = await add();
    await put(id, { name: 'renamed' });
    const stale = await put(id, { name: 'mine', url: 'ftp://x' }, '"v1"');
    expect(stale.status).toBe(412);
    expect(stale.body).toEqual({
      success: false,
      message: 'Changed by someone else',
      data: { current: (await get(`servers/${id}`)).body.data },
    });
    expect(only(await put(id, { name: 5, url: 'ftp://x' }, '"v1"'))).toEqual(misfit({ name: 'The name field must be of type string.' }));
    expect((await put(999999999, { url: 'ftp://x' })).status).toBe(404);
    expect(only(await put(id, { url: 'ftp://x' }, '"v2"'))).toEqual(misfit({ url: 'The url must be a valid http or https URL.' }));
    const both = await Promise.all([put(id, { region: 'a' }, '"v2"'), put(id, { region: 'b' }, '"v2"')]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412]);
  });
});

describe('DELETE servers/{id}', () => {
  it('[API-062][SRV-013] deletes the server with its links, rejects its token, and lists beforehand what is deleted with it', async () => {
    const token = longToken('doomed');
    const id = await add({ token });
    const [visibleApp, hiddenApp] = [await createApp(databases, { name: 'Seen' }), await createApp(databases, { name: 'Hidden' })];
    const links = await databases.db
      .insertInto('check_domains')
      .values([visibleApp, hiddenApp].map((app) => ({ app_id: app.id, server_id: id, status: 'ok' as const })))
      .returning('id')
      .execute();
    const narrow = await signInAs(databases, { role: 'Admin', apps: [visibleApp.id], since: api.now() });
    const shownLink = {
      id: links[0]?.id,
      status: 'ok',
      app: { id: visibleApp.id, name: 'Seen', domain: visibleApp.domain, deleted_at: null },
    };
    expect((await get(`servers/${id}/dependants`, narrow)).body.data).toEqual({ links: [shownLink], others: 1 });
    expect((await get(`servers/${id}/dependants`)).body.data).toMatchObject({ links: [{ app: { name: 'Hidden' } }, shownLink], others: 0 });

    const { status, body } = await api.call('DELETE', `/api/servers/${id}`, admin);
    expect([status, body]).toEqual([204, null]);
    expect(await databases.db.selectFrom('check_domains').selectAll().where('server_id', '=', id).execute()).toEqual([]);
    expect(await ingest(token)).toBe(401);
    for (const path of [`servers/${id}`, `servers/${id}/dependants`, `servers/${id}/secrets`]) expect((await get(path)).status).toBe(404);
    expect((await api.call('DELETE', `/api/servers/${id}`, admin)).status).toBe(404);
    expect((await put(id, { name: 'x' })).status).toBe(404);
    expect((await trail(id)).at(-1)).toMatchObject({ action: 'delete', entity_label: plain.name });
    expect((await get('servers/list')).body.data.map((row: { id: number }) => row.id)).not.toContain(id);
  });
});
