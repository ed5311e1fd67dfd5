import { formatDateTime, fromDate } from '@switchyard/contract/dates';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { buildTestApi, type CallOptions, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, signInAsServer } from '../../../test/sign-in-as.ts';
import { soon } from '../../../test/soon.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

let api: TestApi;
let server: Record<string, string>;
let staff: Record<string, string>;
let app: { id: number; bundle: string };
let other: { id: number; bundle: string };

const startsAt = new Date('2026-11-20T12:00:00Z');
const send = (body: CallOptions['body'], headers: Record<string, string> = {}) =>
  api.call('POST', '/api/ingest/events', { headers: { ...server, ...headers }, body });
const event = (change: Record<string, unknown> = {}) => ({
  app_id: app.id,
  type: 'create',
  date: '2026-11-20T10:11:12.345678Z',
  ip: '203.0.113.9',
  ...change,
});
const list = async (query: string) => (await api.call('GET', `/api/all-requests?${query}`, { headers: staff })).body.data;
let ids = 0;
const newId = () => `01936b0e-7c1e-7a52-9f0b-${String((ids += 1)).padStart(12, '0')}`;

beforeAll(async () => {
  const { databases } = await createTestDatabase();
  api = await buildTestApi({ databases, startsAt, env: { EVENT_RETENTION_DAYS: '90' } });
  await api.maintain();
  server = (await signInAsServer(databases)).headers;
  staff = (await signInAs(databases, { role: 'Super Admin', since: startsAt })).headers;
  app = await createApp(databases, { bundle: 'com.Acme.bet' });
  other = await createApp(databases, { bundle: 'com.other' });
});

const lines = (text: string) => send(text, { 'content-type': 'application/x-ndjson' });

async function qaCreates(): Promise<number> {
  const { body } = await api.call('GET', '/api/apps?search=com.other&isCache=0', { headers: staff });
  return body.data[0].statistics.qa.create.all;
}

describe('a batch of events', () => {
  it('[ENT-026] keeps every part of a row and shows it to the lists at once', async () => {
    const id = newId();
    const sent = event({
      id: id.toUpperCase(),
      bundle: 'COM.ACME.BET',
      client_uid: 'whole-row',
      stream_uid: 'st_unknown',
      country: 'de',
      bot: 'CF L1 CF',
      user_agent: 'M'.repeat(3000),
      body_request: { gaid: '7c1e' },
      body_response: 'plain text',
      additional_data: [1, null],
      error: 'boom',
      postbacks_domain: 'pb.example.com',
      is_qa: 1,
    });
    expect((await send({ events: [sent] })).body).toEqual({ success: true, data: { accepted: 1, duplicates: 0, rejected: [] } });
    const [row] = await list('clientId=whole-row');
    expect(row).toEqual({
      id: expect.any(Number),
      uuid: id,
      app_id: app.id,
      app_bundle: 'com.Acme.bet',
      stream: { uid: 'st_unknown', name: null },
      client_uid: 'whole-row',
      ip: '203.0.113.9',
      country: 'DE',
      bot: 'CF L1',
      date: '2026-11-20 10:11:12',
      concatenated_date: '2026-11-20 10:11:12.345678',
      type: 'create',
      postbacks_domain: 'pb.example.com',
      has_body: true,
      has_response: true,
      has_error: true,
      has_additional_data: true,
      has_user_agent: true,
      user_agent: 'M'.repeat(2048),
      body_request: { gaid: '7c1e' },
      body_response: 'plain text',
      error: { exception_type: 'Error', message: 'boom' },
      additional_data: [1, null],
    });
  });

  it('fills the country of an address it knows, and leaves a private one unknown', async () => {
    await send({
      events: [
        event({ client_uid: 'geo-1', ip: '8.8.8.8' }),
        event({ client_uid: 'geo-2', ip: '10.0.0.1' }),
        event({ client_uid: 'geo-3', ip: '::ffff:8.8.8.8' }),
      ],
    });
    const countryOf = async (uid: string) =>
      (await list(`clientId=${uid}`)).map((row: { country: string; ip: string }) => [row.country, row.ip]);
    expect([...(await countryOf('geo-1')), ...(await countryOf('geo-2')), ...(await countryOf('geo-3'))]).toEqual([
      ['US', '8.8.8.8'],
      [null, '10.0.0.1'],
      ['US', '8.8.8.8'],
    ]);
  });

  it('[API-003] counts an id delivered again as a duplicate: in one batch, in parallel, and once more', async () => {
    const twice = event({ id: newId() });
    const batch = { events: [twice, twice, event({ id: newId() })] };
    expect((await send(batch)).body.data).toEqual({ accepted: 2, duplicates: 1, rejected: [] });
    const again = { events: Array.from({ length: 50 }, () => event({ id: newId() })) };
    const answers = await Promise.all([send(again), send(again), send(again)]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    expect(answers.reduce((sum, answer) => sum + answer.body.data.accepted, 0)).toBe(50);
    expect((await send(again)).body.data).toEqual({ accepted: 0, duplicates: 50, rejected: [] });
  });

  it('takes the same id at another time or of another app for another request', async () => {
    const id = newId();
    const rows = [event({ id }), event({ id, date: '2026-11-20T10:11:12.345679Z' }), event({ id, app_id: other.id })];
    expect((await send({ events: rows })).body.data.accepted).toBe(3);
  });

  it('keeps good rows and names each bad one with every failing field', async () => {
    // Written as text: a serialiser would give up on the depth that the row is refused for.
    const deep: unknown = JSON.parse('['.repeat(600) + ']'.repeat(600));
    const { status, body } = await send({
      events: [
        event({ id: 'nope' }),
        event({ type: 'x', ip: 'y' }),
        event(),
        5,
        null,
        [],
        event({ app_id: 999_999 }),
        event({ app_id: undefined, bundle: 'com.nobody' }),
        event({ bundle: 'com.other' }),
        event({ app_id: undefined }),
        event({ ip: '999.1.1.1' }),
        event({ ip: 'fe80::1%eth0' }),
        event({ unknown: 1 }),
        event({ body_request: 'x'.repeat(262_145) }),
        event({ date: '2026-02-31 10:00:00' }),
        event({ type: undefined, app_id: 999_999, date: '2020-01-01 00:00:00', ip: '' }),
        event({ app_id: 'twelve', date: '', additional_data: deep }),
        event({ error: [] }),
      ],
    });
    expect(status).toBe(200);
    expect(body.data.accepted).toBe(1);
    expect(Object.fromEntries(body.data.rejected.map((row: { index: number; errors: unknown }) => [row.index, row.errors]))).toEqual({
      0: { id: ['The id must be a UUID.'] },
      1: { type: ['The selected type is invalid.'], ip: ['The ip must be a valid IPv4 or IPv6 address.'] },
      3: { row: ['The row must be an object.'] },
      4: { row: ['The row must be an object.'] },
      5: { row: ['The row must be an object.'] },
      6: { app_id: ['Unknown app.'] },
      7: { bundle: ['Unknown app.'] },
      8: { bundle: ['The app_id and bundle do not match.'] },
      9: { app_id: ['The app_id or bundle field is required.'] },
      10: { ip: ['The ip must be a valid IPv4 or IPv6 address.'] },
      11: { ip: ['The ip must be a valid IPv4 or IPv6 address.'] },
      12: { unknown: ['Unknown field.'] },
      13: { body_request: ['The body_request field is too large.'] },
      14: { date: ['Invalid date string format'] },
      15: {
        type: ['The type field is required.'],
        app_id: ['Unknown app.'],
        date: ['Older than the retention of 90 days.'],
        ip: ['The ip field is required.'],
      },
      16: {
        app_id: ['The app_id field must be of type integer.'],
        date: ['The date field is required.'],
        additional_data: ['The additional_data field is too large.'],
      },
      17: { error: ['The error field must be of type object.'] },
    });
    expect(body.data.rejected[0].id).toBe('nope');
    expect(body.data.rejected[1].id).toBeNull();
  });

  it('accepts times from retention to 24 hours ahead, in every form', async () => {
    const now = fromDate(startsAt);
    const hour = 3_600_000_000;
    const rows = [now + 24 * hour, now + 24 * hour + 1_000_000, now - 90 * 24 * hour, now - 90 * 24 * hour - 1_000_000].map((at) =>
      event({ date: formatDateTime(at) }),
    );
    const forms = [startsAt.getTime(), '2026-11-20 10:11:12.000001', '2026/11/20 10:11:12', '2026-11-20T12:11:12+02:00'].map((date) =>
      event({ date }),
    );
    const { body } = await send({ events: [...rows, ...forms] });
    expect(body.data.accepted).toBe(6);
    expect(body.data.rejected).toEqual([
      { index: 1, id: null, errors: { date: ['More than 24 hours ahead.'] } },
      { index: 3, id: null, errors: { date: ['Older than the retention of 90 days.'] } },
    ]);
  });

  it('refuses a batch in which every row is bad, with the rows named', async () => {
    const { status, body } = await send({ events: [event({ date: '2027-01-01 00:00:00' })] });
    expect(status).toBe(422);
    expect(body).toEqual({
      success: false,
      message: 'Every row was rejected.',
      data: { accepted: 0, duplicates: 0, rejected: [{ index: 0, id: null, errors: { date: ['More than 24 hours ahead.'] } }] },
    });
  });

  it('always accounts for every row sent', async () => {
    const row = fc.constantFrom<unknown>(event(), event({ id: newId() }), event({ type: 'x' }), 7, {}, event({ app_id: 0 }));
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 30 }), async (events) => {
        const { data } = (await send({ events })).body;
        expect(data.accepted + data.duplicates + data.rejected.length).toBe(events.length);
      }),
      { numRuns: 30 },
    );
  });

  it('marks QA traffic by the stream of a tester unless the row says otherwise', async () => {
    const { databases } = api;
    const tester = await signInAs(databases, { panel: 'buyer', role: 'QA' });
    await databases.db.updateTable('accounts').set({ is_qa: true }).where('id', '=', tester.accountId).execute();
    const at = new Date('2026-10-01T00:00:00Z');
    await databases.db
      .insertInto('streams')
      .values({
        uid: 'st_qa',
        app_id: other.id,
        buyer_id: tester.accountId,
        name: 'QA stream',
        rules: '{"country": []}',
        created_at: at,
        updated_at: at,
      })
      .execute();
    const before = await qaCreates();
    const rows = [{ stream_uid: 'st_qa' }, { stream_uid: 'st_qa', is_qa: false }, { is_qa: true }, {}].map((change) =>
      event({ ...change, app_id: other.id }),
    );
    await send({ events: rows });
    expect((await qaCreates()) - before).toBe(2);
    const [named] = await list('streamUid=st_qa');
    expect(named.stream).toEqual({ uid: 'st_qa', name: 'QA stream' });
  });
});

describe('a document of events', () => {
  it('reads NDJSON line by line, blank ones skipped, and rejects a line that is no JSON', async () => {
    const { body } = await lines(
      `${JSON.stringify(event())}\n\n   \r\n{broken\n${JSON.stringify(event({ type: 'x' }))}\n{"__proto__":{"a":1}}\n`,
    );
    expect(body.data.accepted).toBe(1);
    expect(body.data.rejected.map((row: { index: number; errors: unknown }) => [row.index, row.errors])).toEqual([
      [1, { row: ['Invalid JSON.'] }],
      [2, { type: ['The selected type is invalid.'] }],
      [3, { row: ['Invalid JSON.'] }],
    ]);
  });

  it('takes gzip', async () => {
    const bytes = gzipSync(JSON.stringify({ events: [event()] }));
    expect((await send(bytes, { 'content-encoding': 'gzip', 'content-type': 'application/json' })).body.data.accepted).toBe(1);
  });

  it.each([
    ['broken JSON', '{"events":[', 400, undefined],
    ['a list', '[]', 400, undefined],
    ['a prototype key', '{"events":[{"__proto__":{}}]}', 400, undefined],
    ['nothing', '{}', 422, { events: ['The events field is required.'] }],
    ['another key', '{"events":[{}],"pushes":[]}', 422, { pushes: ['Unknown field.'] }],
    ['another key and no rows', '{"events":[],"x":1}', 422, { x: ['Unknown field.'], events: ['At least one row is required.'] }],
    ['no list', '{"events":{}}', 422, { events: ['The events field must be of type array.'] }],
    ['no rows', '{"events":[]}', 422, { events: ['At least one row is required.'] }],
  ])('refuses %s', async (_name, text, status, errors) => {
    const answer = await send(text, { 'content-type': 'application/json' });
    expect(answer.status).toBe(status);
    expect(answer.body.errors).toEqual(errors);
  });

  it('takes 5,000 rows and refuses one more, keeping nothing', async () => {
    const rows = Array.from({ length: 5001 }, (_, index) => ({
      app_id: app.id,
      type: 'track',
      date: '2026-11-01 00:00:00',
      ip: '203.0.113.9',
      client_uid: `many-${index}`,
    }));
    expect((await send({ events: rows })).status).toBe(413);
    expect(await list('search=many-')).toEqual([]);
    expect((await send({ events: rows.slice(1) })).body.data.accepted).toBe(5000);
  });

  it('stores NUL and half surrogates as U+FFFD, in texts and deep inside bodies', async () => {
    const text = JSON.stringify({ events: [event({ client_uid: 'nul-X', body_request: { kX: ['X', 'a\ud83d\ude00'] } })] })
      .replaceAll('X', '\\u0000')
      .replace('a\ud83d\ude00', '\\ud83d|\\ud83d\\ude00');
    expect((await send(text, { 'content-type': 'application/json' })).body.data.accepted).toBe(1);
    const [row] = await list('search=nul-');
    expect(row.client_uid).toBe('nul-\u{FFFD}');
    expect(row.body_request).toEqual({ 'k\u{FFFD}': ['\u{FFFD}', '\u{FFFD}|\u{1F600}'] });
  });

  it('refuses a row of bottomless JSON alone, whatever it holds', async () => {
    const deep = `${'['.repeat(100_000)}"\\u0000"${']'.repeat(100_000)}`;
    const rows = [event(), event({ id: newId() })].map((row) => JSON.stringify(row));
    const document = `{"events":[${rows[0]},${rows[1]?.replace('{', `{"body_request":${deep},`)}]}`;
    const { status, body } = await send(document, { 'content-type': 'application/json' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      accepted: 1,
      rejected: [{ index: 1, errors: { body_request: ['The body_request field is too large.'] } }],
    });
  });

  it('turns broken UTF-8 into U+FFFD', async () => {
    const bytes = Buffer.from(JSON.stringify({ events: [event({ client_uid: 'utf-?' })] }));
    bytes[bytes.indexOf('?')] = 0xff;
    expect((await send(bytes, { 'content-type': 'application/json' })).body.data.accepted).toBe(1);
    expect((await list('search=utf-'))[0].client_uid).toBe('utf-\u{FFFD}');
  });
});

describe('who may deliver', () => {
  it('[API-085] takes server tokens only, and server tokens open nothing else', async () => {
    const body = { events: [event()] };
    expect((await api.call('POST', '/api/ingest/events', { body })).status).toBe(401);
    expect((await api.call('POST', '/api/ingest/events', { headers: staff, body })).status).toBe(401);
    expect((await api.call('GET', '/api/all-requests', { headers: server })).status).toBe(401);
    const off = await signInAsServer(api.databases, { ingestEnabled: false });
    expect((await api.call('POST', '/api/ingest/events', { headers: off.headers, body })).status).toBe(401);
    const gone = await signInAsServer(api.databases, { deletedAt: new Date() });
    expect((await api.call('POST', '/api/ingest/events', { headers: gone.headers, body })).status).toBe(401);
  });

  it('works on 16 calls of a server at once and asks to try the others again', async () => {
    const busy = await signInAsServer(api.databases);
    const body = { events: Array.from({ length: 200 }, () => event()) };
    const lock = await api.databases.pools.exports.connect();
    await lock.query('begin');
    // Nothing can be stored while this lock is held, so every call that was let in stays in flight.
    await lock.query('lock table traffic_totals in exclusive mode');
    const refused: (typeof answer)[] = [];
    let answer = await api.call('GET', '/livez');
    const calls = Array.from({ length: 24 }, async () => {
      answer = await api.call('POST', '/api/ingest/events', { headers: busy.headers, body });
      if (answer.status === 429) refused.push(answer);
      return answer.status;
    });
    await vi.waitFor(() => expect(refused).toHaveLength(8), soon);
    const { ingest } = api.databases.pools;
    await vi.waitFor(() => expect(ingest.totalCount - ingest.idleCount).toBe(ingest.options.max), soon);
    // Who waits for a connection is refused after two seconds; a token is asked for on others.
    expect(ingest.waitingCount).toBe(0);
    expect((await send({ events: [] })).status).toBe(422);
    await lock.query('rollback');
    lock.release();
    expect((await Promise.all(calls)).filter((status) => status === 200)).toHaveLength(16);
    expect(refused[0]?.headers['retry-after']).toBe('1');
    expect((await api.call('POST', '/api/ingest/events', { headers: busy.headers, body })).status).toBe(200);
  });
});
