import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, type SignedIn, signInAsServer } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const startsAt = new Date('2026-11-20T10:11:12Z');
const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;
let server: { headers: Record<string, string>; serverId: number };
let bet: { id: number };
let casino: { id: number };
/** The first request that was stored. */
let oldest = 0;

beforeAll(async () => {
  api = await buildTestApi({ databases, startsAt });
  admin = await signInAs(databases, { role: 'Super Admin', since: startsAt });
  server = await signInAsServer(databases);
  bet = await createApp(databases);
  casino = await createApp(databases);
  await databases.pools.ops.query(`
    insert into asns (code, name, domain) values (64500, 'Example Net', 'example.net'), (64501, 'Inner', ''), (64502, 'Six', '');
    insert into asn_prefixes (first, last, code) values ('203.0.113.0', '203.0.113.255', 64500), ('203.0.113.64', '203.0.113.127', 64501),
      ('2001:db8::', '2001:db8::ffff', 64502)`);
  oldest = await store({ ip: '198.51.100.3', date: '2026-09-01 00:00:00' });
  return async () => api.app.close();
});

/** Stores a request and gives its id. */
async function store(row: { ip: string; app_id?: number; date?: string }): Promise<number> {
  const client = `c-${Math.random()}`;
  const event = { type: 'create', date: '2026-11-20 09:00:00.000001', app_id: bet.id, client_uid: client, ...row };
  const { body } = await api.call('POST', '/api/ingest/events', { headers: server.headers, body: { events: [event] } });
  expect(body.data.accepted).toBe(1);
  const answer = await api.call('GET', `/api/all-requests?clientId=${client}`, admin);
  return answer.body.data[0].id;
}
const get = async (id: number | string, caller: SignedIn = admin) => api.call('GET', `/api/requests/${id}`, caller);

describe('one request', () => {
  it('[INV-004] is the row of the lists with its autonomous system, the most specific one', async () => {
    const [id, v6] = [await store({ ip: '203.0.113.70' }), await store({ ip: '2001:DB8::1' })];
    const { body: list } = await api.call('GET', '/api/all-requests?search=203.0.113.70', admin);
    const { status, body } = await get(id);
    expect(status).toBe(200);
    const asn = { code: 64501, name: 'Inner', domain: '', is_ban_create: false, is_ban_receive: false };
    const { name } = await databases.db.selectFrom('traffic_servers').select('name').executeTakeFirstOrThrow();
    expect(body.data).toEqual({ ...list.data[0], asn, server: { id: server.serverId, name }, blocked_by: [] });
    expect((await get(v6)).body.data).toMatchObject({ ip: '2001:db8::1', asn: { code: 64502 } });
    expect((await get(await store({ ip: '198.51.100.1' }))).body.data).toMatchObject({ asn: null, blocked_by: [] });
  });

  it('[INV-004] is not found for an unknown id, and for one of an app outside the scope', async () => {
    const [own, foreign] = [await store({ ip: '198.51.100.2' }), await store({ ip: '198.51.100.2', app_id: casino.id })];
    const scopedReader = await signInAs(databases, { permissions: ['manager_app_requests'], apps: [bet.id], since: startsAt });
    expect((await get(own, scopedReader)).body.data).toMatchObject({ id: own, app_id: bet.id });
    for (const id of [foreign, foreign + 1000, 999_999_999_999_999]) {
      expect(await get(id, scopedReader)).toMatchObject({ status: 404, body: { message: 'Request not found' } });
    }
    expect((await get(foreign)).status).toBe(200);
    for (const odd of ['0', '-1', '1e3', '1234567890123456', 'x']) expect((await get(odd)).status).toBe(404);
  });

  it('[INV-006] names the server and the autonomous system in lists that ask for them', async () => {
    const id = await store({ ip: '203.0.113.10' });
    await databases.db.updateTable('traffic_servers').set({ deleted_at: startsAt }).where('id', '=', server.serverId).execute();
    const { body: plain } = await api.call('GET', '/api/all-requests?search=203.0.113.10', admin);
    expect(Object.keys(plain.data[0])).not.toEqual(expect.arrayContaining(['asn']));
    expect(Object.keys(plain.data[0])).not.toEqual(expect.arrayContaining(['server']));
    const { name } = await databases.db.selectFrom('traffic_servers').select('name').executeTakeFirstOrThrow();
    const asn = { code: 64500, name: 'Example Net', domain: 'example.net', is_ban_create: false, is_ban_receive: false };
    const origin = { ...plain.data[0], id, asn, server: { id: server.serverId, name } };
    for (const path of ['all-requests', `apps/${bet.id}/postbacks`]) {
      for (const sort of ['', '&orderBy=type', '&orderBy=id&geo=none', '&type=create']) {
        const { body } = await api.call('GET', `/api/${path}?search=203.0.113.10&origin=1${sort}`, admin);
        expect(body.data).toEqual([origin]);
        expect((await api.call('GET', `/api/${path}?search=203.0.113.10&origin=0${sort}`, admin)).body.data).toEqual(plain.data);
      }
      expect((await api.call('GET', `/api/${path}?origin=1&limit=1`, admin)).body.data).toEqual([origin]);
    }
    await databases.db.updateTable('traffic_servers').set({ deleted_at: null }).where('id', '=', server.serverId).execute();
  });

  it('[INV-005] names the rules that block its address, and why, when and by whom to those who may see them', async () => {
    const id = await store({ ip: '203.0.113.9' });
    const editor = await signInAs(databases, { permissions: ['manager_settings_asns'], since: startsAt });
    await api.call('POST', '/api/black-list', { ...editor, body: { ips: ['203.0.113.9'], reason: 'Fraud' } });
    await api.call('POST', '/api/octopus-app/asn/64500', { ...editor, body: { isBanReceive: true } });
    const { body: trail } = await api.call('GET', '/api/audit?entity=asn', admin);
    const { at, actor } = trail.data[0];
    const by = { at, actor: { id: actor.id, name: actor.name } };
    const rules = [
      {
        kind: 'address',
        target: '203.0.113.9',
        name: '',
        applies_to: ['create', 'receive'],
        reason: 'Fraud',
        ...by,
        since: { create: expect.any(String), receive: expect.any(String) },
        at: expect.any(String),
      },
      {
        kind: 'asn',
        target: 'AS64500',
        name: 'Example Net',
        applies_to: ['receive'],
        reason: null,
        since: { create: null, receive: at },
        ...by,
      },
    ];
    expect((await get(id)).body.data.blocked_by).toEqual(rules);
    expect(actor.id).toBe(editor.accountId);

    const reader = await signInAs(databases, { permissions: ['manager_app_all_requests'], since: startsAt });
    const withheld = { reason: null, since: { create: null, receive: null }, at: null, actor: null };
    expect((await get(id, reader)).body.data.blocked_by).toEqual(rules.map((rule) => ({ ...rule, ...withheld })));

    await api.call('DELETE', '/api/black-list/203.0.113.9', editor);
    await api.call('POST', '/api/octopus-app/asn/64500', { ...editor, body: { isBanReceive: false, isBanCreate: true } });
    expect((await get(id)).body.data.blocked_by).toMatchObject([{ kind: 'asn', applies_to: ['create'] }]);
  });

  it('[INV-050] says since when a rule blocks without a break, not when it was changed last', async () => {
    const id = await store({ ip: '203.0.113.11' });
    const editor = await signInAs(databases, { permissions: ['manager_settings_asns'], since: startsAt });
    const at = (): string => api.now().toISOString().slice(0, 19).replace('T', ' ');
    const list = async (reason: string) => api.call('POST', '/api/black-list', { ...editor, body: { ips: ['203.0.113.11'], reason } });
    const ban = async (body: object) => api.call('POST', '/api/octopus-app/asn/64500', { ...editor, body });
    const sinceOf = async () => (await get(id)).body.data.blocked_by.map(({ since }: { since: unknown }) => since);
    await ban({ isBanCreate: false, isBanReceive: false });
    await list('first');
    await ban({ isBanCreate: true });
    const listedSince = (await get(id)).body.data.blocked_by[0].since;
    const [{ at: bannedAt }] = (await api.call('GET', '/api/audit?entity=asn', admin)).body.data;
    api.wait(60_000);
    await list('second');
    await ban({ isBanReceive: true });
    expect(await sinceOf()).toEqual([listedSince, { create: bannedAt, receive: expect.any(String) }]);
    await api.call('DELETE', '/api/black-list/203.0.113.11', editor);
    await ban({ isBanCreate: false });
    await ban({ isBanCreate: true });
    await list('third');
    const again = await sinceOf();
    expect(again[0].create).toBe(at());
    expect(again[1].create).not.toBe(null);
    await ban({ isBanCreate: false, isBanReceive: false });
  });

  // The last to run, because it moves the clock.
  it('[INV-004] is said to be too old when its id lies before all that are kept', async () => {
    const late = await store({ ip: '198.51.100.3', date: '2026-09-01 00:00:00' });
    const eventId = await store({ ip: '198.51.100.3', date: '2026-11-20 10:00:00' });
    api.wait(85 * 86_400_000);
    await api.maintain();
    admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
    expect((await get(eventId)).status).toBe(200);
    const message = 'This request is older than the 90 days that requests are kept';
    expect(await get(oldest)).toMatchObject({ status: 404, body: { message } });
    // Its id is newer than those of requests that are kept.
    expect(await get(late)).toMatchObject({ status: 404, body: { message: 'Request not found' } });
  });
});
