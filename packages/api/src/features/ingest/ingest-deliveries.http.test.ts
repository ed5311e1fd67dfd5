import { beforeAll, describe, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, signInAsServer } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

let api: TestApi;
let server: Record<string, string>;
let staff: Record<string, string>;
let app: { id: number; bundle: string };
let other: { id: number; bundle: string };
const startsAt = new Date('2026-11-20T12:00:00Z');

beforeAll(async () => {
  const { databases } = await createTestDatabase();
  api = await buildTestApi({ databases, startsAt, env: { EVENT_RETENTION_DAYS: '90' } });
  await api.maintain();
  server = (await signInAsServer(databases)).headers;
  staff = (await signInAs(databases, { role: 'Super Admin', since: startsAt })).headers;
  app = await createApp(databases, { bundle: 'com.Acme.bet' });
  other = await createApp(databases, { bundle: 'com.other' });
  return async () => api.app.close();
});

type Kind = 'pushes' | 'conversions' | 'streams';
const send = async (kind: Kind, rows: unknown[]) => api.call('POST', `/api/ingest/${kind}`, { headers: server, body: { [kind]: rows } });
/** Errors of a single row that has to be rejected. */
const errorsOf = async (kind: Kind, row: unknown) => {
  const { status, body } = await send(kind, [row]);
  expect([status, body.message]).toEqual([422, 'Every row was rejected.']);
  return body.data.rejected[0].errors;
};
const accepts = async (kind: Kind, row: unknown) =>
  expect((await send(kind, [row])).body.data).toMatchObject({ accepted: 1, rejected: [] });
let ids = 0;
const newId = () => `01936b0e-7c1e-7a52-9f0b-${String((ids += 1)).padStart(12, '0')}`;
const list = async (path: string) => (await api.call('GET', `/api/apps/${path}`, { headers: staff })).body.data;
const counters = async () =>
  (await api.call('GET', '/api/apps?search=com.acme.bet&isCache=0', { headers: staff })).body.data[0].statistics.all;

const push = (change: object = {}) => ({ app_id: app.id, push_id: 'p-1', send_at: '2026-11-20 10:00:00', ...change });
const conversion = (change: object = {}) => ({
  app_id: app.id,
  status_conversion: 'deposit',
  created_at: '2026-11-20 10:00:00',
  ...change,
});
const stream = (change: object = {}) => ({
  app_id: app.id,
  uid: 'st_1',
  name: 'DE organic',
  created_at: '2001-01-01T00:00:00Z',
  updated_at: '2026-11-20 10:00:00',
  ...change,
});

describe.each([
  ['pushes', push, 'send_at'],
  ['conversions', conversion, 'created_at'],
] as const)('a batch of %s', (kind, row, time) => {
  it('reads JSON, NDJSON, bundles and both bounds of time as a batch of events does', async () => {
    const text = `${JSON.stringify(row({ app_id: undefined, bundle: 'COM.acme.BET' }))}\n\nno json\n${JSON.stringify(row())}\n`;
    const { body } = await api.call('POST', `/api/ingest/${kind}`, {
      headers: { ...server, 'content-type': 'application/x-ndjson' },
      body: text,
    });
    expect(body.data).toEqual({ accepted: 2, duplicates: 0, rejected: [{ index: 1, id: null, errors: { row: ['Invalid JSON.'] } }] });
    expect((await send(kind, [])).body.errors).toEqual({ [kind]: ['At least one row is required.'] });
    expect((await api.call('POST', `/api/ingest/${kind}`, { headers: server, body: {} })).body.errors).toEqual({
      [kind]: [`The ${kind} field is required.`],
    });
    expect((await api.call('POST', `/api/ingest/${kind}`, { headers: staff, body: {} })).status).toBe(401);
    await accepts(kind, row({ [time]: '2026-11-21T12:00:00Z' }));
    await accepts(kind, row({ [time]: '2026-08-22T12:00:00Z' }));
    expect(await errorsOf(kind, row({ [time]: '2026-11-21T12:00:01Z' }))).toEqual({ [time]: ['More than 24 hours ahead.'] });
    expect(await errorsOf(kind, row({ [time]: '2026-08-22T11:59:59Z' }))).toEqual({ [time]: ['Older than the retention of 90 days.'] });
    expect(await errorsOf(kind, row({ [time]: 'soon' }))).toEqual({ [time]: ['Invalid date string format'] });
  });

  it('keeps good rows and names each bad one with every failing field', async () => {
    const bad = [
      'text',
      row({ app_id: 999_999, extra: 1 }),
      row({ app_id: undefined, id: 'x', [time]: undefined }),
      row({ bundle: 'com.other', status: '' }),
      row({ app_id: 'x', status: 'x'.repeat(33), error: 'x'.repeat(4097) }),
    ];
    const { status, body } = await send(kind, [row({ id: newId() }), ...bad]);
    expect([status, body.data.accepted]).toEqual([200, 1]);
    expect(body.data.rejected.map((one: { errors: unknown }) => one.errors)).toEqual([
      { row: ['The row must be an object.'] },
      { app_id: ['Unknown app.'], extra: ['Unknown field.'] },
      { app_id: ['The app_id or bundle field is required.'], id: ['The id must be a UUID.'], [time]: [`The ${time} field is required.`] },
      { bundle: ['The app_id and bundle do not match.'], status: ['The status field is required.'] },
      {
        app_id: ['The app_id field must be of type integer.'],
        status: ['The status field must not be longer than 32 characters.'],
        error: ['The error field must not be longer than 4096 characters.'],
      },
    ]);
    expect(body.data.rejected.map((one: { index: number; id: unknown }) => [one.index, one.id])).toEqual([
      [1, null],
      [2, null],
      [3, 'x'],
      [4, null],
      [5, null],
    ]);
  });
});

describe('pushes', () => {
  it('[ENT-027, PUSH-008, AMB-147] keeps every part of a row, messages as JSON text, and shows it to the list at once', async () => {
    const message = { notification: { title: 'Hi', body: 'Bonus', image: 'https://cdn.example/a.png' } };
    await send('pushes', [
      push({
        push_id: 'whole',
        push_name: 'Welcome',
        push_message: message,
        uid: 'u-1',
        client_uid: 'c-88a1',
        push_campaign_uid: 'pc-7',
        status: 'queued\0',
        error: 'no token',
      }),
      push({ push_id: 'bare', uid: '', client_uid: null, error: '' }),
    ]);
    expect(await list(`${app.id}/pushes?pushId=whole`)).toEqual([
      {
        id: expect.any(Number),
        push_id: 'whole',
        push_name: 'Welcome',
        push_message: JSON.stringify(message),
        uid: 'u-1',
        client_uid: 'c-88a1',
        push_campaign_uid: 'pc-7',
        send_at: '2026-11-20 10:00:00',
        status: 'queued\u{FFFD}',
        error: 'no token',
      },
    ]);
    const nothing = { push_name: '', push_message: '', uid: null, client_uid: null, push_campaign_uid: null, error: null };
    expect(await list(`${app.id}/pushes?pushId=bare`)).toMatchObject([{ ...nothing, status: 'pending' }]);
  });

  it('rejects messages over 64 KiB and values of other kinds', async () => {
    const tooLarge = { push_message: ['The push_message field is too large.'] };
    await accepts('pushes', push({ push_message: '"'.repeat(65_536) }));
    expect(await errorsOf('pushes', push({ push_message: 'ü'.repeat(32_769) }))).toEqual(tooLarge);
    expect(await errorsOf('pushes', push({ push_message: { body: 'x'.repeat(65_536) } }))).toEqual(tooLarge);
    expect(await errorsOf('pushes', push({ push_message: [], push_id: '', updated_at: '0000-01-01' }))).toEqual({
      push_message: ['The push_message field must be of type string.'],
      push_id: ['The push_id field is required.'],
      updated_at: ['Invalid date string format'],
    });
  });

  it('[APPS-030, AMB-077] replaces a push by a newer row of it, and counts it where it now belongs', async () => {
    const id = newId();
    const before = await counters();
    const row = (change: object) => push({ id, push_id: 'replaced', ...change });
    expect((await send('pushes', [row({}), row({})])).body.data).toEqual({ accepted: 1, duplicates: 1, rejected: [] });
    const sentPush = row({ status: 'sent', push_id: 'other', updated_at: '2026-11-20 10:00:01', send_at: '2026-11-19 23:00:00' });
    expect((await send('pushes', [sentPush])).body.data).toMatchObject({ accepted: 1 });
    expect((await send('pushes', [row({ status: 'error', updated_at: '2026-11-20 10:00:00.5' })])).body.data).toMatchObject({
      duplicates: 1,
    });
    expect(await list(`${app.id}/pushes?pushId=replaced`)).toMatchObject([{ status: 'sent', send_at: '2026-11-19 23:00:00' }]);
    const after = await counters();
    expect(after.all_time.push).toEqual({ all: before.all_time.push.all + 1, success: before.all_time.push.success + 1 });
    expect(after.today.push).toEqual(before.today.push);
    // The same id of another app is another push.
    expect((await send('pushes', [row({ app_id: other.id })])).body.data).toMatchObject({ accepted: 1 });
  });
});

describe('conversions', () => {
  it('[ENT-028, AMB-148] keeps every part of a row and shows it to the list at once', async () => {
    const whole = {
      source: 'appsflyer',
      client_uid: 'whole-conversion',
      stream_uid: 'st_7f21',
      click_id: 'clk-1',
      receive_apf_uid: '1700000000000-123',
      app_instance_id: null,
      status_conversion: 'deposit',
      payout: 12.5,
      status: 'error',
      error: 'late',
      is_send: true,
    };
    await send('conversions', [conversion({ ...whole, is_send: 1 }), conversion({ client_uid: 'bare-conversion', payout: '-0.0001' })]);
    expect(await list(`${app.id}/conversions?clientUid=whole-conv`)).toEqual([
      { id: expect.any(Number), ...whole, created_at: '2026-11-20 10:00:00' },
    ]);
    expect(await list(`${app.id}/conversions?clientUid=bare-conv`)).toMatchObject([
      { source: '', stream_uid: null, click_id: null, payout: -0.0001, status: 'success', error: null, is_send: false },
    ]);
  });

  it('takes an id once an app and moment, also from parallel batches, and a payout that is exact', async () => {
    const rows = Array.from({ length: 40 }, () => conversion({ id: newId() }));
    const answers = await Promise.all([send('conversions', rows), send('conversions', rows), send('conversions', rows.toReversed())]);
    expect(answers.reduce((sum, { body }) => sum + body.data.accepted, 0)).toBe(40);
    expect((await send('conversions', [{ ...rows[0], created_at: '2026-11-20 10:00:01' }])).body.data.accepted).toBe(1);
    for (const payout of ['12', 0, '999999999999.9999', '00012.5000', '19.9000000', '', null])
      await accepts('conversions', conversion({ payout }));
    for (const payout of [1e12, '1e3', 'x', '1,5'])
      expect(await errorsOf('conversions', conversion({ payout }))).toEqual({ payout: ['The selected payout is invalid.'] });
    for (const payout of [0.000_01, '1.23456', 0.1 + 0.2])
      expect(await errorsOf('conversions', conversion({ payout }))).toEqual({ payout: ['The payout must not have more than 4 decimals.'] });
    expect(await errorsOf('conversions', conversion({ payout: true, is_send: 'yes', source: 'x'.repeat(65) }))).toEqual({
      payout: ['The payout field must be of type number.'],
      is_send: ['The is_send field must be of type boolean.'],
      source: ['The source field must not be longer than 64 characters.'],
    });
  });

  it('[APPS-031, AMB-107] counts them, those of testers apart, and gives their app clients', async () => {
    const own = await createApp(api.databases, { bundle: 'com.counted' });
    const tester = await signInAs(api.databases, { panel: 'buyer', role: 'QA' });
    await api.databases.db.updateTable('accounts').set({ is_qa: true }).where('id', '=', tester.accountId).execute();
    await accepts('streams', stream({ app_id: own.id, uid: 'st_tester', buyer_id: tester.accountId }));
    const row = (change: object = {}) => conversion({ app_id: own.id, ...change });
    await send('conversions', [row(), row({ status: 'duplicate' }), row({ stream_uid: 'st_tester' }), row({ created_at: '2026-11-18' })]);
    const [countedApp] = (await api.call('GET', '/api/apps?search=com.counted&isCache=0', { headers: staff })).body.data;
    expect(countedApp.has_clients).toBe(true);
    expect(countedApp.statistics.all.today.conversion).toEqual({ all: 3, success: 2 });
    expect(countedApp.statistics.all.all_time.conversion).toEqual({ all: 4, success: 3 });
    expect(countedApp.statistics.qa.conversion).toEqual({ all: 1, success: 1 });
  });
});

describe('streams', () => {
  const nameOf = async (clientUid: string) =>
    (await api.call('GET', `/api/all-requests?clientId=${clientUid}`, { headers: staff })).body.data[0].stream.name;

  it('[ENT-033, O32] names what came before them, is replaced as a whole by newer rows, and keeps its name when deleted', async () => {
    const buyer = await signInAs(api.databases, { panel: 'buyer', role: 'Buyer', email: 'buyer.one@example.com' });
    const event = {
      app_id: app.id,
      type: 'create',
      date: '2026-11-20 10:00:00',
      ip: '203.0.113.9',
      stream_uid: 'st_late',
      client_uid: 'named',
    };
    await api.call('POST', '/api/ingest/events', { headers: server, body: { events: [event] } });
    expect(await nameOf('named')).toBeNull();
    const row = (change: object) => stream({ uid: 'st_late', buyer_email: ' Buyer.One@Example.com ', ...change });
    const first = row({ name: 'First', rules: { country: ['de', 'ALL'] }, offer: 'https://offer.example/x', level_cloaking: 'organic' });
    expect((await send('streams', [first, row({ name: 'Same age' })])).body.data).toEqual({ accepted: 1, duplicates: 1, rejected: [] });
    expect(await nameOf('named')).toBe('First');
    const findRow = async () => api.databases.db.selectFrom('streams').selectAll().where('uid', '=', 'st_late').executeTakeFirstOrThrow();
    expect(await findRow()).toMatchObject({ buyer_id: buyer.accountId, rules: { country: ['DE', 'ALL'] }, level_cloaking: 'organic' });
    const later = { updated_at: '2026-11-20 11:00:00', deleted_at: '2026-11-20 11:00:00' };
    const answers = await Promise.all([
      send('streams', [row({ name: 'Gone', ...later })]),
      send('streams', [row({ name: 'Older', updated_at: '2026-11-20 09:00:00' })]),
      send('streams', [row({ name: 'Gone', ...later })]),
    ]);
    expect(answers.reduce((sum, { body }) => sum + body.data.accepted, 0)).toBe(1);
    expect(await nameOf('named')).toBe('Gone');
    expect(await findRow()).toMatchObject({ offer: null, level_cloaking: null, rules: { country: [] }, deleted_at: expect.any(Date) });
  });

  it('rejects unknown buyers, broken rules and changes of tomorrow', async () => {
    const staffId = (await signInAs(api.databases, { role: 'Admin' })).accountId;
    const unknown = { buyer_id: ['Unknown buyer.'] };
    expect(await errorsOf('streams', stream())).toEqual({ buyer_id: ['The buyer_id or buyer_email field is required.'] });
    for (const buyer of [{ buyer_id: staffId }, { buyer_id: 999_999_999_999 }, { buyer_email: 'nobody@example.com' }])
      expect(await errorsOf('streams', stream(buyer))).toEqual(unknown);
    const mixedStream = stream({
      app_id: 999_999,
      buyer_id: 999_999,
      uid: '',
      updated_at: '2026-11-22',
      created_at: 'x',
      rules: { country: ['DEU'], x: 1 },
    });
    expect(await errorsOf('streams', mixedStream)).toEqual({
      app_id: ['Unknown app.'],
      ...unknown,
      uid: ['The uid field is required.'],
      updated_at: ['More than 24 hours ahead.'],
      created_at: ['Invalid date string format'],
      'rules.country': ['The country field contains an invalid value.'],
      'rules.x': ['Unknown field.'],
    });
    expect(await errorsOf('streams', stream({ buyer_id: 'x' }))).toEqual({ buyer_id: ['The buyer_id field must be of type integer.'] });
  });
});
