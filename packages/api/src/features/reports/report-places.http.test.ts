import type { Report } from '@switchyard/contract/reports';
import { createTrafficStore } from '@switchyard/traffic-store/open-traffic-store';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { startsAt } from '../../../test/event-ingestion.ts';
import { eventStores } from '../../../test/event-stores.ts';
import { createApp } from '../../../test/factories/app.ts';
import { readCsv } from '../../../test/read-csv.ts';
import { signInAs, signInAsServer, type SignedIn } from '../../../test/sign-in-as.ts';

describe.each(eventStores)('reports of pushes and conversions by place on $name', ({ open }) => {
  let api: TestApi;
  let staff: SignedIn;
  let reader: SignedIn;
  let serverId: number;

  beforeAll(async () => {
    const { databases, clickhouse } = await open();
    const { pools } = databases;
    api = await buildTestApi({ databases, startsAt, env: { ASN_FILL_PERCENT: '0' }, ...(clickhouse && { engine: clickhouse }) });
    await api.maintain();
    const [first, second] = [(await createApp(databases)).id, (await createApp(databases)).id];
    staff = await signInAs(databases, { role: 'Super Admin', since: startsAt });
    reader = await signInAs(databases, { permissions: ['manager_app_statistics'], apps: [second], since: startsAt });
    const server = await signInAsServer(databases);
    ({ serverId } = server);
    await pools.ops.query(`insert into asns (code, domain, name) values (64500, 'net.example', 'EXAMPLE-NET');
      insert into asn_prefixes (first, last, code) values ('203.0.113.0', '203.0.113.255', 64500);
      insert into registry_loads (registry, packaged_version, source, loaded_at, systems, prefixes) values ('asn', '1', 'test', now(), 1, 1)`);
    const send = async (kind: 'events' | 'pushes' | 'conversions', rows: object[]) => {
      const answer = await api.call('POST', `/api/ingest/${kind}`, { headers: server.headers, body: { [kind]: rows } });
      expect(answer.body.data.accepted).toBe(rows.length);
    };
    const create = { type: 'create', date: '2026-11-19T10:00:00Z' };
    await send('events', [
      { ...create, app_id: first, client_uid: 'german', ip: '203.0.113.1', country: 'DE' },
      { ...create, app_id: first, client_uid: 'french', ip: '198.51.100.7', country: 'FR', bot: 'CF' },
      { ...create, app_id: second, client_uid: 'bot', ip: '198.51.100.7', country: 'DE', bot: 'L1' },
    ]);
    const conversions: [number, string | null, number, string][] = [
      [first, 'german', 10.25, '2026-11-20 10:00:00'],
      [first, 'german', 1, '2026-11-19 11:00:00'],
      [first, 'french', 4, '2026-11-20 10:00:00'],
      [first, null, 2, '2026-11-20 10:00:00'],
      [second, 'bot', 8, '2026-11-20 10:00:00'],
    ];
    await send(
      'conversions',
      conversions.map(([app_id, client_uid, payout, created_at]) => ({
        app_id,
        client_uid,
        payout,
        created_at,
        status_conversion: 'deposit',
      })),
    );
    await send('pushes', [
      { app_id: first, client_uid: 'french', push_id: 'p-1', send_at: '2026-11-20 10:00:00', status: 'sent' },
      { app_id: second, client_uid: 'unseen', push_id: 'p-2', send_at: '2026-11-20 10:00:00' },
    ]);
    const { deliveries } = createTrafficStore({ pools, serverOffset: '+00:00', retentionDays: 90, clickhouse: clickhouse ?? null });
    while (await deliveries.updatePlaces(Date.now() * 1000));
    return async () => api.app.close();
  });

  const read = async (query: string, caller = staff): Promise<Report> => {
    const { status, body } = await api.call('GET', `/api/reports?startDate=2026-11-19&endDate=2026-11-20&${query}`, caller);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.data;
  };
  const rowsOf = ({ groups }: Report) =>
    groups.map(({ keys, current }) => [keys.map(({ value }) => value).join(), ...Object.values(current)]);
  const measures = 'measure=conversions,payout,pushes,pushes_success&orderBy=key';

  it('[CONV-113] has them by country, system and server, whose sums are the totals', async () => {
    const byCountry = await read(`${measures}&groupBy=country`);
    expect(rowsOf(byCountry)).toEqual([
      ['none', 1, '2', 1, 0],
      ['DE', 3, '19.25', 0, 0],
      ['FR', 1, '4', 1, 1],
    ]);
    expect(byCountry.totals.current).toEqual({ conversions: 5, payout: '25.25', pushes: 2, pushes_success: 1 });
    expect(byCountry.source).toBe('roll-ups');
    expect(rowsOf(await read(`${measures}&groupBy=asn`))).toEqual([
      ['none', 1, '2', 1, 0],
      ['0', 2, '12', 1, 1],
      ['64500', 2, '11.25', 0, 0],
    ]);
    expect(rowsOf(await read(`${measures}&groupBy=server`))).toEqual([
      ['', 1, '2', 1, 0],
      [String(serverId), 4, '23.25', 1, 1],
    ]);
    expect(rowsOf(await read(`measure=conversions&orderBy=key&groupBy=country,day`))).toEqual([
      ['none,2026-11-20', 1],
      ['DE,2026-11-19', 1],
      ['DE,2026-11-20', 2],
      ['FR,2026-11-20', 1],
    ]);
  });

  it('[CONV-113] divides by requests of the same place, and is filtered by it', async () => {
    const { groups, totals } = await read('measure=payout_per_create,create_to_conversion&groupBy=country&orderBy=key');
    expect(groups.map(({ current }) => current)).toEqual([
      { payout_per_create: null, create_to_conversion: null },
      { payout_per_create: 19.25 / 2, create_to_conversion: 1.5 },
      { payout_per_create: 4, create_to_conversion: 1 },
    ]);
    expect(totals.current).toEqual({ payout_per_create: 25.25 / 3, create_to_conversion: 5 / 3 });
    const sum = async (filter: string) => (await read(`measure=conversions,payout&groupBy=month&${filter}`)).totals.current;
    expect(await sum('geo=DE')).toEqual({ conversions: 3, payout: '19.25' });
    expect(await sum('geo=none')).toEqual({ conversions: 1, payout: '2' });
    expect(await sum('geoNot=DE')).toEqual({ conversions: 2, payout: '6' });
    expect(await sum('asn=64500')).toEqual({ conversions: 2, payout: '11.25' });
    expect(await sum('bot=blocking')).toEqual({ conversions: 1, payout: '8' });
    expect(await sum('botNot=blocking')).toEqual({ conversions: 4, payout: '17.25' });
    expect(await sum(`serverId=${serverId}`)).toEqual({ conversions: 4, payout: '23.25' });
    // The same hours of the running day: read from the rows.
    const { groups: compared } = await read('measure=conversions&groupBy=country&orderBy=key&compare=previous');
    expect(compared.map(({ current, compared: earlier }) => [current, earlier])).toEqual([
      [{ conversions: 1 }, { conversions: 0 }],
      [{ conversions: 3 }, { conversions: 0 }],
      [{ conversions: 1 }, { conversions: 0 }],
    ]);
  });

  it('[CONV-113] counts apps in the scope of the reader alone, also in its file', async () => {
    expect(rowsOf(await read(`${measures}&groupBy=country`, reader))).toEqual([
      ['none', 0, '0', 1, 0],
      ['DE', 1, '8', 0, 0],
    ]);
    const query = 'startDate=2026-11-19&endDate=2026-11-20&measure=conversions,payout&groupBy=country&orderBy=key';
    const { body } = await api.call('GET', `/api/reports/download?${query}`, reader);
    expect(readCsv(body)).toEqual([
      ['country', 'conversions', 'payout'],
      ['DE', '1', '8'],
      ['(total)', '1', '8'],
    ]);
  });
});
