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
