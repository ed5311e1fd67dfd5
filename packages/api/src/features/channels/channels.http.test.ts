import { channelMessages } from '@switchyard/contract/channels';
import { wireDate } from '@switchyard/contract/dates';
import { alertMessages } from '@switchyard/contract/alerts';
import { unknownIdMessage } from '@switchyard/contract/text-fields';
import { spawn } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { decode, startMailServer, type MailServer } from '../../../test/mail-server.ts';
import { startMessageReceiver, type MessageReceiver, type ReceivedPost } from '../../../test/message-receiver.ts';
import { makeApiToken, signInAs, signInAsServer, type SignedIn } from '../../../test/sign-in-as.ts';
import { soon } from '../../../test/soon.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import type { Announcement } from '../../announcement.ts';
import type { Databases } from '../../database/connect.ts';
import { transaction, unaudited, unchanged } from '../../database/transaction.ts';
import { createJobQueue } from '../../jobs/job-queue.ts';
import { createAnnounce } from './announce.ts';

const { databases } = await createTestDatabase();
const botToken = '123456:ABCDEFGHIJKLMNOPQRSTUVWXYZ-abcdef';
const timings = { pollSeconds: 0.5, expireSeconds: 30, superviseSeconds: 10 };
let mailServer: MailServer;
let receiver: MessageReceiver;
let api: TestApi;
let admin: SignedIn;

beforeAll(async () => {
  mailServer = await startMailServer();
  receiver = await startMessageReceiver();
  const env = {
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    MAIL_FROM: 'console@example.com',
    PRODUCT_NAME: 'Tollgate',
    CHANNEL_NETWORKS: '127.0.0.1',
  };
  const background = { timings, retrySeconds: [0, 0], channels: { telegramUrl: receiver.url, timeoutMilliseconds: 4000 } };
  api = await buildTestApi({ databases, env, background });
  await api.startJobs();
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  return async () => {
    await api.stopJobs();
    await api.app.close();
    await receiver.stop();
    await mailServer.stop();
  };
});

const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body: object = {}, { as = admin, on = api } = {}) =>
  on.call(method, `/api/${path}`, { ...as, ...(method === 'GET' ? {} : { body }) });
/** A channel with the answer of its creation. */
async function createChannel(target: object, fields: object = {}, on = api, as = admin) {
  const { status, body } = await call('POST', 'channels', { name: 'Duty', target, ...fields }, { on, as });
  expect({ status, body }).toMatchObject({ status: 201 });
  const id: number = body.data.channel.id;
  const secret: string = body.data.signing_secret;
  return { id, secret, channel: body.data.channel };
}
const createWebhook = async (path: string, fields: object = {}) => createChannel({ kind: 'webhook', url: receiver.url + path }, fields);

/** Moves the clock, and signs in again, because sessions end. */
async function advance(milliseconds: number): Promise<void> {
  api.wait(milliseconds);
  await api.maintain();
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
}

/** Announces something within a transaction that is committed, or not. */
async function announce(
  channelIds: number[] | null,
  fields: Partial<Announcement> = {},
  { commits = true, by = databases, now = api.now } = {},
) {
  const announceIn = createAnnounce({ now, sendJob: await senderOf(by) });
  const announcement: Announcement = {
    uid: `uid-${randomUUID()}`,
    type: 'incident.fired',
    severity: 'warning',
    at: new Date('2026-11-20T08:30:00Z'),
    title: 'Domain acme.example expires in 5 days',
    lines: ['It expires on 25.11.2026.', 'App: Acme.'],
    path: '/incidents/7',
    channelIds,
    data: { incident_id: 7 },
    ...fields,
  };
  await transaction(by.db, async (tx) => {
    await announceIn(tx, [announcement]);
    return commits ? unaudited('a test', undefined) : unchanged(undefined);
  });
  return announcement.uid;
}
const senders = new Map<Databases, ReturnType<typeof createJobQueue>>();
async function senderOf(by: Databases) {
  const queue =
    senders.get(by) ?? createJobQueue({ pools: by.pools, onFault: () => undefined, timings: { ...timings, superviseSeconds: 3600 } });
  if (!senders.has(by)) {
    await queue.start([]);
    onTestFinished(async () => {
      senders.delete(by);
      await queue.stop();
    });
  }
  senders.set(by, queue);
  return queue.send;
}
/** Calls that wait for a lock. Workers, which have connections of their own, may wait for the same one. */
const waitingCalls = `select from pg_stat_activity
  where datname = current_database() and application_name = 'switchyard ui' and wait_event_type = 'Lock'`;
const messagesOf = async (id: number, on = api, as = admin) => (await call('GET', `channels/${id}/messages`, {}, { on, as })).body.data;
const statesOf = async (id: number) => (await messagesOf(id)).map(({ state }: { state: string }) => state);
const isSent = async (id: number, count = 1) => {
  await expect.poll(async () => (await statesOf(id)).filter((state: string) => state === 'sent').length, soon).toBe(count);
};

/** Actions of the audit trail on a channel, oldest first. */
async function trailOf(id: number): Promise<string[]> {
  const { rows } = await databases.pools.ops.query(
    "select action from audit_entries where entity = 'channel' and entity_id = $1 order by id",
    [String(id)],
  );
  return rows.map(({ action }) => action);
}

/** The signature as the specification describes it, made independently of the code under test. */
function verifies({ headers, text }: ReceivedPost, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signed = createHmac('sha256', key).update(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`);
  return String(headers['webhook-signature'])
    .split(' ')
    .includes(`v1,${signed.digest('base64')}`);
}

describe('channels', () => {
  it('[CHAN-001] are created, listed, changed and deleted; secrets are returned once and stored encrypted', async () => {
    const slackUrl = `${receiver.url}/services/T0/B0/secret-path`;
    const mail = await createChannel({ kind: 'mail', addresses: ['duty@example.com', 'duty@example.com', 'two@example.com'] });
    const webhook = await createWebhook('/crud', { digest_minutes: 5, per_hour: 7, minimum_severity: 'critical', is_on: false });
    const telegram = await createChannel({ kind: 'telegram', bot_token: botToken, chat_id: '-1001' });
    const slack = await createChannel({ kind: 'slack', url: slackUrl });
    const counts = { last_sent_at: null, failed: 0, pending: 0, version: 1 };
    const usual = { is_on: true, minimum_severity: 'info', digest_minutes: 0, per_hour: 60, ...counts };
    expect(mail.channel).toMatchObject({ ...usual, kind: 'mail', shown_target: 'duty@example.com, two@example.com', url: null });
    expect(webhook.channel).toMatchObject({
      is_on: false,
      minimum_severity: 'critical',
      digest_minutes: 5,
      per_hour: 7,
      url: `${receiver.url}/crud`,
    });
    expect(telegram.channel).toMatchObject({ ...usual, shown_target: '-1001', chat_id: '-1001' });
    expect(slack.channel).toMatchObject({ ...usual, shown_target: `${receiver.url}/…`, url: null });
    expect([mail.secret, slack.secret, telegram.secret]).toEqual([null, null, null]);

    const change = { name: 'Night', target: { kind: 'slack', url: `${slackUrl}-2` } };
    const saved = await api.call('PUT', `/api/channels/${slack.id}`, { headers: { ...admin.headers, 'if-match': '"v1"' }, body: change });
    expect([saved.status, saved.body.data]).toMatchObject([200, { name: 'Night', version: 2 }]);
    const stale = await api.call('PUT', `/api/channels/${slack.id}`, {
      headers: { ...admin.headers, 'if-match': '"v1"' },
      body: { name: 'x' },
    });
    expect([stale.status, stale.body.data.current]).toMatchObject([412, { version: 2 }]);
    expect((await call('PUT', `channels/${slack.id}`, change)).body.data.version).toBe(2);
    expect(await call('PUT', `channels/${slack.id}`, { target: { kind: 'mail', addresses: ['a@example.com'] } })).toMatchObject({
      status: 422,
      body: { errors: { 'target.kind': [channelMessages.kindChanges] } },
    });

    const list = await call('GET', 'channels');
    expect(list.body.data.map(({ name }: { name: string }) => name)).toEqual(['Duty', 'Duty', 'Duty', 'Night']);
    const { rows } = await databases.pools.ops.query('select * from channels');
    const { rows: trail } = await databases.pools.ops.query("select * from audit_entries where entity = 'channel' order by id");
    expect(trail.map(({ action }) => action)).toEqual(['create', 'create', 'create', 'create', 'update']);
    expect(trail[4].changes).toEqual([
      { field: 'name', from: 'Duty', to: 'Night' },
      { field: 'secret_url', from: null, to: null },
    ]);
    const written = JSON.stringify([list.body, rows, trail, api.log(), saved.body, slack.channel, telegram.channel]);
    for (const secret of [botToken, 'secret-path', webhook.secret]) expect([secret, written.includes(secret)]).toEqual([secret, false]);

    for (const { id } of [mail, webhook, telegram, slack]) expect((await call('DELETE', `channels/${id}`)).status).toBe(204);
    expect((await call('GET', `channels/${mail.id}`)).status).toBe(404);
    await databases.pools.ops.query(
      `insert into channels (name, kind, url, is_on, minimum_severity, digest_minutes, per_hour, created_at, updated_at)
       select 'one of many', 'webhook', 'https://hooks.example', false, 'info', 0, 60, now(), now() from generate_series(1, 99)`,
    );
    const last = { name: 'Last', target: { kind: 'slack', url: slackUrl }, is_on: false };
    const both = await Promise.all([call('POST', 'channels', last), call('POST', 'channels', last)]);
    expect(new Set(both.map((answer) => answer.body.errors?.name?.[0] ?? answer.status))).toEqual(new Set([201, channelMessages.tooMany]));
    await databases.pools.ops.query('delete from channels');
  });

  it('[CHAN-002] are open only to accounts that see all apps', async () => {
    const { id } = await createWebhook('/scope', { is_on: false });
    const app = await createApp(databases);
    const narrow = await signInAs(databases, { permissions: ['manager_settings_server'], apps: [app.id], since: api.now() });
    const calls = [
      ['GET', 'channels'],
      ['POST', 'channels', { name: 'x', target: { kind: 'webhook', url: receiver.url } }],
      ['GET', `channels/${id}`],
      ['PUT', `channels/${id}`, { name: 'x' }],
      ['DELETE', `channels/${id}`],
      ['POST', `channels/${id}/test`],
      ['POST', `channels/${id}/secret`],
      ['GET', `channels/${id}/messages`],
      ['POST', 'channels/messages/1/resend'],
    ] as const;
    for (const [method, path, body] of calls) {
      const answer = await call(method, path, body ?? {}, { as: narrow });
      expect([method, path, answer.status, answer.body.message]).toEqual([method, path, 403, alertMessages.allApps]);
    }
    expect(receiver.to('/scope')).toEqual([]);
  });

  it('[CHAN-003] [S40] lead to public addresses and allowed networks only, in production by https', async () => {
    const strict = await buildTestApi({ databases, env: { NODE_ENV: 'production' } });
    onTestFinished(async () => strict.app.close());
    const statusOf = async (url: string) => {
      const { status, body } = await call('POST', 'channels', { name: 'x', target: { kind: 'slack', url }, is_on: false }, { on: strict });
      return status === 201 ? status : body.errors['target.url'];
    };
    const rejected = [
      'https://127.0.0.1/x',
      'https://localhost/',
      'https://[::1]/',
      'https://2130706433/',
      'https://10.0.0.1/',
      'https://mm/',
      'http://hooks.example/',
    ];
    for (const url of rejected) expect([url, await statusOf(url)]).toEqual([url, [channelMessages.url]]);
    expect(await statusOf('https://hooks.example/a')).toBe(201);
    const { id: changed } = await createChannel({ kind: 'slack', url: 'https://hooks.example/b' }, { is_on: false }, strict);
    const change = await call('PUT', `channels/${changed}`, { target: { kind: 'slack', url: 'https://10.0.0.1/x' } }, { on: strict });
    expect([change.status, change.body.errors]).toEqual([422, { 'target.url': [channelMessages.url] }]);
    expect(
      await call('POST', 'channels', { name: 'x', target: { kind: 'mail', addresses: ['a@example.com'] } }, { on: strict }),
    ).toMatchObject({
      status: 422,
      body: { errors: { 'target.kind': [channelMessages.noMail] } },
    });
    // A name that leads to this machine is found out only when something is sent.
    const { id } = await createWebhook('/pinned', { is_on: false });
    const answer = await call('POST', `channels/${id}/test`, {}, { on: strict });
    expect(answer.body.data).toMatchObject({ is_sent: false, status: null, answer: expect.stringContaining('not public') });
    expect(receiver.to('/pinned')).toEqual([]);
  });

  it('[CHAN-010] send a test at once and return the answer of the receiver, a few times a minute', async () => {
    const { id, secret } = await createWebhook('/test', { is_on: false });
    receiver.behave('/test', { status: 201, text: 'created\u0007 <b>it</b>' });
    const { status, body } = await call('POST', `channels/${id}/test`);
    expect([status, body.data]).toEqual([
      200,
      { is_sent: true, status: 201, answer: 'created  <b>it</b>', milliseconds: expect.any(Number) },
    ]);
    const [post] = receiver.to('/test');
    expect(post && verifies(post, secret)).toBe(true);
    expect(post?.body).toMatchObject({ type: 'test', data: { title: 'Test message of Tollgate', lines: ['The channel Duty works.'] } });
    receiver.behave('/test', { status: 404, text: 'no such hook' });
    expect((await call('POST', `channels/${id}/test`)).body.data).toMatchObject({
      is_sent: false,
      status: 404,
      answer: 'The receiver answered 404: no such hook',
    });
    receiver.behave('/test', { status: 307, headers: { location: `${receiver.url}/elsewhere` } });
    expect((await call('POST', `channels/${id}/test`)).body.data).toMatchObject({ is_sent: false, status: 307 });
    receiver.behave('/test', 'never');
    expect((await call('POST', `channels/${id}/test`)).body.data).toMatchObject({
      status: null,
      answer: 'The receiver did not answer within 4 seconds.',
    });
    expect((await call('POST', `channels/${id}/test`)).status).toBe(200);
    const last = await call('POST', `channels/${id}/test`);
    expect([last.status, last.headers['retry-after']]).toEqual([429, expect.any(String)]);
    expect(await trailOf(id)).toEqual(['create', 'test', 'test', 'test', 'test', 'test']);
    expect([receiver.to('/elsewhere'), await messagesOf(id)]).toEqual([[], []]);
  });
});

describe('messages', () => {
  it('[CHAN-004] are sent if and only if the transaction commits, once for an announcement, to the channels that it concerns', async () => {
    const all = await createWebhook('/all');
    const critical = await createWebhook('/critical', { minimum_severity: 'critical' });
    const important = await createWebhook('/important', { minimum_severity: 'warning' });
    const off = await createWebhook('/off', { is_on: false });
    const ids = [all.id, critical.id, important.id, off.id];
    await announce(ids, {}, { commits: false });
    const uid = await announce(ids);
    await announce(ids, { uid });
    await isSent(all.id);
    await isSent(important.id);
    const urgent = await announce(ids, { severity: 'critical' });
    await isSent(all.id, 2);
    await isSent(critical.id);
    await isSent(important.id, 2);
    await announce(ids, { uid });
    const calm = await announce(ids, { uid: `${uid}-later`, severity: 'info' });
    await isSent(all.id, 3);
    const idsOf = (path: string) => receiver.to(path).map(({ headers }) => headers['webhook-id']);
    expect([idsOf('/all'), idsOf('/important'), idsOf('/critical')]).toEqual([[uid, urgent, calm], [uid, urgent], [urgent]]);
    expect([(await messagesOf(important.id)).length, await messagesOf(off.id)]).toEqual([2, []]);
    const [post] = receiver.to('/all');
    expect(post?.headers).toMatchObject({ 'content-type': 'application/json' });
    expect(post?.body).toEqual({
      type: 'incident.fired',
      timestamp: '2026-11-20T08:30:00.000Z',
      data: {
        severity: 'warning',
        title: 'Domain acme.example expires in 5 days',
        lines: ['It expires on 25.11.2026.', 'App: Acme.'],
        url: 'https://console.example/incidents/7',
        details: { incident_id: 7 },
      },
    });
    expect((await call('GET', `channels/${all.id}`)).body.data).toMatchObject({ failed: 0, pending: 0, last_sent_at: expect.any(String) });
    await expect(announce(ids, { uid: 'a.b' })).rejects.toThrow('invalid uid');
  });

  it('[CHAN-003] are signed with both secrets for a day after a rotation', async () => {
    const { id, secret } = await createWebhook('/signed');
    const rotation = await call('POST', `channels/${id}/secret`);
    const newSecret: string = rotation.body.data.signing_secret;
    expect([rotation.status, newSecret === secret]).toEqual([201, false]);
    const verdicts = async (count: number) => {
      await announce([id]);
      await isSent(id, count);
      const post = receiver.to('/signed')[count - 1];
      return post && [verifies(post, secret), verifies(post, newSecret), String(post.headers['webhook-signature']).split(' ').length];
    };
    expect(await verdicts(1)).toEqual([true, true, 2]);
    await advance(24 * 3_600_000 + 1000);
    expect(await verdicts(2)).toEqual([false, true, 1]);
    const mail = await createChannel({ kind: 'mail', addresses: ['a@example.com'] });
    expect((await call('POST', `channels/${mail.id}/secret`)).status).toBe(409);
  });

  it('[CHAN-005, MON-001] are tried again with the same id, then fail, and can be sent again; a dead channel delays no other', async () => {
    const [dead, broken, moved, healthy] = [
      await createWebhook('/dead'),
      await createWebhook('/500'),
      await createWebhook('/moved'),
      await createWebhook('/healthy'),
    ];
    receiver.behave('/dead', 'never');
    receiver.behave('/500', { status: 500, text: 'oops' });
    receiver.behave('/moved', { status: 302, headers: { location: `${receiver.url}/elsewhere` } });
    const uid = await announce([dead.id, broken.id, moved.id, healthy.id]);
    await isSent(healthy.id);
    // A second job for a channel whose messages are being sent sends nothing.
    await api.maintain();
    await expect.poll(async () => statesOf(broken.id), soon).toEqual(['failed']);
    await expect.poll(async () => statesOf(moved.id), soon).toEqual(['failed']);
    await expect.poll(async () => statesOf(dead.id), soon).toEqual(['failed']);
    expect(receiver.to('/500').map(({ headers, text }) => [headers['webhook-id'], text])).toEqual(
      Array.from({ length: 3 }, () => [uid, receiver.to('/healthy')[0]?.text]),
    );
    expect([receiver.to('/dead').length, receiver.to('/elsewhere')]).toEqual([3, []]);
    const [message] = await messagesOf(broken.id);
    expect(message).toMatchObject({ uid, attempts: 3, answer: 'The receiver answered 500: oops', next_attempt_at: null, sent_at: null });
    expect((await call('GET', `channels/${broken.id}`)).body.data).toMatchObject({ failed: 1, pending: 0, last_sent_at: null });
    expect(api.log().filter(({ msg }) => msg === 'Channel: message could not be sent').length).toBeGreaterThanOrEqual(9);

    const { body: metrics } = await api.call('GET', '/metrics');
    expect(metrics).toMatch(/^switchyard_channel_failures_total\{result="retried"\} [6-9]$/m);
    expect(metrics).toMatch(/^switchyard_channel_failures_total\{result="given_up"\} [3-9]$/m);

    receiver.behave('/500', { status: 200 });
    const again = await call('POST', `channels/messages/${message.id}/resend`);
    expect([again.status, again.body.data]).toMatchObject([200, { state: 'pending', attempts: 0 }]);
    await isSent(broken.id);
    expect(await trailOf(broken.id)).toEqual(['create', 'resend']);
    expect(receiver.to('/500')[3]?.headers['webhook-id']).toBe(uid);
    expect(await call('POST', `channels/messages/${message.id}/resend`)).toMatchObject({
      status: 409,
      body: { message: channelMessages.notFailed },
    });
  });

  it('[CHAN-106] never say that an incident fires after they said that it is over', async () => {
    const [late, broken] = [await createWebhook('/late'), await createWebhook('/broken')];
    receiver.behave('/late', { status: 503, headers: { 'retry-after': '120' } });
    receiver.behave('/broken', { status: 500 });
    const ids = [late.id, broken.id];
    await announce(ids, { uid: 'incident-77-fired' });
    await expect.poll(async () => (await messagesOf(late.id))[0].attempts, soon).toBe(1);
    await expect.poll(async () => statesOf(broken.id), soon).toEqual(['failed']);
    for (const path of ['/late', '/broken']) receiver.behave(path, { status: 200 });
    await announce(ids, { uid: 'incident-77-resolved', type: 'incident.resolved', title: 'Resolved: Domain' });
    await advance(121_000);
    await isSent(broken.id);
    const [, failed] = await messagesOf(broken.id);
    const again = await call('POST', `channels/messages/${failed.id}/resend`);
    expect([again.status, again.body.message]).toEqual([409, channelMessages.isOver]);
    await isSent(late.id);
    expect(await statesOf(late.id)).toEqual(['sent', 'dropped']);
    for (const path of ['/late', '/broken']) {
      const last = receiver.to(path).at(-1)?.body;
      expect([last.type, last.data.lines.at(-1)]).toEqual(['incident.resolved', channelMessages.beginUndelivered]);
    }
    expect(receiver.to('/late').map(({ body }) => body.type)).toEqual(['incident.fired', 'incident.resolved']);
  });

  it('[CHAN-006] wait as long as the receiver asks, and stop with 410', async () => {
    const [busy, gone] = [await createWebhook('/busy'), await createWebhook('/gone', { digest_minutes: 5 })];
    receiver.behave('/busy', { status: 429, headers: { 'retry-after': '120' } });
    receiver.behave('/gone', { status: 410 });
    // Waits for its digest, and fails with the one that is sent.
    await announce([gone.id]);
    await call('PUT', `channels/${gone.id}`, { digest_minutes: 0 });
    await announce([busy.id, gone.id]);
    await expect.poll(async () => statesOf(gone.id), soon).toEqual(['failed', 'failed']);
    expect(receiver.to('/gone')).toHaveLength(1);
    await expect.poll(async () => (await messagesOf(busy.id))[0].attempts, soon).toBe(1);
    const [waiting] = await messagesOf(busy.id);
    expect(waiting.next_attempt_at).toBe(wireDate(new Date(api.now().getTime() + 120_000)));
    const healthy = await createWebhook('/beside');
    await announce([busy.id, gone.id, healthy.id]);
    await isSent(healthy.id);
    expect([await statesOf(gone.id), receiver.to('/busy').length]).toEqual([['failed', 'failed'], 1]);
    const channel = (await call('GET', `channels/${gone.id}`)).body.data;
    expect(channel).toMatchObject({ is_on: false, failed: 2 });
    const { rows } = await databases.pools.ops.query(
      "select actor_id, action, changes from audit_entries where entity = 'channel' and entity_id = $1 order by id desc limit 1",
      [String(gone.id)],
    );
    expect(rows).toEqual([{ actor_id: null, action: 'update', changes: [{ field: 'is_on', from: true, to: false }] }]);
    const [failure] = await messagesOf(gone.id);
    expect((await call('POST', `channels/messages/${failure.id}/resend`)).body.message).toBe(channelMessages.isOff);

    receiver.behave('/busy', { status: 200 });
    await advance(110_000);
    expect(receiver.to('/busy')).toHaveLength(1);
    // Untried messages go out once the channel is saved; those that the receiver asked to delay stay delayed.
    await call('PUT', `channels/${busy.id}`, { name: 'Repaired' });
    await isSent(busy.id);
    expect((await messagesOf(busy.id))[1].state).toBe('pending');
    await advance(10_000);
    await isSent(busy.id, 2);
  });

  it('[CHAN-007] are gathered into a digest, and beyond the limit of an hour into one', async () => {
    const [digest, limited] = [await createWebhook('/digest', { digest_minutes: 15 }), await createWebhook('/limited', { per_hour: 2 })];
    const uids = [
      await announce([digest.id, limited.id]),
      await announce([digest.id, limited.id]),
      await announce([digest.id, limited.id]),
    ];
    await isSent(limited.id, 3);
    expect(await statesOf(digest.id)).toEqual(['pending', 'pending', 'pending']);
    const [alone, gathered, ...others] = receiver.to('/limited');
    expect([alone?.headers['webhook-id'], others]).toEqual([uids[0], []]);
    expect(gathered?.body).toMatchObject({ type: 'digest', data: { messages: [{ id: uids[1] }, { id: uids[2] }] } });
    const fourth = await announce([limited.id]);
    await expect.poll(async () => (await messagesOf(limited.id))[0].next_attempt_at, soon).not.toBe(null);

    await advance(15 * 60_000 + 1000);
    await isSent(digest.id, 3);
    const [one, ...more] = receiver.to('/digest');
    expect([one?.body.data.messages.map(({ id }: { id: string }) => id), more]).toEqual([uids, []]);
    expect(one?.headers['webhook-id']).toMatch(/^digest-[\w-]+$/);
    expect(receiver.to('/limited')).toHaveLength(2);
    await advance(3_600_000);
    await isSent(limited.id, 4);
    expect(receiver.to('/limited')[2]?.headers['webhook-id']).toBe(fourth);
  });

  it('[CHAN-109] of a rule are combined after a wait and then at an interval; critical ones wait neither for that nor for a digest', async () => {
    const [grouped, digest, apart] = [
      await createWebhook('/grouped'),
      await createWebhook('/slow', { digest_minutes: 60 }),
      await createWebhook('/apart', { group_minutes: 0 }),
    ];
    const ids = [grouped.id, digest.id, apart.id];
    const say = async (count: number, fields: Partial<Announcement> = {}) => {
      for (let n = 0; n < count; n += 1) await announce(ids, { group: 'rule-1', ...fields });
    };
    const sizesOf = (path: string) => receiver.to(path).map(({ body }) => (body.type === 'digest' ? body.data.messages.length : 1));
    await say(3);
    await announce(ids, { group: 'rule-2' });
    await isSent(apart.id, 4);
    expect([sizesOf('/apart'), sizesOf('/grouped')]).toEqual([[1, 1, 1, 1], []]);
    await advance(31_000);
    await isSent(grouped.id, 4);
    expect(sizesOf('/grouped')).toEqual([3, 1]);

    await say(2, { type: 'incident.resolved' });
    await advance(60_000);
    await say(1, { severity: 'critical' });
    await isSent(grouped.id, 5);
    await isSent(digest.id, 1);
    expect([sizesOf('/grouped'), sizesOf('/slow')]).toEqual([[3, 1, 1], [1]]);
    await advance(5 * 60_000);
    await isSent(grouped.id, 7);
    expect(sizesOf('/grouped')).toEqual([3, 1, 1, 2]);
    await advance(60 * 60_000);
    await isSent(digest.id, 7);
    expect(sizesOf('/slow')).toEqual([1, 6]);
  });

  it('[CHAN-008, NAME-008] have the documented bodies of Telegram, Slack and Mattermost, and mention nobody', async () => {
    const telegram = await createChannel({ kind: 'telegram', bot_token: botToken, chat_id: '@alerts' });
    const slack = await createChannel({ kind: 'slack', url: `${receiver.url}/slack` });
    const mattermost = await createChannel({ kind: 'mattermost', url: `${receiver.url}/mattermost` });
    const path = `/bot${botToken}/sendMessage`;
    receiver.behave(path, { status: 200, text: '{"ok":true,"result":{}}' });
    const title = 'App \u202e<!channel> *A&B* @here\nmail a@example.com';
    await announce([telegram.id, slack.id, mattermost.id], { title, lines: ['[x](https://evil.example)'] });
    for (const { id } of [telegram, slack, mattermost]) await isSent(id);
    const url = 'https://console.example/incidents/7';
    expect(receiver.to(path)[0]?.body).toEqual({
      chat_id: '@alerts',
      text: `App <!channel> *A&B* @\u200bhere mail a@example.com\n[x](https://evil.example)\n${url}`,
      link_preview_options: { is_disabled: true },
    });
    expect(receiver.to('/slack')[0]?.body.text).toBe(
      `*App &lt;!channel&gt; *A&amp;B* @\u200bhere mail a@example.com*\n[x](https://evil.example)\n<${url}|Open>`,
    );
    expect(receiver.to('/mattermost')[0]?.body).toEqual({
      text:
        String.raw`**App \<\!channel\> \*A&B\* @` +
        `\u200bhere mail a@example.com**\n` +
        String.raw`\[x\]\(https://evil.example\)` +
        `\n[Open](${url})`,
    });
    receiver.behave(path, {
      status: 429,
      text: '{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 30","parameters":{"retry_after":30}}',
    });
    await announce([telegram.id]);
    await expect
      .poll(async () => (await messagesOf(telegram.id))[0].answer, soon)
      .toBe('Telegram answered 429: Too Many Requests: retry after 30');
    const [message] = await messagesOf(telegram.id);
    expect(message).toMatchObject({ state: 'pending', attempts: 1 });
    expect(JSON.stringify(api.log())).not.toContain(botToken);
    await call('DELETE', `channels/${telegram.id}`);
  });

  it('[CHAN-009] are mailed to all addresses at once; a message that the mail server will never take fails at once', async () => {
    const addresses = ['duty@example.com', 'night@example.com'];
    const { id } = await createChannel({ kind: 'mail', addresses }, { name: 'On <call>' });
    const uid = await announce([id], { title: 'Acme <b>& co</b>\r\nBcc: evil@example.com' });
    await isSent(id);
    const mail = mailServer.mails.findLast(({ to }) => to.includes('duty@example.com'));
    expect(mail?.to).toEqual(addresses);
    const source = decode(mail?.source ?? '');
    expect(source).toContain(`Message-ID: <${uid}@example.com>`);
    expect(source).toContain('Subject: Acme <b>& co</b> Bcc: evil@example.com');
    expect(source).toContain('It expires on 25.11.2026.');
    expect(source).toContain('<h1 class="text"');
    expect(source).toContain('Acme &lt;b&gt;&amp; co&lt;/b&gt;');
    expect((await messagesOf(id))[0]).toMatchObject({ state: 'sent', answer: expect.stringContaining('250') });
    mailServer.state.refuses = 550;
    onTestFinished(() => void (mailServer.state.refuses = null));
    await announce([id]);
    await expect.poll(async () => statesOf(id), soon).toEqual(['failed', 'sent']);
    expect((await messagesOf(id))[0]).toMatchObject({ attempts: 1, answer: 'The mail server rejected the message (550)' });
  });

  it('[CHAN-124] are mailed again to those alone for whom the mail server did not take them for now; others are named', async () => {
    const [duty, night, gone] = ['duty@example.org', 'night@example.org', 'gone@example.org'];
    const { refusesOne } = mailServer.state;
    refusesOne.set(night, 451).set(gone, 550);
    onTestFinished(() => refusesOne.clear());
    const { id } = await createChannel({ kind: 'mail', addresses: [duty, night, gone] });
    const recipients = () => mailServer.mails.map(({ to }) => to).filter((to) => to.some((one) => one.endsWith('@example.org')));
    await announce([id]);
    await expect.poll(async () => statesOf(id), soon).toEqual(['failed']);
    const [late] = await messagesOf(id);
    expect([late.attempts, recipients()]).toEqual([3, [[duty]]]);

    refusesOne.delete(night);
    expect((await call('POST', `channels/messages/${late.id}/resend`)).status).toBe(200);
    await isSent(id);
    expect(recipients()).toEqual([[duty], [night]]);
    await announce([id]);
    await isSent(id, 2);
    expect(recipients().at(-1)).toEqual([duty, night]);
    expect((await messagesOf(id))[0].answer).toContain('Not taken for gone@example.org (550)');
  });

  it('[CHAN-119] of a report are no part of a digest, and one that is sent again goes alone', async () => {
    const [last, again] = [await createWebhook('/last', { per_hour: 2 }), await createWebhook('/again')];
    const typesTo = (path: string) => receiver.to(path).map(({ body }) => body.type);
    receiver.behave('/last', { status: 503, headers: { 'retry-after': '120' } });
    receiver.behave('/again', { status: 500 });
    await announce([last.id]);
    await expect.poll(async () => (await messagesOf(last.id))[0].attempts, soon).toBe(1);
    await announce([last.id]);
    await announce([last.id], { type: 'report.ready' });
    const failing = await announce([again.id], { severity: 'critical', group: 'rule-1' });
    await expect.poll(async () => statesOf(again.id), soon).toEqual(['failed']);
    await announce([again.id], { group: 'rule-1' });
    for (const path of ['/last', '/again']) receiver.behave(path, { status: 200 });
    const [, failed] = await messagesOf(again.id);
    await call('POST', `channels/messages/${failed.id}/resend`);
    await isSent(again.id);
    expect(receiver.to('/again').at(-1)?.headers['webhook-id']).toBe(failing);

    await advance(121_000);
    await isSent(last.id, 2);
    expect(typesTo('/last')).toEqual(['incident.fired', 'incident.fired', 'incident.fired']);
    await advance(3_600_000);
    await isSent(last.id, 3);
    expect(typesTo('/last').at(-1)).toBe('report.ready');
  });

  it('[CHAN-120] of reminders that waited, the newest alone is sent', async () => {
    const { id } = await createWebhook('/reminded');
    await announce([id], { uid: 'incident-88-fired' });
    await isSent(id);
    receiver.behave('/reminded', { status: 503, headers: { 'retry-after': '120' } });
    const remind = async (nth: number) => announce([id], { uid: `incident-88-reminded-${nth}`, type: 'incident.reminded' });
    await remind(9);
    await expect.poll(async () => (await messagesOf(id))[0].attempts, soon).toBe(1);
    await announce([id], { uid: 'incident-89-reminded-1', type: 'incident.reminded' });
    await remind(10);
    await remind(11);
    receiver.behave('/reminded', { status: 200 });
    await advance(121_000);
    await isSent(id, 3);
    expect((await messagesOf(id)).map(({ uid, state }: { uid: string; state: string }) => [uid, state])).toEqual([
      ['incident-88-reminded-11', 'sent'],
      ['incident-88-reminded-10', 'dropped'],
      ['incident-89-reminded-1', 'sent'],
      ['incident-88-reminded-9', 'dropped'],
      ['incident-88-fired', 'sent'],
    ]);
  });

  it('[CHAN-121] say of an end that arrives late that the next incident of the same rule and subject has begun', async () => {
    const { id } = await createWebhook('/flaky');
    const about = (app: number) => ({ data: { rule: { id: 7, name: 'Links' }, app: { id: app, name: 'Acme' }, server: null } });
    const end = { type: 'incident.resolved', title: 'Resolved after 1 min' } as const;
    for (const incident of [90, 91]) await announce([id], { uid: `incident-${incident}-fired`, ...about(incident) });
    await isSent(id, 2);
    receiver.behave('/flaky', { status: 503, headers: { 'retry-after': '120' } });
    await announce([id], { uid: 'incident-90-resolved', ...end, ...about(90) });
    await expect.poll(async () => (await messagesOf(id))[0].attempts, soon).toBe(1);
    await databases.pools.ops.query('update channels set paused_until = null where id = $1', [id]);
    await announce([id], { uid: 'incident-91-resolved', ...end, ...about(91) });
    await expect.poll(async () => (await messagesOf(id))[0].attempts, soon).toBe(1);
    await announce([id], { uid: 'incident-92-fired', ...about(90) });
    receiver.behave('/flaky', { status: 200 });
    await advance(121_000);
    await isSent(id, 5);
    const titles = receiver.to('/flaky').map(({ headers, body }) => [headers['webhook-id'], body.data.title]);
    expect(titles.slice(2)).toEqual(
      expect.arrayContaining([
        ['incident-90-resolved', 'Began again since · Resolved after 1 min'],
        ['incident-91-resolved', 'Resolved after 1 min'],
      ]),
    );
    const late = receiver.to('/flaky').findLast(({ headers }) => headers['webhook-id'] === 'incident-90-resolved')?.body.data;
    expect([late.lines[0], late.details.began_again]).toEqual([channelMessages.nextBegun, true]);
  });

  it('[CHAN-122] wait for no instant that a clock ahead of its time has named', async () => {
    const [limited, failing] = [await createWebhook('/ahead', { per_hour: 1 }), await createWebhook('/paused')];
    const tenDays = 10 * 86_400_000;
    await advance(tenDays);
    receiver.behave('/paused', { status: 503, headers: { 'retry-after': '3600' } });
    await announce([limited.id, failing.id]);
    await isSent(limited.id);
    await expect.poll(async () => (await messagesOf(failing.id))[0].attempts, soon).toBe(1);
    receiver.behave('/paused', { status: 200 });
    await announce([limited.id]);
    await expect
      .poll(async () => (await messagesOf(limited.id))[0].next_attempt_at > wireDate(new Date(api.now().getTime() + 60_000)), soon)
      .toBe(true);

    await advance(-tenDays);
    await isSent(failing.id);
    await advance(3_600_000);
    await isSent(limited.id, 2);
  });

  it('[CHAN-123] of an end reach those who heard of the beginning more than 30 days ago', async () => {
    const [one, two] = [await createWebhook('/heard'), await createWebhook('/later')];
    const { rows } = await databases.pools.ops.query<{ id: number }>(
      `insert into incidents (rule_name, kind, severity, subject_id, affected, names, reason, is_silenced, started_at)
       values ('Links', 'link_failed', 'warning', 0, 1, '{}', '', false, $1) returning id`,
      [api.now()],
    );
    const uid = `incident-${rows[0]?.id}`;
    await announce([one.id], { uid: `${uid}-fired` });
    await isSent(one.id);
    await advance(31 * 86_400_000);
    await announce([two.id], { uid: `${uid}-resolved`, type: 'incident.resolved', ends: [`${uid}-fired`, `${uid}-resolved`] });
    await isSent(one.id, 2);
    expect(await messagesOf(two.id)).toEqual([]);
    await databases.pools.ops.query('update incidents set resolved_at = $1 where id = $2', [api.now(), rows[0]?.id]);
    await api.maintain();
    expect(await statesOf(one.id)).toEqual(['sent']);
  });

  it('[CHAN-125] are sent once to a receiver that takes them and never ends its answer', async () => {
    const { id } = await createWebhook('/endless');
    receiver.behave('/endless', (response) => void response.writeHead(200).write('ok'));
    await announce([id]);
    await expect.poll(async () => statesOf(id), { timeout: 20_000 }).toEqual(['sent']);
    expect(receiver.to('/endless')).toHaveLength(1);
  });

  it('[CHAN-012] are kept for 30 days and listed by page and state', async () => {
    const { id } = await createWebhook('/pages');
    for (let index = 0; index < 3; index += 1) await announce([id]);
    await isSent(id, 3);
    const first = await call('GET', `channels/${id}/messages?limit=2`);
    const second = await call('GET', `channels/${id}/messages?limit=2&cursor=${first.body.pagination.next_cursor}`);
    expect([first.body.data.length, second.body.data.length, second.body.pagination.next_cursor]).toEqual([2, 1, null]);
    expect((await call('GET', `channels/${id}/messages?state=failed,pending`)).body.data).toEqual([]);
    await advance(30 * 86_400_000 + 1000);
    expect(await messagesOf(id)).toEqual([]);
  });
});

it('[CHAN-011] a message survives processes that are killed before it is sent and before it is marked', async () => {
  const own = await createTestDatabase();
  const console = async (pollSeconds: number) => {
    const background = { timings: { ...timings, pollSeconds, superviseSeconds: pollSeconds === 60 ? 60 : 1 } };
    const testApi = await buildTestApi({ databases: own.databases, env: { CHANNEL_NETWORKS: '127.0.0.1' }, background });
    await testApi.startJobs();
    return testApi;
  };
  // Its one poll finds no job, as if it had been killed after the commit.
  const first = await console(60);
  const superAdmin = await signInAs(own.databases, { role: 'Super Admin' });
  const { id } = await createChannel({ kind: 'webhook', url: `${receiver.url}/killed` }, {}, first, superAdmin);
  const uid = await announce([id], {}, { by: own.databases, now: first.now, commits: true });
  await first.stopJobs();
  await first.app.close();
  expect(receiver.to('/killed')).toEqual([]);

  receiver.behave('/killed', 'never');
  const script = join(import.meta.dirname, '../../../test/channel-worker-process.ts');
  const victim = spawn(process.execPath, [script, own.url], { stdio: ['ignore', 'ignore', 'inherit'] });
  onTestFinished(() => void victim.kill('SIGKILL'));
  await expect.poll(() => receiver.to('/killed').length, soon).toBe(1);
  victim.kill('SIGKILL');
  await once(victim, 'exit');
  // The job that it left behind goes on after the reservation.
  const { rowCount } = await own.databases.pools.ui.query(
    "select from jobs.job where name = 'notices' and state = 'created' and start_after > now()",
  );
  expect(rowCount).toBe(1);
  receiver.behave('/killed', { status: 200 });

  const next = await console(0.5);
  onTestFinished(async () => {
    await next.stopJobs();
    await next.app.close();
  });
  // As if the reservation of the killed process had ended.
  await own.databases.pools.ui.query('update channels set sending_until = clock_timestamp()');
  await next.maintain();
  await expect.poll(async () => (await messagesOf(id, next, superAdmin))[0].state, soon).toBe('sent');
  expect(receiver.to('/killed').map(({ headers }) => headers['webhook-id'])).toEqual([uid, uid]);
});

describe('rules that name a channel', () => {
  const addRule = async (channel_ids: number[] | null, severity = 'warning'): Promise<number> =>
    (await call('POST', 'alerts/rules', { name: `Rule of ${channel_ids?.join()}`, kind: 'link_failed', severity, channel_ids })).body.data
      .id;
  const ruleOf = async (id: number) => (await call('GET', `alerts/rules/${id}`)).body.data;

  it('[CHAN-104] name channels that exist, and get another one or none before theirs is deleted', async () => {
    const [first, second] = [await createWebhook('/first'), await createWebhook('/second')];
    const unknown = await call('POST', 'alerts/rules', { name: 'x', kind: 'link_failed', channel_ids: [first.id, 999_999] });
    expect([unknown.status, unknown.body.errors]).toEqual([422, { channel_ids: [unknownIdMessage('channel_ids', 999_999)] }]);
    const [only, both] = [await addRule([first.id]), await addRule([first.id, second.id])];
    expect((await call('GET', `channels/${first.id}/rules`)).body.data).toEqual([
      { id: only, name: `Rule of ${first.id}`, is_only: true },
      { id: both, name: `Rule of ${first.id},${second.id}`, is_only: false },
    ]);
    const unasked = await call('DELETE', `channels/${first.id}`);
    expect([unasked.status, unasked.body.message]).toEqual([409, channelMessages.inRules(2)]);
    for (const replacement of [first.id, 999_999, 88_913_997_882])
      expect((await call('DELETE', `channels/${first.id}?replacement=${replacement}`)).status).toBe(422);
    expect((await ruleOf(only)).channel_ids).toEqual([first.id]);
    expect((await call('DELETE', `channels/${first.id}?replacement=${second.id}`)).status).toBe(204);
    expect([(await ruleOf(only)).channel_ids, (await ruleOf(both)).channel_ids]).toEqual([[second.id], [second.id]]);
    expect((await call('DELETE', `channels/${second.id}?replacement=0`)).status).toBe(204);
    expect(await ruleOf(only)).toMatchObject({ channel_ids: [], unheard: 'no_channel', version: 3 });
    const { body } = await call('GET', `audit?entity=alert_rule&entityId=${only}`);
    expect(body.data[0].changes).toEqual([{ field: 'channel_ids', from: [second.id], to: [] }]);
  });

  it('[CHAN-104] have schedules beside them, named as far as the caller, a token or a view may change their owners', async () => {
    const { id } = await createWebhook('/schedules');
    const chief = await signInAs(databases, { role: 'Super Admin', since: api.now() });
    const scheduleOf = async (as: SignedIn, name: string): Promise<void> => {
      const view = await call('POST', 'views', { list: 'reports', name, query: 'groupBy=app' }, { as });
      const fields = { name, view_id: view.body.data.id, interval: 'day', hour: 8, channel_ids: [id] };
      expect((await call('POST', 'schedules', fields, { as })).status).toBe(201);
    };
    await scheduleOf(chief, 'Of the chief');
    await scheduleOf(admin, 'Own');
    const names = async (headers: { authorization: string }) => {
      const { status, body } = await api.call('GET', `/api/channels/${id}/schedules`, { headers });
      return [status, body.data?.map(({ name }: { name: string | null }) => name)];
    };
    expect(await names(admin.headers)).toEqual([200, ['Of the chief', 'Own']]);
    const token = await makeApiToken(databases, { ownerId: admin.accountId, permissions: ['manager_settings_server', 'manager_app_edit'] });
    expect(await names(token.headers)).toEqual([200, [null, 'Own']]);
    const view = await call('POST', `users/${chief.accountId}/view-as`);
    expect(view.status).toBe(201);
    expect((await names({ authorization: `Bearer ${view.body.data.token.accessToken}` }))[0]).toBe(200);
    await call('DELETE', 'view-as');
  });

  it('[CHAN-104] are locked before their channel, as commands on rules do, so that neither waits for the other for ever', async () => {
    const channel = await createWebhook('/locked');
    await addRule([channel.id]);
    const client = await databases.pools.exports.connect();
    onTestFinished(() => client.release());
    await client.query('begin');
    await client.query('select from alert_evaluation for update');
    const deletion = call('DELETE', `channels/${channel.id}?replacement=0`);
    await expect.poll(async () => (await databases.pools.ops.query(waitingCalls)).rowCount, soon).toBe(1);
    await client.query('select from channels where id = $1 for update nowait', [channel.id]);
    await client.query('commit');
    expect((await deletion).status).toBe(204);
  });

  it.each([
    ['after it is stored', 'alert_rules', ['POST', 'DELETE'], [201, 409]],
    ['before it is stored', 'channels', ['DELETE', 'POST'], [204, 422]],
  ] as const)('[CHAN-108] never name a channel that is deleted %s', async (_when, table, methods, statuses) => {
    const channel = await createWebhook('/raced');
    const rule = { name: 'Raced', kind: 'link_failed', channel_ids: [channel.id] };
    const client = await databases.pools.exports.connect();
    onTestFinished(() => client.release());
    // The first call has checked what it needs, and waits to write.
    await client.query(`begin; lock table ${table} in share mode`);
    const calls: ReturnType<typeof call>[] = [];
    for (const method of methods) {
      calls.push(method === 'POST' ? call(method, 'alerts/rules', rule) : call(method, `channels/${channel.id}`));
      await expect.poll(async () => (await databases.pools.ops.query(waitingCalls)).rowCount, soon).toBe(calls.length);
    }
    await client.query('commit');
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(statuses);
  });

  it('[CHAN-105] reach nobody when all of their channels are off, too quiet or failing', async () => {
    const channel = await createWebhook('/500', { minimum_severity: 'critical' });
    const [warning, critical] = [await addRule([channel.id]), await addRule([channel.id], 'critical')];
    expect([(await ruleOf(warning)).unheard, (await ruleOf(critical)).unheard]).toEqual(['severity', null]);
    await databases.pools.ops.query(
      `insert into channel_messages (channel_id, uid, type, severity, title, lines, path, data, happened_at, state, next_attempt_at, created_at)
       select $1, 'failed-' || n, 'test', 'critical', 'x', '{}', '/', '{}', now(), case when n = 1 then 'sent' else 'failed' end, null, now()
       from generate_series(1, 3) n`,
      [channel.id],
    );
    expect((await ruleOf(critical)).unheard).toBeNull();
    await databases.pools.ops.query(`update channel_messages set state = 'failed' where channel_id = $1`, [channel.id]);
    expect((await ruleOf(critical)).unheard).toBe('failing');
    await call('PUT', `channels/${channel.id}`, { is_on: false });
    expect((await ruleOf(critical)).unheard).toBe('off');
    const { body } = await call('GET', 'alerts/rules?unheard=1&search=Rule%20of');
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual(expect.arrayContaining([warning, critical]));
    expect((await call('GET', 'home')).body.data.unheard_rules).toBe(body.pagination.total);
    await call('PUT', `alerts/rules/${critical}`, { is_on: false });
    expect((await ruleOf(critical)).unheard).toBeNull();
  });
});

it('[ALERT-009, ALERT-125, CHAN-107] a mail says when a server falls silent, and another one when it calls again', async () => {
  const own = await createTestDatabase();
  const env = { SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`, MAIL_FROM: 'console@example.com' };
  const testApi = await buildTestApi({ databases: own.databases, env, background: { timings } });
  await testApi.startJobs();
  onTestFinished(async () => {
    await testApi.stopJobs();
    await testApi.app.close();
  });
  const server = await signInAsServer(own.databases);
  const superAdmin = await signInAs(own.databases, { role: 'Super Admin', since: testApi.now() });
  await createChannel({ kind: 'mail', addresses: ['silent@example.com'] }, {}, testApi, superAdmin);
  const serverCalls = async () => {
    const { status } = await testApi.call('GET', '/api/edge/config', { headers: server.headers });
    expect(status).toBe(200);
    await testApi.maintain();
  };
  const evaluate = async (times: number) => {
    for (let minutes = 0; minutes < times * 4; minutes += 1) {
      testApi.wait(60_000);
      await testApi.evaluateAlerts();
    }
  };
  const mails = () => mailServer.mails.filter(({ to }) => to.includes('silent@example.com')).map(({ source }) => decode(source));
  await serverCalls();
  await testApi.evaluateAlerts();
  await evaluate(2);
  expect(mails()).toEqual([]);
  await evaluate(2);
  await expect.poll(() => mails().length, soon).toBe(1);
  expect(mails()[0]).toMatch(/^<h1 .*>CRITICAL .+ Server silent: /m);
  expect(mails()[0]).toContain('Value: 10 minutes. The rule fires at 10 minutes or more.');
  for (const act of ['acknowledge', 'silence']) expect(mails()[0]).toContain(`/incidents/1?do=${act}`);
  await evaluate(2);
  await serverCalls();
  await evaluate(1);
  await expect.poll(() => mails().length, soon).toBe(2);
  expect(mails()[1]).toContain('Resolved after 15 min');
  expect(mails()[1]).toMatch(/The server called at .*It lasted 15 min, from/s);
  expect(mails()[1]).not.toContain('?do=');
  const [fired, resolved] = mails().map((text) => /\/incidents\/(\d+)/.exec(text)?.[1]);
  expect([fired, resolved]).toEqual([expect.stringMatching(/^\d+$/), fired]);
});
