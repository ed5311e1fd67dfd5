import { edgeConfig } from '@switchyard/contract/edge';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, signInAsServer, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
/** Two processes of the console on one database. */
let api: TestApi;
let other: TestApi;
let admin: SignedIn;

beforeAll(async () => {
  api = await buildTestApi({ databases });
  other = await buildTestApi({ databases });
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  await databases.db
    .insertInto('asns')
    .values([13335, 2906].map((code) => ({ code, domain: '', name: `AS ${code}` })))
    .execute();
  return async () => Promise.all([api.app.close(), other.app.close()]);
});

type Server = Awaited<ReturnType<typeof signInAsServer>>;
const poll = async ({ headers }: Pick<Server, 'headers'>, etag?: unknown, from = other, query = '') =>
  from.call('GET', `/api/edge/config${query}`, { headers: { ...headers, ...(typeof etag === 'string' ? { 'if-none-match': etag } : {}) } });
const write = async (method: 'POST' | 'PUT' | 'DELETE', path: string, body: object = {}) => {
  const { status } = await api.call(method, `/api/${path}`, { ...admin, body });
  expect(status).toBeLessThan(300);
};
const link = async (appId: number, { serverId }: Server) =>
  databases.db
    .insertInto('check_domains')
    .values({ app_id: appId, server_id: serverId, status: 'bind' })
    .returning('id')
    .executeTakeFirstOrThrow();

describe('GET edge/config', () => {
  it('gives what the server obeys, and nothing secret', async () => {
    const server = await signInAsServer(databases);
    const app = await createApp(databases, { api_secret_sealed: 'canary', push_file_sealed: 'canary', create_apf_dev_key: 'dK9' });
    const archivedApp = await createApp(databases, { deleted_at: new Date() });
    await createApp(databases);
    const { id } = await link(app.id, server);
    await link(archivedApp.id, server);
    const { status, body, headers } = await poll(server);
    expect([status, headers['cache-control'], headers['content-type']]).toEqual([
      200,
      'private, no-cache',
      'application/json; charset=utf-8',
    ]);
    expect(headers['etag']).toMatch(/^"[\w-]{43}"$/);
    expect(JSON.stringify(body)).not.toMatch(/canary|apiSecret|firebase_settings/);
    expect(edgeConfig.strict().parse(body.data)).toEqual(body.data);
    expect(body.data).toMatchObject({ server: { id: server.serverId }, black_list: [], asns: { create: [], receive: [] } });
    expect(body.data.apps).toEqual([
      {
        id: app.id,
        name: app.name,
        bundle: app.bundle,
        domain: app.domain,
        vertical: 'bet',
        link: { id, status: 'bind', is_only_cf: false },
        app_mode: 'default',
        response_mode: 'white',
        response_message: Object.fromEntries(
          ['static', 'create', 'receive'].map((entry) => [entry, { type: 'json', code: 200, response: '' }]),
        ),
        proxy_api_url: null,
        static_response_path: '/',
        proxy_cache_seconds: 300,
        cloak_mode: 'default',
        adspect_cloak: null,
        white_user_agent: null,
        conversion_api_type: 'mmp_appsflyer',
        keys: { createApfDevKey: 'dK9', firebaseAppId: null },
        updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      },
    ]);
  });

  it('shows every change to the next poll in any process, and changes its etag exactly when the body changes', async () => {
    const server = await signInAsServer(databases);
    const app = await createApp(databases);
    const { id } = await link(app.id, server);
    let { headers, body } = await poll(server);
    const pollChanged = async (pick: (data: typeof body) => unknown) => {
      const next = await poll(server, headers['etag']);
      expect(next.status).toBe(200);
      expect(next.headers['etag']).not.toBe(headers['etag']);
      ({ headers, body } = next);
      return pick(body.data);
    };
    const expectUnchanged = async () => {
      const next = await poll(server, headers['etag']);
      expect([next.status, next.body, next.headers['etag'], next.headers['cache-control']]).toEqual([
        304,
        null,
        headers['etag'],
        'private, no-cache',
      ]);
      expect((await poll(server)).headers['etag']).toBe(headers['etag']);
    };
    await expectUnchanged();
    await write('POST', 'black-list', { ips: ['9.9.9.9', '10.0.0.1', '2001:db8::1'] });
    expect(await pollChanged((data) => data.black_list)).toEqual(['10.0.0.1', '2001:db8::1', '9.9.9.9']);
    await write('POST', 'black-list', { ips: ['9.9.9.9'], reason: 'other' });
    await expectUnchanged();
    await write('DELETE', 'black-list/9.9.9.9');
    expect(await pollChanged((data) => data.black_list)).toEqual(['10.0.0.1', '2001:db8::1']);
    await write('POST', 'octopus-app/asn/13335', { isBanCreate: true });
    await pollChanged(() => null);
    await write('POST', 'octopus-app/asn/2906', { isBanCreate: true, isBanReceive: true });
    expect(await pollChanged((data) => data.asns)).toEqual({ create: [2906, 13335], receive: [2906] });
    await write('PUT', `apps/${app.id}`, { name: `${app.name} 2` });
    expect(await pollChanged((data) => data.apps[0].name)).toBe(`${app.name} 2`);
    await databases.db.updateTable('check_domains').set({ status: 'ok', ticket: 9 }).where('id', '=', id).execute();
    expect(await pollChanged((data) => data.apps[0].link.status)).toBe('ok');
    await databases.db.updateTable('check_domains').set({ is_only_cf: true }).where('id', '=', id).execute();
    expect(await pollChanged((data) => data.apps[0].link)).toEqual({ id, status: 'ok', is_only_cf: true });
    await write('PUT', `servers/${server.serverId}`, { name: 'renamed' });
    expect(await pollChanged((data) => data.server.name)).toBe('renamed');
    await write('PUT', `servers/${server.serverId}`, { region: 'eu' });
    await write('POST', 'servers', { name: 'x', url: 'https://x.example' });
    await expectUnchanged();
    await write('DELETE', `apps/${app.id}`);
    expect(await pollChanged((data) => data.apps)).toEqual([]);
    await write('PUT', `apps/${app.id}/restore`);
    await pollChanged(() => null);
    await databases.db.deleteFrom('check_domains').where('id', '=', id).execute();
    expect(await pollChanged((data) => data.apps)).toEqual([]);
  });

  it('[BAN-010] has networks if they are asked for, with an etag of its own', async () => {
    const server = await signInAsServer(databases);
    const [plain, first] = [await poll(server), await poll(server, undefined, other, '?networks=1')];
    expect(first.body.data).toEqual({ ...plain.body.data, black_networks: [] });
    await write('POST', 'black-list/entries', { entries: ['198.18.0.0/15', '10.0.0.0/8', '2001:db8:1::/48'] });
    const ask = async (etag: unknown) => poll(server, etag, other, '?networks=1');
    const second = await ask(first.headers['etag']);
    expect(second.body.data.black_networks).toEqual(['10.0.0.0/8', '198.18.0.0/15', '2001:db8:1::/48']);
    expect((await ask(second.headers['etag'])).status).toBe(304);
    expect((await poll(server, plain.headers['etag'])).status).toBe(304);
    await write('DELETE', 'black-list/entries/10.0.0.0%2F8');
    expect((await ask(second.headers['etag'])).body.data.black_networks).toEqual(['198.18.0.0/15', '2001:db8:1::/48']);
  });

  it('[BAN-011] leaves out entries within a second of their expiry, in every process and without a change', async () => {
    const server = await signInAsServer(databases);
    const at = (seconds: number) => new Date(other.now().getTime() + seconds * 1000).toISOString();
    await write('POST', 'black-list/entries', { entries: ['198.18.0.7'], expires_at: at(60) });
    await write('POST', 'black-list/entries', { entries: ['198.18.0.8', '198.20.0.0/16'], expires_at: at(90) });
    const listed = async (knownEtag?: unknown) => {
      const { status, body, headers } = await poll(server, knownEtag, other, '?networks=1');
      const all: string[] = status === 304 ? [] : [...body.data.black_list, ...body.data.black_networks];
      return { status, etag: headers['etag'], own: all.filter((entry) => entry.startsWith('198.')) };
    };
    const before = await listed();
    expect(before.own).toEqual(['198.18.0.7', '198.18.0.8', '198.18.0.0/15', '198.20.0.0/16']);
    other.wait(59_000);
    expect((await listed(before.etag)).status).toBe(304);
    other.wait(1_999);
    const between = await listed(before.etag);
    expect(between.own).toEqual(['198.18.0.8', '198.18.0.0/15', '198.20.0.0/16']);
    await write('POST', 'black-list/entries', { entries: ['198.18.0.8'], expires_in_hours: 2 });
    other.wait(30_000);
    expect((await listed(between.etag)).own).toEqual(['198.18.0.8', '198.18.0.0/15']);
  });

  it('a rolled-back change shows nowhere', async () => {
    const server = await signInAsServer(databases);
    const { headers } = await poll(server);
    const client = await databases.pools.ui.connect();
    onTestFinished(() => client.release());
    await client.query('begin');
    await client.query(`insert into black_ips (ip, reason) values ('192.0.2.200', '')`);
    expect((await poll(server, headers['etag'])).status).toBe(304);
    await client.query('rollback');
    expect((await poll(server, headers['etag'])).status).toBe(304);
  });

  it('rejects a replaced token, a deleted server and the token of a person, in every process at once', async () => {
    const server = await signInAsServer(databases);
    const next = 'n'.repeat(40);
    expect((await poll(server)).status).toBe(200);
    await write('PUT', `servers/${server.serverId}`, { token: next });
    expect(
      await Promise.all([poll(server), poll(server, undefined, api), poll(admin)]).then((all) => all.map(({ status }) => status)),
    ).toEqual([401, 401, 401]);
    const renewedHeaders = { headers: { authorization: `Bearer ${next}` } };
    expect((await poll(renewedHeaders)).status).toBe(200);
    await write('DELETE', `servers/${server.serverId}`);
    expect((await poll(renewedHeaders)).status).toBe(401);
    expect((await poll(await signInAsServer(databases, { ingestEnabled: false }))).status).toBe(401);
  });
});
