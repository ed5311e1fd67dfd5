import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { startsAt } from '../../../test/event-ingestion.ts';
import { eventStores } from '../../../test/event-stores.ts';
import { createApp } from '../../../test/factories/app.ts';
import { readNamedCsv } from '../../../test/read-csv.ts';
import { signInAs, signInAsServer } from '../../../test/sign-in-as.ts';

describe.each(eventStores)('inputs of traffic servers on $name', ({ open }) => {
  let api: TestApi;
  let server: Record<string, string>;
  let staff: Record<string, string>;
  let appId: number;

  beforeAll(async () => {
    const { databases, clickhouse } = await open();
    api = await buildTestApi({ databases, startsAt, ...(clickhouse && { engine: clickhouse }) });
    await api.maintain();
    server = (await signInAsServer(databases)).headers;
    staff = (await signInAs(databases, { role: 'Super Admin', since: startsAt })).headers;
    appId = (await createApp(databases)).id;
    return async () => api.app.close();
  });

  const send = async (kind: string, lines: readonly string[]) =>
    (
      await api.call('POST', `/api/ingest/${kind}`, {
        headers: { ...server, 'content-type': 'application/x-ndjson' },
        body: lines.join('\n'),
      })
    ).body.data;

  it.each(['application/x-ndjson', 'application/json'])('[DATA-090] are read behind a byte order mark, as %s', async (type) => {
    const row = JSON.stringify({
      app_id: appId,
      type: 'create',
      date: '2026-11-20T10:11:12Z',
      ip: '203.0.113.9',
      client_uid: `mark ${type}`,
    });
    const payload = Buffer.from(`\uFEFF${type === 'application/json' ? `{"events":[${row}]}` : row}`);
    const { statusCode, body } = await api.app.inject({
      method: 'POST',
      url: '/api/ingest/events',
      headers: { ...server, 'content-type': type },
      payload,
    });
    expect([statusCode, JSON.parse(body).data]).toEqual([200, { accepted: 1, duplicates: 0, rejected: [] }]);
  });

  it('[DATA-003] are read as they are meant, or rejected with what is wrong', async () => {
    const row = (uid: string, change: Readonly<Record<string, unknown>>) =>
      JSON.stringify({ app_id: appId, type: 'create', date: '2026-11-20T10:11:12Z', ip: '203.0.113.9', client_uid: uid, ...change });
    const deep = row('deep', {}).replace('{', `{"body_request":${'['.repeat(1000)}${']'.repeat(1000)},`);
    const agent = `${'u'.repeat(2047)}\u{1F600}z`;
    const result = await send('events', [
      row('uk', { country: 'uk' }),
      row('kosovo', { country: 'XK' }),
      row('no-country', { country: 'XX', ip: '10.0.0.1' }),
      row('by-address', { country: 'ZZ', ip: '8.8.8.8' }),
      row('leap', { date: '2026-11-19T23:59:60Z' }),
      row('compatible', { ip: '::203.0.113.9' }),
      row('agent', { user_agent: agent }),
      row('seconds', { date: 1_795_168_800 }),
      deep,
    ]);
    expect(result).toEqual({
      accepted: 7,
      duplicates: 0,
      rejected: [
        { index: 7, id: null, errors: { date: ['The date must be in milliseconds since 1970, not in seconds.'] } },
        { index: 8, id: null, errors: { body_request: ['The body_request field is nested too deeply.'] } },
      ],
    });
    const { body } = await api.call('GET', '/api/all-requests?limit=50', { headers: staff });
    const rows = Object.fromEntries(body.data.map((listed: { client_uid: string }) => [listed.client_uid, listed]));
    expect(rows).toMatchObject({
      uk: { country: 'GB' },
      kosovo: { country: 'XK' },
      'no-country': { country: null },
      'by-address': { country: 'US' },
      leap: { concatenated_date: '2026-11-19 23:59:59.999999' },
      compatible: { ip: '::cb00:7109' },
      agent: { user_agent: 'u'.repeat(2047) },
    });
    const csv = await api.call('GET', `/api/apps/${appId}/postbacks/download?search=::203.0.113.9`, { headers: staff });
    expect(readNamedCsv(csv.body)).toMatchObject([{ client_uid: 'compatible', ip: '::cb00:7109' }]);
    expect((await api.call('GET', '/api/clients/compatible', { headers: staff })).body.data).toMatchObject({
      addresses: [{ ip: '::cb00:7109' }],
    });
  });

  it('[DATA-004] reject the one row with a key that reaches a prototype, and keep the others', async () => {
    const hostile = '"__proto__":{"status":"error"}';
    const conversion = (uid: string, more = '') =>
      `{"app_id":${appId},"status_conversion":"lead","created_at":"2026-11-20T10:11:12Z","client_uid":"${uid}"${more}}`;
    const unknown = JSON.parse('{"__proto__":["Unknown field."]}');
    expect(await send('conversions', [conversion('before'), conversion('hostile', `,${hostile}`), conversion('after')])).toEqual({
      accepted: 2,
      duplicates: 0,
      rejected: [{ index: 1, id: null, errors: unknown }],
    });
    const push = (id: string, message: string) =>
      `{"app_id":${appId},"push_id":"${id}","send_at":"2026-11-20T10:11:12Z","push_message":${message}}`;
    const message = String.raw`{"notification":{"title":"Hi\/"},"data":{"chat":1187654321098765432,"sum":5.00,"__proto__":{}}}`;
    expect(await send('pushes', [push('exact', message), push('text', String.raw`"5.00\u0000"`)])).toMatchObject({ accepted: 2 });
    const listed = await api.call('GET', `/api/apps/${appId}/pushes?limit=10`, { headers: staff });
    expect(listed.body.data.map((row: { push_message: string }) => row.push_message).toSorted()).toEqual(['5.00\u{FFFD}', message]);
    const stream = (rules: string) =>
      `{"app_id":${appId},"uid":"st_${rules.length}","name":"s","buyer_id":1,"rules":{${rules}},"created_at":"2026-11-20T10:11:12Z","updated_at":"2026-11-20T10:11:12Z"}`;
    const { status, body } = await api.call('POST', '/api/ingest/streams', {
      headers: { ...server, 'content-type': 'application/json' },
      body: `{"streams":[${stream(hostile)}]}`,
    });
    expect([status, body.data.rejected[0].errors['rules.__proto__']]).toEqual([422, ['Unknown field.']]);
  });
});
