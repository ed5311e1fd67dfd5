import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, signInAsServer } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

let api: TestApi;
let staff: Record<string, string>;
let bet: { id: number };
let casino: { id: number };
let quiet: { id: number };

const startsAt = new Date('2026-11-20T12:00:00Z');

/** Rows by a name in `additional_data`, so that expectations are readable. */
const rows = [
  {
    name: 'newest',
    date: '2026-11-20 11:00:00.000002',
    ip: '203.0.113.9',
    client_uid: 'Abc-1',
    country: 'DE',
    type: 'create',
    stream_uid: 'st_1',
  },
  {
    name: 'tie',
    date: '2026-11-20 11:00:00.000002',
    ip: '203.0.113.77',
    client_uid: 'abc-2',
    country: 'US',
    type: 'receive',
    stream_uid: 'st_new',
  },
  {
    name: 'broken',
    date: '2026-11-20 10:00:00',
    ip: '10.1.2.3',
    client_uid: 'a_c',
    country: 'FR',
    type: 'token',
    error: 'boom',
    stream_uid: 'st_gone',
  },
  { name: 'typed', date: '2026-11-19 23:30:00', ip: '2001:db8::1', client_uid: '100%', country: 'DE', type: 'error' },
  {
    name: 'evening',
    date: '2026-11-19 21:59:59.999999',
    ip: '::ffff:203.0.113.9',
    client_uid: 'x',
    country: 'DE',
    type: 'static',
    postbacks_domain: 'pb.example',
  },
  { name: 'old', date: '2026-10-01 00:00:00', ip: '198.51.100.1', country: 'FR', type: 'track', postbacks_domain: 'pb.example' },
] as const;

beforeAll(async () => {
  const { databases } = await createTestDatabase();
  api = await buildTestApi({ databases, startsAt, env: { SERVER_UTC_OFFSET: '+02:00' } });
  await api.maintain();
  staff = (await signInAs(databases, { role: 'Super Admin', since: startsAt })).headers;
  // Archived apps are still readable.
  bet = await createApp(databases, { bundle: 'com.bet', deleted_at: startsAt });
  casino = await createApp(databases, { bundle: 'com.casino' });
  quiet = await createApp(databases, { bundle: 'com.quiet' });
  const buyer = await signInAs(databases, { panel: 'buyer', role: 'Buyer' });
  for (const [uid, name, deleted_at] of [
    ['st_1', 'Zeta', null],
    ['st_idle', 'alpha', null],
    ['st_gone', 'Gone', startsAt],
  ] as const) {
    const stream = { uid, name, deleted_at, app_id: bet.id, buyer_id: buyer.accountId, rules: '{"country": []}' };
    await databases.db
      .insertInto('streams')
      .values({ ...stream, created_at: startsAt, updated_at: startsAt })
      .execute();
  }
  const { headers } = await signInAsServer(databases);
  const events = [
    ...rows.map(({ name, ...row }) => ({ ...row, app_id: bet.id, additional_data: name })),
    {
      app_id: casino.id,
      type: 'create',
      date: '2026-11-20 11:30:00',
      ip: '203.0.113.9',
      country: 'JP',
      stream_uid: 'st_other',
      additional_data: 'other',
    },
  ];
  for (const event of events) {
    expect((await api.call('POST', '/api/ingest/events', { headers, body: { events: [event] } })).body.data.accepted).toBe(1);
  }
});

const get = (path: string, headers = staff, id: number = bet.id) => api.call('GET', `/api/apps/${id}/postbacks${path}`, { headers });
async function names(query: string): Promise<string[]> {
  const { status, body } = await get(`?${query}`);
  expect(status).toBe(200);
  expect(body.pagination.total).toBe(body.data.length);
  return body.data.map((row: { additional_data: string }) => row.additional_data);
}

describe('requests of an app', () => {
  it('[API-028, EVT-017, EVT-018, CONST-036, AMB-045] come newest first, ties by id, in the envelope of a numbered list', async () => {
    expect(await names('')).toEqual(['tie', 'newest', 'broken', 'typed', 'evening', 'old']);
    const { body } = await get('?limit=4&page=2');
    expect(body.data.map((row: { additional_data: string }) => row.additional_data)).toEqual(['evening', 'old']);
    expect(body.pagination).toEqual({
      total: 6,
      count: 2,
      limit: 4,
      currentPage: 2,
      totalPages: 2,
      current_page: 2,
      last_page: 2,
      links: [
        { label: 'Previous', active: false, page: 1 },
        { label: '1', active: false, page: 1 },
        { label: '2', active: true, page: 2 },
        { label: 'Next', active: false, page: null },
      ],
      prev_cursor: null,
      next_cursor: null,
    });
    expect((await get('')).body.pagination.limit).toBe(50);
  });

  it('[API-028] are none beyond the end, with the true total', async () => {
    const { body } = await get('?page=900000000&limit=200');
    expect(body.data).toEqual([]);
    expect(body.pagination).toMatchObject({ total: 6, count: 0, currentPage: 900_000_000, totalPages: 1 });
  });

  it.each([
    ['search=203.0.113.9', ['newest', 'evening']],
    ['search=203.0.113.0/26', ['newest', 'evening']],
    ['search=ABC', ['tie', 'newest']],
    ['search=%25', []],
    ['clientId=abc-1', []],
    ['clientId=Abc-1', ['newest']],
    ['type=error', ['broken', 'typed']],
    ['type[]=create,static', ['newest', 'evening']],
    ['geo=de&type=create', ['newest']],
    ['streamUid=st_1,st_new', ['tie', 'newest']],
    ['emptyPostbacksDomain=1', ['tie', 'newest', 'broken', 'typed']],
    // Days at +02:00 end at 22:00 UTC.
    ['startDate=2026-11-20', ['tie', 'newest', 'broken', 'typed']],
    ['endDate=2026-11-19', ['evening', 'old']],
    ['startDate=2026-11-20T11:00:00.000002Z', ['tie', 'newest']],
    ['geo=JP', []],
  ])('[API-028] are filtered by %s and counted', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it.each([
    ['orderBy=id', ['old', 'evening', 'typed', 'broken', 'tie', 'newest']],
    ['orderBy=id&orderDirection=asc', ['newest', 'tie', 'broken', 'typed', 'evening', 'old']],
    ['orderBy=concatenated_date&orderDirection=asc', ['old', 'evening', 'typed', 'broken', 'tie', 'newest']],
    ['orderBy=type&orderDirection=asc', ['newest', 'typed', 'tie', 'evening', 'broken', 'old']],
    ['orderBy=nonsense&orderDirection=asc', ['tie', 'newest', 'broken', 'typed', 'evening', 'old']],
  ])('[API-028, EVT-018] are sorted by %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it.each([
    ['type=nonsense', { type: ['The selected type is invalid.'] }],
    ['geo=Germany', { geo: ['The geo field contains an invalid value.'] }],
    ['startDate=soon', { startDate: ['Invalid date string format'] }],
    ['startDate=2026-11-20&endDate=2026-11-19', { startDate: ['The startDate must not be after endDate.'] }],
  ])('reject %s, as their histogram does', async (query, errors) => {
    for (const path of [`?${query}`, `/histogram?${query}`]) {
      const { status, body } = await get(path);
      expect(status).toBe(422);
      expect(body).toEqual({ success: false, message: 'The given data was invalid.', errors, data: { errors } });
    }
  });

  it('[API-028, API-027, PERM-049] are visible to callers who see the app, and 404 for everybody else', async () => {
    const { databases } = api;
    const permissions = ['manager_app_requests'] as const;
    const limitedReader = await signInAs(databases, { permissions, apps: [casino.id], since: startsAt });
    for (const path of ['', '/histogram', '/filters']) {
      expect((await get(path, limitedReader.headers, casino.id)).status).toBe(200);
      const refusal = await get(path, limitedReader.headers);
      expect([refusal.status, refusal.body]).toEqual([404, { success: false, message: 'Not found' }]);
      expect((await get(path, staff, 999_999_999)).status).toBe(404);
    }
    // Whether the app is there comes before the values.
    expect((await get('?startDate=2026-11-20&endDate=2026-11-19', staff, 999_999_999)).status).toBe(404);
  });
});

const noCounts = { create: 0, receive: 0, token: 0, track: 0, proxy: 0, static: 0, error: 0 };

describe('histogram of an app', () => {
  it('counts the last 24 hours by quarters of an hour and type', async () => {
    const { data } = (await get('/histogram')).body;
    expect(data).toMatchObject({ bucketSeconds: 900, from: '2026-11-19 12:00:00', to: '2026-11-20 12:00:00' });
    expect(data.buckets).toHaveLength(96);
    expect(data.buckets[0]).toEqual({ at: '2026-11-19 12:00:00', counts: noCounts });
    const filledBuckets = data.buckets.filter((bucket: { counts: Record<string, number> }) =>
      Object.values(bucket.counts).some((count) => count > 0),
    );
    expect(filledBuckets).toEqual([
      { at: '2026-11-19 21:45:00', counts: { ...noCounts, static: 1 } },
      { at: '2026-11-19 23:30:00', counts: { ...noCounts, error: 1 } },
      { at: '2026-11-20 10:00:00', counts: { ...noCounts, token: 1 } },
      { at: '2026-11-20 11:00:00', counts: { ...noCounts, create: 1, receive: 1 } },
    ]);
  });

  it.each([
    ['startDate=2026-09-01&endDate=2026-11-20', 86_400, ['2026-09-30 22:00:00', '2026-11-18 22:00:00', '2026-11-19 22:00:00']],
    ['startDate=2026-11-19&endDate=2026-11-20&type=error', 3600, ['2026-11-19 23:00:00', '2026-11-20 10:00:00']],
    ['startDate=2026-11-01&endDate=2026-11-20&geo=DE', 21_600, ['2026-11-19 16:00:00', '2026-11-19 22:00:00', '2026-11-20 10:00:00']],
    ['startDate=2026-11-01&endDate=2026-11-20&search=203.0.113.9', 21_600, ['2026-11-19 16:00:00', '2026-11-20 10:00:00']],
    // An event at the very end is counted, in a bucket of its own if one begins there.
    ['startDate=2026-11-20T08:00:00Z&endDate=2026-11-20T10:00:00Z', 60, ['2026-11-20 10:00:00']],
  ])('of %s sums up to the total of the list', async (query, seconds, filledBuckets) => {
    const { data } = (await get(`/histogram?${query}`)).body;
    const { total } = (await get(`?${query}`)).body.pagination;
    expect(data.bucketSeconds).toBe(seconds);
    const sums: [string, number][] = data.buckets.map((bucket: { at: string; counts: Record<string, number> }) => [
      bucket.at,
      Object.values(bucket.counts).reduce((sum, count) => sum + count, 0),
    ]);
    expect(sums.filter(([, sum]) => sum > 0).map(([at]) => at)).toEqual(filledBuckets);
    expect(sums.reduce((all, [, sum]) => all + sum, 0)).toBe(total);
  });
});

describe('filters of an app', () => {
  it('[API-027, ENT-025, EVT-004, EVT-007, EVT-016] are five types, its countries and streams by name, and the own address', async () => {
    const { body } = await api.call('GET', `/api/apps/${bet.id}/postbacks/filters`, { headers: staff, ip: '198.51.100.4' });
    expect(body).toEqual({
      success: true,
      data: {
        type: ['create', 'receive', 'token', 'track', 'error'].map((type) => ({ name: type, uid: type })),
        geo: [
          { name: 'France', uid: 'FR' },
          { name: 'Germany', uid: 'DE' },
          { name: 'United States', uid: 'US' },
        ],
        streamUid: [
          { name: 'alpha', uid: 'st_idle' },
          { name: 'st_new', uid: 'st_new' },
          { name: 'Zeta', uid: 'st_1' },
        ],
        ip: '198.51.100.4',
      },
    });
  });

  it('[API-027] are empty for an app without traffic', async () => {
    const { data } = (await get('/filters', staff, quiet.id)).body;
    expect(data).toMatchObject({ geo: [], streamUid: [] });
    expect(data.type).toHaveLength(5);
    expect((await get('', staff, quiet.id)).body.pagination).toMatchObject({ total: 0, totalPages: 1 });
  });
});

describe('histogram of all requests', () => {
  it('[API-086] counts the apps in scope only', async () => {
    const permissions = ['manager_app_all_requests'] as const;
    const sum = async (headers: Record<string, string>): Promise<number> => {
      const { data } = (await api.call('GET', '/api/all-requests/histogram', { headers })).body;
      expect(data.buckets).toHaveLength(96);
      return data.buckets
        .flatMap((bucket: { counts: Record<string, number> }) => Object.values(bucket.counts))
        .reduce((all: number, one: number) => all + one, 0);
    };
    expect(await sum(staff)).toBe(6);
    const account = (apps: number[]) => signInAs(api.databases, { permissions, apps, since: startsAt });
    expect(await sum((await account([casino.id])).headers)).toBe(1);
    expect(await sum((await account([bet.id, casino.id])).headers)).toBe(6);
    expect(await sum((await account([])).headers)).toBe(0);
  });
});

describe('histogram in the range of the list', () => {
  let early: { id: number };
  const eventsOf = async (query: string, id: number) => {
    const { data } = (await get(`/histogram?range=list&${query}`, staff, id)).body;
    const counts = data.buckets.flatMap((bucket: { counts: Record<string, number> }) => Object.values(bucket.counts));
    return { ...data, sum: counts.reduce((all: number, one: number) => all + one, 0) };
  };
  beforeAll(async () => {
    early = await createApp(api.databases, { bundle: 'com.early' });
    const { headers } = await signInAsServer(api.databases);
    const dates = ['2026-11-20 09:10:00', '2026-11-20 11:59:59.999999', '2026-11-20 13:00:00', '2026-11-21 11:59:59'];
    const events = dates.map((date) => ({ app_id: early.id, type: 'track', ip: '203.0.113.9', date }));
    expect((await api.call('POST', '/api/ingest/events', { headers, body: { events } })).body.data.accepted).toBe(4);
  });

  it.each(['', 'search=203.0.113.9', 'startDate=2026-11-19', 'startDate=2026-11-20T11:30:00Z', 'endDate=2026-11-20', 'typeNot=track'])(
    '[INV-041] counts all that the list finds with "%s"',
    async (query) => {
      for (const id of [bet.id, early.id, quiet.id])
        expect((await eventsOf(query, id)).sum).toBe((await get(`?${query}`, staff, id)).body.pagination.total);
    },
  );

  it('[INV-041] begins with the hour of the oldest event, and ends now or after the newest one', async () => {
    expect(await eventsOf('', early.id)).toMatchObject({ from: '2026-11-20 09:00:00', to: '2026-11-21 12:00:00', bucketSeconds: 900 });
    expect(await eventsOf('geo=FR', bet.id)).toMatchObject({ from: '2026-10-01 00:00:00', to: '2026-11-20 12:00:00', sum: 2 });
    expect(await eventsOf('endDate=2026-09-01', bet.id)).toMatchObject({ sum: 0 });
  });
});
