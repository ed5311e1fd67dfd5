import type { BulkChange } from '@switchyard/contract/bulk';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestApi } from '../../../test/build-test-api.ts';
import { bulkRuns, startBulkConsole, stopBulkConsole } from '../../../test/bulk-runs.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, signInAsServer, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
let api: TestApi;
let admin: SignedIn;
const apps: number[] = [];
const runs = bulkRuns(() => api);
const keys = [64_501, 64_502, 64_503];
const ban = (params: { isBanCreate?: boolean; isBanReceive?: boolean }): BulkChange => ({ action: 'asn.ban', params });

beforeAll(async () => {
  await databases.pools.ops.query(`
    insert into asns (code, domain, name) values (64501, '', 'Quiet_100%'), (64502, '', 'Largest'), (64503, '', 'Silent');
    insert into asn_prefixes (first, last, code) values ('203.0.113.0', '203.0.113.9', 64501), ('198.51.100.0', '198.51.100.9', 64502);
    insert into registry_loads (registry, packaged_version, source, loaded_at, systems, prefixes) values ('asn', '1', 'test', now(), 3, 2)`);
  api = await startBulkConsole(databases, { PROTECTED_NETWORKS: '198.18.128.0/17,203.0.113.7' });
  await api.maintain();
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  apps.push((await createApp(databases)).id, (await createApp(databases)).id);
  const { headers } = await signInAsServer(databases);
  const [own = 0, other = 0] = apps;
  const sent = (ip: string, type: string, app_id: number, daysAgo = 0) => ({
    app_id,
    type,
    ip,
    date: new Date(api.now().getTime() - daysAgo * 86_400_000).toISOString(),
  });
  const [quiet, largest] = ['203.0.113.5', '198.51.100.5'];
  const events = [
    sent(quiet, 'create', own),
    ...[own, own, other].map((app) => sent(largest, 'create', app, 6)),
    sent(largest, 'receive', other),
    sent(largest, 'create', own, 8),
    sent('192.0.2.1', 'track', own),
  ];
  expect((await api.call('POST', '/api/ingest/events', { headers, body: { events } })).body.data).toMatchObject({ accepted: 7 });
  return async () => stopBulkConsole(api);
});

/** Labels of the rows and what they would have blocked, in order. */
const blockedRows = async (id: number, caller = admin, query = '') =>
  (await runs.rows(id, caller, query)).map(({ key, blocked }) => [Number(key), blocked]);
const blockedBy = async (id: number, caller = admin) => (await api.call('GET', `/api/bulk/runs/${id}/blocked`, caller)).body.data;

describe('a bulk ban of autonomous systems', () => {
  it('[BULK-031] says what it would have blocked in the last seven days, the largest first, and finds rows by a text', async () => {
    await runs.run(admin, ban({ isBanCreate: true }), { keys: [64_501] });
    const both = await runs.check(admin, ban({ isBanCreate: true, isBanReceive: true }), { keys });
    expect(await blockedRows(both.id)).toEqual([
      [64_502, 4],
      [64_501, 1],
      [64_503, 0],
    ]);
    expect(await blockedBy(both.id)).toEqual({ blocked: 5, all: 6, unknown: 0 });
    expect(await blockedRows(both.id, admin, 'search=T_100%25')).toEqual([[64_501, 1]]);
    expect(await blockedRows(both.id, admin, 'search=as6450&page=2&limit=2')).toEqual([[64_503, 0]]);
    // What is banned already is not part of the sum.
    const create = await runs.check(admin, ban({ isBanCreate: true }), { keys });
    expect(await blockedBy(create.id)).toEqual({ blocked: 3, all: 6, unknown: 0 });
    await runs.start(admin, create.id);
    expect((await blockedRows(create.id))[0]).toEqual([64_502, 3]);
    expect(await blockedBy((await runs.check(admin, ban({ isBanReceive: false }), { keys })).id)).toBeNull();
    expect((await runs.undo(admin, create.id)).result.changed).toBe(2);
  });

  it('[BULK-031] counts requests of the apps that the caller sees, for those who may see requests', async () => {
    const [own = 0] = apps;
    const limited = await signInAs(databases, {
      permissions: ['manager_settings_asns', 'manager_app_all_requests'],
      apps: [own],
      since: api.now(),
    });
    const { id } = await runs.check(limited, ban({ isBanReceive: true, isBanCreate: true }), { keys });
    expect(await blockedRows(id, limited)).toEqual([
      [64_502, 2],
      [64_501, 1],
      [64_503, 0],
    ]);
    expect(await blockedBy(id, limited)).toEqual({ blocked: 3, all: 4, unknown: 0 });
    expect((await api.call('GET', `/api/bulk/runs/${id}/blocked`, admin)).status).toBe(404);
    const unpermitted = await signInAs(databases, { permissions: ['manager_settings_asns'], since: api.now() });
    const hidden = await runs.check(unpermitted, ban({ isBanCreate: true }), { keys });
    expect(await blockedRows(hidden.id, unpermitted)).toEqual(keys.map((key) => [key, null]));
    expect(await blockedBy(hidden.id, unpermitted)).toBeNull();
  });

  it('[BAN-108] restores the reasons of bans that it took, when it is undone', async () => {
    const reasonOf = async () => (await api.call('GET', '/api/octopus-app/asn/changes?codes[]=64503', admin)).body.data[0].reason;
    await runs.run(admin, { action: 'asn.ban', params: { isBanCreate: true, reason: 'Silent scans' } }, { keys: [64_503] });
    expect(await reasonOf()).toBe('Silent scans');
    const free = await runs.run(admin, ban({ isBanCreate: false }), { keys: [64_503] });
    expect(await reasonOf()).toBe('');
    expect((await runs.undo(admin, free.id)).result.changed).toBe(1);
    expect(await reasonOf()).toBe('Silent scans');
    await runs.run(admin, ban({ isBanCreate: false }), { keys: [64_503] });
  });

  it('[BULK-031, BAN-108] knows a system without a reason as runs before there were reasons did', async () => {
    const { id } = await runs.run(admin, ban({ isBanReceive: true }), { keys: [64_503] });
    const { rows } = await databases.pools.ops.query('select state_after as state from bulk_rows where run_id = $1', [id]);
    expect(rows).toEqual([{ state: 'create false; receive true' }]);
    expect((await runs.undo(admin, id)).result.changed).toBe(1);
  });

  it('[BULK-032] changes 500 systems at once, with an entry for each that changes', async () => {
    const many = Array.from({ length: 500 }, (_, at) => 70_000 + at);
    await databases.pools.ops.query(
      `insert into asns (code, domain, name, is_ban_create) select code, '', 'Many', code = 70000 from unnest($1::bigint[]) as given (code)`,
      [many],
    );
    const { id, check } = await runs.check(admin, ban({ isBanCreate: true }), { keys: [...many, 79_999] });
    expect(check).toEqual({ changed: 499, already: 1, denied: 1, conflict: 0, failed: 0 });
    expect((await runs.start(admin, id)).result).toEqual(check);
    // Rows that are changed one by one have a subtransaction each, whose number is their xmin.
    const { rows } = await databases.pools.ops.query(`select distinct xmin::text from asns where code > 70000 and name = 'Many'`);
    expect(rows).toHaveLength(1);
    const entries = await databases.pools.ops.query<{ entity_id: string }>(
      `select distinct entity_id from audit_entries where request_id = $1 and changes = '[{"field": "isBanCreate", "from": false, "to": true}]'`,
      [`bulk-${id}`],
    );
    expect(entries.rows).toHaveLength(499);
  });
});

describe('a bulk ban of addresses', () => {
  it('[BAN-050] adds none of PROTECTED_NETWORKS, also when it restores one, and the check of addresses names them', async () => {
    const ips = ['198.18.128.5', '203.0.113.7', '203.0.113.8'];
    const checked = await api.call('POST', '/api/black-list/check', { ...admin, body: { ips } });
    expect(checked.body.data).toEqual(ips.slice(0, 2).map((ip) => ({ ip, kind: 'protected', server: null })));
    const done = await runs.run(admin, { action: 'black_ip.add', params: { reason: 'Scan' } }, { keys: ips });
    expect([done.check, done.result]).toMatchObject([
      { changed: 1, denied: 2 },
      { changed: 1, denied: 2 },
    ]);
    expect((await runs.rows(done.id, admin, 'result=denied')).map(({ result }) => result?.message)).toEqual([
      '198.18.128.5 is in the protected network 198.18.128.0/17.',
      '203.0.113.7 is the protected address 203.0.113.7.',
    ]);
    const listed = async () => (await databases.pools.ops.query('select ip from black_ips order by ip')).rows.map(({ ip }) => ip);
    expect(await listed()).toEqual(['203.0.113.8']);
    // [87] adds it, as the specification says.
    expect((await api.call('POST', '/api/black-list', { ...admin, body: { ips: ips.slice(0, 1) } })).body.data.created).toBe(1);
    const removed = await runs.run(admin, { action: 'black_ip.delete', params: {} }, { keys: ips });
    expect((await runs.undo(admin, removed.id)).result).toMatchObject({ changed: 1, denied: 1 });
    expect(await listed()).toEqual(['203.0.113.8']);
  });
});
