import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { listenForTest, openAnswer } from '../../../test/listening-api.ts';
import { readCsv } from '../../../test/read-csv.ts';
import { signInAs, signInAsServer, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

let api: TestApi;
let reader: SignedIn;
let app: { id: number };
let foreign: { id: number };
const startsAt = new Date('2026-11-20T12:00:00Z');

beforeAll(async () => {
  const { databases } = await createTestDatabase();
  api = await buildTestApi({ databases, startsAt, env: { EVENT_RETENTION_DAYS: '3' } });
  await api.maintain();
  app = await createApp(databases);
  foreign = await createApp(databases);
  reader = await signInAs(databases, { permissions: ['manager_app_conversions'], apps: [app.id], since: startsAt });
  const { headers } = await signInAsServer(databases);
  const conversion = (change: object) => ({
    app_id: app.id,
    status_conversion: 'deposit',
    created_at: '2026-11-19 23:59:59',
    stream_uid: 'st_7f21',
    ...change,
  });
  const conversions = [
    conversion({ click_id: 'first', client_uid: 'c-1', is_send: true }),
    conversion({ click_id: 'second', client_uid: 'C-2', status: 'duplicate', created_at: '2026-11-20 00:00:00' }),
    conversion({ click_id: 'third', stream_uid: null, status_conversion: 'install', status: 'Held', created_at: '2026-11-20 10:00:00' }),
    conversion({ app_id: foreign.id, status_conversion: 'lead', status: 'lost', created_at: '2026-11-18 00:00:00' }),
  ];
  expect((await api.call('POST', '/api/ingest/conversions', { headers, body: { conversions } })).body.data.accepted).toBe(4);
  return async () => api.app.close();
});

const get = async (query: string, caller = reader) => api.call('GET', `/api/apps/${app.id}/conversions?${query}`, caller);
const find = async (query: string) => (await get(query)).body.data.map((row: { click_id: string }) => row.click_id);
const options = async (path: string, caller = reader) => {
  const { body } = await api.call('GET', `/api/apps/conversions/${path}/list`, caller);
  return body.data.map((option: { name: string; uid: string }) => (option.name === option.uid ? option.uid : option));
};

describe('the file of conversions', () => {
  it('[CONV-001, CONV-006, CONST-029] is named after its list and holds all that it lists, in its order', async () => {
    const base = await listenForTest(api.app);
    const url = (id: number, query: string) => `${base}/api/apps/${id}/conversions/download?${query}`;
    const list = async (query: string) =>
      (await api.call('GET', `/api/apps/${app.id}/conversions?${query}`, reader)).body.data.map(
        (row: { click_id: string }) => row.click_id,
      );
    for (const query of ['', 'isSend=1', 'isSend=0&orderBy=keyClient&orderDirection=asc', 'startDate=2026-11-20', 'status=duplicate']) {
      const file = await openAnswer(url(app.id, `${query}&page=7&limit=1`), reader.headers);
      expect(file.headers).toMatchObject({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="app_${app.id}_conversions.csv"`,
      });
      const rows = await list(query);
      expect(rows).not.toEqual([]);
      expect(readCsv(await text(file)).map((record) => record[4])).toEqual(['click_id', ...rows]);
    }
    expect((await openAnswer(url(app.id, 'isSend=maybe'), reader.headers)).statusCode).toBe(422);
    expect((await openAnswer(url(foreign.id, ''), reader.headers)).statusCode).toBe(404);
  });
});

describe('the list of conversions', () => {
  it('[CONV-023, CONST-037] begins with the newest and pages with exact totals', async () => {
    const { body } = await get('limit=2');
    expect(body.data.map((row: { click_id: string }) => row.click_id)).toEqual(['third', 'second']);
    expect(body.pagination).toMatchObject({ total: 3, count: 2, limit: 2, currentPage: 1, totalPages: 2 });
  });

  it('[CONV-007, CONV-009, CONV-016, AMB-079] sorts by each of its keys, missing values last', async () => {
    expect(await find('orderBy=keyId&orderDirection=asc')).toEqual(['first', 'second', 'third']);
    expect(await find('orderBy=keyClient&orderDirection=asc')).toEqual(['second', 'first', 'third']);
    expect(await find('orderBy=keyClient&orderDirection=desc')).toEqual(['first', 'second', 'third']);
    expect(await find('orderBy=keyStatus&orderDirection=desc')).toEqual(['first', 'second', 'third']);
  });

  it('[CONV-002, CONV-003, CONV-004, CONV-005, CONV-006, API-031] narrows by parts of uids and by whole values', async () => {
    expect(await find('clientUid=c-')).toEqual(['second', 'first']);
    expect(await find('streamUid=ST_7')).toEqual(['second', 'first']);
    expect(await find('statusConversion=install')).toEqual(['third']);
    expect(await find('statusConversion=inst')).toEqual([]);
    expect(await find('status=Held')).toEqual(['third']);
    expect(await find('isSend=1')).toEqual(['first']);
    expect(await find('isSend=0')).toEqual(['third', 'second']);
    expect(await find('startDate=2026-11-20')).toEqual(['third', 'second']);
    expect(await find('endDate=2026-11-19&status=success')).toEqual(['first']);
    expect((await get('isSend=maybe')).body.errors).toEqual({ isSend: ['The selected isSend is invalid.'] });
    expect((await get(`streamUid=${'x'.repeat(129)}`)).status).toBe(422);
  });

  it('[CONV-001] shows no app outside the scope', async () => {
    expect((await api.call('GET', `/api/apps/${foreign.id}/conversions`, reader)).status).toBe(404);
    const other = await signInAs(api.databases, { permissions: ['manager_app_pushes'], since: startsAt });
    expect((await get('', other)).status).toBe(403);
  });

  it('[CONV-004, CONV-005, CONV-025, API-032, API-033, AMB-148] offers what is stored in the scope, known statuses first', async () => {
    const all = await signInAs(api.databases, { role: 'Super Admin', since: startsAt });
    const nothing = await signInAs(api.databases, { permissions: ['manager_app_conversions'], apps: [], since: startsAt });
    expect(await options('status-conversion')).toEqual(['deposit', 'install']);
    expect(await options('status-conversion', all)).toEqual(['deposit', 'install', 'lead']);
    expect(await options('status-conversion', nothing)).toEqual([]);
    expect(await options('status')).toEqual(['success', 'error', 'duplicate', 'Held']);
    expect(await options('status', all)).toEqual(['success', 'error', 'duplicate', 'Held', 'lost']);
    expect(await options('status', nothing)).toEqual(['success', 'error', 'duplicate']);
    // Rows past retention are not stored.
    api.wait(24 * 3_600_000);
    await api.maintain();
    const later = await signInAs(api.databases, { role: 'Super Admin', since: api.now() });
    expect(await options('status', later)).toEqual(['success', 'error', 'duplicate', 'Held']);
  });
});
