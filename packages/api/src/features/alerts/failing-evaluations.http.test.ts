import { fromDate } from '@switchyard/contract/dates';
import { createTrafficStore } from '@switchyard/traffic-store/open-traffic-store';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Announcement } from '../../announcement.ts';
import { sampleConversion } from '../../../test/arbitrary-deliveries.ts';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, signInAsServer } from '../../../test/sign-in-as.ts';
import { soon } from '../../../test/soon.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

const { databases } = await createTestDatabase();
const { ops } = databases.pools;
const minute = 60_000;
const hour = 60 * minute;
const startsAt = new Date('2026-11-20T00:20:00Z');
let api: TestApi;
let serverId: number;
/** What fails the evaluation under way. */
let fault: Error | null = null;
let announced: Announcement[] = [];

beforeAll(async () => {
  api = await buildTestApi({
    databases,
    startsAt,
    announce: async (_tx, announcements) => {
      if (fault !== null) throw fault;
      announced.push(...announcements);
      return new Set(announcements.map(({ uid }) => uid));
    },
  });
  ({ serverId } = await signInAsServer(databases));
  return async () => api.app.close();
});

beforeEach(async () => {
  await ops.query('delete from incidents');
  await ops.query('delete from alert_rules');
  // As if no console had run before.
  api.wait(2 * minute);
  announced = [];
});

async function addRule(kind: string): Promise<void> {
  const admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  const { status } = await api.call('POST', '/api/alerts/rules', { ...admin, body: { name: kind, kind } });
  expect(status).toBe(201);
}

/** Evaluates each minute; an evaluation for whose minute there is a fault fails with it. */
async function evaluateFor(minutes: number, faultOf: (minute: number) => Error | null): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 1) {
    api.wait(minute);
    fault = faultOf(passed);
    const evaluation = api.evaluateAlerts();
    await (fault === null ? evaluation : expect(evaluation).rejects.toThrow(fault));
  }
}

it('[ALERT-201, ALERT-120] rules about missing traffic fire although an evaluation fails now and then', async () => {
  const app = await createApp(databases, { name: 'Fell' });
  const { deliveries } = createTrafficStore({ pools: databases.pools, serverOffset: '+00:00', retentionDays: 90 });
  await deliveries.maintain(fromDate(startsAt));
  const conversion = (payout: string, daysAgo: number) =>
    sampleConversion({ appId: app.id, payout, isSend: true, createdAt: fromDate(new Date(startsAt.getTime() - daysAgo * 24 * hour)) });
  await deliveries.insertConversions([conversion('1000', 8), conversion('10', 1)]);
  await ops.query('update alert_evaluation set evaluated_at = $1', [api.now()]);
  await evaluateFor(1, () => null);
  await addRule('payout_drop');
  const failed = new Error('deadlock detected');
  await evaluateFor(20, (passed) => (passed % 9 === 0 ? failed : null));
  expect(announced.map(({ title }) => title)).toEqual(['WARNING · payout_drop: Fell']);
});

it('[ALERT-201, ALERT-120] evaluations that fail without a database count as time without a console', async () => {
  await ops.query('update traffic_servers set last_seen_at = $1 where id = $2', [api.now(), serverId]);
  await evaluateFor(1, () => null);
  await addRule('server_silent');
  // The rule fires after ten minutes. A server that called a minute ago is one that could not call since.
  await evaluateFor(20, () => Object.assign(new Error('the database system is shutting down'), { code: '57P01' }));
  await evaluateFor(8, () => null);
  expect(announced).toEqual([]);
  await evaluateFor(3, () => null);
  expect(announced.map(({ type }) => type)).toEqual(['incident.fired']);
  expect(announced[0]?.lines[1]).toBe('Value: 10 minutes. The rule fires at 10 minutes or more.');
});

it('[ALERT-201] what happened before a failed first evaluation stays time without a console', async () => {
  await ops.query('update traffic_servers set last_seen_at = $1 where id = $2', [api.now(), serverId]);
  await evaluateFor(1, () => null);
  await addRule('server_silent');
  api.wait(hour);
  await evaluateFor(2, () => new Error('deadlock detected'));
  await evaluateFor(4, () => null);
  expect(announced).toEqual([]);
});

it('[ALERT-206] the announcement of an end is as long for an incident with a month of reminders as for any other', async () => {
  const app = await createApp(databases);
  const link = databases.db.insertInto('check_domains').values({ app_id: app.id, server_id: serverId, status: 'err_ssl' });
  await link.execute();
  await addRule('link_failed');
  await evaluateFor(1, () => null);
  await ops.query('update incidents set reminders = 8640');
  await ops.query('delete from check_domains');
  await evaluateFor(1, () => null);
  expect(announced.map(({ type }) => type)).toEqual(['incident.fired', 'incident.resolved']);
  expect(JSON.stringify(announced).length).toBeLessThan(5000);
});

it('[ALERT-207] a rule that is changed while its values are read is evaluated as it is, by the next evaluation', async () => {
  const { id } = await createApp(databases, { name: 'Outside' });
  const other = await createApp(databases);
  await databases.db.insertInto('check_domains').values({ app_id: id, server_id: serverId, status: 'err_ssl' }).execute();
  await addRule('link_failed');
  const admin = await signInAs(databases, { role: 'Super Admin', since: api.now() });
  const find = async () => (await api.call('GET', '/api/alerts/rules', admin)).body.data[0];
  const rule = await find();
  const client = await databases.pools.exports.connect();
  await client.query('begin; lock table check_domains in access exclusive mode');
  api.wait(minute);
  const evaluation = api.evaluateAlerts();
  const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await ops.query(waits)).rowCount, soon).toBe(1);
  const scope = { apps: 'chosen', verticals: [], app_ids: [other.id] };
  expect((await api.call('PUT', `/api/alerts/rules/${rule.id}`, { ...admin, body: { scope } })).status).toBe(200);
  await client.query('commit');
  client.release();
  await evaluation;
  expect((await find()).evaluated_at).toBeNull();
  await evaluateFor(1, () => null);
  expect((await find()).evaluated_at).not.toBeNull();
  expect(announced).toEqual([]);
});
