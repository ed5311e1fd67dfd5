import type { IncidentDetails } from '@switchyard/contract/alerts';
import fc from 'fast-check';
import type { ServerResponse } from 'node:http';
import { beforeAll, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { startMessageReceiver, type MessageReceiver } from '../../../test/message-receiver.ts';
import { signInAs, signInAsServer, type SignedIn } from '../../../test/sign-in-as.ts';
import { soon } from '../../../test/soon.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
/** More attempts than any test lets a receiver fail. */
const retries = Array.from({ length: 500 }, () => 0);
let receiver: MessageReceiver;
let api: TestApi;
let started = false;
let admin: SignedIn;

/** Starts a console, by the clock of the one before; one that was stopped is never started again. */
async function start(): Promise<void> {
  const timings = { pollSeconds: 0.5, expireSeconds: 5, superviseSeconds: 2 };
  const startsAt = started ? api.now() : new Date();
  api = await buildTestApi({ databases, startsAt, env: { CHANNEL_NETWORKS: '127.0.0.1' }, background: { timings, retrySeconds: retries } });
  started = true;
  await api.startJobs();
}

async function stop(): Promise<void> {
  await api.stopJobs();
  await api.app.close();
}

beforeAll(async () => {
  receiver = await startMessageReceiver();
  await start();
  await databases.pools.ops.query(`delete from alert_rules where kind <> 'link_failed'`);
  admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  return async () => {
    await stop();
    await receiver.stop();
  };
});

async function createWebhook(name: string, fields: object = {}): Promise<number> {
  const target = { kind: 'webhook', url: `${receiver.url}/${name}` };
  const { status, body } = await api.call('POST', '/api/channels', { ...admin, body: { name, target, ...fields } });
  expect(status).toBe(201);
  return body.data.channel.id;
}

async function findIncident(id: number, as = admin): Promise<IncidentDetails> {
  return (await api.call('GET', `/api/incidents/${id}`, as)).body.data;
}

it('[ALERT-127] an incident says which channels took its messages, when, and with what answer, to those who see all apps', async () => {
  const [taking, failing] = [await createWebhook('taking', { group_minutes: 0 }), await createWebhook('failing', { group_minutes: 0 })];
  receiver.behave('/failing', { status: 503, text: 'later' });
  const app = await createApp(databases);
  const { serverId } = await signInAsServer(databases);
  await databases.db.insertInto('check_domains').values({ app_id: app.id, server_id: serverId, status: 'err_ssl' }).execute();
  await api.evaluateAlerts();
  const [row] = (await api.call('GET', '/api/incidents', admin)).body.data;
  const outcomes = async () =>
    (await findIncident(row.id)).messages?.map(({ channel, event, state, answer, sent_at: sentAt }) => [
      channel,
      event,
      state,
      answer?.includes('503') ?? null,
      sentAt !== null,
    ]);
  await expect.poll(outcomes, soon).toEqual([
    [{ id: taking, name: 'taking' }, 'fired', 'sent', false, true],
    [{ id: failing, name: 'failing' }, 'fired', 'pending', true, false],
  ]);
  receiver.behave('/failing', { status: 200 });
  const reader = await signInAs(databases, { role: 'Super Admin', apps: [app.id], since: api.now() });
  expect((await findIncident(row.id, reader)).messages).toBeNull();
});

it('[ALERT-202] an open incident takes the name and severity of its rule, and channels for critical messages hear of it', async () => {
  for (const table of ['check_domains', 'incidents']) await databases.pools.ops.query(`delete from ${table}`);
  const urgent = await createWebhook('urgent', { group_minutes: 0, minimum_severity: 'critical' });
  await createWebhook('all', { group_minutes: 0 });
  const titlesTo = (path: string) => receiver.to(path).map(({ body }) => body.data.title);
  const change = async (fields: object) => {
    const [rule] = (await api.call('GET', '/api/alerts/rules', admin)).body.data;
    const { status } = await api.call('PUT', `/api/alerts/rules/${rule.id}`, { ...admin, body: fields });
    expect(status).toBe(200);
    api.wait(60_000);
    await api.evaluateAlerts();
  };
  await change({ name: 'Links', severity: 'warning' });
  const app = await createApp(databases, { name: 'Steady' });
  const { serverId } = await signInAsServer(databases);
  await databases.db.insertInto('check_domains').values({ app_id: app.id, server_id: serverId, status: 'err_ssl' }).execute();
  await api.evaluateAlerts();
  await expect.poll(() => titlesTo('/all'), soon).toEqual(['WARNING · Links: Steady']);
  const find = async () => (await api.call('GET', `/api/incidents?appId=${app.id}`, admin)).body.data[0];
  // While it is silenced nothing is announced, so its severity waits.
  const silence = { ends_at: new Date(api.now().getTime() + 86_400_000).toISOString() };
  const silenced = await api.call('POST', '/api/alerts/silences', { ...admin, body: silence });
  await change({ name: 'Certificates', severity: 'critical' });
  expect(await find()).toMatchObject({ severity: 'warning', rule: { name: 'Certificates' } });
  await api.call('DELETE', `/api/alerts/silences/${silenced.body.data.id}`, admin);
  api.wait(60_000);
  await api.evaluateAlerts();
  expect(await find()).toMatchObject({ severity: 'critical', rule: { name: 'Certificates' } });
  await expect.poll(() => titlesTo('/urgent'), soon).toEqual(['CRITICAL · Certificates: Steady']);
  await change({ severity: 'warning' });
  await change({ severity: 'critical' });
  await databases.db.updateTable('check_domains').set({ status: 'ok' }).where('app_id', '=', app.id).execute();
  api.wait(60_000);
  await api.evaluateAlerts();
  const end = expect.stringMatching(/^Resolved after .* Certificates: Steady$/);
  await expect.poll(() => titlesTo('/urgent'), soon).toEqual(['CRITICAL · Certificates: Steady', end]);
  await expect.poll(() => titlesTo('/all'), soon).toEqual(['WARNING · Links: Steady', end]);
  const { timeline, messages } = await findIncident((await find()).id);
  expect(timeline.map(({ event }) => event)).toEqual(['fired', 'announced', 'silenced', 'announced', 'resolved']);
  expect(messages?.filter(({ channel }) => channel.id === urgent).map(({ event }) => event)).toEqual(['fired', 'resolved']);
});

it('[ALERT-206] the end of an incident with thousands of reminders goes to each channel that had one of its messages', async () => {
  for (const table of ['check_domains', 'incidents', 'channels']) await databases.pools.ops.query(`delete from ${table}`);
  await databases.pools.ops.query('update alert_rules set reminder_minutes = 5');
  const typesTo = (path: string) => receiver.to(path).map(({ body }) => body.type);
  const app = await createApp(databases);
  const { serverId } = await signInAsServer(databases);
  await databases.db.insertInto('check_domains').values({ app_id: app.id, server_id: serverId, status: 'err_ssl' }).execute();
  await createWebhook('first', { group_minutes: 0 });
  await api.evaluateAlerts();
  await expect.poll(() => typesTo('/first'), soon).toEqual(['incident.fired']);
  // A month of reminders, the last of which reaches another channel, too.
  await databases.pools.ops.query('update incidents set reminders = 8639');
  await createWebhook('reminded', { group_minutes: 0 });
  api.wait(5 * 60_000);
  await api.evaluateAlerts();
  await expect.poll(() => typesTo('/reminded'), soon).toEqual(['incident.reminded']);
  await createWebhook('later', { group_minutes: 0 });
  await databases.db.updateTable('check_domains').set({ status: 'ok' }).where('app_id', '=', app.id).execute();
  api.wait(60_000);
  await api.evaluateAlerts();
  await expect.poll(() => typesTo('/reminded'), soon).toEqual(['incident.reminded', 'incident.resolved']);
  await expect.poll(() => typesTo('/first'), soon).toEqual(['incident.fired', 'incident.reminded', 'incident.resolved']);
  expect(typesTo('/later')).toEqual([]);
});

const steps = [
  'break one',
  'break all',
  'mend one',
  'mend all',
  'receiver fails',
  'receiver recovers',
  'silence',
  'end silences',
  'restart',
  'time passes',
  'switch off',
  'switch on',
  'make critical',
  'make an information',
  'choose another channel',
  'choose all channels',
] as const;

/** What once left a receiver with a beginning alone. */
const losses: (typeof steps)[number][][] = [
  ['break one', 'time passes', 'switch off', 'mend one', 'switch on', 'time passes'],
  ['receiver fails', 'break one', 'time passes', 'switch off', 'mend one', 'switch on', 'time passes'],
  ['break one', 'time passes', 'make an information', 'break all', 'mend all'],
  ['break one', 'time passes', 'choose another channel', 'mend one'],
];

/** After these an incident may begin of which the channel hears nothing. */
const informsOthers: ReadonlySet<string> = new Set<(typeof steps)[number]>(['switch off', 'make an information', 'choose another channel']);

it(
  '[ALERT-128, CHAN-109] the last message about an incident is true after any failures, silences and restarts',
  { timeout: 240_000 },
  async () => {
    const path = '/watched';
    const watched = await createWebhook('watched', { minimum_severity: 'warning' });
    const other = await createWebhook('other');
    const ruleId = (await api.call('GET', '/api/alerts/rules', admin)).body.data[0].id;
    await databases.pools.ops.query('update alert_rules set reminder_minutes = 5');
    /** The type of the last message that was taken, by incident; several messages may come in one post. */
    const lastTypes = new Map<number, string>();
    const takePost = (response: ServerResponse) => {
      const { type, data } = receiver.posts.at(-1)?.body ?? {};
      for (const item of type === 'digest' ? data.messages : [{ type, data }]) lastTypes.set(item.data.details.incident_id, item.type);
      response.writeHead(200).end('ok');
    };
    receiver.behave(path, takePost);
    const { db } = databases;
    const apps = [await createApp(databases), await createApp(databases)];
    const { serverId } = await signInAsServer(databases);
    for (const { id } of apps) await db.insertInto('check_domains').values({ app_id: id, server_id: serverId }).execute();
    const setLinks = async (count: number, status: 'err_ssl' | 'ok') => {
      const ids = apps.slice(0, count).map(({ id }) => id);
      await db.updateTable('check_domains').set({ status }).where('app_id', 'in', ids).execute();
    };
    const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', where: string, body?: object) =>
      (await api.call(method, `/api/${where}`, { ...admin, ...(body && { body }) })).body?.data;
    const silences = async (): Promise<{ id: number; ends_at: string }[]> => call('GET', 'alerts/silences');
    const endSilences = async () => {
      for (const { id } of await silences()) await call('DELETE', `alerts/silences/${id}`);
    };
    const act: Readonly<Record<(typeof steps)[number], () => Promise<unknown>>> = {
      'break one': async () => setLinks(1, 'err_ssl'),
      'break all': async () => setLinks(2, 'err_ssl'),
      'mend one': async () => setLinks(1, 'ok'),
      'mend all': async () => setLinks(2, 'ok'),
      'receiver fails': async () => receiver.behave(path, { status: 503 }),
      'receiver recovers': async () => receiver.behave(path, takePost),
      silence: async () => call('POST', 'alerts/silences', { ends_at: new Date(api.now().getTime() + 86_400_000).toISOString() }),
      'end silences': endSilences,
      'switch off': async () => call('PUT', `channels/${watched}`, { is_on: false }),
      'switch on': async () => call('PUT', `channels/${watched}`, { is_on: true }),
      'make critical': async () => call('PUT', `alerts/rules/${ruleId}`, { severity: 'critical' }),
      // Less than the channel takes.
      'make an information': async () => call('PUT', `alerts/rules/${ruleId}`, { severity: 'info' }),
      'choose another channel': async () => call('PUT', `alerts/rules/${ruleId}`, { channel_ids: [other] }),
      'choose all channels': async () => call('PUT', `alerts/rules/${ruleId}`, { channel_ids: null }),
      restart: async () => {
        await stop();
        await start();
      },
      // Longer than the interval of groups; what waits is sent.
      'time passes': async () => {
        api.wait(6 * 60_000);
        await api.maintain();
      },
    };
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...steps), { minLength: 3, maxLength: 14 }), async (sequence) => {
        admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
        // What is left of the sequence before.
        for (const step of ['switch on', 'make critical', 'choose all channels', 'mend all', ...sequence] as const) {
          await act[step]();
          api.wait(60_000);
          await api.evaluateAlerts();
        }
        await act['receiver recovers']();
        await act['switch on']();
        admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
        await endSilences();
        await api.evaluateAlerts();
        api.wait(6 * 60_000);
        const pending = `select count(*)::int as count from channel_messages where channel_id = $1 and state = 'pending'`;
        await expect
          .poll(async () => {
            await api.maintain();
            return (await databases.pools.ops.query(pending, [watched])).rows[0].count;
          }, soon)
          .toBe(0);
        admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
        for (const incident of await call('GET', 'incidents?kind=link_failed&limit=100')) {
          if (!apps.some(({ id }) => id === incident.app?.id)) continue;
          const last = lastTypes.get(incident.id);
          if (incident.state === 'resolved') expect(last ?? '').not.toMatch(/^incident\.(fired|reminded)$/);
          else if (!sequence.some((step) => informsOthers.has(step))) expect(last).toMatch(/^incident\.(fired|reminded)$/);
          else expect(last).not.toBe('incident.resolved');
        }
      }),
      { numRuns: 16, examples: losses.map((sequence) => [sequence]) },
    );
  },
);
