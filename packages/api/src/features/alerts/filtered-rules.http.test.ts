import { alertKinds, alertLimits, alertMessages, incident, windowFilters, type Incident, type KindRule } from '@switchyard/contract/alerts';
import { fromDate } from '@switchyard/contract/dates';
import { readRuleFilters, requestFilterText, ruleFiltersInWords, writeRuleFilters } from '@switchyard/contract/rule-filters';
import { noEventCounts } from '@switchyard/traffic-store/grouped-counts';
import { createTrafficStore } from '@switchyard/traffic-store/open-traffic-store';
import type { NewEvent } from '@switchyard/traffic-store/event-fields';
import type { EventGroups } from '@switchyard/traffic-store/event-store';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { buildTestApi, type TestApi } from '../../../test/build-test-api.ts';
import { type EventStoreUnderTest, eventStores } from '../../../test/event-stores.ts';
import { createApp } from '../../../test/factories/app.ts';
import { sampleEvent } from '../../../test/sample-event.ts';
import { signInAs, type SignedIn } from '../../../test/sign-in-as.ts';
import { evaluateRules } from './evaluate-rules.ts';
import { createKindReader } from './read-kinds.ts';

const hour = 3_600_000;
const week = 7 * 24 * hour;
const startsAt = new Date('2026-11-20T10:30:00Z');
const stream = 'fb,us 1';

describe.each(eventStores)('rules that count some requests only on $name', ({ open }) => {
  let stores: EventStoreUnderTest;
  let api: TestApi;
  let admin: SignedIn;
  let appId: number;

  beforeAll(async () => {
    stores = await open();
    const { databases } = stores;
    api = await buildTestApi({ databases, ...(stores.clickhouse ? { engine: stores.clickhouse } : {}), startsAt });
    admin = await signInAs(databases, { role: 'Super Admin', since: startsAt });
    await databases.pools.ops.query('delete from alert_rules');
    appId = (await createApp(databases, { name: 'Filtered' })).id;
    const add = (count: number, ago: number, fields: Partial<NewEvent>): NewEvent[] =>
      Array.from({ length: count }, () =>
        sampleEvent({ app_id: appId, occurred_at: fromDate(new Date(startsAt.getTime() - ago)), ...fields }),
      );
    const germany = { country: 'DE', asn: '3320', stream_uid: stream };
    const store = stores.openStore('+00:00');
    await store.maintain(fromDate(startsAt));
    await store.insertEvents([
      ...add(20, hour, { ...germany, type: 'track' }),
      ...add(10, hour, { ...germany, type: 'track', error: { exception_type: 'Notice' } }),
      ...add(5, hour, { ...germany, type: 'receive', bot: 'L1' }),
      ...add(900, hour, { country: 'FR', asn: '3215', stream_uid: 'fb', type: 'track' }),
      ...add(40, hour + week, { ...germany, type: 'create' }),
      ...add(10, hour, { ...germany, type: 'create' }),
      ...add(500, hour + week, { country: 'FR', type: 'create' }),
      ...add(500, hour, { country: 'FR', type: 'create' }),
      ...add(30, hour + week, { country: 'AT', type: 'receive' }),
    ]);
    await databases.pools.ops.query('update alert_evaluation set evaluated_at = $1', [new Date(startsAt.getTime() - 60_000)]);
    return async () => api.app.close();
  });

  const rules = async (method: 'POST' | 'PUT', body: object, id?: number) =>
    api.call(method, `/api/alerts/rules${id === undefined ? '' : `/${id}`}`, { ...admin, body });

  it('[ALERT-198] count what the lists show of the same filters, in their window and the one that they are compared with', async () => {
    const filters = {
      error_share: 'geo=de',
      bot_share: 'type=receive&geo=DE',
      create_drop: `asn=03320&streamUid[]=${encodeURIComponent(stream)}`,
      app_silent: 'geo=AT',
    };
    for (const [kind, filter] of Object.entries(filters)) {
      const minimum = kind === 'bot_share' ? 5 : 30;
      expect((await rules('POST', { name: kind, kind, minimum, request_filter: filter })).status).toBe(201);
      // Of all requests none of them holds.
      expect((await rules('POST', { name: `${kind} of all`, kind })).status).toBe(201);
    }
    await api.evaluateAlerts();
    const { body } = await api.call('GET', '/api/incidents?limit=20', admin);
    const incidents = incident.array().parse(body.data);
    expect(Object.fromEntries(incidents.map(({ rule, reason, request_filter: filter }) => [rule.name, [filter, reason]]))).toEqual({
      error_share: ['geo=DE', '22.2% of 45 requests (DE) in the last 3 hours are errors.'],
      bot_share: ['geo=DE&type=receive', '100% of 5 requests (DE, type receive) in the last 3 hours are of bots.'],
      create_drop: [
        'asn=3320&streamUid%5B%5D=fb%2Cus+1',
        'Creates (AS3320, stream fb,us 1) fell by 75%: 10 in the last 3 hours, 40 in the same hours of last week.',
      ],
      app_silent: ['geo=AT', 'No request (AT) for 3 hours, although there were 30 in the same hours of last week.'],
    });
    const totals = await Promise.all(incidents.map(async (one) => [one.rule.name, await totalsOf(one)]));
    expect(Object.fromEntries(totals)).toEqual({ error_share: [10], bot_share: [5], create_drop: [10, 40], app_silent: [0, 30] });
  });

  /** The rows behind the links of an incident. */
  async function totalsOf({ rule, app, window, compared, request_filter: filter }: Incident): Promise<number[]> {
    const { counts }: KindRule = alertKinds[rule.kind];
    const totals: number[] = [];
    for (const span of [window, compared]) {
      if (span === null) continue;
      const parameters = new URLSearchParams(filter);
      for (const [name, values] of Object.entries(counts?.filters ?? {})) for (const value of values) parameters.append(name, value);
      for (const [name, value] of Object.entries(windowFilters(span))) parameters.set(name, value);
      const { body } = await api.call('GET', `/api/apps/${app?.id ?? 0}/postbacks?${parameters.toString()}`, admin);
      totals.push(body.pagination.total);
    }
    return totals;
  }

  it('[ALERT-198] show the filter that their message counts, also after it was changed', async () => {
    const { body } = await api.call('GET', '/api/alerts/rules?search=bot_share&limit=1', admin);
    expect((await rules('PUT', { request_filter: 'asn=3320&type=receive' }, body.data[0].id)).status).toBe(200);
    api.wait(60_000);
    await api.evaluateAlerts();
    const { body: found } = await api.call('GET', '/api/incidents?kind=bot_share', admin);
    const [changed] = incident.array().parse(found.data);
    expect(changed).toMatchObject({
      request_filter: 'asn=3320&type=receive',
      reason: '100% of 5 requests (AS3320, type receive) in the last 3 hours are of bots.',
    });
    expect(changed && (await totalsOf(changed))).toEqual([5]);
  });

  it('[ALERT-198] name no streams to accounts that see some apps only', async () => {
    const reader = await signInAs(stores.databases, { permissions: ['manager_app_statistics'], apps: [appId], since: api.now() });
    const { body } = await api.call('GET', '/api/alerts/rules?search=create_drop', reader);
    expect(body.data.map((rule: { request_filter: string }) => rule.request_filter)).toEqual(['asn=3320', '']);
  });

  it('[ALERT-198, ALERT-003] hide their streams in incidents, files and searches from accounts that see some apps only', async () => {
    const secret = 'secret (of another app)';
    const filter = `streamUid[]=${encodeURIComponent(stream)}&streamUid[]=${encodeURIComponent(secret)}`;
    await rules('POST', { name: 'hidden', kind: 'bot_share', threshold: 1, minimum: 1, request_filter: filter });
    api.wait(60_000);
    await api.evaluateAlerts();
    admin = await signInAs(stores.databases, { role: 'Super Admin', since: api.now() });
    const reader = await signInAs(stores.databases, { permissions: ['manager_app_statistics'], apps: [appId], since: api.now() });
    const search = async (words: string, caller: SignedIn): Promise<Incident[]> =>
      (await api.call('GET', `/api/incidents?search=${encodeURIComponent(words)}`, caller)).body.data;
    const [found] = await search(secret, admin);
    expect(found?.reason).toContain(secret);
    expect(await search(secret, reader)).toEqual([]);
    const [hidden] = await search('hidden', reader);
    expect(hidden).toMatchObject({ id: found?.id, request_filter: '', reason: '11.1% of 45 requests in the last 3 hours are of bots.' });
    const calls = ['', `/${found?.id}`, '/news?after=0', '/groups?by=rule', '/download', `/${found?.id}/values`];
    const answers = await Promise.all(
      calls.map(async (path) => api.app.inject({ method: 'GET', url: `/api/incidents${path}`, headers: reader.headers })),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(calls.map(() => 200));
    expect(answers.filter((answer) => answer.body.includes('secret') || answer.body.includes('fb,us'))).toEqual([]);
    expect(answers.at(-1)?.json().data).toEqual({ points: [] });
    await stores.databases.pools.ops.query(`delete from alert_rules where name = 'hidden'`);
  });

  it('[ALERT-198] are unknown while their events take too long, and stop no other rule', async () => {
    const slow = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
    const { pools } = stores.databases;
    const reader = createKindReader(
      {
        db: stores.databases.db,
        eventStore: {
          countGroups: async ({ filter, by }) => {
            if (filter.countries !== undefined) throw slow;
            return noEventCounts({ by });
          },
        },
        deliveryStore: createTrafficStore({ pools, serverOffset: '+00:00', retentionDays: 90 }).deliveries,
        serverOffset: '+00:00',
        retentionDays: 90,
        countSealProblems: () => 0,
        logDir: '/nonexistent',
      },
      { now: startsAt, nameOf: () => '' },
    );
    const rule = { threshold: 3, window_minutes: 180, minimum: 30, comparison: 'last_week', request_filter: '' } as const;
    const filtered = { ...rule, request_filter: 'geo=DE' };
    for (const kind of ['app_silent', 'error_share', 'create_drop'] as const) {
      const reading = await reader.read(kind, [rule, filtered]);
      expect([reading.parts(rule), reading.parts(filtered)]).toEqual([[], null]);
    }
  });

  it('[ALERT-198, ALERT-019] are all read from time to time, although slow ones use up the time of an evaluation', async () => {
    const { databases } = stores;
    await databases.pools.ops.query('delete from alert_rules');
    for (const [kind, filter] of [
      ['error_share', 'geo=DE'],
      ['error_share', 'geo=CH'],
      ['create_drop', 'geo=AT'],
    ])
      await rules('POST', { name: kind, kind, request_filter: filter });
    const slow = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
    let passed = 0;
    const deps = {
      db: databases.db,
      takeSharedSlot: databases.takeSharedSlot,
      eventStore: {
        countGroups: async ({ filter, by }: EventGroups) => {
          if (filter.countries?.includes('AT') === true) return noEventCounts({ by });
          passed += 15_000;
          throw slow;
        },
      },
      deliveryStore: createTrafficStore({ pools: databases.pools, serverOffset: '+00:00', retentionDays: 90 }).deliveries,
      serverOffset: '+00:00',
      retentionDays: 90,
      countSealProblems: () => 0,
      logDir: '/nonexistent',
      now: api.now,
      announce: async () => new Set<string>(),
      onFault: () => undefined,
    };
    const time = vi.spyOn(performance, 'now').mockImplementation(() => passed);
    const known = new Set<string>();
    for (let evaluation = 0; evaluation < 3; evaluation += 1) {
      api.wait(60_000);
      await evaluateRules(deps);
      const { rows } = await databases.pools.ops.query<{ name: string }>('select name from alert_rules where unknown_since is null');
      for (const { name } of rows) known.add(name);
    }
    time.mockRestore();
    expect([...known]).toEqual(['create_drop']);
  });

  it('[ALERT-198] are previewed with their filter, and are no repeats of those with another one', async () => {
    const preview = async (filter: string) =>
      (
        await api.call('POST', '/api/alerts/rules/preview', {
          ...admin,
          body: { kind: 'error_share', threshold: 20, request_filter: filter },
        })
      ).body.data;
    const [ofGermany, ofFrance] = [await preview('geo=DE'), await preview('geo=FR')];
    expect(ofGermany).toMatchObject({ days: 0, subjects: [{ id: appId, value: 22.2, fires: true }], repeats: [{ name: 'error_share' }] });
    expect(ofFrance).toMatchObject({ subjects: [{ id: appId, value: 0, fires: false }], repeats: [] });
  });

  it('[ALERT-198] take filters of their kind only, and at most twenty rules have some', async () => {
    const { ops } = stores.databases.pools;
    await ops.query('delete from alert_rules');
    const refused = async (kind: string, filter: string) =>
      (await rules('POST', { name: 'R', kind, request_filter: filter })).body.errors?.request_filter;
    expect(await refused('error_share', 'type=track')).toEqual([alertMessages.filter]);
    expect(await refused('conversion_drop', 'geo=DE')).toEqual([alertMessages.filter]);
    for (const filter of ['geo=Germany', 'serverId=1', 'asn=AS1', 'type=other', 'search=1'])
      expect(await refused('app_silent', filter)).toEqual([expect.stringContaining('Must be filters')]);
    const answers = await Promise.all(
      Array.from({ length: alertLimits.filteredRules + 2 }, async (_, index) =>
        rules('POST', { name: `Rule ${index}`, kind: 'app_silent', request_filter: 'geo=DE' }),
      ),
    );
    const full = answers.filter(({ status }) => status === 422);
    expect(full.map(({ body }) => body.errors)).toEqual([1, 2].map(() => ({ request_filter: [alertMessages.tooManyFiltered] })));
    const created = answers.find(({ status }) => status === 201);
    const changed = await rules('PUT', { request_filter: 'geo=FR' }, created?.body.data.id);
    expect([changed.status, changed.body.data?.request_filter]).toEqual([200, 'geo=FR']);
    const { body } = await api.call('GET', `/api/audit?entity=alert_rule&limit=1`, admin);
    expect(body.data[0].changes).toEqual([{ field: 'request_filter', from: 'geo=DE', to: 'geo=FR' }]);
  });
});

it('[ALERT-198] are written in one way, which reads as they were', () => {
  const value = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map((text) => text.replaceAll(/[\s\p{Cc}]/gu, 'x'));
  const filters = fc.record(
    {
      geo: fc.uniqueArray(fc.constantFrom('DE', 'FR', 'none'), { minLength: 1 }),
      asn: fc.uniqueArray(fc.constantFrom('0', '3320', 'none'), { minLength: 1 }),
      streamUid: fc.uniqueArray(value, { minLength: 1, maxLength: 3 }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(filters, (given) => {
      const text = writeRuleFilters(given);
      const read = readRuleFilters(text);
      for (const name of ['geo', 'asn', 'streamUid'] as const) expect(read[name]?.toSorted()).toEqual(given[name]?.toSorted());
      expect(requestFilterText.parse(text)).toBe(text);
      expect(ruleFiltersInWords(text) === '').toBe(text === '');
    }),
  );
});
