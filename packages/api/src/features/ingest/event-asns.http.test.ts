import type { Permission } from '@switchyard/contract/permissions';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { startsAt } from '../../../test/event-ingestion.ts';
import { eventStores } from '../../../test/event-stores.ts';
import { createApp } from '../../../test/factories/app.ts';
import { soon } from '../../../test/soon.ts';
import { signInAs, signInAsServer, type SignedIn } from '../../../test/sign-in-as.ts';

describe.each(eventStores)('the autonomous system of an event on $name', ({ open }) => {
  let api: TestApi;
  let staff: SignedIn;
  let limited: SignedIn;
  let appIds: number[];
  const get = async (path: string, caller = staff) => (await api.call('GET', `/api/${path}`, caller)).body;
  const uids = async (query: string, caller = staff): Promise<string[]> =>
    (await get(`all-requests?${query}`, caller)).data.map((row: { client_uid: string }) => row.client_uid).toSorted();

  beforeAll(async () => {
    const { databases, clickhouse } = await open();
    api = await buildTestApi({ databases, startsAt, env: { ASN_FILL_PERCENT: '0' }, ...(clickhouse && { engine: clickhouse }) });
    await api.maintain();
    const { headers } = await signInAsServer(databases);
    appIds = [(await createApp(databases)).id, (await createApp(databases)).id];
    staff = await signInAs(databases, { role: 'Super Admin', since: startsAt });
    limited = await signInAs(databases, { permissions: ['manager_app_all_requests'], apps: appIds.slice(0, 1), since: startsAt });
    const send = async (clientUid: string, ip: string, appId = appIds[0], type = 'create') => {
      const event = { app_id: appId, type, date: '2026-11-20T10:11:12Z', ip, client_uid: clientUid };
      expect((await api.call('POST', '/api/ingest/events', { headers, body: { events: [event] } })).status).toBe(200);
    };
    // No registry is loaded yet.
    await send('before', '203.0.113.1');
    await send('before-other', '203.0.113.1', appIds[1]);
    // And nothing fills them in.
    expect((await get('octopus-app/asn/known')).data).toEqual({ known_from: '2026-11-21', percent: 0, is_running: false });
    await api.app.close();
    api = await buildTestApi({ databases, startsAt, ...(clickhouse && { engine: clickhouse }) });
    await databases.pools.ops.query(`insert into asns (code, domain, name)
        values (64500, 'net.example', 'EXAMPLE-NET'), (64501, '', ''), (64502, '', 'QUIET'), (64499, '', 'QUIET TOO');
      insert into asn_prefixes (first, last, code) values
        ('203.0.113.0', '203.0.113.255', 64500), ('203.0.113.64', '203.0.113.127', 64501), ('2001:db8::', '2001:db8:ffff::', 64500);
      insert into registry_loads (registry, packaged_version, source, loaded_at, systems, prefixes) values ('asn', '1', 'test', now(), 2, 3)`);
    await send('outer', '203.0.113.1');
    await send('inner', '203.0.113.65', appIds[1], 'receive');
    await send('mapped', '::ffff:203.0.113.2');
    await send('six', '2001:DB8::9', appIds[1]);
    await send('none', '198.51.100.7');
    return async () => api.app.close();
  });

  it('[ASNX-001, ASNX-003] is decided when it arrives, and lists find and exclude by it', async () => {
    expect(await uids('asn=64500')).toEqual(['mapped', 'outer', 'six']);
    expect(await uids('asn=64500&asn=064501')).toEqual(['inner', 'mapped', 'outer', 'six']);
    expect(await uids('asn=0')).toEqual(['none']);
    expect(await uids('asnNot=64500,0')).toEqual(['before', 'before-other', 'inner']);
    expect(await uids('asn=64500&type=create&appId=999999')).toEqual([]);
    expect(await uids('asn=64500&geo=DE')).toEqual([]);
    expect((await api.call('GET', '/api/all-requests?asn=AS64500', staff)).status).toBe(422);
    const ofApp = await get(`apps/${appIds[1]}/postbacks?asn=64500`);
    expect(ofApp.data.map((row: { client_uid: string }) => row.client_uid)).toEqual(['six']);
    // The row of a call of the specification has no other keys than it had.
    expect(Object.keys(ofApp.data[0])).not.toContain('asn');
    const histogram = await get('all-requests/histogram?asn=64500,64501&startDate=2026-11-20&endDate=2026-11-20');
    const counts = histogram.data.buckets.flatMap((bucket: { counts: Record<string, number> }) =>
      Object.entries(bucket.counts).filter(([, count]) => count > 0),
    );
    expect(counts).toEqual([
      ['create', 3],
      ['receive', 1],
    ]);
  });

  it('[ASNX-002, ASNX-004] is counted exactly among the top values, of apps in scope alone', async () => {
    const top = async (query: string, caller = staff) => (await get(`all-requests/top?field=asn&${query}`, caller)).data;
    expect(await top('')).toEqual({
      field: 'asn',
      values: [
        { value: '64500', name: 'EXAMPLE-NET', count: 3 },
        { value: 'none', name: null, count: 2 },
        { value: '0', name: null, count: 1 },
        { value: '64501', name: null, count: 1 },
      ],
      total: 7,
      counted: 'all',
      rows: 7,
    });
    expect((await top('type=receive')).values).toEqual([{ value: '64501', name: null, count: 1 }]);
    expect(await top('', limited)).toMatchObject({ values: [{ value: '64500', count: 2 }, { value: 'none' }, { value: '0' }], total: 4 });
    expect(await uids('asn=64500', limited)).toEqual(['mapped', 'outer']);
    expect((await top('asnNot=64500', limited)).total).toBe(2);
  });

  it('[ASNX-021, ASNX-022] lists systems with what they sent in 7 days and what bans would have blocked, in any order and part', async () => {
    const codes = async (query: string, caller = staff): Promise<number[]> =>
      (await get(`octopus-app/asn/traffic?${query}`, caller)).data.map(({ code }: { code: number }) => code);
    const { data, pagination } = await get('octopus-app/asn/traffic?orderBy=requests&orderDirection=desc');
    expect(data.map(({ code, traffic }: { code: number; traffic: object }) => [code, traffic])).toEqual([
      [64_500, { requests: 3, bots: 0, create: 3, receive: 0 }],
      [64_501, { requests: 1, bots: 0, create: 0, receive: 1 }],
      [64_499, { requests: 0, bots: 0, create: 0, receive: 0 }],
      [64_502, { requests: 0, bots: 0, create: 0, receive: 0 }],
    ]);
    expect(data[0]).toMatchObject({ domain: 'net.example', name: 'EXAMPLE-NET', is_ban_create: false, is_ban_receive: false });
    expect(pagination.total).toBe(4);
    const orders = {
      '': [64_499, 64_500, 64_501, 64_502],
      'orderBy=code&orderDirection=desc': [64_502, 64_501, 64_500, 64_499],
      'orderBy=requests&orderDirection=asc': [64_501, 64_500, 64_499, 64_502],
      'orderBy=receive&orderDirection=desc': [64_501, 64_500, 64_499, 64_502],
      'orderBy=create&orderDirection=desc': [64_500, 64_501, 64_499, 64_502],
      'orderBy=bots&orderDirection=desc': [64_500, 64_501, 64_499, 64_502],
      'orderBy=requests&orderDirection=desc&search=quiet': [64_499, 64_502],
      'orderBy=requests&orderDirection=desc&search=203.0.113.70': [64_500, 64_501],
      'orderBy=requests&orderDirection=desc&isBanCreate=1': [],
    };
    for (const [query, expected] of Object.entries(orders)) {
      expect([query, await codes(query)]).toEqual([query, expected]);
      const parts = await Promise.all([1, 2, 3, 4, 5].map((page) => codes(`${query}&limit=1&page=${page}`)));
      expect([query, parts.flat()]).toEqual([query, expected]);
    }
    const { databases } = api;
    const own = await signInAs(databases, {
      permissions: ['manager_settings_asns', 'manager_app_all_requests'],
      apps: appIds.slice(0, 1),
      since: startsAt,
    });
    expect((await get('octopus-app/asn/traffic?search=64500', own)).data[0].traffic.requests).toBe(2);
    expect(await codes('orderBy=requests&orderDirection=desc', own)).toEqual([64_500, 64_499, 64_501, 64_502]);
    const weak = await signInAs(databases, { permissions: ['manager_settings_asns'], since: startsAt });
    const withoutFigures = await get('octopus-app/asn/traffic?orderBy=requests&orderDirection=desc', weak);
    expect(withoutFigures.data.map(({ code, traffic }: { code: number; traffic: null }) => [code, traffic])).toEqual([
      [64_499, null],
      [64_500, null],
      [64_501, null],
      [64_502, null],
    ]);
  });

  it('[ASNX-020] shows what a system sent in 30 days and what a ban would have blocked, of apps in scope alone', async () => {
    const traffic = async (code: number, caller = staff) => (await get(`octopus-app/asn/${code}/traffic`, caller)).data;
    const ofInner = await traffic(64_501);
    expect(ofInner).toMatchObject({
      code: 64_501,
      from: '2026-10-22',
      to: '2026-11-20',
      total: { requests: 1, successes: 1, bots: 0 },
      apps: [{ id: appIds[1], requests: 1 }],
      ban: { create: { requests: 0, successes: 0 }, receive: { requests: 1, successes: 1 } },
      unknown: 2,
    });
    expect(ofInner.days).toHaveLength(30);
    expect(ofInner.days.at(-1)).toEqual({ day: '2026-11-20', requests: 1, successes: 1 });
    expect(ofInner.days[0]).toEqual({ day: '2026-10-22', requests: 0, successes: 0 });
    expect(await traffic(64_501, limited)).toMatchObject({ total: { requests: 0 }, apps: [], unknown: 1 });
    expect((await traffic(64_500)).total.requests - (await traffic(64_500, limited)).total.requests).toBe(1);
    expect(
      (
        await api.call(
          'GET',
          '/api/octopus-app/asn/64500/traffic',
          await signInAs(api.databases, { permissions: ['manager_settings_asns'], since: startsAt }),
        )
      ).status,
    ).toBe(403);
  });

  it('[ASNX-122] has the largest number of an autonomous system, and none beyond', async () => {
    const status = async (asn: string) => (await api.call('GET', `/api/octopus-app/asn/${asn}/traffic`, staff)).status;
    expect(await Promise.all(['4294967295', '4294967296', '99999999999', 'AS1'].map(status))).toEqual([200, 404, 404, 404]);
  });

  it('[ASNX-110, ASNX-120] is filled in for earlier events, and a call says how far', async () => {
    const known = async (permission: Permission) => {
      const caller = await signInAs(api.databases, { permissions: [permission], since: startsAt });
      return (await api.call('GET', '/api/octopus-app/asn/known', caller)).body.data;
    };
    const undecided = { known_from: '2026-11-21', percent: 71, is_running: true };
    expect(await known('manager_app_requests')).toEqual(undecided);
    expect(await known('manager_app_statistics')).toEqual(undecided);
    expect(await known('manager_settings_asns')).toBeUndefined();
    const before = await uids('asn=64500');
    await api.startJobs();
    await vi.waitFor(async () => expect(await known('manager_app_all_requests')).toMatchObject({ known_from: null, percent: 100 }), soon);
    await api.stopJobs();
    expect(await uids('asn=64500')).toEqual([...before, 'before', 'before-other'].toSorted());
    expect(await uids('asnNot=64500,64501,0')).toEqual([]);
  });
});
