import { alertKindNames, windowFilters, type Incident } from '@switchyard/contract/alerts';
import { fromDate } from '@switchyard/contract/dates';
import { createTrafficStore } from '@switchyard/traffic-store/open-traffic-store';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sampleConversion } from '../../../test/arbitrary-deliveries.ts';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { createApp } from '../../../test/factories/app.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { recordStatements } from '../../../test/store-reads.ts';
import { createTestDatabase } from '../../../test/test-database.ts';

// Connections keep the method that they begin with.
const takeStatements = recordStatements();
const { databases } = await createTestDatabase();
const { ops } = databases.pools;
const dayMilliseconds = 86_400_000;
/** In the server's offset it is the 20th already. */
const startsAt = new Date('2026-11-19T23:30:00Z');
const offset = '+02:00';
let api: TestApi;
let admin: SignedIn;
const ids: Record<string, number> = {};

const post = async (body: object) => api.call('POST', '/api/alerts/rules', { ...admin, body });

beforeAll(async () => {
  api = await buildTestApi({ databases, startsAt, env: { SERVER_UTC_OFFSET: offset } });
  admin = await signInAs(databases, { role: 'Super Admin', since: startsAt });
  await ops.query('delete from alert_rules');
  for (const name of ['fell', 'rose', 'small', 'returned']) ids[name] = (await createApp(databases, { name })).id;
  const { deliveries } = createTrafficStore({ pools: databases.pools, serverOffset: offset, retentionDays: 90 });
  await deliveries.maintain(fromDate(startsAt));
  /** Hours before midnight of the 20th by the server's offset. */
  const conversion = (name: string, payout: string, hoursBefore: number) => ({
    uuid: randomUUID(),
    appId: ids[name] ?? 0,
    source: '',
    clientUid: null,
    streamUid: 'st_1',
    clickId: null,
    receiveApfUid: null,
    appInstanceId: null,
    statusConversion: 'sale',
    payout,
    status: 'success',
    error: null,
    isSend: true,
    isQa: false,
    createdAt: fromDate(new Date(Date.parse('2026-11-19T22:00:00Z') - hoursBefore * 3_600_000)),
  });
  const lastWeek = 7 * 24;
  await deliveries.insertConversions([
    conversion('fell', '100.50', 23),
    conversion('fell', '19.50', 1),
    conversion('fell', '1000', -1),
    conversion('fell', '250', lastWeek + 23),
    conversion('fell', '150', lastWeek + 1),
    conversion('fell', '130', 24 + 1),
    conversion('rose', '300', 2),
    conversion('rose', '200', lastWeek + 2),
    conversion('small', '29', lastWeek + 2),
    conversion('returned', '40', lastWeek + 2),
    conversion('returned', '-5', 2),
  ]);
});
afterAll(async () => api.app.close());

it('[ALERT-195] the payout of the last whole day of the server is compared with an earlier day, of apps with enough of it', async () => {
  await post({ name: 'Money', kind: 'payout_drop' });
  await post({ name: 'Day before', kind: 'payout_drop', comparison: 'before', threshold: 5 });
  // Time in which no console ran counts as unknown; this one evaluated all the time.
  await ops.query('update alert_evaluation set evaluated_at = $1', [startsAt]);
  api.wait(60_000);
  await api.evaluateAlerts();
  const { body } = await api.call('GET', '/api/incidents?orderBy=value', admin);
  expect(body.data.map(({ rule, app, value, reason }: Incident) => [rule.name, app?.name, value, reason])).toEqual([
    ['Money', 'returned', 100, 'Payout fell by 100%: -5 on 19.11.2026, 40 on 12.11.2026.'],
    ['Money', 'fell', 70, 'Payout fell by 70%: 120 on 19.11.2026, 400 on 12.11.2026.'],
    ['Day before', 'fell', 7.7, 'Payout fell by 7.7%: 120 on 19.11.2026, 130 on 18.11.2026.'],
  ]);
  const { window, compared }: Incident = body.data[1];
  const sums: number[] = [];
  for (const span of [window, compared]) {
    const query = new URLSearchParams(span === null ? {} : windowFilters(span)).toString();
    const { body: rows } = await api.call('GET', `/api/apps/${ids['fell'] ?? 0}/conversions?${query}`, admin);
    sums.push(rows.data.reduce((sum: number, { payout }: { payout: number }) => sum + payout, 0));
  }
  expect(sums).toEqual([120, 400]);
});

it('[ALERT-205] fires at exactly its threshold and minimum, whatever the decimals', async () => {
  const { deliveries } = createTrafficStore({ pools: databases.pools, serverOffset: offset, retentionDays: 90 });
  const noon = Date.parse('2026-11-19T10:00:00Z');
  const conversion = (appId: number, payout: string, daysBefore: number, status = 'success') =>
    sampleConversion({ appId, payout, status, isSend: true, createdAt: fromDate(new Date(noon - daysBefore * dayMilliseconds)) });
  const [quarter, sums] = [await createApp(databases, { name: 'quarter' }), await createApp(databases, { name: 'sums' })];
  await deliveries.insertConversions([
    conversion(quarter.id, '30.04', 1),
    conversion(quarter.id, '22.53', 0),
    // The sum of floating-point numbers is below 30, the minimum.
    ...['1.13', '8.04', '20.83'].map((payout, index) => conversion(sums.id, payout, 1, `status ${index}`)),
    conversion(sums.id, '22.5', 0),
  ]);
  const rule = { name: 'Exact', kind: 'payout_drop', comparison: 'yesterday', threshold: 25, minimum: 30 };
  const { id } = (await post(rule)).body.data;
  api.wait(60_000);
  await api.evaluateAlerts();
  const { body } = await api.call('GET', `/api/incidents?ruleId=${id}&orderBy=subject&orderDirection=asc`, admin);
  expect(body.data.map(({ app, value }: Incident) => [app?.name, value])).toEqual([
    ['quarter', 25],
    ['sums', 25],
  ]);
});

it('[ALERT-195] says nothing while much of the day passed without a console', async () => {
  await ops.query('delete from incidents');
  const noon = new Date(startsAt.getTime() - dayMilliseconds / 2);
  await ops.query('insert into alert_absences (began_at, ended_at) values ($1, $2)', [
    noon,
    new Date(noon.getTime() + dayMilliseconds / 4),
  ]);
  api.wait(60_000);
  await api.evaluateAlerts();
  expect((await api.call('GET', '/api/incidents', admin)).body.data).toEqual([]);
  await ops.query('delete from alert_absences');
});

it('[ALERT-196] an evaluation runs as many statements for many rules as for one of each kind', async () => {
  await ops.query('delete from alert_rules');
  const statementsWith = async (copies: number): Promise<number> => {
    await ops.query(
      `insert into alert_rules (name, kind, threshold, window_minutes, minimum, comparison)
       select kind || n, kind, least(99, 10 + n), case when kind like '%share' or kind in ('create_drop', 'conversion_drop') then 180 end, 1000000, 'last_week'
       from unnest($1::text[]) as kind, generate_series(1, $2) as n where kind <> 'app_silent'`,
      [alertKindNames, copies],
    );
    // What begins is stored once.
    for (let round = 0; round < 2; round += 1) {
      api.wait(60_000);
      takeStatements();
      await api.evaluateAlerts();
    }
    return takeStatements().length;
  };
  const few = await statementsWith(1);
  expect(few).toBeGreaterThan(10);
  expect(await statementsWith(20)).toBe(few);
});
