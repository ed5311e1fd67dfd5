import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildTestApi, type TestApi, eventsAreInPostgres } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { listenForTest, openAnswer } from '../../../test/listening-api.ts';
import { readCsv } from '../../../test/read-csv.ts';
import { signInAs, signInAsServer, type Account } from '../../../test/sign-in-as.ts';
import { soon } from '../../../test/soon.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

let api: TestApi;
/** A second process over the same database. */
let other: TestApi;
let base: string;
let otherBase: string;
let app: { id: number };
let hiddenApp: { id: number };
let server: { headers: Record<string, string>; serverId: number };

beforeAll(async () => {
  const { databases } = await createTestDatabase();
  api = await buildTestApi({ databases });
  other = await buildTestApi({ databases });
  await api.maintain();
  base = `${await listenForTest(api.app)}/api/`;
  otherBase = `${await listenForTest(other.app)}/api/`;
  app = await createApp(databases, { bundle: 'com.seen' });
  hiddenApp = await createApp(databases, { bundle: 'com.hidden' });
  server = await signInAsServer(databases);
});
afterAll(async () => {
  await api.app.close();
  await other.app.close();
});

const person = async (account: Account = { role: 'Super Admin' }) => signInAs(api.databases, { since: api.now(), ...account });

async function deliver(clientUid: string, appId = app.id, count = 1): Promise<void> {
  const event = { app_id: appId, type: 'create', date: api.now().getTime(), ip: '203.0.113.9', client_uid: clientUid };
  const { status } = await api.call('POST', '/api/ingest/events', {
    headers: server.headers,
    body: { events: Array.from({ length: count }, () => event) },
  });
  expect(status).toBe(200);
}

type Listener = {
  answer: IncomingMessage;
  wire: () => string;
  events: { id: string | undefined; event: string | undefined; data: ReturnType<typeof JSON.parse> }[];
};

/** Whole events of a stream's text; comments and the retry line are none. */
function eventsOf(wire: string): Listener['events'] {
  const blocks = wire.split('\n\n').slice(0, -1);
  return blocks.flatMap((block) => {
    const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]));
    const data = fields.get('data');
    return data === undefined ? [] : [{ id: fields.get('id'), event: fields.get('event'), data: JSON.parse(data) }];
  });
}

async function listen(path: string, headers: Record<string, string>, from = base): Promise<Listener> {
  const answer = await openAnswer(`${from}${path}`, headers);
  let wire = '';
  const events: Listener['events'] = [];
  answer.on('data', (part) => {
    wire += String(part);
    events.splice(0, events.length, ...eventsOf(wire));
  });
  onTestFinished(() => void answer.destroy());
  return { answer, wire: () => wire, events };
}

const clients = ({ events }: Listener): string[] =>
  events.flatMap(({ event, data }) => (event === 'rows' ? data.map((row: { client_uid: string }) => row.client_uid) : []));

describe('live requests', () => {
  it('[API-029, EVT-037, INV-006] arrive through any process, in the form of the contract, for whom they are meant', async () => {
    const { headers } = await person({ permissions: ['manager_app_requests', 'manager_app_all_requests'], apps: [app.id] });
    const ofApp = await listen(`apps/${app.id}/postbacks/stream?search=live-`, headers);
    const ofAll = await listen('all-requests/stream?origin=1', headers, otherBase);
    expect([ofApp.answer.statusCode, ofApp.answer.headers['content-type'], ofApp.answer.headers['x-accel-buffering']]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      'no',
    ]);
    expect(ofApp.answer.headers['cache-control']).toBe('no-store');
    await vi.waitFor(() => expect(ofApp.wire()).toMatch(/^retry: 3000\n: ok\n\nid: \S+\n\n$/), soon);
    await deliver('other-1');
    await deliver('live-1');
    await vi.waitFor(() => expect(clients(ofApp)).toEqual(['live-1']), soon);
    await deliver('live-2', hiddenApp.id);
    await deliver('live-3');
    await vi.waitFor(
      () =>
        expect([clients(ofApp), clients(ofAll)]).toEqual([
          ['live-1', 'live-3'],
          ['other-1', 'live-1', 'live-3'],
        ]),
      soon,
    );
    const { body } = await api.call('GET', `/api/apps/${app.id}/postbacks?search=live-3`, { headers });
    expect(ofApp.events.at(-1)?.data.at(-1)).toEqual(body.data[0]);
    const withOrigin = { ...body.data[0], asn: null, server: { id: server.serverId, name: expect.any(String) } };
    expect(ofAll.events.at(-1)?.data.at(-1)).toEqual(withOrigin);
    const again = await listen(
      `apps/${app.id}/postbacks/stream?origin=1&lastEventId=nonsense`,
      { ...headers, 'last-event-id': String(ofApp.events[0]?.id) },
      otherBase,
    );
    await vi.waitFor(() => expect(clients(again)).toContain('live-3'), soon);
    expect(again.events.at(-1)?.data.at(-1)).toEqual(withOrigin);
    expect(again.events.map(({ event }) => event)).not.toContain('gap');
  });

  it('[API-083] end with 401 within a second of the session, 403 of the permission or the app', async () => {
    const leaving = await person();
    const demotedReader = await person({ permissions: ['manager_app_requests'] });
    const detachedReader = await person({ permissions: ['manager_app_requests'], apps: [app.id] });
    const path = `apps/${app.id}/postbacks/stream`;
    const [endedByAdmin, endedByOwner, owner] = [await person(), await person(), await person()];
    await api.databases.db.updateTable('sessions').set({ account_id: owner.accountId }).where('id', '=', endedByOwner.sessionId).execute();
    const open = await Promise.all(
      [leaving, demotedReader, detachedReader, endedByAdmin, endedByOwner].map(async ({ headers }) => listen(path, headers)),
    );
    // The first may be over before the last has lost its app.
    const ends = Promise.all(open.map(async ({ answer }) => once(answer, 'end')));
    const { db } = api.databases;
    await api.call('GET', '/api/sanctum/logout', { headers: leaving.headers });
    const one = `/api/users/${endedByAdmin.accountId}/sessions/${endedByAdmin.sessionId}`;
    expect((await api.call('DELETE', one, { headers: owner.headers })).status).toBe(204);
    expect((await api.call('DELETE', '/api/sanctum/sessions', { headers: owner.headers })).status).toBe(204);
    await db.deleteFrom('account_roles').where('account_id', '=', demotedReader.accountId).execute();
    await db.deleteFrom('app_accounts').where('account_id', '=', detachedReader.accountId).execute();
    await ends;
    const refusal = { status: 401, message: 'You are not authorized' };
    const forbidden = { status: 403, message: 'You have no permission for this action' };
    expect(open.map(({ events }) => events.at(-1))).toMatchObject([
      { event: 'end', data: refusal },
      { event: 'end', data: forbidden },
      { event: 'end', data: forbidden },
      { event: 'end', data: refusal },
      { event: 'end', data: refusal },
    ]);
  });

  it('[IDN-124] a sixth stream of an account is accepted and ends the oldest one, which says so; streams are counted for operators', async () => {
    const { headers } = await person();
    const path = 'all-requests/stream';
    const open: Listener[] = [];
    for (const from of [base, base, base, base, base, base]) {
      const listener = await listen(path, headers, from);
      await vi.waitFor(() => expect(listener.wire()).toContain('id: '), soon);
      open.push(listener);
    }
    const gauge = async () => Number(/^sse_connections (\d+)$/m.exec(String((await api.call('GET', '/metrics')).body))?.[1]);
    expect(open.map(({ answer }) => answer.statusCode)).toEqual([200, 200, 200, 200, 200, 200]);
    await vi.waitFor(() => expect(open[0]?.events.at(-1)).toEqual({ event: 'end', data: { reason: 'replaced' } }), soon);
    expect(await gauge()).toBeGreaterThanOrEqual(5);
    await deliver('after-replacing');
    for (const listener of open.slice(1)) await vi.waitFor(() => expect(clients(listener)).toEqual(['after-replacing']), soon);
    expect(clients(open[0] ?? (await listen(path, headers)))).toEqual([]);
    for (const { answer } of open) answer.destroy();
    await vi.waitFor(async () => expect(await gauge()).toBeLessThan(5), soon);
  });

  it('[IDN-124] an invalid call ends no stream', async () => {
    const { headers } = await person();
    const open = await Promise.all([1, 2, 3, 4, 5].map(async () => listen('all-requests/stream', headers)));
    for (const listener of open) await vi.waitFor(() => expect(listener.wire()).toContain('id: '), soon);
    for (let call = 0; call < 6; call += 1)
      expect((await openAnswer(`${base}all-requests/stream?type=nonsense`, headers)).statusCode).toBe(422);
    await deliver('still-there');
    for (const listener of open) await vi.waitFor(() => expect(clients(listener)).toEqual(['still-there']), soon);
  });

  it('[API-029, API-083] are rejected in JSON before they begin: 404 for a foreign app, 422 for a bad filter', async () => {
    const { headers } = await person({ permissions: ['manager_app_requests'], apps: [app.id] });
    const answers = await Promise.all(
      [
        `apps/${hiddenApp.id}/postbacks/stream`,
        `apps/${hiddenApp.id}/postbacks/download`,
        `apps/${app.id}/postbacks/stream?type=nonsense`,
      ].map(async (path) => openAnswer(base + path, headers)),
    );
    expect(answers.map((answer) => answer.statusCode)).toEqual([404, 404, 422]);
  });

  it('[API-083] end with 503 when the process is to end, and keep the session in use while they are open', async () => {
    const { headers, sessionId } = await person();
    const third = await buildTestApi({ databases: api.databases });
    const listener = await listen('all-requests/stream', headers, `${await listenForTest(third.app)}/api/`);
    third.wait(61_000);
    const lastUsedAt = async () =>
      (await api.databases.db.selectFrom('sessions').select('last_used_at').where('id', '=', sessionId).executeTakeFirstOrThrow())
        .last_used_at;
    await vi.waitFor(async () => expect(await lastUsedAt()).toEqual(third.now()), soon);
    third.beginShutdown();
    await once(listener.answer, 'end');
    expect(listener.events.at(-1)).toMatchObject({
      event: 'end',
      data: { status: 503, message: 'The server is shutting down, try again' },
    });
    await third.app.close();
  });
});

describe('files of requests', () => {
  it('[API-029, EVT-012, EVT-037, REQ-033] are named after their list, hold what it lists, and need a search only in All requests', async () => {
    const { headers } = await person();
    await deliver('file-1');
    await deliver('file-2', hiddenApp.id);
    const ofApp = await openAnswer(`${base}apps/${app.id}/postbacks/download?search=file-&page=7&limit=1`, headers);
    expect(ofApp.headers['content-disposition']).toBe(`attachment; filename="app_${app.id}.csv"`);
    expect(readCsv(await text(ofApp)).map((record) => record[6])).toEqual(['client_uid', 'file-1']);
    const ofAll = await openAnswer(`${base}all-requests/download?search=FILE-`, headers);
    expect(ofAll.headers['content-disposition']).toBe('attachment; filename="requests.csv"');
    expect(readCsv(await text(ofAll)).map((record) => record[6])).toEqual(['client_uid', 'file-2', 'file-1']);
    const refusal = await openAnswer(`${base}all-requests/download?search=%20&startDate=2026-11-20&endDate=2026-11-19`, headers);
    expect(refusal.statusCode).toBe(422);
    expect(JSON.parse(await text(refusal)).errors).toEqual({
      search: ['The search field is required.'],
      startDate: ['The startDate must not be after endDate.'],
    });
  });

  it.runIf(eventsAreInPostgres)(
    '[EVT-037] are visibly broken when the database breaks, and leave nothing behind when their reader goes',
    async () => {
      const { headers } = await person();
      // Far more than the buffers between the database and the reader hold.
      await api.databases.pools.ops.query(
        `insert into events (uuid, app_id, type, flags, occurred_at, ip, country, client_uid, stream_uid, bot, postbacks_domain, body_request)
       select gen_random_uuid(), $1, 'create', 0, now(), '203.0.113.9', '', 'bulk', '', '', '', to_json(repeat('x', 4000)) from generate_series(1, 6000)`,
        [hiddenApp.id],
      );
      const backends = async (): Promise<number[]> =>
        (
          await api.databases.pools.ops.query<{ pid: number }>(
            `select pid from pg_stat_activity where datname = current_database() and state = 'active' and query ilike 'copy (%'`,
          )
        ).rows.map((row) => row.pid);
      const path = `${base}all-requests/download?clientId=bulk&search=bulk`;

      const brokenAnswer = await openAnswer(path, headers);
      await once(brokenAnswer, 'readable');
      await vi.waitFor(async () => expect(await backends()).toHaveLength(1), soon);
      const [pid] = await backends();
      await api.databases.pools.ops.query('select pg_terminate_backend($1)', [pid]);
      await expect(text(brokenAnswer)).rejects.toMatchObject({ code: 'ECONNRESET' });

      const abandonedAnswer = await openAnswer(path, headers);
      await once(abandonedAnswer, 'readable');
      // The one that was terminated may take a moment to go.
      await vi.waitFor(async () => expect((await backends()).filter((one) => one !== pid)).toHaveLength(1), soon);
      abandonedAnswer.destroy();
      await vi.waitFor(async () => expect(await backends()).toEqual([]), soon);
      const { exports } = api.databases.pools;
      await vi.waitFor(() => expect([exports.totalCount - exports.idleCount, exports.waitingCount]).toEqual([0, 0]), soon);
      const whole = await openAnswer(path, headers);
      expect((await text(whole)).split('\r\n')).toHaveLength(6002);
    },
  );
});
