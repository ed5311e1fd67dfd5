import {
  alertKinds,
  alertMessages,
  incident,
  windowFilters,
  type AlertKind,
  type Incident,
  type KindRule,
  type RulePreview,
} from '@switchyard/contract/alerts';
import { fromDate } from '@switchyard/contract/dates';
import { beforeAll, describe, expect, it } from 'vitest';
import { toEventCounts } from '@switchyard/traffic-store/grouped-counts';
import { EventStoreUnavailable } from '@switchyard/traffic-store/event-store-unavailable';
import { createTrafficStore } from '@switchyard/traffic-store/open-traffic-store';
import type { NewEvent } from '@switchyard/traffic-store/event-fields';
import { sampleConversion } from '../../../test/arbitrary-deliveries.ts';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { type EventStoreUnderTest, eventStores } from '../../../test/event-stores.ts';
import { createApp } from '../../../test/factories/app.ts';
import { sampleEvent } from '../../../test/sample-event.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { createKindReader } from './read-kinds.ts';

const minute = 60_000;
const hour = 60 * minute;
const week = 7 * 24 * hour;
/** The whole hours by the server's offset end a quarter of an hour before. */
const startsAt = new Date('2026-11-20T10:30:00Z');
const endedAt = -15 * minute;
const offset = '+05:45';

describe.each(eventStores)('rules about traffic on $name', ({ open }) => {
  let stores: EventStoreUnderTest;
  let api: TestApi;
  let admin: SignedIn;
  const ids: Record<string, number> = {};
  const rows: NewEvent[] = [];

  const add = (name: string, count: number, milliseconds: number, fields: Partial<NewEvent> = {}) => {
    const occurredAt = fromDate(new Date(startsAt.getTime() + milliseconds));
    for (let n = 0; n < count; n += 1) rows.push(sampleEvent({ app_id: ids[name] ?? 0, occurred_at: occurredAt, ...fields }));
  };

  beforeAll(async () => {
    stores = await open();
    const { databases } = stores;
    api = await buildTestApi({
      databases,
      ...(stores.clickhouse ? { engine: stores.clickhouse } : {}),
      startsAt,
      env: { SERVER_UTC_OFFSET: offset },
    });
    admin = await signInAs(databases, { role: 'Super Admin', since: startsAt });
    await databases.pools.ops.query('delete from alert_rules');
    for (const name of ['silent', 'few', 'lively', 'ahead', 'errors', 'small', 'dropped', 'fell', 'archived', 'converts'])
      ids[name] = (await createApp(databases, { name })).id;
    add('silent', 10, endedAt - 3 * hour - week, { type: 'track' });
    add('silent', 1, endedAt - 3 * hour - 1000);
    add('few', 9, endedAt - hour - week);
    add('lively', 20, endedAt - hour - week);
    add('lively', 1, endedAt - 3 * hour);
    add('ahead', 20, endedAt - 1000 - week);
    add('ahead', 1, 20 * hour);
    add('archived', 20, endedAt - hour - week);
    add('errors', 6, endedAt - 1000, { type: 'error' });
    add('errors', 4, endedAt - 1000, { type: 'track', error: { exception_type: 'Notice' } });
    add('errors', 24, endedAt - 3 * hour, { type: 'track', bot: 'L1' });
    add('errors', 6, endedAt - 2 * hour, { type: 'track', bot: 'CF' });
    add('errors', 50, endedAt, { type: 'track' });
    add('small', 29, endedAt - hour, { type: 'error', bot: 'L1' });
    add('fell', 40, endedAt - hour - week);
    add('dropped', 40, endedAt - hour - week);
    add('dropped', 10, endedAt - hour);
    add('dropped', 5, endedAt);
    add('dropped', 5, endedAt - week);
    const store = stores.openStore(offset);
    await store.maintain(fromDate(startsAt));
    await store.insertEvents(rows);
    const { deliveries } = createTrafficStore({ pools: databases.pools, serverOffset: offset, retentionDays: 90 });
    await deliveries.maintain(fromDate(startsAt));
    const conversion = (milliseconds: number) =>
      sampleConversion({ appId: ids['converts'] ?? 0, isSend: true, createdAt: fromDate(new Date(startsAt.getTime() + milliseconds)) });
    await deliveries.insertConversions([
      ...Array.from({ length: 30 }, () => conversion(endedAt - hour - week)),
      ...Array.from({ length: 12 }, () => conversion(endedAt - hour)),
      ...Array.from({ length: 30 }, () => conversion(0)),
    ]);
    await databases.db
      .updateTable('apps')
      .set({ deleted_at: startsAt })
      .where('id', '=', ids['archived'] ?? 0)
      .execute();
    return async () => api.app.close();
  });

  it('[ALERT-014, ALERT-120] compare whole hours that a console watched, and those of last week, of apps with enough requests', async () => {
    const { ops } = stores.databases.pools;
    await ops.query('update alert_evaluation set evaluated_at = $1', [new Date(startsAt.getTime() - 90 * minute)]);
    for (const kind of ['app_silent', 'error_share', 'bot_share', 'create_drop', 'conversion_drop'])
      await api.call('POST', '/api/alerts/rules', { ...admin, body: { name: kind, kind } });
    await api.evaluateAlerts();
    const found = async (): Promise<unknown> =>
      (await api.call('GET', '/api/incidents', admin)).body.data
        .map(({ rule, app, value }: Incident) => [rule.kind, app?.name, value])
        .toSorted((one: unknown[], other: unknown[]) => (one.join() < other.join() ? -1 : 1));
    const evaluateFor = async (minutes: number): Promise<void> => {
      for (let passed = 0; passed < minutes; passed += 1) {
        api.wait(minute);
        await api.evaluateAlerts();
      }
    };
    const present = [
      ['bot_share', 'errors', 60],
      ['error_share', 'errors', 25],
    ];
    // More than a tenth of the hours passed without a console.
    await evaluateFor(12);
    expect(await found()).toEqual(present);
    await ops.query('update alert_absences set began_at = $1', [new Date(api.now().getTime() - 14 * minute)]);
    await evaluateFor(1);
    expect(await found()).toHaveLength(6);
    await ops.query('delete from incidents');
    // Traffic servers need time to deliver what they kept.
    api.wait(3 * minute);
    await evaluateFor(1);
    expect(await found()).toEqual(present);
    await evaluateFor(10);
    expect(await found()).toEqual([
      ['app_silent', 'fell', 3],
      ['app_silent', 'silent', 3],
      ['bot_share', 'errors', 60],
      ['conversion_drop', 'converts', 60],
      ['create_drop', 'dropped', 75],
      ['error_share', 'errors', 25],
    ]);
    const { body } = await api.call('GET', '/api/incidents?kind=create_drop,app_silent', admin);
    expect(body.data.map(({ reason }: Incident) => reason).toSorted()).toEqual([
      'Creates fell by 75%: 10 in the last 3 hours, 40 in the same hours of last week.',
      'No request for 3 hours, although there were 10 in the same hours of last week.',
      'No request for 3 hours, although there were 40 in the same hours of last week.',
    ]);
  });

  /** The rows behind the links of an incident: in its window, and in the one that it is compared with. */
  const totalsOf = async ({ rule, app, window, compared }: Incident): Promise<number[]> => {
    const { counts }: KindRule = alertKinds[rule.kind];
    const totals: number[] = [];
    for (const span of [window, compared]) {
      if (span === null) continue;
      const filters = Object.entries({ ...counts?.filters, ...windowFilters(span) }).flatMap(([name, value]) =>
        [value].flat().map((one): [string, string] => [name, one]),
      );
      const path = `/api/apps/${app?.id ?? 0}/${counts?.list === 'conversions' ? 'conversions' : 'postbacks'}`;
      totals.push((await api.call('GET', `${path}?${new URLSearchParams(filters).toString()}`, admin)).body.pagination.total);
    }
    return totals;
  };

  it('[ALERT-123, ALERT-124] have a window and filters that list exactly the rows which their message counts', async () => {
    const { body } = await api.call('GET', '/api/incidents?limit=20', admin);
    const shown: Record<string, number[]> = {};
    const counted: Record<string, number[]> = {};
    for (const one of incident.array().parse(body.data)) {
      const { rule, compared, reason } = one;
      shown[rule.kind] = await totalsOf(one);
      const [first = 0, second = 0, , fourth = 0] = Array.from(reason.matchAll(/\d+/g), Number);
      if (rule.kind === 'app_silent') counted[rule.kind] = [0, second];
      else counted[rule.kind] = compared === null ? [(first * second) / 100] : [second, fourth];
    }
    expect(shown).toEqual(counted);
    expect(Object.keys(shown)).toHaveLength(5);
  });

  it('[ALERT-131] of no traffic cover those of fewer creates of the app if they are as severe and each channel hears of them', async () => {
    const { ops } = stores.databases.pools;
    const dropsOf = async (change: string): Promise<unknown> => {
      await ops.query(`update alert_rules set ${change} where kind = 'app_silent'`);
      await api.evaluateAlerts();
      const { body } = await api.call('GET', '/api/incidents?kind=create_drop&state=firing', admin);
      return body.data.map(({ app }: Incident) => app?.name).toSorted();
    };
    expect(await dropsOf(`severity = 'critical'`)).toEqual(['dropped']);
    expect(await dropsOf(`severity = 'info'`)).toEqual(['dropped', 'fell']);
    expect(await dropsOf(`severity = 'warning'`)).toEqual(['dropped']);
    expect(await dropsOf('all_channels = false')).toEqual(['dropped', 'fell']);
    await ops.query('update alert_rules set all_channels = true');
  });

  it('[ALERT-013] are previewed over the last 30 days', async () => {
    const preview = async (kind: AlertKind, fields: object = {}): Promise<RulePreview> => {
      const { status, body } = await api.call('POST', '/api/alerts/rules/preview', { ...admin, body: { kind, ...fields } });
      expect(status).toBe(200);
      return body.data;
    };
    const wire = (milliseconds: number) => new Date(startsAt.getTime() + milliseconds).toISOString().slice(0, 19).replace('T', ' ');
    const errors = await preview('error_share', { threshold: 25 });
    expect(errors.points).toHaveLength(30 * 24);
    expect(errors.points.at(-1)).toEqual({ at: wire(endedAt), value: 25, subject: 'errors' });
    expect(errors).toMatchObject({ firings: [{ subject: 'errors', from: wire(endedAt), until: null }], firing_total: 1, days: 30 });
    expect((await preview('error_share', { threshold: 26 })).firing_total).toBe(0);
    expect((await preview('error_share', { threshold: 25, pending_minutes: 60 })).firing_total).toBe(0);
    expect((await preview('error_share', { threshold: 25, scope: { apps: 'chosen', app_ids: [ids['small']] } })).firing_total).toBe(0);
    expect((await preview('bot_share', { threshold: 60 })).points.at(-1)).toMatchObject({ value: 60, subject: 'errors' });
    expect((await preview('create_drop', { threshold: 75 })).points.at(-1)).toMatchObject({ value: 100, subject: 'fell' });
    const conversions = await preview('conversion_drop', { threshold: 60 });
    expect(conversions.points.at(-1)).toMatchObject({ value: 60, subject: 'converts' });
    const silence = await preview('app_silent');
    expect(silence.firings).toContainEqual({ subject: 'silent', from: wire(endedAt), until: null });
    expect(silence.firings.some(({ subject }) => subject === 'archived' || subject === 'few')).toBe(false);
  });

  it('[ALERT-165] give an incident its hourly values from a day before it began, as the preview does, to those who see its app', async () => {
    const wire = (milliseconds: number) => new Date(startsAt.getTime() + milliseconds).toISOString().slice(0, 19).replace('T', ' ');
    const insert = async (kind: AlertKind) => {
      const inserted = await stores.databases.pools.ops.query<{ id: number }>(
        `insert into incidents (rule_name, kind, severity, threshold, subject_id, app_id, affected, names, reason, is_silenced, started_at)
         values ('r', $1, 'warning', 25, $2, $2, 1, '{}', 'x', false, $3) returning id`,
        [kind, ids['errors'], startsAt],
      );
      return inserted.rows[0]?.id ?? 0;
    };
    const values = async (id: number, caller = admin) => api.call('GET', `/api/incidents/${id}/values`, caller);
    const id = await insert('error_share');
    const { points } = (await values(id)).body.data;
    expect(points).toHaveLength(24);
    expect(points.at(-1)).toEqual({ at: wire(endedAt), value: 25 });
    expect((await values(await insert('link_failed'))).body.data).toEqual({ points: [] });
    const elsewhere = await signInAs(stores.databases, {
      permissions: ['manager_app_statistics'],
      apps: [ids['small'] ?? 0],
      since: api.now(),
    });
    expect((await values(id, elsewhere)).status).toBe(404);
    await stores.databases.pools.ops.query('delete from incidents');
  });

  it('[ALERT-133] compare minutes with those before, so that a stop of creates is found within ten minutes', async () => {
    await stores.databases.pools.ops.query('delete from alert_rules');
    const { id } = await createApp(stores.databases, { name: 'stops' });
    const begin = Math.floor(api.now().getTime() / minute) * minute;
    const creates = (from: number, until: number, perMinute: number): NewEvent[] =>
      Array.from({ length: (until - from) * perMinute }, (_, index) =>
        sampleEvent({ app_id: id, type: 'create', occurred_at: fromDate(new Date(begin + from * minute + (index * minute) / perMinute)) }),
      );
    await stores.openStore(offset).insertEvents(creates(-5, 20, 10));
    const fields = { kind: 'create_drop', threshold: 50, window_minutes: 5, comparison: 'before' };
    const create = async (rule: object) => api.call('POST', '/api/alerts/rules', { ...admin, body: { name: 'Stop', ...rule } });
    expect((await create({ ...fields, kind: 'conversion_drop' })).body.errors).toEqual({ window_minutes: [alertMessages.window] });
    expect((await create(fields)).body.data).toMatchObject({ window_minutes: 5, minimum: 30, comparison: 'before', evaluated_at: null });
    await create({ ...fields, name: 'Too few', minimum: 51 });
    const found = async (): Promise<Incident[]> => (await api.call('GET', '/api/incidents?state=firing', admin)).body.data;
    const evaluateUntil = async (minutes: number): Promise<void> => {
      while (api.now().getTime() < begin + minutes * minute) {
        api.wait(minute);
        await api.evaluateAlerts();
      }
    };
    await evaluateUntil(20);
    expect(await found()).toEqual([]);
    const preview = await api.call('POST', '/api/alerts/rules/preview', { ...admin, body: fields });
    expect(preview.body.data).toMatchObject({ days: 0, subjects: [{ id, name: 'stops', value: 0, fires: false }], subject_total: 1 });
    await evaluateUntil(25);
    const [incidentOfStop, ...others] = await found();
    expect([incidentOfStop?.app?.name, others]).toEqual(['stops', []]);
    expect(incidentOfStop?.reason).toMatch(/^Creates fell by [\d.]+%: \d+ in the last 5 minutes, \d+ in the 5 minutes before\.$/);
    const numbers = Array.from(incidentOfStop?.reason.matchAll(/(\d+) in the/g) ?? [], ([, number]) => Number(number));
    expect(incidentOfStop && (await totalsOf(incidentOfStop))).toEqual(numbers);
  });

  it('[ALERT-008, ALERT-128] end nothing while rows may be missing of their window, or of the one that they are compared with', async () => {
    await stores.databases.pools.ops.query('delete from alert_rules');
    const [errors, drops] = [
      await createApp(stores.databases, { name: 'failing' }),
      await createApp(stores.databases, { name: 'stopped' }),
    ];
    const begin = api.now().getTime();
    await stores.databases.pools.ops.query('update alert_evaluation set evaluated_at = $1', [new Date(begin)]);
    /** Ten rows of each of these minutes. */
    const insert = async (fields: Partial<NewEvent>, [from, until]: readonly [number, number], since = begin) =>
      stores
        .openStore(offset)
        .insertEvents(
          Array.from({ length: (until - from) * 10 }, (_, index) =>
            sampleEvent({ ...fields, occurred_at: fromDate(new Date(since + from * minute + index * 6000)) }),
          ),
        );
    const failing = { app_id: errors.id, type: 'error' } as const;
    await insert(failing, [-10, 10]);
    // A week ago, rows of these minutes were lost while no console ran.
    await insert({ app_id: drops.id, type: 'create' }, [-10, 1], begin - week);
    await stores.databases.pools.ops.query('insert into alert_absences values ($1, $2)', [
      new Date(begin - week + minute),
      new Date(begin - week + 20 * minute),
    ]);
    for (const fields of [{ kind: 'error_share' }, { kind: 'create_drop', comparison: 'last_week' }])
      await api.call('POST', '/api/alerts/rules', { ...admin, body: { name: fields.kind, window_minutes: 5, ...fields } });
    const evaluateAfter = async (minutes: number): Promise<string[]> => {
      api.wait(minutes * minute);
      await api.evaluateAlerts();
      const { body } = await api.call('GET', '/api/incidents?state=firing&orderBy=subject&orderDirection=asc', admin);
      return body.data.map(({ id, rule }: Incident) => `${rule.kind} ${id}`);
    };
    const firing = await evaluateAfter(1);
    expect(firing).toEqual([expect.stringMatching(/^error_share/), expect.stringMatching(/^create_drop/)]);
    for (let passed = 0; passed < 9; passed += 1) expect(await evaluateAfter(1)).toEqual(firing);
    expect(await evaluateAfter(8)).toEqual(firing);
    // What servers kept arrives.
    await insert(failing, [10, 18]);
    await insert({ app_id: drops.id, type: 'create' }, [18, 40]);
    expect(await evaluateAfter(1)).toEqual(firing);
    for (let passed = 0; passed < 12; passed += 1) await evaluateAfter(1);
    expect(await evaluateAfter(1)).toEqual([]);
  });

  it('[ALERT-124] count no errors that arrive while all requests are read', async () => {
    const { pools } = stores.databases;
    let arrived = 0;
    const reader = createKindReader(
      {
        db: stores.databases.db,
        eventStore: {
          countGroups: async ({ by, filter }) => {
            // Before each read, 40 requests with an error arrive; 40 without one are there.
            arrived += 40;
            const events = filter.types === undefined ? arrived + 40 : arrived;
            return toEventCounts({ key_0: ['1'], key_1: ['track'], requests: [events], successes: [0], bots: [0] }, { by });
          },
        },
        deliveryStore: createTrafficStore({ pools, serverOffset: offset, retentionDays: 90 }).deliveries,
        serverOffset: offset,
        retentionDays: 90,
        countSealProblems: () => 0,
        logDir: '/nonexistent',
      },
      { now: startsAt, nameOf: () => '' },
    );
    const rule = { threshold: 50, window_minutes: 180, minimum: 30, comparison: null, request_filter: '' } as const;
    await reader.read('bot_share', [rule]);
    const [part] = (await reader.read('error_share', [rule])).parts(rule) ?? [];
    expect(part?.reason()).toBe('50% of 160 requests in the last 3 hours are errors.');
  });

  it('[ALERT-008] are unknown while the event store is unavailable', async () => {
    const { pools } = stores.databases;
    const reader = createKindReader(
      {
        db: stores.databases.db,
        eventStore: {
          countGroups: async () => {
            throw new EventStoreUnavailable(new Error('away'));
          },
        },
        deliveryStore: createTrafficStore({ pools, serverOffset: offset, retentionDays: 90 }).deliveries,
        serverOffset: offset,
        retentionDays: 90,
        countSealProblems: () => 0,
        logDir: '/nonexistent',
      },
      { now: startsAt, nameOf: () => '' },
    );
    const rule = { threshold: 3, window_minutes: 180, minimum: 30, comparison: 'last_week', request_filter: '' } as const;
    for (const kind of ['app_silent', 'error_share', 'bot_share', 'create_drop', 'log_disk'] as const)
      expect((await reader.read(kind, [rule])).parts(rule)).toBeNull();
    expect((await reader.read('conversion_drop', [rule])).parts(rule)).not.toBeNull();
  });

  it('[ALERT-200] are unknown of the windows whose deliveries take too long', async () => {
    const slow = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
    const reader = createKindReader(
      {
        db: stores.databases.db,
        eventStore: stores.openStore(offset),
        deliveryStore: {
          countConversionHours: async ({ from, until }) => {
            if (until - from > 3 * hour * 1000) throw slow;
            return [];
          },
          countConversionGroups: async () => {
            throw slow;
          },
        },
        serverOffset: offset,
        retentionDays: 90,
        countSealProblems: () => 0,
        logDir: '/nonexistent',
      },
      { now: startsAt, nameOf: () => '' },
    );
    const rule = { threshold: 3, window_minutes: 180, minimum: 30, comparison: 'last_week', request_filter: '' } as const;
    const long = { ...rule, window_minutes: 1440 } as const;
    const drops = await reader.read('conversion_drop', [rule, long]);
    expect([drops.parts(rule), drops.parts(long)]).toEqual([[], null]);
    expect((await reader.read('payout_drop', [rule])).parts(rule)).toBeNull();
  });
});
