import { alertMessages } from '@switchyard/contract/alerts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import type { Announcement } from '../../announcement.ts';

const { databases } = await createTestDatabase();
const { ops } = databases.pools;
const start = new Date('2026-11-20T10:30:00Z');
const dayMilliseconds = 86_400_000;
let api: TestApi;
let admin: SignedIn;
const announced: Announcement[] = [];

beforeAll(async () => {
  api = await buildTestApi({
    databases,
    startsAt: start,
    announce: async (_tx, announcements) => {
      announced.push(...announcements);
      return new Set(announcements.map(({ uid }) => uid));
    },
  });
  admin = await signInAs(databases, { role: 'Super Admin', since: start, lifetime: 90 * dayMilliseconds });
  await ops.query('delete from alert_rules');
});
afterAll(async () => api.app.close());

const post = async (path: string, body: object) => api.call('POST', `/api/${path}`, { ...admin, body });
/** Days later, after an evaluation. */
async function passDays(days: number): Promise<void> {
  api.wait(days * dayMilliseconds);
  await ops.query('update sessions set last_used_at = $1, authenticated_at = $1', [api.now()]);
  await api.evaluateAlerts();
}

it('[ALERT-192, ALERT-193] announces a domain once for each threshold, with the one that it reached', async () => {
  const app = await createApp(databases, { name: 'Acme' });
  await ops.query('update apps set expiration_at = $1 where id = $2', [new Date(start.getTime() + 31.5 * dayMilliseconds), app.id]);
  const rule = { name: 'Domains', kind: 'domain_expiry', threshold: 30, further_thresholds: [1, 14, 7, 14] };
  const { body: created } = await post('alerts/rules', rule);
  expect(created.data.further_thresholds).toEqual([14, 7, 1]);
  await passDays(0);
  for (let day = 0; day < 33; day += 1) await passDays(1);
  expect(announced.map(({ type, title, lines }) => ({ type, title, value: lines[1] }))).toEqual([
    { type: 'incident.fired', title: 'WARNING · Domains: Acme', value: 'Value: 29 days. The rule fires at 30 days or less.' },
    {
      type: 'incident.reminded',
      title: 'WARNING · Now 14 days or less · Domains: Acme',
      value: 'Value: 13 days. The rule fires at 14 days or less.',
    },
    {
      type: 'incident.reminded',
      title: 'WARNING · Now 7 days or less · Domains: Acme',
      value: 'Value: 6 days. The rule fires at 7 days or less.',
    },
    {
      type: 'incident.reminded',
      title: 'WARNING · Now 1 day or less · Domains: Acme',
      value: 'Value: 0 days. The rule fires at 1 day or less.',
    },
  ]);
  const { body: incidents } = await api.call('GET', '/api/incidents', admin);
  expect(incidents.data).toMatchObject([{ threshold: 1, reason: expect.stringContaining('expired on') }]);
});

/** Ends what is open, and creates the only app whose domain expires. Gives a function that sets in how many days. */
async function startOver(name: string): Promise<(days: number) => Promise<void>> {
  await ops.query('delete from alert_rules; update apps set expiration_at = null');
  await passDays(0);
  announced.length = 0;
  const { id } = await createApp(databases, { name });
  return async (days) => {
    const expiresAt = new Date(api.now().getTime() + (days + 0.5) * dayMilliseconds);
    await ops.query('update apps set expiration_at = $1 where id = $2', [expiresAt, id]);
  };
}
const types = () => announced.map(({ type }) => type);

it('[ALERT-192] announces a threshold that its rule gets or keeps while the incident is open, once', async () => {
  const expire = await startOver('Changed');
  const { body } = await post('alerts/rules', { name: 'Domains', kind: 'domain_expiry', threshold: 30, further_thresholds: [14, 7, 1] });
  const change = async (limits: number[]): Promise<void> => {
    const { status } = await api.call('PUT', `/api/alerts/rules/${body.data.id}`, { ...admin, body: { further_thresholds: limits } });
    expect(status).toBe(200);
    await passDays(0);
  };
  await expire(10);
  await passDays(0);
  expect(types()).toEqual(['incident.fired']);
  await expire(6);
  // Its place in the list is that of a threshold that was announced.
  await change([7, 1]);
  expect(types()).toEqual(['incident.fired', 'incident.reminded']);
  expect(announced.at(-1)?.title).toBe('WARNING · Now 7 days or less · Domains: Changed');
  await change([14, 7, 1]);
  expect(announced).toHaveLength(2);
});

it('[ALERT-192] announces the end of an incident that was acknowledged in a silence and announced by a further threshold', async () => {
  const expire = await startOver('Muted');
  const { body } = await post('alerts/rules', { name: 'Domains', kind: 'domain_expiry', threshold: 30, further_thresholds: [7] });
  const ends_at = new Date(api.now().getTime() + 3_600_000).toISOString();
  expect((await post('alerts/silences', { rule_id: body.data.id, ends_at })).status).toBe(201);
  await expire(10);
  await passDays(0);
  const { rows } = await ops.query<{ id: number }>('select id from incidents where resolved_at is null');
  expect((await post(`incidents/${rows[0]?.id}/acknowledge`, {})).status).toBe(200);
  expect(types()).toEqual([]);
  await expire(5);
  await passDays(1);
  await expire(200);
  await passDays(0);
  expect(types()).toEqual(['incident.reminded', 'incident.resolved']);
});

it('[ALERT-193] takes further thresholds below the own one only, and none of kinds that have no days', async () => {
  const rule = { name: 'Certificates', kind: 'certificate_expiry', threshold: 14 };
  for (const further_thresholds of [[14], [0], [30, 7]])
    expect((await post('alerts/rules', { ...rule, further_thresholds })).body.errors).toEqual({
      further_thresholds: [alertMessages.furtherThresholds],
    });
  const shares = await post('alerts/rules', { name: 'Errors', kind: 'error_share', threshold: 20, further_thresholds: [10] });
  expect(shares.body.data.further_thresholds).toEqual([]);
  const { body } = await post('alerts/rules', { ...rule, further_thresholds: [3] });
  const path = `/api/alerts/rules/${body.data.id}`;
  const lowered = await api.call('PUT', path, { ...admin, body: { threshold: 3 } });
  expect(lowered.body.errors).toEqual({ further_thresholds: [alertMessages.furtherThresholds] });
  const changed = await api.call('PUT', path, { ...admin, body: { further_thresholds: [7, 1] } });
  expect(changed.body.data.further_thresholds).toEqual([7, 1]);
  const { rows } = await ops.query(`select changes from audit_entries where entity = 'alert_rule' order by id desc limit 1`);
  expect(rows).toEqual([{ changes: [{ field: 'further_thresholds', from: [3], to: [7, 1] }] }]);
});
