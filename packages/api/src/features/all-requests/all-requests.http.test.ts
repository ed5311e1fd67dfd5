import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, signInAsServer } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

let api: TestApi;
let staff: Record<string, string>;
let bet: { id: number; bundle: string };
let casino: { id: number; bundle: string };

const startsAt = new Date('2026-11-20T12:00:00Z');

/** Rows by a name in `additional_data`, so that expectations are readable. */
const rows = [
  {
    name: 'newest',
    app: 'bet',
    date: '2026-11-20 11:00:00.000002',
    ip: '203.0.113.9',
    client_uid: 'Abc-1',
    country: 'DE',
    type: 'create',
    stream_uid: 'st_1',
  },
  {
    name: 'tie',
    app: 'bet',
    date: '2026-11-20 11:00:00.000002',
    ip: '203.0.113.77',
    client_uid: 'abc-2',
    country: 'US',
    type: 'receive',
    stream_uid: 'st_foreign',
  },
  {
    name: 'broken',
    app: 'casino',
    date: '2026-11-20 10:00:00',
    ip: '10.1.2.3',
    client_uid: 'a_c',
    country: 'FR',
    type: 'token',
    error: 'boom',
  },
  { name: 'typed', app: 'casino', date: '2026-11-19 23:30:00', ip: '2001:db8::1', client_uid: '100%', country: 'DE', type: 'error' },
  {
    name: 'evening',
    app: 'bet',
    date: '2026-11-19 21:59:59.999999',
    ip: '::ffff:203.0.113.9',
    client_uid: 'x',
    country: 'DE',
    type: 'static',
    postbacks_domain: 'pb.example',
  },
  {
    name: 'old',
    app: 'casino',
    date: '2026-10-01 00:00:00',
    ip: '198.51.100.1',
    client_uid: '',
    bot: 'CF L1',
    country: 'FR',
    type: 'track',
    postbacks_domain: 'pb.example',
  },
] as const;

beforeAll(async () => {
  const { databases } = await createTestDatabase();
  api = await buildTestApi({ databases, startsAt, env: { SERVER_UTC_OFFSET: '+02:00' } });
  await api.maintain();
  staff = (await signInAs(databases, { role: 'Super Admin', since: startsAt })).headers;
  bet = await createApp(databases, { bundle: 'com.bet' });
  casino = await createApp(databases, { bundle: 'com.casino' });
  const buyer = await signInAs(databases, { panel: 'buyer', role: 'Buyer' });
  for (const [uid, app] of [
    ['st_1', bet],
    ['st_foreign', casino],
  ] as const) {
    await databases.db
      .insertInto('streams')
      .values({
        uid,
        app_id: app.id,
        buyer_id: buyer.accountId,
        name: `Stream ${uid}`,
        rules: '{"country": []}',
        created_at: startsAt,
        updated_at: startsAt,
      })
      .execute();
  }
  const { headers } = await signInAsServer(databases);
  for (const { name, app, ...row } of rows) {
    const body = { events: [{ ...row, app_id: app === 'bet' ? bet.id : casino.id, additional_data: name }] };
    expect((await api.call('POST', '/api/ingest/events', { headers, body })).body.data.accepted).toBe(1);
  }
});

const get = (query: string, headers = staff) => api.call('GET', `/api/all-requests?${query}`, { headers });
async function names(query: string, headers = staff): Promise<string[]> {
  const { status, body } = await get(query, headers);
  expect(status).toBe(200);
  return body.data.map((row: { additional_data: string }) => row.additional_data);
}

describe('all requests', () => {
  it('[API-083, REQ-028, CONST-036, ENT-039] lists newest first, ties by id, in the envelope of a cursor list', async () => {
    expect(await names('')).toEqual(['tie', 'newest', 'broken', 'typed', 'evening', 'old']);
    const { body } = await get('limit=4');
    expect(body.pagination).toEqual({
      total: null,
      count: 4,
      limit: 4,
      currentPage: null,
      totalPages: null,
      current_page: null,
      last_page: null,
      links: [],
      prev_cursor: null,
      next_cursor: expect.any(String),
    });
  });

  it.each([
    ['typeNot=create,receive,error', ['evening', 'old']],
    ['geoNot=de', ['tie', 'broken', 'old']],
    ['streamUidNot=st_1', ['tie', 'broken', 'typed', 'evening', 'old']],
    ['ipNot=203.0.113.0/24&ipNot=2001:db8::1', ['broken', 'old']],
    ['ipNot=::/0', ['tie', 'newest', 'broken', 'evening', 'old']],
    ['search=203.0.113.&ipNot=203.0.113.77', ['newest', 'evening']],
  ])('[INV-001] excludes what %s names', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it.each([
    ['bot=L1', ['old']],
    ['bot=HLL,none', ['tie', 'newest', 'broken', 'typed', 'evening']],
    ['botNot=CF', ['tie', 'newest', 'broken', 'typed', 'evening']],
    ['botNot=none&geo=FR', ['old']],
  ])('[INV-002] finds by label: %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it('[INV-001] rejects the exclusion of text that is no address', async () => {
    expect((await get('ipNot=203.0.113.')).body.errors).toEqual({ ipNot: ['Must be an IP address or a network'] });
  });

  it('[INV-003] finds the given apps, none that the reader does not see', async () => {
    const { headers } = await signInAs(api.databases, { role: 'Super Admin', apps: [bet.id], since: startsAt });
    expect(await names(`appId=${casino.id}`)).toEqual(['broken', 'typed', 'old']);
    expect(await names(`appId=${casino.id},${bet.id}&type=create`)).toEqual(['newest']);
    expect(await names(`appId=${casino.id}`, headers)).toEqual([]);
    expect(await names(`appId=${casino.id},${bet.id}`, headers)).toEqual(['tie', 'newest', 'evening']);
    const { buckets } = (await api.call('GET', `/api/all-requests/histogram?appId=${casino.id}`, { headers })).body.data;
    expect(buckets.every(({ counts }: { counts: Record<string, number> }) => Object.values(counts).every((count) => count === 0))).toBe(
      true,
    );
  });

  it.each([
    ['search=203.0.113.9', ['newest', 'evening']],
    ['search=203.0.113.', ['tie', 'newest', 'evening']],
    ['search=203.0.113.0/26', ['newest', 'evening']],
    ['search=2001:DB8::/32', ['typed']],
    ['search=%3A%3Affff%3A203.0.113.77', ['tie']],
    ['search=ABC', ['tie', 'newest']],
    ['search=bc-1', []],
    ['search=%25', []],
    ['search=100%25', ['typed']],
    ['search=a_', ['broken']],
    ["search='%20or%201=1", []],
    ['clientId=Abc-1', ['newest']],
    ['clientId=abc-1', []],
    ['type=create&type=receive', ['tie', 'newest']],
    ['type[]=create,static', ['newest', 'evening']],
    ['type=error', ['broken', 'typed']],
    ['geo=de', ['newest', 'typed', 'evening']],
    ['geo=DE&type=create', ['newest']],
    ['streamUid=st_1', ['newest']],
    ['emptyPostbacksDomain=1', ['tie', 'newest', 'broken', 'typed']],
    ['emptyPostbacksDomain=0', ['tie', 'newest', 'broken', 'typed', 'evening', 'old']],
    ['geo=JP', []],
  ])('[REQ-003, REQ-004, REQ-005, REQ-008] filters by %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it.each([
    // A plain day is that day at +02:00: it ends at 22:00 UTC.
    ['startDate=2026-11-20', ['tie', 'newest', 'broken', 'typed']],
    ['endDate=2026-11-19', ['evening', 'old']],
    ['startDate=2026-11-19&endDate=2026-11-19', ['evening']],
    ['startDate=2026-11-20T11:00:00.000002Z', ['tie', 'newest']],
    ['endDate=2026-11-19 21:59:59.999999', ['evening', 'old']],
    ['endDate=2026-11-19 21:59:59.999998', ['old']],
    ['startDate=2026-11-20T13:00:00%2B02:00', ['tie', 'newest']],
  ])('[REQ-006, REQ-007] filters by %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it.each([
    ['orderBy=id', ['old', 'evening', 'typed', 'broken', 'tie', 'newest']],
    ['orderBy=id&orderDirection=asc', ['newest', 'tie', 'broken', 'typed', 'evening', 'old']],
    ['orderBy=concatenated_date&orderDirection=asc', ['old', 'evening', 'typed', 'broken', 'newest', 'tie']],
    ['orderBy=type&orderDirection=asc', ['newest', 'typed', 'tie', 'evening', 'broken', 'old']],
    ['orderBy=type', ['old', 'broken', 'evening', 'tie', 'typed', 'newest']],
    ['orderBy=password_hash&orderDirection=asc', ['tie', 'newest', 'broken', 'typed', 'evening', 'old']],
    ['orderBy=type&orderDirection=up', ['tie', 'newest', 'broken', 'typed', 'evening', 'old']],
    ['orderBy=password_hash&orderDirection=up', ['tie', 'newest', 'broken', 'typed', 'evening', 'old']],
  ])('[REQ-025, REQ-026, REQ-027, AMB-139] sorts by %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it('[REQ-024] goes forth and back by cursor, with none beyond the ends', async () => {
    const first = await get('limit=4');
    const second = await get(`limit=4&cursor=${first.body.pagination.next_cursor}`);
    expect(second.body.data).toHaveLength(2);
    expect(second.body.pagination.next_cursor).toBeNull();
    const back = await get(`limit=4&cursor=${second.body.pagination.prev_cursor}`);
    expect(back.body.data).toEqual(first.body.data);
    expect(back.body.pagination.prev_cursor).toBeNull();
  });

  it('[REQ-029] starts from the beginning with a cursor of another sort, and with none at all', async () => {
    const { next_cursor: cursor } = (await get('limit=4')).body.pagination;
    const first = await get('limit=4&orderBy=id');
    for (const query of [
      `orderBy=id&cursor=${cursor}`,
      'orderBy=id&cursor=nonsense',
      'orderBy=id&cursor=e30',
      `orderBy=id&cursor=${'A'.repeat(9000)}`,
    ]) {
      expect((await get(`limit=4&${query}`)).body).toEqual(first.body);
    }
  });

  it('[REQ-029, ENT-021] goes on in the sort of the cursor when none is sent, and starts from the beginning when the default is requested', async () => {
    const sort = 'orderBy=type&orderDirection=asc';
    const { next_cursor: cursor } = (await get(`limit=4&${sort}`)).body.pagination;
    const second = await get(`limit=4&${sort}&cursor=${cursor}`);
    for (const part of ['', '&orderBy=', '&orderBy=type', '&orderDirection=asc']) {
      expect((await get(`limit=4&cursor=${cursor}${part}`)).body).toEqual(second.body);
    }
    const first = await get('limit=4');
    for (const part of ['orderBy=concatenated_date', 'orderBy=nonsense', 'orderDirection=desc&orderBy=concatenated_date']) {
      expect((await get(`limit=4&cursor=${cursor}&${part}`)).body).toEqual(first.body);
    }
  });

  it.each([
    ['type=nonsense', { type: ['The selected type is invalid.'] }],
    ['geo=Germany', { geo: ['The geo field contains an invalid value.'] }],
    ['startDate=soon', { startDate: ['Invalid date string format'] }],
    ['endDate=2026-02-30', { endDate: ['Invalid date string format'] }],
    ['startDate=2026-11-20&endDate=2026-11-19', { startDate: ['The startDate must not be after endDate.'] }],
    [
      'startDate=2026-11-20&endDate=2026-11-19&type=nonsense&search=a%00b',
      {
        startDate: ['The startDate must not be after endDate.'],
        type: ['The selected type is invalid.'],
        search: ['The search field contains invalid characters.'],
      },
    ],
    [`search=${'x'.repeat(10_000)}`, { search: ['The search field must not be longer than 100 characters.'] }],
    ['search=a%00b', { search: ['The search field contains invalid characters.'] }],
    [
      `geo=${Array.from({ length: 101 }, (_, i) => String.fromCharCode(65 + Math.floor(i / 26), 65 + (i % 26))).join()}`,
      { geo: ['The geo field must not have more than 100 items.'] },
    ],
  ])('rejects %s', async (query, errors) => {
    const { status, body } = await get(query);
    expect(status).toBe(422);
    expect(body).toEqual({ success: false, message: 'The given data was invalid.', errors, data: { errors } });
  });

  it('names a stream only for requests of its own app', async () => {
    const { data } = (await get('search=203.0.113.')).body;
    expect(data.map((row: { stream: unknown }) => row.stream)).toEqual([
      { uid: 'st_foreign', name: null },
      { uid: 'st_1', name: 'Stream st_1' },
      null,
    ]);
    expect(data[0].app_bundle).toBe('com.bet');
  });

  it('[REQ-001, PERM-049, API-086] needs manager_app_all_requests and shows own apps only', async () => {
    const permissions = ['manager_app_all_requests'] as const;
    const { databases } = api;
    const limitedCaller = await signInAs(databases, { permissions, apps: [casino.id], since: startsAt });
    expect(await names('', limitedCaller.headers)).toEqual(['broken', 'typed', 'old']);
    expect(await names('search=203.0.113.', limitedCaller.headers)).toEqual([]);
    const nobodys = await signInAs(databases, { permissions, apps: [], since: startsAt });
    expect(await names('', nobodys.headers)).toEqual([]);
    const without = await signInAs(databases, { permissions: ['manager_app_requests'], since: startsAt });
    expect((await get('', without.headers)).status).toBe(403);
  });

  const top = async (query: string, headers = staff) => {
    const { status, body } = await api.call('GET', `/api/all-requests/top?${query}`, { headers });
    expect(status).toBe(200);
    return body.data;
  };

  it('[INV-010] names apps and streams among the top values, of apps in scope alone', async () => {
    // No registry was loaded when these arrived.
    expect(await top('field=asn')).toEqual({
      field: 'asn',
      values: [{ value: 'none', name: null, count: 6 }],
      total: 6,
      counted: 'all',
      rows: 6,
    });
    const { values } = await top('field=app&type=error');
    expect(values).toEqual([{ value: String(casino.id), name: expect.any(String), count: 2 }]);
    const namesOf = async (headers = staff) =>
      (await top('field=stream', headers)).values.map(({ value, name }: { value: string; name: string | null }) => [value, name]);
    expect(await namesOf()).toEqual([
      ['none', null],
      ['st_1', 'Stream st_1'],
      ['st_foreign', 'Stream st_foreign'],
    ]);
    const limitedCaller = await signInAs(api.databases, { permissions: ['manager_app_all_requests'], apps: [bet.id], since: startsAt });
    // The stream belongs to an app that the reader does not see, though its request does not.
    expect(await namesOf(limitedCaller.headers)).toEqual([
      ['none', null],
      ['st_1', 'Stream st_1'],
      ['st_foreign', null],
    ]);
    expect((await top('field=app', limitedCaller.headers)).total).toBe(3);
    expect((await top('field=error')).values).toEqual([
      { value: '', name: null, count: 1 },
      { value: 'Error', name: null, count: 1 },
    ]);
  });

  it('[INV-010] rejects a field that is no field', async () => {
    for (const query of ['', 'field=password']) {
      const { status, body } = await api.call('GET', `/api/all-requests/top?${query}`, { headers: staff });
      expect([status, Object.keys(body.errors)]).toEqual([422, ['field']]);
    }
  });
});
