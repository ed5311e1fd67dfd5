import { alertMessages, type CreateRuleBody } from '@switchyard/contract/alerts';
import { fromDate } from '@switchyard/contract/dates';
import { noEventCounts } from '@switchyard/traffic-store/grouped-counts';
import { createTrafficStore } from '@switchyard/traffic-store/open-traffic-store';
import { expect, it } from 'vitest';
import { sampleConversion } from '../../../test/arbitrary-deliveries.ts';
import { buildTestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs } from '../../../test/sign-in-as.ts';
import { createTestDatabase } from '../../../test/test-database.ts';
import { createKindReader } from './read-kinds.ts';

const { databases } = await createTestDatabase();
const hour = 3_600_000;
const day = 24 * hour;
const midnight = Date.parse('2026-11-20T00:00:00Z');
const startsAt = new Date(midnight + hour / 3);
const build = async (retentionDays: number) => buildTestApi({ databases, startsAt, env: { EVENT_RETENTION_DAYS: String(retentionDays) } });

it('[ALERT-204] rules compare only with times that retention keeps, or are off', async () => {
  const api = await build(8);
  const admin = await signInAs(databases, { role: 'Super Admin', since: startsAt });
  type Fields = Partial<CreateRuleBody> & Pick<CreateRuleBody, 'kind'>;
  const create = async (fields: Fields) => api.call('POST', '/api/alerts/rules', { ...admin, body: { name: 'Rule', ...fields } });
  const preview = async (fields: Fields) => api.call('POST', '/api/alerts/rules/preview', { ...admin, body: fields });
  const tooShort = { comparison: [alertMessages.retention(9, 8)] };
  for (const fields of [
    { kind: 'payout_drop' },
    { kind: 'conversion_drop', window_minutes: 1440 },
    { kind: 'app_silent', threshold: 24 },
  ] as const) {
    expect((await create(fields)).body.errors).toEqual(tooShort);
    expect((await preview(fields)).body.errors).toEqual(tooShort);
    expect((await create({ ...fields, comparison: 'yesterday' })).status).toBe(201);
  }
  for (const fields of [
    { kind: 'conversion_drop', window_minutes: 720 },
    { kind: 'app_silent', threshold: 3 },
    { kind: 'bot_share' },
  ] as const)
    expect((await create(fields)).status).toBe(201);
  const { id } = (await create({ kind: 'payout_drop', is_on: false })).body.data;
  const change = async (body: object) => api.call('PUT', `/api/alerts/rules/${id}`, { ...admin, body });
  expect((await change({ name: 'Still off' })).status).toBe(200);
  expect((await change({ is_on: true })).body.errors).toEqual(tooShort);
  await api.app.close();
});

it('[ALERT-204] no incident ends because retention dropped what it is compared with', async () => {
  await databases.pools.ops.query('delete from alert_rules');
  const app = await createApp(databases);
  const { deliveries } = createTrafficStore({ pools: databases.pools, serverOffset: '+00:00', retentionDays: 9 });
  await deliveries.maintain(fromDate(startsAt));
  const conversion = (payout: string, days: number, hours: number) =>
    sampleConversion({ appId: app.id, payout, isSend: true, createdAt: fromDate(new Date(midnight - days * day + hours * hour)) });
  await deliveries.insertConversions([
    ...[6, 18].map((hours) => conversion('500', 8, hours)),
    ...[6, 18].map((hours) => conversion('200', 1, hours)),
  ]);
  const longer = await build(9);
  const admin = await signInAs(databases, { role: 'Super Admin', since: startsAt });
  await longer.call('POST', '/api/alerts/rules', { ...admin, body: { name: 'Payout', kind: 'payout_drop' } });
  await databases.pools.ops.query('update alert_evaluation set evaluated_at = $1', [startsAt]);
  const found = async (api = longer) => {
    const reader = await signInAs(databases, { role: 'Super Admin', since: api.now() });
    const { body } = await api.call('GET', '/api/incidents', reader);
    return body.data.map(({ state, reason }: { state: string; reason: string }) => [state, reason]);
  };
  await longer.evaluateAlerts();
  const firing = [['firing', 'Payout fell by 60%: 400 on 19.11.2026, 1,000 on 12.11.2026.']];
  expect(await found()).toEqual(firing);
  await longer.app.close();
  const shorter = await build(8);
  shorter.wait(8 * hour);
  await shorter.maintain();
  await databases.pools.ops.query('update alert_evaluation set evaluated_at = $1', [shorter.now()]);
  await shorter.evaluateAlerts();
  expect(await found(shorter)).toEqual(firing);
  await shorter.app.close();
});

it('[ALERT-204] requests are compared as long as their week is kept', async () => {
  const { deliveries } = createTrafficStore({ pools: databases.pools, serverOffset: '+00:00', retentionDays: 7 });
  const rule = { threshold: 3, window_minutes: 180, minimum: 30, comparison: 'last_week', request_filter: '' } as const;
  const isKnown = async (now: string) => {
    const reader = createKindReader(
      {
        db: databases.db,
        eventStore: { countGroups: async ({ by }) => noEventCounts({ by }) },
        deliveryStore: deliveries,
        serverOffset: '+00:00',
        retentionDays: 7,
        countSealProblems: () => 0,
        logDir: '/nonexistent',
      },
      { now: new Date(now), nameOf: () => '' },
    );
    const readings = await Promise.all(
      (['app_silent', 'create_drop', 'bot_share', 'error_share'] as const).map(async (kind) => reader.read(kind, [rule])),
    );
    return readings.map(({ parts }) => parts(rule) !== null);
  };
  // A Monday, when the week before the last one was dropped.
  expect(await isKnown('2026-11-23T01:00:00Z')).toEqual([false, false, true, true]);
  expect(await isKnown('2026-11-24T01:00:00Z')).toEqual([true, true, true, true]);
});
