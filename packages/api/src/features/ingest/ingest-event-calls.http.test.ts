import { eventsAreInPostgres } from '../../../test/build-test-api.ts';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { startEventIngestion } from '../../../test/event-ingestion.ts';
import { signInAsServer } from '../../../test/sign-in-as.ts';
import { soon } from '../../../test/soon.ts';

const { api, server, staff, app, send, event, list, newId } = await startEventIngestion();

const lines = (text: string) => send(text, { 'content-type': 'application/x-ndjson' });

const missingFields = {
  app_id: ['The app_id or bundle field is required.'],
  type: ['The type field is required.'],
  date: ['The date field is required.'],
  ip: ['The ip field is required.'],
};

describe('a document of events', () => {
  it('[DATA-004] reads NDJSON line by line, blank ones skipped, and rejects a line that is no JSON', async () => {
    const { body } = await lines(
      `${JSON.stringify(event())}\n\n   \r\n{broken\n${JSON.stringify(event({ type: 'x' }))}\n{"__proto__":{"a":1}}\n`,
    );
    expect(body.data.accepted).toBe(1);
    expect(body.data.rejected.map((row: { index: number; errors: unknown }) => [row.index, row.errors])).toEqual([
      [1, { row: ['Invalid JSON.'] }],
      [2, { type: ['The selected type is invalid.'] }],
      [3, { ...missingFields, ...JSON.parse('{"__proto__":["Unknown field."]}') }],
    ]);
  });

  it('takes gzip', async () => {
    const bytes = gzipSync(JSON.stringify({ events: [event()] }));
    expect((await send(bytes, { 'content-encoding': 'gzip', 'content-type': 'application/json' })).body.data.accepted).toBe(1);
  });

  it.each([
    ['broken JSON', '{"events":[', 400, undefined],
    ['a list', '[]', 400, undefined],
    ['a prototype key', '{"events":[{}],"__proto__":{}}', 422, JSON.parse('{"__proto__":["Unknown field."]}')],
    ['nothing', '{}', 422, { events: ['The events field is required.'] }],
    ['another key', '{"events":[{}],"pushes":[]}', 422, { pushes: ['Unknown field.'] }],
    ['another key and no rows', '{"events":[],"x":1}', 422, { x: ['Unknown field.'], events: ['At least one row is required.'] }],
    ['no list', '{"events":{}}', 422, { events: ['The events field must be of type array.'] }],
    ['no rows', '{"events":[]}', 422, { events: ['At least one row is required.'] }],
  ])('rejects %s', async (_name, text, status, errors) => {
    const answer = await send(text, { 'content-type': 'application/json' });
    expect(answer.status).toBe(status);
    expect(answer.body.errors).toEqual(errors);
  });

  it('accepts 5,000 rows, rejects one more and stores nothing', async () => {
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

  it('[DATA-002] stores NUL and half surrogates as U+FFFD in texts, and inside bodies as they were written', async () => {
    const text = JSON.stringify({ events: [event({ client_uid: 'nul-X', body_request: { kX: ['X', 'a\ud83d\ude00'] } })] })
      .replaceAll('X', '\\u0000')
      .replace('a\ud83d\ude00', '\\ud83d|\\ud83d\\ude00');
    expect((await send(text, { 'content-type': 'application/json' })).body.data.accepted).toBe(1);
    const [row] = await list('search=nul-');
    expect(row.client_uid).toBe('nul-\u{FFFD}');
    expect(row.body_request).toEqual({ 'k\0': ['\0', '\uD83D|\u{1F600}'] });
  });

  it('rejects only the row with deeply nested JSON, whatever it holds', async () => {
    const deep = `${'['.repeat(100_000)}"\\u0000"${']'.repeat(100_000)}`;
    const rows = [event(), event({ id: newId() })].map((row) => JSON.stringify(row));
    const document = `{"events":[${rows[0]},${rows[1]?.replace('{', `{"body_request":${deep},`)}]}`;
    const { status, body } = await send(document, { 'content-type': 'application/json' });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      accepted: 1,
      rejected: [{ index: 1, errors: { body_request: ['The body_request field is nested too deeply.'] } }],
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
    const deletedServer = await signInAsServer(api.databases, { deletedAt: new Date() });
    expect((await api.call('POST', '/api/ingest/events', { headers: deletedServer.headers, body })).status).toBe(401);
  });

  it.runIf(eventsAreInPostgres)('works on 16 calls of a server at once and asks to try the others again', async () => {
    const busy = await signInAsServer(api.databases);
    const body = { events: Array.from({ length: 200 }, () => event()) };
    const lock = await api.databases.pools.exports.connect();
    await lock.query('begin');
    // Nothing can be stored while this lock is held, so every call that was let in stays in flight.
    await lock.query('lock table traffic_totals in exclusive mode');
    const refusals: (typeof answer)[] = [];
    let answer = await api.call('GET', '/livez');
    const calls = Array.from({ length: 24 }, async () => {
      answer = await api.call('POST', '/api/ingest/events', { headers: busy.headers, body });
      if (answer.status === 429) refusals.push(answer);
      return answer.status;
    });
    await vi.waitFor(() => expect(refusals).toHaveLength(8), soon);
    const { ingest } = api.databases.pools;
    await vi.waitFor(() => expect(ingest.totalCount - ingest.idleCount).toBe(ingest.options.max), soon);
    // A call that waits for a connection is rejected after two seconds. Tokens are looked up on other connections.
    expect(ingest.waitingCount).toBe(0);
    const text = { headers: { ...busy.headers, 'content-type': 'text/plain' }, body: 'x' };
    expect((await api.call('POST', '/api/ingest/events', text)).status).toBe(429);
    expect((await send('x', { 'content-type': 'text/plain' })).status).toBe(415);
    await lock.query('rollback');
    lock.release();
    expect((await Promise.all(calls)).filter((status) => status === 200)).toHaveLength(16);
    expect(refusals[0]?.headers['retry-after']).toBe('1');
    expect((await api.call('POST', '/api/ingest/events', { headers: busy.headers, body })).status).toBe(200);
  });
});
