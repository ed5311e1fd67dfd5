import { channelLimits, channelMessages } from '@switchyard/contract/channels';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { soon } from '../../../test/soon.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import type { Announcement } from '../../announcement.ts';
import { transaction, unaudited } from '../../database/transaction.ts';
import { ensureInbox } from '../../demo/demo-store.ts';
import { createAnnounce } from './announce.ts';

// The console of the demo, without a mail server.
const { databases } = await createTestDatabase();
const timings = { pollSeconds: 0.5, expireSeconds: 30, superviseSeconds: 10 };
let api: TestApi;
let admin: SignedIn;
let inboxId = 0;

beforeAll(async () => {
  api = await buildTestApi({ databases, demoIsOn: true, background: { timings, retrySeconds: [] } });
  await api.startJobs();
  await ensureInbox(databases.db, api.now());
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now(), isDemo: true });
  const { body } = await api.call('GET', '/api/channels', admin);
  inboxId = body.data[0].id;
});
afterAll(async () => {
  await api.stopJobs();
  await api.app.close();
});

const read = async (as = admin, query = '') => (await api.call('GET', `/api/inbox${query}`, as)).body;
const titlesOf = async (as = admin): Promise<string[]> => (await read(as)).data.map(({ title }: { title: string }) => title);

async function announce(uid: string, fields: Partial<Announcement> = {}) {
  const announcement: Announcement = {
    uid,
    type: 'incident.fired',
    severity: 'critical',
    at: new Date('2026-11-20T08:30:00Z'),
    title: `CRITICAL · Domains: ${uid}`,
    lines: ['It expires on 25.11.2026.'],
    path: '/incidents/7',
    channelIds: null,
    data: { rule: { name: 'Domains', kind: 'domain_expiry' }, app: { name: uid }, server: null },
    ...fields,
  };
  await transaction(databases.db, async (tx) => {
    // The job that the message needs is left by the maintenance.
    await createAnnounce({ now: api.now, sendJob: async () => undefined })(tx, [announcement]);
    return unaudited('a test', undefined);
  });
}

it('[CHAN-112] keeps the messages of the demo with their text and link, and those that were combined as one', async () => {
  await announce('acme');
  await announce('bolt', { severity: 'warning', group: 'rule-1' });
  await announce('cozy', { severity: 'warning', group: 'rule-1' });
  api.wait(31_000);
  await api.maintain();
  await expect.poll(async () => titlesOf(), soon).toEqual(['WARNING · Domains: bolt, cozy', 'CRITICAL · Domains: acme']);
  const { data, pagination } = await read();
  expect(pagination).toMatchObject({ total: 2 });
  expect(data[0].messages).toMatchObject([{ title: 'CRITICAL · Domains: bolt' }, { title: 'CRITICAL · Domains: cozy' }]);
  expect(data[1]).toMatchObject({
    channel: { id: inboxId, name: 'Inbox' },
    severity: 'critical',
    to: null,
    attachment: null,
    messages: [{ lines: ['It expires on 25.11.2026.'], path: '/incidents/7', happened_at: '2026-11-20 08:30:00' }],
  });
  const second = await read(admin, '?limit=1&page=2');
  expect(second).toMatchObject({ data: [{ title: 'CRITICAL · Domains: acme' }], pagination: { total: 2 } });
  expect(await read(admin, '?limit=1&page=3')).toMatchObject({ data: [], pagination: { total: 2 } });
  // A second start adds no other one.
  await ensureInbox(databases.db, api.now());
  expect((await api.call('GET', '/api/channels', admin)).body.data).toMatchObject([{ kind: 'console', shown_target: 'Inbox of the demo' }]);
});

it('[CHAN-112] keeps a test message, each once', async () => {
  const answer = await api.call('POST', `/api/channels/${inboxId}/test`, admin);
  expect(answer.body.data).toMatchObject({ is_sent: true, status: null, answer: channelMessages.inInbox });
  expect(await titlesOf()).toContain('Test message of Switchyard');
});

it('[CHAN-113] shows incidents of kinds and reports of lists that the reader may see, to accounts that change channels alone', async () => {
  await announce('logs', { data: { rule: { name: 'Disk', kind: 'log_disk' } }, title: 'Disk' });
  await announce('totals', { type: 'report.ready', data: { view: { name: 'Week', list: 'reports' } }, title: 'Totals of the week' });
  await api.maintain();
  await expect.poll(async () => titlesOf(), soon).toEqual(expect.arrayContaining(['Disk', 'Totals of the week']));
  const servers = await signInAs(databases, { permissions: ['manager_settings_server'], since: api.now() });
  expect(await titlesOf(servers)).toEqual(['Test message of Switchyard']);
  expect((await read(servers)).pagination.total).toBe(1);
  const statistics = await signInAs(databases, {
    permissions: ['manager_settings_server', 'manager_app_statistics'],
    since: api.now(),
  });
  expect(await titlesOf(statistics)).toEqual(expect.arrayContaining(['Totals of the week']));
  const app = await createApp(databases);
  const bound = await signInAs(databases, { permissions: ['manager_settings_server'], apps: [app.id], since: api.now() });
  expect((await api.call('GET', '/api/inbox', bound)).status).toBe(403);
});

it('[CHAN-114] [SCHED-126] keeps mails of scheduled reports, also to accounts of the demo; links for passwords never', async () => {
  const view = {
    list: 'apps',
    name: 'Active',
    query: 'status=active',
    columns: { hidden: [], widths: {} },
    sharing: 'private',
    role_ids: [],
  };
  const { body: saved } = await api.call('POST', '/api/views', { ...admin, body: view });
  const fields = { name: 'Morning', view_id: saved.data.id, interval: 'day', hour: 1, recipient_ids: [admin.accountId] };
  const { body: created, status } = await api.call('POST', '/api/schedules', { ...admin, body: fields });
  expect(status).toBe(201);
  expect((await api.call('POST', `/api/schedules/${created.data.id}/send`, admin)).status).toBe(204);
  await expect.poll(async () => titlesOf(), soon).toContain('Morning: Switchyard');
  const entry = (await read()).data.find(({ title }: { title: string }) => title === 'Morning: Switchyard');
  expect(entry).toMatchObject({
    to: admin.email,
    attachment: { name: expect.stringMatching(/^active.*\.csv$/i) },
    messages: [{ type: 'report.mail', path: '/apps?status=active', lines: [expect.stringContaining('is attached'), expect.any(String)] }],
  });
  expect(entry.attachment.bytes).toBeGreaterThan(0);
  // A link for a new password.
  const before = await titlesOf();
  await api.call('POST', '/api/sanctum/forgot-password', { body: { email: admin.email } });
  await api.maintain();
  expect(await titlesOf()).toEqual(before);
  const { rows } = await databases.pools.ops.query(`select distinct type from channel_messages order by type`);
  expect(rows.map(({ type }) => type)).toEqual(['incident.fired', 'report.mail', 'report.ready', 'test']);
});

it('[CHAN-115] keeps the newest messages alone', async () => {
  await databases.pools.ops.query(
    `insert into channel_messages (channel_id, uid, type, severity, title, lines, path, data, happened_at, state, sent_at, created_at)
     select $1, 'old-' || n, 'test', 'info', 'Old', '{}', '/', '{}', now(), 'sent', $2, $2 from generate_series(1, $3) as n`,
    [inboxId, api.now(), channelLimits.inboxMessages],
  );
  await api.call('POST', `/api/channels/${inboxId}/test`, admin);
  await api.maintain();
  const { rows } = await databases.pools.ops.query(`select count(*)::int as count, max(title) as newest from channel_messages`);
  expect(rows).toEqual([{ count: channelLimits.inboxMessages, newest: 'Test message of Switchyard' }]);
});

it('[CHAN-116] is part of the demo alone: nobody creates one, and without the demo its messages fail', async () => {
  const created = await api.call('POST', '/api/channels', { ...admin, body: { name: 'Mine', target: { kind: 'console' } } });
  expect(created.status).toBe(422);
  expect((await api.call('GET', '/api/demo?inbox=1', admin)).body.data).toEqual({ loaded: null, has_inbox: true });
  const other = await buildTestApi({ databases, startsAt: api.now() });
  const person = await signInAs(databases, { role: 'Super Admin', since: other.now() });
  expect((await other.call('GET', '/api/demo?inbox=1', person)).body.data.has_inbox).toBe(false);
  const answer = await other.call('POST', `/api/channels/${inboxId}/test`, person);
  expect(answer.body.data).toMatchObject({ is_sent: false, answer: channelMessages.noInbox });
  await other.app.close();
});
