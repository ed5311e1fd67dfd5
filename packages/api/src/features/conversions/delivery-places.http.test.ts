import { createTrafficStore } from '@switchyard/traffic-store/open-traffic-store';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { startsAt } from '../../../test/event-ingestion.ts';
import { eventStores } from '../../../test/event-stores.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, signInAsServer, type SignedIn } from '../../../test/sign-in-as.ts';

describe.each(eventStores)('places of pushes and conversions on $name', ({ open }) => {
  let api: TestApi;
  let staff: SignedIn;
  let appId: number;
  let serverId: number;
  let serverName: string;

  beforeAll(async () => {
    const { databases, clickhouse } = await open();
    const { pools } = databases;
    api = await buildTestApi({ databases, startsAt, env: { ASN_FILL_PERCENT: '0' }, ...(clickhouse && { engine: clickhouse }) });
    await api.maintain();
    appId = (await createApp(databases)).id;
    staff = await signInAs(databases, { role: 'Super Admin', since: startsAt });
    const { headers } = await signInAsServer(databases);
    [{ id: serverId, name: serverName } = { id: 0, name: '' }] = (
      await pools.ops.query<{ id: number; name: string }>('select id, name from traffic_servers')
    ).rows;
    await pools.ops.query(`insert into asns (code, domain, name) values (64500, 'net.example', 'EXAMPLE-NET');
      insert into asn_prefixes (first, last, code) values ('203.0.113.0', '203.0.113.255', 64500);
      insert into registry_loads (registry, packaged_version, source, loaded_at, systems, prefixes) values ('asn', '1', 'test', now(), 1, 1)`);
    const send = async (kind: 'events' | 'pushes' | 'conversions', rows: object[]) => {
      const body = { [kind]: rows.map((row) => ({ app_id: appId, ...row })) };
      expect((await api.call('POST', `/api/ingest/${kind}`, { headers, body })).body.data.accepted).toBe(rows.length);
    };
    const create = { type: 'create', date: '2026-11-20T10:00:00Z' };
    await send('events', [
      { ...create, client_uid: 'german', ip: '203.0.113.1', country: 'DE' },
      { ...create, client_uid: 'bot', ip: '198.51.100.7', country: 'FR', bot: 'L1 CF' },
      { ...create, client_uid: 'cloud', ip: '203.0.113.2', country: 'FR', bot: 'CF' },
      { ...create, client_uid: 'later', ip: '203.0.113.2', country: 'FR', date: '2026-11-20T11:00:00Z' },
    ]);
    const clients = ['german', 'bot', 'cloud', 'later', 'unseen', null];
    await send(
      'conversions',
      clients.map((client) => ({ client_uid: client, click_id: client, status_conversion: 'deposit', created_at: '2026-11-20 10:30:00' })),
    );
    await send(
      'pushes',
      clients.map((client) => ({ client_uid: client, push_id: `p-${client}`, send_at: '2026-11-20 10:30:00' })),
    );
    const { deliveries } = createTrafficStore({ pools, serverOffset: '+00:00', retentionDays: 90, clickhouse: clickhouse ?? null });
    while (await deliveries.updatePlaces(Date.now() * 1000));
    return async () => api.app.close();
  });

  const list = async (kind: 'pushes' | 'conversions', query: string, caller = staff) =>
    (await api.call('GET', `/api/apps/${appId}/${kind}?orderDirection=asc&${query}`, caller)).body;
  const clientsOf = async (kind: 'pushes' | 'conversions', query: string): Promise<(string | null)[]> => {
    const { data, pagination } = await list(kind, query);
    expect(pagination.total).toBe(data.length);
    return data.map((row: { client_uid: string | null }) => row.client_uid);
  };

  it.each(['pushes', 'conversions'] as const)('[CONV-106] of %s are in their rows, if they are asked for', async (kind) => {
    const rows = (await list(kind, 'place=1')).data;
    expect(rows.map((row: { place: unknown }) => row.place)).toEqual([
      {
        country: 'DE',
        asn: { code: 64500, domain: 'net.example', name: 'EXAMPLE-NET', is_ban_create: false, is_ban_receive: false },
        server: { id: serverId, name: serverName },
        bot: '',
      },
      { country: 'FR', asn: null, server: { id: serverId, name: serverName }, bot: 'L1 CF' },
      { country: 'FR', asn: expect.objectContaining({ code: 64500 }), server: { id: serverId, name: serverName }, bot: 'CF' },
      null,
      null,
      null,
    ]);
    // The row of a call of the specification has no other keys than it had.
    for (const row of (await list(kind, '')).data) expect(Object.keys(row)).not.toContain('place');
  });

  it.each(['pushes', 'conversions'] as const)('[CONV-107] are filters of %s', async (kind) => {
    const found = {
      'geo=fr': ['bot', 'cloud'],
      'geo=DE,FR': ['german', 'bot', 'cloud'],
      'geo=none': ['later', 'unseen', null],
      'geo=none,DE': ['german', 'later', 'unseen', null],
      'geoNot=FR': ['german', 'later', 'unseen', null],
      'geoNot=none': ['german', 'bot', 'cloud'],
      'asn=64500': ['german', 'cloud'],
      'asn=0': ['bot'],
      'asnNot=64500,none': ['bot'],
      'bot=CF': ['bot', 'cloud'],
      'bot=blocking': ['bot'],
      'bot=none': ['german', 'later', 'unseen', null],
      'botNot=blocking': ['german', 'cloud', 'later', 'unseen', null],
      [`serverId=${serverId}`]: ['german', 'bot', 'cloud'],
      [`serverId=${serverId + 1}`]: [],
      'geo=FR&botNot=L1&startDate=2026-11-20&endDate=2026-11-20': ['cloud'],
    };
    for (const [query, clients] of Object.entries(found)) expect([query, await clientsOf(kind, query)]).toEqual([query, clients]);
    expect((await api.call('GET', `/api/apps/${appId}/${kind}?geo=Germany`, staff)).status).toBe(422);
  });

  it.each(['pushes', 'conversions'] as const)('[CONV-108] are columns of the file of %s, if they are asked for', async (kind) => {
    const download = async (query: string): Promise<string[]> => {
      const { body } = await api.call('GET', `/api/apps/${appId}/${kind}/download?orderDirection=asc&${query}`, staff);
      return String(body).trim().split(/\r?\n/);
    };
    const plain = await download('geo=FR,none');
    const placed = await download('geo=FR,none&place=1');
    const ends = [',country,asn,server_id,bot', `,FR,0,${serverId},L1 CF`, `,FR,64500,${serverId},CF`, ',,,,', ',,,,', ',,,,'];
    expect(placed).toEqual(plain.map((line, index) => `${line}${ends[index] ?? ''}`));
  });

  it('[CONV-109] are in the timeline of a client and in its file, if they are asked for', async () => {
    const rowsOf = async (query: string) =>
      (await api.call('GET', `/api/clients/bot/timeline?kind=push,conversion&${query}`, staff)).body.data.rows;
    const place = { country: 'FR', asn: null, server: { id: serverId, name: serverName }, bot: 'L1 CF' };
    expect(await rowsOf('place=1')).toMatchObject([
      { kind: 'push', push: { place } },
      { kind: 'conversion', conversion: { place } },
    ]);
    for (const { push = {}, conversion = {} } of await rowsOf('')) expect({ ...push, ...conversion }).not.toHaveProperty('place');
    const file = async (query: string) => String((await api.call('GET', `/api/clients/bot/download?kind=conversion&${query}`, staff)).body);
    expect(await file('place=1')).toContain(',success,,FR,deposit');
    expect(await file('')).toContain(',success,,,deposit');
  });
});
