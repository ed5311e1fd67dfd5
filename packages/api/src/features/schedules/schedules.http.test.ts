import { addDays, dayOf, displayDay, formatDateTime } from '@switchyard/contract/dates';
import { unknownParameterMessage } from '@switchyard/contract/listing';
import { permissionCatalogue } from '@switchyard/contract/permissions';
import { scheduleMessages } from '@switchyard/contract/schedules';
import { unknownIdMessage } from '@switchyard/contract/text-fields';
import exceljs from 'exceljs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { decode, startMailServer, type MailServer } from '../../../test/mail-server.ts';
import { startMessageReceiver, type MessageReceiver } from '../../../test/message-receiver.ts';
import { signInAs, signInAsServer, type Account, type SignedIn } from '../../../test/sign-in-as.ts';
import { soon } from '../../../test/soon.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases, url } = await createTestDatabase();
const timings = { pollSeconds: 0.5, expireSeconds: 30, superviseSeconds: 10 };
let server: MailServer;
let receiver: MessageReceiver;
let api: TestApi;

async function openApi(pollSeconds: number, startsAt: Date): Promise<TestApi> {
  const env = {
    SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    MAIL_FROM: 'console@example.com',
    SERVER_UTC_OFFSET: '+03:00',
    CHANNEL_NETWORKS: '127.0.0.1',
  };
  const testApi = await buildTestApi({ databases, env, startsAt, background: { timings: { ...timings, pollSeconds } } });
  await testApi.startJobs();
  return testApi;
}

beforeAll(async () => {
  server = await startMailServer();
  receiver = await startMessageReceiver();
  api = await openApi(0.5, new Date('2026-11-20T08:30:00Z'));
  return async () => {
    await api.stopJobs();
    await api.app.close();
    await server.stop();
    await receiver.stop();
  };
});

const statistics = ['manager_app_statistics', 'manager_user_edit'] as const;
const person = async (account: Account = {}): Promise<SignedIn> =>
  signInAs(databases, { permissions: statistics, since: api.now(), lifetime: 90 * 86_400_000, ...account });
const call = async (as: SignedIn, method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body: object = {}) =>
  api.call(method, `/api/${path}`, { headers: as.headers, ...(method === 'GET' ? {} : { body }) });
async function createView(as: SignedIn, fields: object = {}): Promise<number> {
  const body = {
    list: 'apps',
    name: `View ${Math.random()}`,
    query: 'status=active',
    columns: { hidden: [], widths: {} },
    sharing: 'private',
    role_ids: [],
  };
  const answer = await call(as, 'POST', 'views', { ...body, ...fields });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body.data.id;
}
/** The form of a schedule of a view for one recipient. */
const daily = (view_id: number, { accountId }: SignedIn) => ({ name: 'x', view_id, interval: 'day', hour: 1, recipient_ids: [accountId] });
async function createSchedule(as: SignedIn, fields: object = {}) {
  const view_id = await createView(as);
  const answer = await call(as, 'POST', 'schedules', { ...daily(view_id, as), name: 'Morning', hour: 12, ...fields });
  expect(answer).toMatchObject({ status: 201 });
  return answer.body.data;
}
const mailsTo = ({ email }: SignedIn) => server.mails.filter(({ to }) => to.includes(email)).map(({ source }) => source);
/** The file of a mail, which is encoded in base64. */
const fileIn = (source = ''): string =>
  Buffer.from(/filename=\S+\.csv\r\n(?:\S+: .*\r\n)*\r\n([A-Za-z0-9+/=\r\n]+)/.exec(source)?.[1] ?? '', 'base64').toString();
/** Moves the clock, ends what idles, and finds what is due. */
async function advance(milliseconds: number): Promise<void> {
  api.wait(milliseconds);
  await databases.pools.ops.query('update sessions set last_used_at = $1, authenticated_at = $1', [api.now()]);
  await api.maintain();
}

const timeOf = (time: string): number => new Date(`${time.replace(' ', 'T')}Z`).getTime();
async function advanceTo(time: string): Promise<void> {
  await advance(timeOf(time) - api.now().getTime());
}
/** Runs the jobs of mails that wait, as if the reservation of each had ended. */
async function retryMails(): Promise<void> {
  await databases.pools.ops.query('update schedule_mails set sending_until = null');
  await databases.pools.ops.query(
    `update jobs.job set start_after = now() where name = 'schedules' and state = 'created' and data ? 'mailId'`,
  );
}
/** Lets the mail server take no mail until the test ends; gives the number of attempts since to mail these accounts. */
function refuseMails(...to: SignedIn[]): () => number {
  server.state.refuses = 451;
  onTestFinished(() => void (server.state.refuses = null));
  const ids = new Set<unknown>(to.map(({ accountId }) => accountId));
  const faults = (): number =>
    api.log().filter(({ msg, accountId }) => msg === 'Scheduled report: could not be sent' && ids.has(accountId)).length;
  const before = faults();
  return () => faults() - before;
}

it('[SCHED-001] schedules are of their owner, name a view that the owner can open and recipients that they may choose', async () => {
  const [owner, other] = [await person(), await person({ permissions: ['manager_app_statistics'] })];
  const schedule = await createSchedule(owner, { interval: 'week', weekday: 5, recipient_ids: [other.accountId, owner.accountId] });
  // Friday, 12:00 of +03:00 is half an hour later.
  expect(schedule).toMatchObject({ name: 'Morning', interval: 'week', hour: 12, next_run_at: '2026-11-20 09:00:00', version: 1 });
  expect(schedule.recipients).toHaveLength(2);
  const path = `schedules/${schedule.id}`;
  expect((await call(other, 'GET', path)).status).toBe(404);
  expect((await call(other, 'PUT', path, { name: 'x' })).status).toBe(404);
  expect((await call(other, 'DELETE', path)).status).toBe(404);
  expect((await call(other, 'GET', 'schedules')).body.data).toEqual([]);
  const foreignView = await call(other, 'POST', 'schedules', daily(schedule.view.id, other));
  expect(foreignView.body.errors).toEqual({ view_id: [scheduleMessages.view] });
  const view_id = await createView(other, { list: 'reports', query: 'days=7' });
  const others = await call(other, 'POST', 'schedules', daily(view_id, owner));
  expect(others.body.errors).toEqual({ recipient_ids: [scheduleMessages.otherRecipients] });
  const [buyer, demo, deleted] = [await person({ panel: 'buyer' }), await person({ isDemo: true }), await person()];
  await databases.pools.ops.query('update accounts set deleted_at = now() where id = $1', [deleted.accountId]);
  for (const id of [987_654, ...[buyer, demo, deleted].map(({ accountId }) => accountId)])
    expect((await call(owner, 'PUT', path, { recipient_ids: [id] })).body.errors).toEqual({
      recipient_ids: [unknownIdMessage('recipient_ids', id)],
    });
  const stale = await api.call('PUT', `/api/${path}`, { headers: { ...owner.headers, 'if-match': '"v9"' }, body: { name: 'x' } });
  expect(stale.status).toBe(412);
  const change = await call(owner, 'PUT', path, { interval: 'month', month_day: 20, hour: 11, is_on: false });
  expect(change.body.data).toMatchObject({ next_run_at: '2026-12-20 08:00:00', version: 2, is_on: false });
  await databases.pools.ops.query(
    `insert into schedules (owner_id, view_id, name, interval, weekday, month_day, hour, is_on, next_run_at, created_at, updated_at)
     select $1, $2, 'x', 'day', 1, 1, 1, false, now(), now(), now() from generate_series(1, 50)`,
    [other.accountId, view_id],
  );
  const tooMany = await call(other, 'POST', 'schedules', daily(view_id, other));
  expect(tooMany.body.errors).toEqual({ name: [scheduleMessages.tooMany] });
  // A view that the caller can open no longer, because it is of a list that they do not see.
  const reader = await person({ permissions: ['manager_app_statistics'] });
  const report = await createView(reader, { list: 'reports', query: 'days=7' });
  await databases.pools.ops.query(
    'update role_permissions set permission_id = $2 where role_id in (select role_id from account_roles where account_id = $1)',
    [reader.accountId, permissionCatalogue.find(({ label }) => label === 'manager_app_edit')?.id],
  );
  const unseen = await call(reader, 'POST', 'schedules', daily(report, reader));
  expect(unseen.body.errors).toEqual({ view_id: [scheduleMessages.view] });
  expect((await call(owner, 'DELETE', path)).status).toBe(204);
  const { rows } = await databases.pools.ops.query("select action from audit_entries where entity = 'schedule' order by id");
  expect(rows.map(({ action }) => action)).toEqual(['create', 'update', 'delete']);
});

it('[SCHED-120] recipients who cannot open the list are named when they are chosen, with the permission that they lack; stored ones stay', async () => {
  const owner = await person();
  const [editor, locked] = [await person({ permissions: ['manager_app_edit'] }), await person()];
  await databases.pools.ops.query("update accounts set name = 'Ed' where id = $1", [editor.accountId]);
  await databases.pools.ops.query("update accounts set name = 'Lo', has_access = false where id = $1", [locked.accountId]);
  const report = await createView(owner, { list: 'reports', query: 'days=7' });
  const apps = await createSchedule(owner, { recipient_ids: [editor.accountId] });
  const recipient_ids = [owner, editor, locked].map(({ accountId }) => accountId);
  const rejected = await call(owner, 'POST', 'schedules', { ...daily(report, owner), recipient_ids });
  expect(rejected.body.errors).toEqual({
    recipient_ids: ['Ed cannot open Reports, which needs the permission manager_app_statistics.', 'Lo has no access to the console.'],
  });
  const path = `schedules/${apps.id}`;
  expect((await call(owner, 'PUT', path, { view_id: report })).status).toBe(422);
  await databases.pools.ops.query('delete from account_roles where account_id = $1', [editor.accountId]);
  expect((await call(owner, 'PUT', path, { name: 'Renamed' })).status).toBe(200);
  await call(owner, 'DELETE', path);
});

it('[SCHED-121, SCHED-124] sends the totals of a report to its channels, whatever severity they take, while its owner may use channels', async () => {
  const owner = await person({ permissions: ['manager_app_statistics', 'manager_settings_server'] });
  const post = {
    name: 'Duty',
    minimum_severity: 'critical',
    digest_minutes: 60,
    target: { kind: 'webhook', url: `${receiver.url}/reports` },
  };
  const { channel } = (await call(owner, 'POST', 'channels', post)).body.data;
  const view_id = await createView(owner, {
    list: 'reports',
    name: 'Traffic',
    query: 'period=last_week&measure=requests,payout&compare=week',
  });
  const fields = { name: 'Weekly', view_id, interval: 'day', hour: 12, channel_ids: [channel.id] };
  const reader = await person();
  const own = await createView(reader, { list: 'reports', query: 'days=7' });
  const foreign = await call(reader, 'POST', 'schedules', { ...fields, view_id: own });
  expect(foreign.body.errors).toEqual({ channel_ids: [scheduleMessages.foreignChannels] });
  const nobody = await call(owner, 'POST', 'schedules', { ...fields, channel_ids: [] });
  expect(nobody.body.errors).toEqual({ recipient_ids: [scheduleMessages.recipients] });
  const created = await call(owner, 'POST', 'schedules', fields);
  expect(created.body.data).toMatchObject({ recipients: [], channels: [{ id: channel.id, name: 'Duty' }], channels_state: null });
  const path = `schedules/${created.body.data.id}`;
  await advance(86_400_000);
  await expect.poll(() => receiver.to('/reports').length, soon).toBe(1);
  const { type, data } = receiver.to('/reports')[0]?.body ?? {};
  expect(type).toBe('report.ready');
  expect(data).toMatchObject({ details: { schedule: { name: 'Weekly' }, view: { name: 'Traffic', list: 'reports' } } });
  const { from, to, figures } = data.details;
  expect(figures.map(({ column }: { column: string }) => column)).toEqual(['requests', 'payout']);
  // The link has the days that were counted, whenever it is opened.
  expect(new URL(data.url).search).toBe(`?measure=requests%2Cpayout&compare=week&startDate=${from}&endDate=${to}`);
  expect(new Date(from).getUTCDay()).toBe(1);
  await expect.poll(async () => (await call(owner, 'GET', path)).body.data.channels_state, soon).toBe('sent');
  await databases.pools.ops.query('update accounts set all_apps = false where id = $1', [owner.accountId]);
  await advance(86_400_000);
  await expect.poll(() => mailsTo(owner).length, soon).toBe(1);
  expect(decode(mailsTo(owner)[0] ?? '')).toContain(scheduleMessages.lostChannels);
  expect(receiver.to('/reports')).toHaveLength(1);
  await databases.pools.ops.query('update accounts set all_apps = true where id = $1', [owner.accountId]);
  expect((await call(owner, 'DELETE', `channels/${channel.id}`)).status).toBe(204);
  expect((await call(owner, 'GET', path)).body.data).toMatchObject({ channels: [], is_on: false });
});

/** The rows of the workbook of a mail. */
async function cellsOf(mail: string): Promise<unknown[]> {
  const content = /filename=\S+\.xlsx\r\n(?:\S+: .*\r\n)*\r\n([A-Za-z0-9+/=\r\n]+)/.exec(mail)?.[1] ?? '';
  const book = new exceljs.Workbook();
  await book.xlsx.load(new Uint8Array(Buffer.from(content, 'base64')).buffer);
  return book.worksheets[0]?.getSheetValues().slice(1) ?? [];
}

it('[SCHED-122, SCHED-123] mails a workbook whose numbers can be added up, and the totals of a report in the text', async () => {
  const app = await createApp(databases, { name: '=Sum' });
  const owner = await person({ apps: [app.id] });
  const { headers } = await signInAsServer(databases);
  const events = [1, 2, 3].map((n) => ({
    app_id: app.id,
    type: 'create',
    ip: '203.0.113.9',
    client_uid: `c-${n}`,
    date: api.now().toISOString(),
    ...(n > 1 && { error: 'boom' }),
  }));
  await api.call('POST', '/api/ingest/events', { headers, body: { events } });
  const view_id = await createView(owner, { list: 'reports', query: 'groupBy=app&measure=requests,success_share&period=this_week' });
  const { id } = await createSchedule(owner, { view_id, format: 'xlsx' });
  expect((await call(owner, 'POST', `schedules/${id}/send`)).status).toBe(204);
  await expect.poll(() => mailsTo(owner).length, soon).toBe(1);
  const mail = mailsTo(owner)[0] ?? '';
  expect(decode(mail)).toMatch(/^Requests: 3\r?$/m);
  expect(await cellsOf(mail)).toEqual([
    [undefined, 'app', 'app_name', 'requests', 'success_share'],
    [undefined, String(app.id), '=Sum', 3, 1 / 3],
    [undefined, '(total)', undefined, 3, 1 / 3],
  ]);
  await call(owner, 'DELETE', `schedules/${id}`);
});

it('[SCHED-132] writes each figure of a mail on one line, whatever it is called', async () => {
  const app = await createApp(databases);
  const owner = await person({ apps: [app.id] });
  const { headers } = await signInAsServer(databases);
  const pushes = [{ app_id: app.id, push_id: 'p1', send_at: api.now().toISOString(), status: 'x\nScheduled by: The Boss' }];
  await api.call('POST', '/api/ingest/pushes', { headers, body: { pushes } });
  const kind = encodeURIComponent('conversions_of:a\n\nYour account is locked');
  const query = `groupBy=app&measure=pushes_by_status&measure=${kind}&period=this_week`;
  const { id } = await createSchedule(owner, { view_id: await createView(owner, { list: 'reports', query }) });
  expect((await call(owner, 'POST', `schedules/${id}/send`)).status).toBe(204);
  await expect.poll(() => mailsTo(owner).length, soon).toBe(1);
  const text = decode(mailsTo(owner)[0] ?? '');
  expect(text).toMatch(/^Pushes: x Scheduled by: The Boss: 1\r?$/m);
  expect(text).not.toMatch(/^(?:Scheduled by: The Boss|Your account is locked)/m);
  await call(owner, 'DELETE', `schedules/${id}`);
});

it('[SCHED-115] recipients who leave at the same time are both gone, and the schedule is off after the last', async () => {
  const [owner, ...recipients] = [await person(), await person(), await person()];
  const ids = recipients.map(({ accountId }) => accountId);
  const { id } = await createSchedule(owner, { recipient_ids: ids });
  const client = await databases.pools.exports.connect();
  onTestFinished(() => client.release());
  await client.query('begin');
  await client.query('select from schedules where id = $1 for update', [id]);
  const leaving = recipients.map(async (as) => call(as, 'DELETE', `schedules/received/${id}`));
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await databases.pools.ops.query(waiting)).rowCount, soon).toBe(2);
  await client.query('commit');
  expect((await Promise.all(leaving)).map(({ status }) => status)).toEqual([204, 204]);
  expect((await call(owner, 'GET', `schedules/${id}`)).body.data).toMatchObject({ recipients: [], is_on: false, version: 3 });
  const entry = `select changes -> 0 -> 'from' as "from", changes -> 0 -> 'to' as "to" from audit_entries
    where entity = 'schedule' and entity_id = $1 and action = 'update' order by id`;
  const { rows } = await databases.pools.ops.query(entry, [String(id)]);
  expect(rows).toEqual([
    { from: ids, to: [expect.any(Number)] },
    { from: rows[0].to, to: [] },
  ]);
});

it('[SCHED-003, SCHED-118, LEAVE-102] the file has what its recipient may see at that moment; one who lost access gets nothing and the owner is told', async () => {
  const [seen, hidden] = [await createApp(databases, { name: 'Seen app' }), await createApp(databases, { name: 'Hidden app' })];
  const owner = await person();
  const narrow = await person({ apps: [seen.id] });
  const demoted = await person();
  const schedule = await createSchedule(owner, {
    name: 'Apps & more',
    recipient_ids: [owner, narrow, demoted].map(({ accountId }) => accountId),
  });
  await databases.pools.ops.query('delete from account_roles where account_id = $1', [demoted.accountId]);
  await advance(31 * 60_000);
  await expect.poll(() => [mailsTo(owner).length, mailsTo(narrow).length], soon).toEqual([2, 1]);
  expect(mailsTo(demoted)).toEqual([]);
  const [file, narrowFile] = [
    mailsTo(owner)
      .map(fileIn)
      .find((text) => text !== ''),
    fileIn(mailsTo(narrow)[0]),
  ];
  expect([file?.includes(hidden.name), file?.includes(seen.name)]).toEqual([true, true]);
  expect([narrowFile.includes(hidden.name), narrowFile.includes(seen.name)]).toEqual([false, true]);
  expect(decode(mailsTo(narrow)[0] ?? '')).toMatch(/To stop these emails, open \S+\/schedules\/received/);
  const notice =
    mailsTo(owner)
      .map(decode)
      .find((text) => text.includes('was not sent')) ?? '';
  expect(notice).toContain('Subject: Not sent: Apps & more');
  expect(notice).toContain('can no longer open this list');
  expect(notice).toMatch(new RegExp(`/schedules/${schedule.id}/edit\\b`));
  const states = (await call(owner, 'GET', `schedules/${schedule.id}`)).body.data.recipients;
  expect(Object.fromEntries(states.map(({ id, state }: { id: number; state: string }) => [id, state]))).toEqual({
    [owner.accountId]: 'sent',
    [narrow.accountId]: 'sent',
    [demoted.accountId]: 'denied',
  });
  const { rows } = await databases.pools.ops.query("select actor_id from audit_entries where entity = 'app_list' and action = 'export'");
  expect([rows.length, new Set(rows.map(({ actor_id }) => actor_id))]).toEqual([2, new Set([owner.accountId, narrow.accountId])]);
  await call(owner, 'DELETE', `schedules/${schedule.id}`);
});

it('[SCHED-130] sends nothing and names no view while the owner does not see it, and tells the owner once', async () => {
  const [author, owner, recipient] = [await person(), await person(), await person()];
  const shared = { list: 'reports', name: 'Weekly', query: 'groupBy=day', sharing: 'everyone' };
  const view_id = await createView(author, shared);
  const schedule = await createSchedule(owner, { view_id, recipient_ids: [owner.accountId, recipient.accountId] });
  const { id } = schedule;
  const secret = { sharing: 'private', name: 'Redundancy plan', query: 'groupBy=day&endDate=2026-11-01&startDate=2026-11-01' };
  expect((await call(author, 'PUT', `views/${view_id}`, secret)).status).toBe(200);
  const unseen = { id: view_id, name: null, list: 'reports', unknown_parameters: [], has_fixed_days: false };
  expect((await call(owner, 'GET', `schedules/${id}`)).body.data.view).toEqual(unseen);
  expect((await call(owner, 'GET', 'schedules')).body.data).toMatchObject([{ id, view: unseen }]);
  expect((await call(recipient, 'GET', 'schedules/received')).body.data).toMatchObject([{ id, view: { name: null } }]);
  const sending = await call(owner, 'POST', `schedules/${id}/send`);
  expect([sending.status, sending.body.message]).toEqual([409, scheduleMessages.lostView]);
  await advanceTo(schedule.next_run_at);
  const states = async () =>
    (await call(owner, 'GET', `schedules/${id}`)).body.data.recipients.map(({ state }: { state: string }) => state);
  await expect.poll(states, soon).toEqual(['denied', 'denied']);
  expect(mailsTo(recipient)).toEqual([]);
  const notices = mailsTo(owner).map(decode);
  expect(notices).toHaveLength(1);
  expect(notices[0]).toContain(`${scheduleMessages.lostView} Choose another one.`);
  expect(notices[0]).not.toContain('Redundancy');
  expect((await call(author, 'PUT', `views/${view_id}`, { sharing: 'everyone' })).status).toBe(200);
  api.wait(1000);
  expect((await call(owner, 'POST', `schedules/${id}/send`)).status).toBe(204);
  await expect.poll(() => mailsTo(owner).length, soon).toBe(2);
  await call(owner, 'DELETE', `schedules/${id}`);
});

it('[SCHED-131] does not try a view again whose values do not fit, and tells the owner', async () => {
  const owner = await person();
  const view_id = await createView(owner, { list: 'reports', query: 'groupBy=geo' });
  const { id } = await createSchedule(owner, { view_id });
  expect((await call(owner, 'POST', `schedules/${id}/send`)).status).toBe(204);
  await expect.poll(() => mailsTo(owner).length, soon).toBe(1);
  expect(decode(mailsTo(owner)[0] ?? '')).toContain(scheduleMessages.outdatedView(''));
  await expect
    .poll(async () => (await call(owner, 'GET', `schedules/${id}`)).body.data.recipients, soon)
    .toMatchObject([{ state: 'failed' }]);
  await call(owner, 'DELETE', `schedules/${id}`);
});

it('[SCHED-003, LEAVE-004] one who was deleted, or has to set up a second factor, gets nothing; nobody does while the owner has no access', async () => {
  const [owner, gone, unproven, colleague] = [await person(), await person(), await person({ needsFactor: true }), await person()];
  const schedule = await createSchedule(owner, { recipient_ids: [gone, unproven, colleague].map(({ accountId }) => accountId) });
  await databases.pools.ops.query('update accounts set deleted_at = now() where id = $1', [gone.accountId]);
  const setAccess = async (hasAccess: boolean) =>
    databases.pools.ops.query('update accounts set has_access = $2 where id = $1', [owner.accountId, hasAccess]);
  const isDue = async () =>
    (await databases.pools.ops.query('select from schedules where id = $1 and next_run_at <= $2', [schedule.id, api.now()])).rowCount;
  const states = async () => {
    const { rows } = await databases.pools.ops.query('select account_id, state from schedule_mails where account_id = any($1) order by 1', [
      [gone, unproven, colleague].map(({ accountId }) => accountId),
    ]);
    return rows.map(({ account_id: id, state }) => [id, state]);
  };
  await setAccess(false);
  await advance(86_400_000);
  await expect.poll(isDue, soon).toBe(0);
  expect(await states()).toEqual([]);
  await setAccess(true);
  await advance(86_400_000);
  await expect.poll(states, soon).toEqual([
    [unproven.accountId, 'denied'],
    [colleague.accountId, 'sent'],
  ]);
  expect([owner, gone, unproven, colleague].map((one) => mailsTo(one).length)).toEqual([1, 0, 0, 1]);
});

it('[SCHED-116] is mailed to its owner at once, on or off, while the recipients and the next run stay', async () => {
  const [owner, other] = [await person(), await person()];
  const schedule = await createSchedule(owner, { recipient_ids: [other.accountId], is_on: false });
  const path = `schedules/${schedule.id}`;
  expect((await call(other, 'POST', `${path}/send`)).status).toBe(404);
  expect((await call(owner, 'POST', `${path}/send`)).status).toBe(204);
  await expect.poll(() => mailsTo(owner).length, soon).toBe(1);
  expect(fileIn(mailsTo(owner)[0])).not.toBe('');
  expect(mailsTo(other)).toEqual([]);
  expect((await call(owner, 'GET', path)).body.data).toEqual(schedule);
  const { rows } = await databases.pools.ops.query(
    "select action from audit_entries where entity = 'schedule' and entity_id = $1 order by id",
    [String(schedule.id)],
  );
  expect(rows.map(({ action }) => action)).toEqual(['create', 'send']);
  await databases.pools.ops.query('update accounts set is_demo = true where id = $1', [owner.accountId]);
  expect((await call(owner, 'POST', `${path}/send`)).status).not.toBe(204);
});

it('[SCHED-117] next runs are planned anew by another offset of the server, at its hour, and those that are off stay', async () => {
  const owner = await person();
  const [on, off] = [await createSchedule(owner), await createSchedule(owner, { is_on: false })];
  const { pools } = databases;
  const shift = "update schedules set next_run_at = next_run_at + interval '90 minutes' where id = any($1)";
  await pools.ops.query(shift, [[on.id, off.id]]);
  await api.maintain();
  const nextOf = async ({ id }: { id: number }) => (await call(owner, 'GET', `schedules/${id}`)).body.data.next_run_at;
  expect(await nextOf(on)).toBe(on.next_run_at);
  expect(await nextOf(off)).not.toBe(off.next_run_at);
});

it('[SCHED-117] [SCHED-129] a change of the offset neither skips the run of a day nor makes it twice', async () => {
  const owner = await person();
  const { ops } = databases.pools;
  const plan = async ({ id }: { id: number }, time: number) =>
    ops.query('update schedules set next_run_at = $2 where id = $1', [id, new Date(time)]);
  const nextOf = async ({ id }: { id: number }) => timeOf((await call(owner, 'GET', `schedules/${id}`)).body.data.next_run_at);
  const [hour, day] = [3_600_000, 86_400_000];
  const monthly = await createSchedule(owner, { interval: 'month', month_day: 28 });
  const due = timeOf(monthly.next_run_at);
  const [done, late] = [await createSchedule(owner), await createSchedule(owner)];
  api.wait(due - hour / 2 - api.now().getTime());
  await ops.query('update sessions set last_used_at = $1, authenticated_at = $1', [api.now()]);
  // Of an offset that was an hour larger: the run of this day was made, or is due and not made yet.
  await plan(done, due + day - hour);
  await plan(late, due - hour);
  await api.maintain();
  expect(await nextOf(done)).toBe(due + day);
  await expect.poll(async () => nextOf(late), soon).toBe(due + day);
  // Of an offset that was an hour smaller: the run of this day is due by the new one.
  await plan(monthly, due + hour);
  await advance(hour);
  await expect.poll(async () => nextOf(monthly), soon).toBeGreaterThan(due + 27 * day);
  const { rows } = await ops.query('select schedule_id from schedule_mails where schedule_id = any($1) order by 1', [
    [monthly, done, late].map(({ id }) => id),
  ]);
  expect(rows.map(({ schedule_id: id }) => id)).toEqual([monthly.id, late.id]);
  for (const { id } of [monthly, done, late]) await call(owner, 'DELETE', `schedules/${id}`);
});

it('[SCHED-004] [SCHED-129] saving a schedule does not skip a run that is due, and keeps the next one unless its time changes', async () => {
  const owner = await person();
  const [renamed, moved] = [await createSchedule(owner), await createSchedule(owner)];
  const due = timeOf(renamed.next_run_at);
  const nextOf = async ({ id }: { id: number }) => timeOf((await call(owner, 'GET', `schedules/${id}`)).body.data.next_run_at);
  api.wait(due + 1000 - api.now().getTime());
  await databases.pools.ops.query('update sessions set last_used_at = $1, authenticated_at = $1', [api.now()]);
  expect((await call(owner, 'PUT', `schedules/${renamed.id}`, { name: 'Renamed' })).status).toBe(200);
  expect((await call(owner, 'PUT', `schedules/${moved.id}`, { name: 'Moved', hour: 13 })).status).toBe(200);
  await expect.poll(() => mailsTo(owner).length, soon).toBe(2);
  expect([await nextOf(renamed), await nextOf(moved)]).toEqual([due + 86_400_000, due + 25 * 3_600_000]);
  expect((await call(owner, 'PUT', `schedules/${renamed.id}`, { hour: 14 })).body.data.next_run_at).toBe(
    formatDateTime((due + 2 * 3_600_000) * 1000).slice(0, 19),
  );
  // One that was off makes no run of that time.
  await call(owner, 'PUT', `schedules/${moved.id}`, { is_on: false });
  api.wait(3 * 86_400_000);
  await databases.pools.ops.query('update sessions set last_used_at = $1, authenticated_at = $1', [api.now()]);
  await call(owner, 'PUT', `schedules/${moved.id}`, { is_on: true });
  expect(await nextOf(moved)).toBeGreaterThan(api.now().getTime());
  for (const { id } of [renamed, moved]) await call(owner, 'DELETE', `schedules/${id}`);
});

it('[SCHED-004] a job that starts too early, or after its schedule was switched off, leaves no mail', async () => {
  const owner = await person();
  const { id } = await createSchedule(owner);
  const { ops } = databases.pools;
  const runNow = async (): Promise<void> => {
    const ofSchedule = `name = 'schedules' and data ->> 'scheduleId' = '${id}'`;
    await ops.query(`update jobs.job set start_after = now() where ${ofSchedule} and state = 'created'`);
    await expect
      .poll(async () => (await ops.query(`select from jobs.job where ${ofSchedule} and state <> 'completed'`)).rowCount, soon)
      .toBe(0);
  };
  await runNow();
  await call(owner, 'PUT', `schedules/${id}`, { is_on: false });
  api.wait(86_400_000);
  await runNow();
  expect((await ops.query('select from schedule_mails where schedule_id = $1', [id])).rowCount).toBe(0);
});

it('[SCHED-005] a report that the mail server does not take is tried again for a day', async () => {
  const owner = await person();
  const { id, next_run_at } = await createSchedule(owner, { interval: 'week', weekday: 1 });
  const stateOf = async () => (await call(owner, 'GET', `schedules/${id}`)).body.data.recipients[0].state;
  const attempts = refuseMails(owner);
  await advanceTo(next_run_at);
  await expect.poll(attempts, soon).toBe(1);
  expect(await stateOf()).toBe('pending');
  await advance(86_460_000);
  await retryMails();
  await expect.poll(stateOf, soon).toBe('failed');
});

it('[SCHED-005] a mail that waits has one job, however often it was tried', async () => {
  const owner = await person();
  const { id, next_run_at } = await createSchedule(owner, { interval: 'week', weekday: 1 });
  const attempts = refuseMails(owner);
  await advanceTo(next_run_at);
  const { ops } = databases.pools;
  const waiting = async () => {
    const { rows } = await ops.query<{ seconds: number }>(
      `select round(extract(epoch from start_after - now()))::int as seconds from jobs.job join schedule_mails mail
         on data ->> 'mailId' = mail.id::text where job.name = 'schedules' and job.state <> 'completed' and schedule_id = $1`,
      [id],
    );
    return rows.map(({ seconds }) => seconds > 100 && seconds <= 121);
  };
  for (const attempt of [1, 2, 3]) {
    await expect.poll(attempts, soon).toBe(attempt);
    await api.maintain();
    await expect.poll(waiting, soon).toEqual([true]);
    await retryMails();
  }
});

it('[LEAVE-004, SCHED-004, SCHED-116] a mail that waits is not sent after its schedule went off, its recipient was removed or its owner lost access', async () => {
  const [owner, other, stays, removed] = [await person(), await person(), await person(), await person()];
  const weekly = { interval: 'week', weekday: 1 };
  const schedules = [
    await createSchedule(owner, { ...weekly, name: 'Off' }),
    await createSchedule(owner, { ...weekly, recipient_ids: [stays.accountId, removed.accountId] }),
    await createSchedule(other, { ...weekly, recipient_ids: [removed.accountId] }),
    await createSchedule(other, { name: 'Now', recipient_ids: [stays.accountId], is_on: false }),
  ];
  const [off, narrowed, paused, sent] = schedules.map(({ id }) => `schedules/${id}`);
  const attempts = refuseMails(owner, other, stays, removed);
  await advanceTo(schedules[0].next_run_at);
  await expect.poll(attempts, soon).toBe(4);
  api.wait(1000);
  expect((await call(owner, 'PUT', `${off}`, { is_on: false })).status).toBe(200);
  const view_id = await createView(owner, { name: 'Private' });
  expect((await call(owner, 'PUT', `${narrowed}`, { view_id, recipient_ids: [stays.accountId] })).status).toBe(200);
  expect((await call(owner, 'POST', `${off}/send`)).status).toBe(204);
  expect((await call(other, 'POST', `${sent}/send`)).status).toBe(204);
  await expect.poll(attempts, soon).toBe(6);
  const setAccess = async (hasAccess: boolean) =>
    databases.pools.ops.query('update accounts set has_access = $2 where id = $1', [other.accountId, hasAccess]);
  await setAccess(false);
  await databases.pools.ops.query(
    `update jobs.job set start_after = now() where name = 'schedules' and state = 'created'
    and data ->> 'mailId' in (select id::text from schedule_mails where schedule_id = $1)`,
    [schedules[2].id],
  );
  await databases.pools.ops.query('update schedule_mails set sending_until = null where schedule_id = $1', [schedules[2].id]);
  const mails = async () =>
    (
      await databases.pools.ops.query('select state from schedule_mails where schedule_id = any($1)', [schedules.map(({ id }) => id)])
    ).rows.map(({ state }) => state);
  await expect.poll(async () => (await mails()).length, soon).toBe(5);
  await setAccess(true);
  server.state.refuses = null;
  await retryMails();
  await expect.poll(mails, soon).toEqual(['sent', 'sent', 'sent']);
  // Those that were sent now, also by the schedule that is off, and that of the recipient who stays.
  expect([owner, other, stays, removed].map((one) => mailsTo(one).length)).toEqual([1, 1, 1, 0]);
  expect((await call(owner, 'GET', `${paused}`)).status).toBe(404);
});

it('[SCHED-128] a report that is made late or early covers the days of its run', async () => {
  const owner = await person();
  const view_id = await createView(owner, { list: 'reports', query: 'groupBy=vertical&period=yesterday' });
  const { id, next_run_at } = await createSchedule(owner, { view_id, hour: 0 });
  const due = timeOf(next_run_at);
  const days = () => mailsTo(owner).map((mail) => /^Subject: Morning, ([\d.]+):/m.exec(decode(mail))?.[1]);
  // A run at hour 0 is of the day before by the clock of UTC.
  const dayAt = (time: number): string => displayDay(dayOf((time - 86_400_000) * 1000, '+03:00'));
  api.wait(due - 3000 - api.now().getTime());
  const ofSchedule = `name = 'schedules' and data ->> 'scheduleId' = '${id}'`;
  await databases.pools.ops.query(`update jobs.job set start_after = now() where ${ofSchedule} and state = 'created'`);
  await expect.poll(days, soon).toEqual([dayAt(due)]);
  const attempts = refuseMails(owner);
  await advance(86_403_000);
  await expect.poll(attempts, soon).toBe(1);
  server.state.refuses = null;
  api.wait(86_400_000 - 600_000);
  await retryMails();
  await expect.poll(days, soon).toEqual([dayAt(due), dayAt(due + 86_400_000)]);
  await advance(86_400_000);
  await expect.poll(days, soon).toEqual([dayAt(due), dayAt(due + 86_400_000), dayAt(due + 2 * 86_400_000)]);
  await call(owner, 'DELETE', `schedules/${id}`);
});

it('[SCHED-004] [SCHED-103, SCHED-118] runs that were missed are made once, and a report is that of its view', async () => {
  const owner = await person();
  const view_id = await createView(owner, { list: 'reports', query: 'groupBy=vertical&days=3' });
  const schedule = await createSchedule(owner, { view_id, interval: 'day', hour: 0 });
  await api.stopJobs();
  await advance(3 * 86_400_000);
  await api.app.close();
  api = await openApi(0.5, api.now());
  await expect.poll(() => mailsTo(owner).length, soon).toBe(1);
  await expect.poll(async () => (await call(owner, 'GET', `schedules/${schedule.id}`)).body.data.recipients[0].state, soon).toBe('sent');
  await api.maintain();
  expect(fileIn(mailsTo(owner)[0])).toMatch(/^\uFEFFvertical,/);
  // The days of the newest run, at hour 0.
  const to = dayOf((timeOf(schedule.next_run_at) + 2 * 86_400_000) * 1000, '+03:00');
  const from = addDays(to, -2);
  expect(mailsTo(owner)[0]).toMatch(new RegExp(`filename=view-[\\d-]+-${from}-${to}\\.csv`));
  const days = `${displayDay(from)} to ${displayDay(to)}`;
  expect(decode(mailsTo(owner)[0] ?? '')).toMatch(new RegExp(`Subject: Morning, ${days}: [\\s\\S]*, ${days},`));
  expect((await call(owner, 'GET', `schedules/${schedule.id}`)).body.data.next_run_at > '2026-11-23').toBe(true);
  expect(mailsTo(owner)).toHaveLength(1);
});

it('[SCHED-005] a report survives a process that is killed between sending and marking, with the same message id', async () => {
  const owner = await person();
  await api.stopJobs();
  await api.app.close();
  // Its one poll finds no job.
  api = await openApi(60, new Date());
  await databases.pools.ops.query(
    "update sessions set last_used_at = now(), authenticated_at = now(), expires_at = now() + interval '1 day'",
  );
  // The server holds one mail at a time.
  await databases.pools.ops.query('delete from schedules');
  await createSchedule(owner);
  await databases.pools.ops.query("update schedules set next_run_at = now() - interval '1 minute'");
  await api.maintain();
  await api.stopJobs();
  await api.app.close();

  server.state.holds = true;
  const script = join(import.meta.dirname, '../../../test/schedule-worker-process.ts');
  const victim = spawn(process.execPath, [script, url, `smtp://127.0.0.1:${server.port}`], { stdio: ['ignore', 'ignore', 'inherit'] });
  onTestFinished(() => void victim.kill('SIGKILL'));
  await expect.poll(() => mailsTo(owner).length, soon).toBe(1);
  victim.kill('SIGKILL');
  await once(victim, 'exit');
  server.state.holds = false;
  // As if the reservation of the killed process had ended.
  await databases.pools.ops.query('update schedule_mails set sending_until = null');
  api = await openApi(0.5, new Date());
  await expect.poll(() => mailsTo(owner).length, soon).toBe(2);
  const ids = mailsTo(owner).map((source) => /^message-id: .*$/im.exec(source)?.[0]);
  expect(ids[0]).toMatch(/schedule-report-/);
  expect(ids[1]).toBe(ids[0]);
});

it('[SCHED-114] a view with parameters that its list does not know cannot be chosen, and a schedule that has it is marked', async () => {
  const owner = await person();
  const schedule = await createSchedule(owner);
  expect(schedule.view.unknown_parameters).toEqual([]);
  await databases.pools.ops.query(`update saved_views set query = 'serach=lucky' where id = $1`, [schedule.view.id]);
  const chosen = await call(owner, 'POST', 'schedules', daily(schedule.view.id, owner));
  expect([chosen.status, chosen.body.errors]).toEqual([422, { serach: [unknownParameterMessage] }]);
  expect((await call(owner, 'GET', `schedules/${schedule.id}`)).body.data.view.unknown_parameters).toEqual(['serach']);
  expect((await call(owner, 'PUT', `schedules/${schedule.id}`, { name: 'Renamed' })).status).toBe(200);
});

it('[SCHED-122] mails workbooks whose texts stay texts, also those like numbers and like guarded formulas', async () => {
  const names = ['1.10', '2.0', '-0', '24', '=1+1', "'=x", "'-5", '-5', "'", 'a,"b"; c'];
  const apps = await Promise.all(names.map(async (name) => createApp(databases, { name, bundle: name })));
  const owner = await person({ apps: apps.map(({ id }) => id), permissions: [...statistics, 'manager_app_view_all'] });
  const { headers } = await signInAsServer(databases);
  const events = apps.map(({ id }) => ({
    app_id: id,
    type: 'create',
    ip: '203.0.113.9',
    client_uid: `c-${id}`,
    date: api.now().toISOString(),
  }));
  await api.call('POST', '/api/ingest/events', { headers, body: { events } });
  const rowsOf = async (view: object): Promise<unknown[]> => {
    const view_id = await createView(owner, view);
    const count = mailsTo(owner).length;
    const { id } = await createSchedule(owner, { view_id, format: 'xlsx' });
    expect((await call(owner, 'POST', `schedules/${id}/send`)).status).toBe(204);
    await expect.poll(() => mailsTo(owner).length, soon).toBe(count + 1);
    await call(owner, 'DELETE', `schedules/${id}`);
    return cellsOf(mailsTo(owner)[count] ?? '');
  };
  const inList = await rowsOf({ list: 'apps', query: 'orderBy=id&orderDirection=asc' });
  const inReport = await rowsOf({ list: 'reports', query: 'groupBy=app&measure=requests&period=this_week' });
  for (const { id, name } of apps) {
    expect(inList).toContainEqual(expect.objectContaining({ 1: id, 2: name, 3: name }));
    expect(inReport).toContainEqual([undefined, String(id), name, 1]);
  }
});
