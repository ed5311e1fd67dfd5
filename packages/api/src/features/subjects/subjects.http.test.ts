import type { Block } from '@switchyard/contract/request-by-id';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, signInAsServer } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const startsAt = new Date('2026-11-20T12:00:00Z');
const folder = mkdtempSync(join(tmpdir(), 'switchyard-subjects-'));
/** Slashes, percent signs, spaces, other scripts, and as long as a uid may be. */
const hostile = ['a/b', '../x', '100%', '%2F', ' c 1 ', 'Ж;?#&=+', '"=1+1', 'я'.repeat(128), "it's\\n"] as const;

const { databases } = await createTestDatabase();
let api: TestApi;
let bet: { id: number };
let casino: { id: number };
let all: { headers: Record<string, string> };
let readers: Record<'requests' | 'everything', { headers: Record<string, string> }>;

beforeAll(async () => {
  api = await buildTestApi({ databases, startsAt, env: { APP_LOG_DIR: join(folder, 'app-logs'), SERVER_UTC_OFFSET: '+02:00' } });
  await api.maintain();
  bet = await createApp(databases, { name: 'Bet', bundle: 'com.bet' });
  casino = await createApp(databases, { name: '=Casino', bundle: 'com.casino' });
  const since = startsAt;
  all = await signInAs(databases, { role: 'Super Admin', since });
  readers = {
    requests: await signInAs(databases, { permissions: ['manager_app_requests'], since }),
    everything: await signInAs(databases, {
      permissions: ['manager_app_all_requests', 'manager_app_pushes', 'manager_app_conversions', 'manager_dev_logs'],
      apps: [bet.id],
      since,
    }),
  };
  mkdirSync(join(folder, 'app-logs'));
  const lines = [
    ['2026-11-20T09:30:00Z', 'warning', 'client c-1: rejected'],
    ['2026-11-20T09:31:00Z', 'info', 'client c-10: accepted'],
    ['2026-11-20T09:32:00Z', 'info', 'client C-1: accepted'],
  ].map(([time, level, msg]) => `${JSON.stringify({ level, time, msg })}\n`);
  writeFileSync(join(folder, 'app-logs', '2026-11-20.log'), lines.join(''));
  const event = { type: 'create', ip: '203.0.113.9', client_uid: 'c-1', country: 'DE' };
  await send('events', [
    { ...event, app_id: bet.id, date: '2026-11-20T10:00:00.5Z', error: { exception_type: 'Notice' }, bot: 'CF' },
    { ...event, app_id: casino.id, date: '2026-11-20T09:00:00Z', ip: '2001:db8::1', country: 'FR', stream_uid: '=st' },
    { ...event, app_id: bet.id, date: '2026-11-18T09:00:00Z', type: 'receive', client_uid: 'C-1' },
    ...hostile.map((client_uid) => ({ ...event, app_id: bet.id, date: '2026-11-17T09:00:00Z', ip: '198.51.100.7', client_uid })),
  ]);
  const push = { push_id: 'p-1', push_name: 'Welcome', status: 'sent', client_uid: 'c-1' };
  await send('pushes', [
    { ...push, app_id: bet.id, send_at: '2026-11-20T09:45:00Z' },
    { ...push, app_id: casino.id, send_at: '2026-11-20T09:15:00Z', push_name: '=cmd' },
  ]);
  const conversion = { client_uid: 'c-1', status_conversion: 'deposit', payout: 12.5, status: 'success' };
  await send('conversions', [{ ...conversion, app_id: casino.id, created_at: '2026-11-20T09:10:00Z' }]);

  async function send(kind: string, rows: readonly object[]): Promise<void> {
    const { headers } = await signInAsServer(databases);
    const { body } = await api.call('POST', `/api/ingest/${kind}`, { headers, body: { [kind]: rows } });
    expect(body.data).toMatchObject({ accepted: rows.length });
  }
});

afterAll(async () => {
  await api.app.close();
  rmSync(folder, { recursive: true, force: true });
});

const get = async (path: string, { headers } = all) => api.call('GET', `/api/${path}`, { headers });
const timeline = async (path: string, reader = all) =>
  (await get(path, reader)).body.data.rows.map((row: { kind: string; at: string }) => `${row.kind} ${row.at}`);

describe('clients and addresses', () => {
  it('[INV-020] says what is known of a client, and of one that nobody has seen', async () => {
    const { status, body } = await get('clients/c-1');
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      uid: 'c-1',
      requests: 2,
      first_seen_at: '2026-11-20 09:00:00',
      last_seen_at: '2026-11-20 10:00:00',
      types: { create: 2, receive: 0 },
      apps: [
        { id: bet.id, name: 'Bet', deleted_at: null, requests: 1, last_seen_at: '2026-11-20 10:00:00' },
        { id: casino.id, name: '=Casino', requests: 1 },
      ],
      countries: [
        { code: 'DE', requests: 1 },
        { code: 'FR', requests: 1 },
      ],
      addresses: [
        { ip: '203.0.113.9', country: 'DE', requests: 1, blocked_by: [] },
        { ip: '2001:db8::1', country: 'FR', requests: 1 },
      ],
      addresses_total: 2,
      pushes: 2,
      conversions: 1,
    });
    const unseen = (await get('clients/nobody')).body.data;
    expect(unseen).toMatchObject({
      requests: 0,
      first_seen_at: null,
      apps: [],
      countries: [],
      addresses: [],
      addresses_total: 0,
      pushes: 0,
    });
  });

  it('[INV-020] says what is known of an address in any spelling, and who blocks it', async () => {
    await api.call('POST', '/api/black-list', { headers: all.headers, body: { ips: ['203.0.113.9'], reason: 'fraud' } });
    const { body } = await get('addresses/::ffff:203.0.113.9');
    expect(body.data).toMatchObject({
      ip: '203.0.113.9',
      requests: 2,
      clients: [
        { uid: 'c-1', requests: 1 },
        { uid: 'C-1', requests: 1 },
      ],
      clients_total: 2,
      blocked_by: [{ kind: 'address', target: '203.0.113.9', reason: 'fraud' }],
      may_block: true,
    });
    expect((await get('clients/c-1')).body.data.addresses[0].blocked_by).toMatchObject([{ kind: 'address', reason: 'fraud' }]);
    const restrictedView = (await get('addresses/203.0.113.9', readers.requests)).body.data;
    expect(restrictedView).toMatchObject({ may_block: false, blocked_by: [{ kind: 'address', reason: null }] });
    expect((await get('addresses/198.51.100.200')).body.data).toMatchObject({ requests: 0, clients: [], asn: null });
    for (const path of ['addresses/nonsense', 'addresses/nonsense/timeline', 'addresses/nonsense/download'])
      expect((await get(path)).status).toBe(404);
  });

  it('[INV-049, INV-051] adds up a block, with its clients and the rules inside it', async () => {
    await api.call('POST', '/api/black-list', { headers: all.headers, body: { ips: ['203.0.113.9', '203.0.113.77'], reason: 'scans' } });
    await api.call('POST', '/api/black-list', { headers: all.headers, body: { ips: ['203.0.114.1', '2001:db8::5'], reason: 'other' } });
    await databases.pools.ops.query(`
      insert into asns (code, name, domain, is_ban_create, is_ban_receive)
        values (64500, 'Around', '', true, false), (64501, 'Inside', '', false, true), (64502, 'Free', '', false, false), (64503, 'Next', '', true, true);
      insert into asn_prefixes (first, last, code) values ('203.0.112.0', '203.0.113.31', 64500), ('203.0.113.32', '203.0.113.63', 64501),
        ('203.0.113.64', '203.0.113.71', 64502), ('203.0.114.0', '203.0.114.255', 64503)`);
    const { body } = await get('addresses/203.0.113.7%2F24');
    expect(body.data).toMatchObject({ ip: '203.0.113.0/24', requests: 2, clients_total: 2, asn: null, may_block: false, blocked_total: 4 });
    const rules = body.data.blocked_by.map(({ target, applies_to: types }: Block) => `${target} ${types.join()}`);
    expect(rules).toEqual(['203.0.113.77 create,receive', '203.0.113.9 create,receive', 'AS64500 create', 'AS64501 receive']);
    expect(body.data.blocked_by[0]).toMatchObject({ reason: 'scans', since: { create: expect.any(String), receive: expect.any(String) } });
    const plain = (await get('addresses/203.0.113.7%2F24', readers.requests)).body.data;
    expect(plain.blocked_by).toHaveLength(4);
    for (const rule of plain.blocked_by) expect(rule).toMatchObject({ reason: null, since: { create: null, receive: null }, at: null });
    expect((await get('addresses/2001:DB8::77%2F32')).body.data).toMatchObject({ ip: '2001:db8::/32', requests: 1, blocked_total: 1 });
    expect((await get('addresses/2001:db8::%2F32', readers.everything)).body.data).toMatchObject({ requests: 0, clients_total: 0 });
    expect(await timeline('addresses/203.0.113.0%2F24/timeline')).toEqual(['request 2026-11-20 10:00:00', 'request 2026-11-18 09:00:00']);
    for (const odd of ['203.0.113.0%2F33', '203.0.113.0%2Fx', '203.0.113.0%2F24%2F8'])
      expect((await get(`addresses/${odd}`)).status, odd).toBe(404);
  });

  it('[INV-020] takes any text as the uid of a client', async () => {
    for (const uid of hostile) {
      const path = `clients/${encodeURIComponent(uid)}`;
      expect((await get(path)).body.data, uid).toMatchObject({ uid, requests: 1 });
      expect(await timeline(`${path}/timeline`), uid).toEqual(['request 2026-11-17 09:00:00']);
    }
    for (const path of ['clients/a//b', 'clients/a;b', 'clients/%00', 'clients/', `clients/${'x'.repeat(129)}`])
      expect((await get(path)).status, path).toBe(404);
  });

  it('[INV-021, INV-025] merges what the caller may see, newest first', async () => {
    const mergedRows = [
      'request 2026-11-20 10:00:00',
      'push 2026-11-20 09:45:00',
      'log 2026-11-20 09:30:00',
      'push 2026-11-20 09:15:00',
      'conversion 2026-11-20 09:10:00',
      'request 2026-11-20 09:00:00',
    ];
    expect(await timeline('clients/c-1/timeline')).toEqual(mergedRows);
    expect(await timeline('clients/c-1/timeline?kind=log,conversion')).toEqual([mergedRows[2], mergedRows[4]]);
    expect(await timeline('clients/c-1/timeline', readers.requests)).toEqual([mergedRows[0], mergedRows[5]]);
    expect(await timeline('clients/c-1/timeline?kind=push', readers.requests)).toEqual([]);
    expect((await get('clients/c-1', readers.requests)).body.data).toMatchObject({ pushes: null, conversions: null });
    expect(await timeline('addresses/203.0.113.9/timeline')).toEqual(['request 2026-11-20 10:00:00', 'request 2026-11-18 09:00:00']);

    const { body } = await get('clients/c-1/timeline?limit=2');
    expect(body.pagination).toMatchObject({ count: 2, prev_cursor: null });
    const next = await get(`clients/c-1/timeline?limit=2&cursor=${body.pagination.next_cursor}`);
    expect(next.body.data.rows).toMatchObject([
      { kind: 'log', log: { date: '2026-11-20', level: 'warning', message: 'client c-1: rejected', position: 0 } },
      { kind: 'push', app: { id: casino.id, name: '=Casino' }, push: { push_name: '=cmd' } },
    ]);
    expect(next.body.data).toMatchObject({ newest: null, has_gap: false, logs_searched_to: null });
  });

  it('[INV-024] shows a restricted reader nothing of other apps', async () => {
    const reader = readers.everything;
    expect((await get('clients/c-1', reader)).body.data).toMatchObject({
      requests: 1,
      apps: [{ id: bet.id }],
      countries: [{ code: 'DE' }],
      addresses_total: 1,
      pushes: 1,
      conversions: 0,
    });
    expect((await get('addresses/2001:db8::1', reader)).body.data).toMatchObject({ requests: 0, clients: [], clients_total: 0 });
    expect(await timeline('clients/c-1/timeline', reader)).toEqual([
      'request 2026-11-20 10:00:00',
      'push 2026-11-20 09:45:00',
      'log 2026-11-20 09:30:00',
    ]);
  });

  it('[INV-023] sends the timeline as CSV that is no formula, and records it', async () => {
    const file = await api.app.inject({ url: '/api/clients/c-1/download', headers: all.headers });
    expect(file.headers['content-disposition']).toBe('attachment; filename="client.csv"');
    expect(file.body.split('\r\n')).toEqual([
      'kind,at_utc,app_id,app_name,type_or_status,ip,country,detail',
      `request,2026-11-20 10:00:00,${bet.id},Bet,create,203.0.113.9,DE,"bot CF, error Notice"`,
      `push,2026-11-20 09:45:00,${bet.id},Bet,sent,,,Welcome`,
      'log,2026-11-20 09:30:00,,,warning,,,client c-1: rejected',
      `push,2026-11-20 09:15:00,${casino.id},'=Casino,sent,,,'=cmd`,
      `conversion,2026-11-20 09:10:00,${casino.id},'=Casino,success,,,deposit 12.5`,
      `request,2026-11-20 09:00:00,${casino.id},'=Casino,create,2001:db8::1,FR,stream =st`,
      '',
    ]);
    const ofAddress = await api.app.inject({ url: '/api/addresses/203.0.113.9/download?kind=push', headers: all.headers });
    expect(ofAddress.body).toBe('kind,at_utc,app_id,app_name,type_or_status,ip,country,detail\r\n');
    expect((await get('audit?action=export')).body.pagination.count).toBe(2);
  });
});
