import type { CreateRuleBody, Incident } from '@switchyard/contract/alerts';
import { fromDate } from '@switchyard/contract/dates';
import { createTrafficStore } from '@switchyard/traffic-store/open-traffic-store';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { NewEvent } from '@switchyard/traffic-store/event-fields';
import type { Announcement } from '../../announcement.ts';
import { sampleConversion } from '../../../test/arbitrary-deliveries.ts';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { type EventStoreUnderTest, eventStores } from '../../../test/event-stores.ts';
import { createApp } from '../../../test/factories/app.ts';
import { sampleEvent } from '../../../test/sample-event.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';

const minute = 60_000;
const hour = 60 * minute;
const startsAt = new Date('2026-11-20T10:30:00Z');

describe.each(eventStores)('outages that last, on $name', ({ open }) => {
  let stores: EventStoreUnderTest;
  let api: TestApi;
  let admin: SignedIn;
  let appId: number;
  let announced: Announcement[] = [];

  beforeAll(async () => {
    stores = await open();
    api = await buildTestApi({
      databases: stores.databases,
      ...(stores.clickhouse ? { engine: stores.clickhouse } : {}),
      startsAt,
      announce: async (_tx, announcements) => {
        announced.push(...announcements);
        return new Set(announcements.map(({ uid }) => uid));
      },
    });
    await api.maintain();
    return async () => api.app.close();
  });

  beforeEach(async () => {
    // Half past the next hour.
    api.wait(1.5 * hour - (api.now().getTime() % hour));
    const { ops } = stores.databases.pools;
    await ops.query('delete from incidents');
    await ops.query('delete from alert_rules');
    await ops.query('update apps set deleted_at = now()');
    await ops.query('update alert_evaluation set evaluated_at = $1', [api.now()]);
    appId = (await createApp(stores.databases)).id;
    announced = [];
  });

  async function addRule(fields: Partial<CreateRuleBody> & Pick<CreateRuleBody, 'kind'>): Promise<void> {
    admin = await signInAs(stores.databases, { role: 'Super Admin', since: api.now() });
    const { status } = await api.call('POST', '/api/alerts/rules', { ...admin, body: { name: 'Rule', comparison: 'before', ...fields } });
    expect(status).toBe(201);
  }

  /** Inserts requests, spread over the hour that is so many hours before the running one. */
  async function insertRequests(count: number, hoursBefore: number, fields: Partial<NewEvent> = {}): Promise<void> {
    await stores
      .openStore('+00:00')
      .insertEvents(
        Array.from({ length: count }, (_, index) =>
          sampleEvent({ app_id: appId, type: 'create', occurred_at: timeIn(hoursBefore, index / count), ...fields }),
        ),
      );
  }

  async function insertConversions(count: number, hoursBefore: number): Promise<void> {
    const { deliveries } = createTrafficStore({ pools: stores.databases.pools, serverOffset: '+00:00', retentionDays: 90 });
    await deliveries.insertConversions(
      Array.from({ length: count }, (_, index) => sampleConversion({ appId, isSend: true, createdAt: timeIn(hoursBefore, index / count) })),
    );
  }

  const timeIn = (hoursBefore: number, share: number) =>
    fromDate(new Date((Math.floor(api.now().getTime() / hour) - hoursBefore + share) * hour));

  async function evaluateFor(minutes: number): Promise<string[]> {
    const before = announced.length;
    for (let passed = 0; passed < minutes; passed += 1) {
      api.wait(minute);
      await api.evaluateAlerts();
    }
    return announced.slice(before).map(({ type, lines }) => `${type} ${lines[0] ?? ''}`);
  }

  async function findIncident(): Promise<Incident> {
    admin = await signInAs(stores.databases, { role: 'Super Admin', since: api.now() });
    return (await api.call('GET', '/api/incidents', admin)).body.data[0];
  }

  it('[ALERT-203] conversions that stay away are one incident until there are enough again', async () => {
    await insertConversions(50, 1);
    await insertConversions(50, 2);
    await addRule({ kind: 'conversion_drop', window_minutes: 60, reminder_minutes: 180 });
    expect(await evaluateFor(35)).toEqual(['incident.fired Conversions fell by 100%: 0 in the last hour, 50 in the hour before.']);
    // From now on none was expected in the hour before either.
    expect(await evaluateFor(60)).toEqual([]);
    expect(await findIncident()).toMatchObject({
      state: 'firing',
      value: null,
      reason: 'Conversions: 0 in the last hour, 0 in the hour before.',
    });
    expect(await evaluateFor(120)).toEqual(['incident.reminded Conversions: 0 in the last hour, 0 in the hour before.']);
    // As few in two hours are no sign that it is over.
    for (const hoursBefore of [0, -1]) await insertConversions(20, hoursBefore);
    expect(await evaluateFor(120)).toEqual([]);
    await insertConversions(30, 0);
    expect(await evaluateFor(60)).toEqual(['incident.resolved Conversions: 30 in the last hour, 20 in the hour before.']);
  });

  it('[ALERT-203] an app stays silent until it has requests, whatever there was before', async () => {
    await insertRequests(40, 1);
    await addRule({ kind: 'app_silent', threshold: 1 });
    expect(await evaluateFor(60)).toEqual(['incident.fired No request for 1 hour, although there were 40 in the hour before.']);
    expect(await evaluateFor(120)).toEqual([]);
    expect((await findIncident()).reason).toBe('No request for 1 hour, and none in the hour before.');
    await insertRequests(1, 0);
    expect(await evaluateFor(2)).toEqual(['incident.resolved The app had requests in the last 1 hour.']);
  });

  it('[ALERT-203] few rows of a time before the outage end an incident if they show that it is over', async () => {
    const lastWeek = 7 * 24;
    for (const [index, count] of [40, 20, 20].entries()) await insertRequests(count, lastWeek - index);
    for (const [index, count] of [0, 5, 19].entries()) await insertRequests(count, -index);
    await addRule({ kind: 'create_drop', window_minutes: 60, comparison: 'last_week' });
    expect(await evaluateFor(31)).toEqual(['incident.fired Creates fell by 100%: 0 in the last hour, 40 in the same hours of last week.']);
    expect(await evaluateFor(60)).toEqual([]);
    expect(await findIncident()).toMatchObject({
      state: 'firing',
      reason: 'Creates: 5 in the last hour, 20 in the same hours of last week.',
    });
    expect(await evaluateFor(60)).toEqual(['incident.resolved Creates: 19 in the last hour, 20 in the same hours of last week.']);
  });

  it('[ALERT-203] an incident without rows to compare ends with its app, or once it is over for as long as the rule says', async () => {
    await insertRequests(40, 1);
    await addRule({ kind: 'create_drop', window_minutes: 60, hold_minutes: 150 });
    expect(await evaluateFor(60)).toEqual(['incident.fired Creates fell by 100%: 0 in the last hour, 40 in the hour before.']);
    // It is over from the end of this hour on. Two hours later there are too few to compare.
    for (const [index, count] of [35, 20, 15].entries()) await insertRequests(count, -index);
    expect(await evaluateFor(30 + 149)).toEqual([]);
    expect(await evaluateFor(2)).toEqual(['incident.resolved Creates: 15 in the last hour, 20 in the hour before.']);
    await insertRequests(40, 1);
    await evaluateFor(120);
    expect((await findIncident()).state).toBe('firing');
    await stores.databases.db.updateTable('apps').set({ deleted_at: api.now() }).where('id', '=', appId).execute();
    expect(await evaluateFor(152)).toEqual(['incident.resolved The app was archived.']);
  });
});
