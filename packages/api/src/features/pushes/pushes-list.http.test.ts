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
let archivedApp: { id: number };
const startsAt = new Date('2026-11-20T12:00:00Z');

beforeAll(async () => {
  const { databases } = await createTestDatabase();
  api = await buildTestApi({ databases, startsAt, env: { SERVER_UTC_OFFSET: '+02:00' } });
  await api.maintain();
  app = await createApp(databases);
  archivedApp = await createApp(databases, { deleted_at: startsAt });
  reader = await signInAs(databases, { permissions: ['manager_app_pushes'], apps: [app.id, archivedApp.id], since: startsAt });
  const { headers } = await signInAsServer(databases);
  const push = (change: object) => ({ app_id: app.id, push_id: 'p-1', send_at: '2026-11-19 21:59:59', ...change });
  const pushes = [
    push({ push_id: 'p-1001', uid: 'u-1', push_campaign_uid: 'pc_7' }),
    push({ push_id: 'P-1002', uid: 'u-2', push_campaign_uid: 'pcx7', send_at: '2026-11-19 22:00:00', status: 'sent' }),
    push({ push_id: 'q-3', uid: null, status: 'error', send_at: '2026-11-20 10:00:00' }),
    push({ app_id: archivedApp.id }),
  ];
  expect((await api.call('POST', '/api/ingest/pushes', { headers, body: { pushes } })).body.data.accepted).toBe(4);
  return async () => api.app.close();
});

const get = async (query: string, caller = reader) => api.call('GET', `/api/apps/${app.id}/pushes?${query}`, caller);
const find = async (query: string) => (await get(query)).body.data.map((row: { push_id: string }) => row.push_id);

describe('the list of pushes', () => {
  it('[PUSH-017, CONST-037] begins with the newest, also for a sort nobody knows, and pages with exact totals', async () => {
    expect(await find('')).toEqual(['q-3', 'P-1002', 'p-1001']);
    expect(await find('orderBy=uid&orderDirection=asc')).toEqual(['q-3', 'P-1002', 'p-1001']);
    const { body } = await get('limit=2&page=2');
    expect(body.data).toHaveLength(1);
    expect(body.pagination).toMatchObject({ total: 3, count: 1, limit: 2, currentPage: 2, totalPages: 2, next_cursor: null });
    expect((await get('page=9')).body).toMatchObject({ data: [], pagination: { total: 3, count: 0, limit: 50, currentPage: 9 } });
  });

  it('[PUSH-006, PUSH-013, PUSH-014, PUSH-015, AMB-079] sorts by each of its keys, missing values last', async () => {
    expect(await find('orderBy=keyId&orderDirection=asc')).toEqual(['p-1001', 'P-1002', 'q-3']);
    expect(await find('orderBy=keyCampaign&orderDirection=asc')).toEqual(['p-1001', 'P-1002', 'q-3']);
    expect(await find('orderBy=keyCampaign&orderDirection=desc')).toEqual(['P-1002', 'p-1001', 'q-3']);
    expect(await find('orderBy=keySendAt&orderDirection=desc')).toEqual(['q-3', 'P-1002', 'p-1001']);
    expect(await find('orderBy=keyStatus&orderDirection=asc')).toEqual(['q-3', 'p-1001', 'P-1002']);
  });

  it('[PUSH-002, API-030] finds parts of uid, campaign and push id, and a row by its number', async () => {
    expect(await find('uid=U-')).toEqual(['P-1002', 'p-1001']);
    expect(await find('pushCampaignUid=%20pc_7%20')).toEqual(['p-1001']);
    expect(await find('pushId=p-100&uid=u-2')).toEqual(['P-1002']);
    const [{ id }] = (await get('pushId=q-')).body.data;
    expect(await find(`pushId=${id}`)).toContain('q-3');
    const { status, body } = await get(`uid=${'x'.repeat(256)}`);
    expect([status, body.errors]).toEqual([422, { uid: ['The uid field must not be longer than 255 characters.'] }]);
  });

  it('narrows to days in the offset of the server and to moments, by the time of sending', async () => {
    expect(await find('startDate=2026-11-20')).toEqual(['q-3', 'P-1002']);
    expect(await find('endDate=2026-11-19')).toEqual(['p-1001']);
    expect(await find('startDate=2026-11-19T22:00:00Z&endDate=2026-11-19T22:00:00Z')).toEqual(['P-1002']);
    expect((await get('startDate=2026-11-20&endDate=2026-11-19')).body.errors).toEqual({
      startDate: ['The startDate must not be after endDate.'],
    });
    expect((await get('startDate=soon')).body.errors).toEqual({ startDate: ['Invalid date string format'] });
  });

  it('[PUSH-001] shows archived apps, but none outside the scope nor any that does not exist', async () => {
    const of = async (id: number) => (await api.call('GET', `/api/apps/${id}/pushes`, reader)).status;
    const foreign = await createApp(api.databases);
    expect([await of(archivedApp.id), await of(foreign.id), await of(999_999)]).toEqual([200, 404, 404]);
    const other = await signInAs(api.databases, { permissions: ['manager_app_conversions'], since: startsAt });
    expect((await get('', other)).status).toBe(403);
  });
});

describe('the file of pushes', () => {
  it('[PUSH-001, PUSH-002, CONST-029] is named after its list and holds all that it lists, in its order', async () => {
    const base = await listenForTest(api.app);
    const url = (id: number, query: string) => `${base}/api/apps/${id}/pushes/download?${query}`;
    const file = await openAnswer(url(app.id, 'pushId=p-100&orderBy=keyStatus&orderDirection=desc&page=7&limit=1'), reader.headers);
    expect(file.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="app_${app.id}_pushes.csv"`,
    });
    expect(readCsv(await text(file)).map((record) => record[1])).toEqual(['push_id', 'P-1002', 'p-1001']);
    const ofDay = await openAnswer(url(app.id, 'startDate=2026-11-20'), reader.headers);
    expect(readCsv(await text(ofDay)).map((record) => record[1])).toEqual(['push_id', 'q-3', 'P-1002']);
    const reversedRange = await openAnswer(url(app.id, 'startDate=2026-11-20&endDate=2026-11-19'), reader.headers);
    expect(reversedRange.statusCode).toBe(422);
    const foreign = await createApp(api.databases);
    expect((await openAnswer(url(foreign.id, ''), reader.headers)).statusCode).toBe(404);
  });
});
