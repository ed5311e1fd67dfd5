import { dayOf, dayRange } from '@switchyard/contract/dates';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Tables } from '../../api/src/database/tables.ts';
import { up as addKinds } from '../../api/src/database/migrations/0060-kinds-of-conversions-needs-0022.ts';
import { testEpoch } from '../../api/test/arbitrary-events.ts';
import { type EventStoreUnderTest, eventStores, postgres } from '../../api/test/event-stores.ts';
import { sampleEvent } from '../../api/test/sample-event.ts';
import { sampleConversion, samplePush } from '../../api/test/arbitrary-deliveries.ts';
import type { DeliveryPlace, PlacedDelivery } from './delivery-place.ts';
import type { DeliveryStore, NewConversion, NewPush } from './delivery-store.ts';
import type { NewEvent } from './event-fields.ts';
import type { EventStore } from './event-store.ts';
import { EventStoreUnavailable } from './event-store-unavailable.ts';
import { createTrafficStore, type TrafficStoreOptions } from './open-traffic-store.ts';
import { createPostgresDeliveryStore } from './postgres/create-delivery-store.ts';
import { createBatchWriter } from './postgres/statements.ts';
import { day, hour } from './time-buckets.ts';

const days = 30;
const minute = 60_000_000;
/** When the checks of a delivery are due, in minutes after it arrived, a minute or more later. */
const rounds = [3, 13, 65, 367, 1449, 2892];
/** Instants at which something happens often: at once, at both ends of the window and just beyond them. */
const instant = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(testEpoch, testEpoch - 1, testEpoch - days * day, testEpoch - days * day - 1, testEpoch - day) },
  { weight: 2, arbitrary: fc.integer({ min: testEpoch - 40 * day, max: testEpoch + day }) },
);
const client = fc.constantFrom('c-1', 'C-1', 'Ünicode', 'c-2');
const appId = fc.constantFrom(1, 2);

const event: fc.Arbitrary<NewEvent> = fc
  .record({
    uuid: fc.uuid(),
    app_id: appId,
    client_uid: client,
    occurred_at: instant,
    type: fc.constantFrom('create', 'create', 'receive', 'error'),
    country: fc.constantFrom('', 'DE', 'US', 'FR', 'IT', 'ES'),
    asn: fc.constantFrom('', '0', '64500', '64501'),
    bot: fc.constantFrom('', 'CF', 'BOT L1'),
    server_id: fc.constantFrom(null, 1, 2),
  })
  .map(sampleEvent);
const sentClient = fc.oneof({ weight: 6, arbitrary: client }, { weight: 1, arbitrary: fc.constantFrom(null, '') });
const conversion = fc
  .record({
    uuid: fc.uuid(),
    appId,
    clientUid: sentClient,
    createdAt: instant,
    streamUid: fc.constantFrom(null, 'st_1'),
    statusConversion: fc.constantFrom('install', 'deposit'),
    status: fc.constantFrom('success', 'error'),
    payout: fc.constantFrom(null, '12.5', '-12.5'),
  })
  .map(sampleConversion);
/** Of few identities: most come again, some with another time. */
const push = fc
  .record({
    uuid: fc.constantFrom(...['a', 'b', 'c', 'd'].map((digit) => `01936b0e-7c1e-7a52-9f0b-00000000000${digit}`)),
    appId,
    sendAt: instant,
    status: fc.constantFrom('pending', 'sent'),
    updatedAt: fc.integer({ min: testEpoch, max: testEpoch + 5 }),
  })
  // A push stays that of its client.
  .map((values) => samplePush({ ...values, clientUid: values.uuid.endsWith('a') ? 'c-1' : 'C-1' }));

const unknownPlace: DeliveryPlace = { country: '', asn: '', serverId: null, bot: '' };

type Step =
  | { kind: 'events'; rows: NewEvent[] }
  | { kind: 'conversions'; rows: NewConversion[] }
  | { kind: 'pushes'; rows: NewPush[] }
  | { kind: 'check' };
const batch = { minLength: 1, maxLength: 8 };
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('events' as const), rows: fc.uniqueArray(event, { ...batch, selector: (row) => row.uuid }) }),
    fc.record({ kind: fc.constant('conversions' as const), rows: fc.array(conversion, batch) }),
    fc.record({ kind: fc.constant('pushes' as const), rows: fc.array(push, batch) }),
    fc.record({ kind: fc.constant('check' as const) }),
  ),
  { minLength: 3, maxLength: 10 },
);

/** The rule as it is written. */
function expectedPlace(events: readonly NewEvent[], { appId: app, clientUid, at }: PlacedDelivery): DeliveryPlace {
  const own = events.filter(
    (one) =>
      one.app_id === app && one.client_uid === clientUid && clientUid !== '' && one.occurred_at <= at && one.occurred_at >= at - days * day,
  );
  const creates = own.filter(({ type }) => type === 'create');
  const [newest] = (creates.length > 0 ? creates : own).toSorted(
    (one, other) => other.occurred_at - one.occurred_at || (one.uuid > other.uuid ? -1 : 1),
  );
  if (newest === undefined) return unknownPlace;
  return { country: newest.country, asn: newest.asn, serverId: newest.server_id, bot: newest.bot };
}

/** A store of deliveries whose places are found among these events, unless `beforeFind` throws. */
async function openDeliveries(
  stored: readonly NewEvent[],
  { beforeFind, checkedRows }: { beforeFind?: (asked: readonly PlacedDelivery[]) => void; checkedRows?: number } = {},
) {
  const { pools } = (await postgres.open()).databases;
  const { events } = createTrafficStore({ pools, serverOffset: '+00:00', retentionDays: 90 });
  if (stored.length > 0) await events.insertEvents(stored);
  const deliveries = createPostgresDeliveryStore({
    pools,
    serverOffset: '+00:00',
    retentionDays: 90,
    write: createBatchWriter(pools.ingest),
    checkedRows,
    findPlaces: async (asked) => {
      beforeFind?.(asked);
      return events.findPlaces({ deliveries: asked, days });
    },
  });
  return { pools, events, deliveries };
}

it('[CONV-105] are decided once the event store is available again, and until then deliveries are stored without', async () => {
  let isAvailable = false;
  const { pools, deliveries } = await openDeliveries([sampleEvent({ occurred_at: testEpoch, client_uid: 'c-1', country: 'DE' })], {
    beforeFind: () => {
      if (!isAvailable) throw new EventStoreUnavailable(null);
    },
  });
  expect(await deliveries.insertConversions([sampleConversion({ clientUid: 'c-1' })])).toEqual({ accepted: 1, duplicates: 0 });
  const now = Date.now() * 1000 + minute;
  await expect(deliveries.updatePlaces(now)).rejects.toThrow(EventStoreUnavailable);
  isAvailable = true;
  expect(await deliveries.updatePlaces(now)).toBe(true);
  expect((await pools.ops.query<{ country: string }>('select country from conversion_places')).rows).toEqual([{ country: 'DE' }]);
});

it('[CONV-112] are keys and filters of counts, which add up to all deliveries, also to those whose place is not known', async () => {
  const stores = await postgres.open();
  const { pools } = stores.databases;
  const offset = '+02:00';
  const { events, deliveries } = createTrafficStore({ pools, serverOffset: offset, retentionDays: 90 });
  await events.insertEvents(fc.sample(event, { numRuns: 80, seed: 1 }));
  await deliveries.insertConversions(fc.sample(conversion, { numRuns: 120, seed: 2 }));
  await deliveries.insertPushes(
    fc.sample(
      push.map((one) => ({ ...one, uuid: randomUUID() })),
      { numRuns: 120, seed: 3 },
    ),
  );
  while (await deliveries.updatePlaces(Date.now() * 1000 + minute));
  // These have just arrived.
  await deliveries.insertConversions(fc.sample(conversion, { numRuns: 20, seed: 4 }));
  type Row = DeliveryPlace & { appId: number; at: number; stream: string; kind: string; status: string; payout: number };
  const rowsOf = async (table: string, time: string, stream: string, kind: string, payout: string): Promise<Row[]> =>
    (
      await pools.ops.query<Row>(
        `select app_id as "appId", (extract(epoch from ${time}) * 1000000)::bigint as at, ${stream} as stream, ${kind} as kind, status, (${payout})::float as payout,
           coalesce(country, '') as country, coalesce(asn, '') as asn, server_id as "serverId", coalesce(bot, '') as bot
         from ${table} left join ${table === 'pushes' ? 'push' : 'conversion'}_places using (id)`,
      )
    ).rows;
  const rows = {
    push: await rowsOf('pushes', 'send_at', `''`, `''`, '0'),
    conversion: await rowsOf('conversions', 'created_at', `coalesce(stream_uid, '')`, 'status_conversion', 'coalesce(payout, 0)'),
  };
  expect(rows.conversion.filter(({ country }) => country === '').length).toBeGreaterThan(20);
  const keyOf = (row: Row) => ({
    app: String(row.appId),
    stream: row.stream,
    kind: row.kind,
    day: dayOf(row.at, offset),
    hour: String(Math.floor((row.at - dayRange(dayOf(row.at, offset), offset).from) / hour)),
    country: row.country,
    asn: row.asn,
    server: row.serverId === null ? '' : String(row.serverId),
  });
  const optional = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined, freq: 2 });
  const some = (...values: string[]) => optional(fc.subarray(values, { minLength: 1 }));
  const someLabels = fc.record({ labels: fc.subarray(['CF', 'L1']), none: fc.boolean(), blocking: fc.boolean() });
  const labels = optional(someLabels);
  const filters = fc.record({
    countries: some('', 'DE', 'FR'),
    countriesNot: some('', 'DE'),
    asns: some('', '0', '64500'),
    asnsNot: some('', '0'),
    bots: labels,
    botsNot: labels,
    furtherBots: optional(fc.array(someLabels, { maxLength: 2 })),
    servers: optional(fc.subarray([1, 2], { minLength: 1 })),
  });
  const hasLabel = (row: Row, asked: { labels: string[]; none: boolean; blocking: boolean }): boolean => {
    const own = row.bot.split(' ').filter((label) => label !== '');
    return own.some((label) => asked.labels.includes(label) || (asked.blocking && label !== 'CF')) || (asked.none && own.length === 0);
  };
  const keys = fc.uniqueArray(fc.constantFrom('app', 'stream', 'kind', 'day', 'hour', 'country', 'asn', 'server'), { maxLength: 3 });
  const spans = fc.tuple(fc.integer({ min: -40, max: 0 }), fc.integer({ min: 1, max: 42 }), fc.constantFrom(0, 7 * hour));
  await fc.assert(
    fc.asyncProperty(keys, filters, spans, async (by, filter, [first, length, cut]) => {
      const { from } = dayRange(dayOf(testEpoch + first * day, offset), offset);
      const until = from + length * day - cut;
      for (const kind of ['push', 'conversion'] as const) {
        const query = { scope: 'all', from, until, by, limit: 10_000, ...filter } as const;
        const counted = await (kind === 'push' ? deliveries.countPushGroups(query) : deliveries.countConversionGroups(query));
        const found = rows[kind].filter(
          (row) =>
            row.at >= from &&
            row.at < until &&
            filter.countries?.includes(row.country) !== false &&
            filter.countriesNot?.includes(row.country) !== true &&
            filter.asns?.includes(row.asn) !== false &&
            filter.asnsNot?.includes(row.asn) !== true &&
            [filter.bots, ...(filter.furtherBots ?? [])].every((one) => one === undefined || hasLabel(row, one)) &&
            (filter.botsNot === undefined || !hasLabel(row, filter.botsNot)) &&
            (filter.servers === undefined || filter.servers.some((id) => id === row.serverId)),
        );
        const expected = Map.groupBy(found, (row) => JSON.stringify([by.map((key) => keyOf(row)[key]), row.status]));
        expect(new Map(Array.from(counted, (one) => [JSON.stringify([one.keys, one.status]), [one.stored, Number(one.payout)]]))).toEqual(
          new Map(Array.from(expected, ([key, own]) => [key, [own.length, own.reduce((sum, { payout }) => sum + payout, 0)]])),
        );
      }
    }),
    { numRuns: 80, seed: 5, endOnFailure: true },
  );
});

it('[CONV-105] that cannot be looked up do not keep others waiting', async () => {
  const failure = new Error('took too long');
  const { pools, deliveries } = await openDeliveries(
    [1, 2].map((app_id) => sampleEvent({ app_id, occurred_at: testEpoch, client_uid: 'c-1', country: 'DE' })),
    {
      beforeFind: (asked) => {
        if (asked.some(({ appId: app }) => app === 1)) throw failure;
      },
    },
  );
  for (const app of [1, 2]) await deliveries.insertConversions([sampleConversion({ appId: app, clientUid: 'c-1' })]);
  const now = Date.now() * 1000 + minute;
  await expect(deliveries.updatePlaces(now)).rejects.toBe(failure);
  while (await deliveries.updatePlaces(now));
  expect((await pools.ops.query<{ id: number }>('select id from conversion_places')).rows).toEqual([{ id: 2 }]);
  // Those that are due before it come first.
  const updateAll = async (at: number): Promise<void> => {
    while (await deliveries.updatePlaces(at));
  };
  await expect(updateAll(now + 10 * minute)).rejects.toBe(failure);
});

it('[CONV-105] are checked again although others keep arriving, and a long walk is not begun anew', async () => {
  const { pools, events, deliveries } = await openDeliveries([], { checkedRows: 2 });
  const insert = async (clientUid: string, count = 1) =>
    deliveries.insertConversions(Array.from({ length: count }, () => sampleConversion({ appId: 1, clientUid })));
  const places = async () =>
    (await pools.ops.query<{ id: number }>('select id from conversion_places order by id')).rows.map(({ id }) => id);
  let now = Date.now() * 1000 + minute;
  await insert('c-late');
  await insert('c-walk', 9);
  while (await deliveries.updatePlaces(now));
  await events.insertEvents(
    ['c-late', 'c-walk'].map((client_uid) => sampleEvent({ app_id: 1, occurred_at: testEpoch, client_uid, country: 'DE' })),
  );
  // A step for each delivery that arrives.
  for (let step = 0; step < 30; step += 1) {
    now += minute;
    await insert('c-other');
    await pools.ops.query('update place_checks set due_at = $1 where round = 0', [new Date(now / 1000)]);
    await deliveries.updatePlaces(now);
  }
  expect(await places()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

describe.each(eventStores)('places of deliveries on $name', ({ open, runs }) => {
  let stores: EventStoreUnderTest;
  let events: EventStore;
  let deliveries: DeliveryStore;

  function openStores(options: Partial<TrafficStoreOptions> = {}) {
    const { pools, listen } = stores.databases;
    const settings = { serverOffset: '+02:00', retentionDays: 90, attributionDays: days, checkedRows: 3 };
    return createTrafficStore({ pools, listen, ...settings, clickhouse: stores.clickhouse ?? null, ...options });
  }

  async function empty(): Promise<void> {
    await stores.empty();
    await stores.databases.pools.ops.query(
      'truncate conversions, conversion_kind_days, conversion_places, conversion_place_days, pushes, push_places, push_place_days, place_checks restart identity',
    );
  }

  beforeAll(async () => {
    stores = await open();
  });
  beforeEach(async () => {
    await empty();
    ({ events, deliveries } = openStores());
  });

  /** Does every check that is due up to so many minutes from now. */
  async function checkUntil(minutes: number): Promise<void> {
    const now = Date.now() * 1000 + minutes * minute;
    while (await deliveries.updatePlaces(now));
  }

  /** Does the checks of a delivery that has just arrived, one round after the other. */
  async function checkAll(): Promise<void> {
    for (const minutes of [1, ...rounds]) await checkUntil(minutes);
    expect((await stores.databases.pools.ops.query('select from place_checks')).rowCount).toBe(0);
  }

  async function storedPlaces(table: 'conversions' | 'pushes'): Promise<(DeliveryPlace & PlacedDelivery)[]> {
    const [time, places] = table === 'pushes' ? ['send_at', 'push_places'] : ['created_at', 'conversion_places'];
    const { rows } = await stores.databases.pools.ops.query<DeliveryPlace & PlacedDelivery>(
      `select app_id as "appId", coalesce(client_uid, '') as "clientUid", (extract(epoch from ${time}) * 1000000)::bigint as at,
         coalesce(country, '') as country, coalesce(asn, '') as asn, server_id as "serverId", coalesce(bot, '') as bot
       from ${table} left join ${places} using (id) order by id`,
    );
    return rows;
  }

  /** Counts by place beside a direct count of the rows whose place is known. */
  async function expectCounts(offset = '2 hours'): Promise<void> {
    const { ops } = stores.databases.pools;
    for (const [kind, table, time, keys, payout] of [
      ['push', 'pushes', 'send_at', 'status', '0'],
      ['conversion', 'conversions', 'created_at', `coalesce(stream_uid, ''), status_conversion, status`, 'coalesce(sum(payout), 0)::float'],
    ] as const) {
      const all = `country, asn, coalesce(server_id, 0) as server, bot, ${keys}`;
      const counted = await ops.query(`select day::text, app_id, ${all}, stored, ${kind === 'push' ? '0' : 'payout::float'} as payout
        from ${kind}_place_days where stored <> 0 order by 1, 2, 3, 4, 5, 6, 7, 8, 9`);
      const direct = await ops.query(`select ((${time} at time zone 'UTC' + interval '${offset}')::date)::text as day, app_id, ${all},
          count(*) as stored, ${payout} as payout
        from ${table} join ${kind}_places using (id)
        group by day, app_id, country, asn, server, bot, ${keys} order by 1, 2, 3, 4, 5, 6, 7, 8, 9`);
      expect(counted.rows).toEqual(direct.rows);
    }
  }

  async function expectPlaces(stored: readonly NewEvent[]): Promise<void> {
    for (const table of ['conversions', 'pushes'] as const) {
      const found = await storedPlaces(table);
      expect(found).toEqual(
        found.map(({ appId: app, clientUid, at }) => ({
          appId: app,
          clientUid,
          at,
          ...expectedPlace(stored, { appId: app, clientUid, at }),
        })),
      );
    }
  }

  it('[CONV-101, CONV-102] follow from the times of events, whatever arrives first', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (scene) => {
        await empty();
        const stored: NewEvent[] = [];
        for (const step of scene) {
          if (step.kind === 'check') await checkUntil(2);
          else if (step.kind === 'conversions') await deliveries.insertConversions(step.rows);
          else if (step.kind === 'pushes') await deliveries.insertPushes(step.rows);
          else {
            await events.insertEvents(step.rows);
            stored.push(...step.rows);
          }
        }
        await expectCounts();
        await checkAll();
        await expectPlaces(stored);
        await expectCounts();
      }),
      { numRuns: runs(32), endOnFailure: true },
    );
  });

  it('[CONV-104] are decided for deliveries that were stored before, in steps, of which some fail, by two processes', async () => {
    const [rows = []] = fc.sample(fc.uniqueArray(event, { minLength: 40, maxLength: 60, selector: (row) => row.uuid }), {
      numRuns: 1,
      seed: 7,
    });
    await events.insertEvents(rows);
    await deliveries.insertConversions(fc.sample(conversion, { numRuns: 40, seed: 8 }));
    await deliveries.insertPushes(fc.sample(push, { numRuns: 40, seed: 9 }));
    const { ops } = stores.databases.pools;
    // As the migration leaves them.
    await ops.query('truncate place_checks, conversion_places, conversion_place_days, push_places, push_place_days');
    for (const [kind, table] of [
      ['conversion', 'conversions'],
      ['push', 'pushes'],
    ]) {
      await ops.query(`insert into place_checks (kind, app_id, first_id, last_id, round, due_at)
        select distinct '${kind}', app_id, 0, 9007199254740991, 5, now() from ${table}`);
    }
    const { deliveries: other } = openStores();
    const now = Date.now() * 1000 + minute;
    expect(await deliveries.updatePlaces(now)).toBe(true);
    // A step that is killed leaves its check.
    const before = (await ops.query('select from place_checks')).rowCount;
    await ops.query(`alter table conversion_places add constraint stop check (false) not valid`);
    await expect(deliveries.updatePlaces(now)).rejects.toThrow();
    expect((await ops.query('select from place_checks')).rowCount).toBe(before);
    await ops.query('alter table conversion_places drop constraint stop');
    const work = async (store: DeliveryStore): Promise<void> => {
      while (await store.updatePlaces(now));
    };
    await Promise.all([work(deliveries), work(other)]);
    await expectPlaces(rows);
    await expectCounts();
    // Once more a day later: the version before may have stored some meanwhile.
    await checkUntil(1448);
    expect((await ops.query('select from place_checks where round < 6')).rowCount).toBe(0);
  });

  it('[CONV-111] are counted exactly while pushes change their status and day, and when the offset of the server changes', async () => {
    // Notes the offset by which days are counted.
    await deliveries.maintain(testEpoch);
    const clientUids = ['c-1', 'C-1'];
    await events.insertEvents(
      clientUids.map((clientUid, index) =>
        sampleEvent({ occurred_at: testEpoch - day, client_uid: clientUid, country: index === 0 ? 'DE' : 'FR' }),
      ),
    );
    const sent = Array.from({ length: 40 }, (_, index) => samplePush({ clientUid: clientUids[index % 2] ?? null, status: 'pending' }));
    await deliveries.insertPushes(sent);
    await deliveries.insertConversions(clientUids.map((clientUid) => sampleConversion({ clientUid, payout: '0.1' })));
    const change = async (part: number): Promise<void> => {
      const changed = sent.filter((_, index) => index % 4 === part);
      await deliveries.insertPushes(
        changed.map((one) => ({ ...one, status: 'sent', sendAt: one.sendAt + part * day, updatedAt: one.updatedAt + 1 })),
      );
    };
    const work = async (): Promise<void> => {
      while (await deliveries.updatePlaces(Date.now() * 1000 + minute));
    };
    await Promise.all([work(), change(0), change(1), work(), change(2), change(3)]);
    await work();
    await expectCounts();
    await openStores({ serverOffset: '+13:00' }).deliveries.maintain(testEpoch);
    await expectCounts('13 hours');
    await deliveries.maintain(testEpoch);
    await expectCounts();
    // The migration that adds kinds counts anew.
    await stores.databases.pools.ops.query('drop table conversion_kind_days');
    await stores.databases.opsDb.transaction().execute(async (transaction) => addKinds<Tables>(transaction));
    await expectCounts();
  });

  it('[CONV-103] change with events of the next two days, not with later ones', async () => {
    const at = testEpoch;
    const create = (country: string, minutes: number) =>
      sampleEvent({ occurred_at: at - minutes * minute, client_uid: 'c-1', type: 'create', country });
    await deliveries.insertConversions([sampleConversion({ clientUid: 'c-1', createdAt: at })]);
    await checkUntil(1);
    expect(await storedPlaces('conversions')).toMatchObject([{ country: '' }]);
    await events.insertEvents([create('FR', 10)]);
    for (const minutes of rounds.slice(0, -1)) await checkUntil(minutes);
    expect(await storedPlaces('conversions')).toMatchObject([{ country: 'FR' }]);
    // An earlier create changes nothing, a later one does.
    await events.insertEvents([create('IT', 20), create('DE', 5)]);
    await checkUntil(rounds.at(-1) ?? 0);
    expect(await storedPlaces('conversions')).toMatchObject([{ country: 'DE' }]);
    await events.insertEvents([create('US', 1)]);
    await checkUntil(100_000);
    expect(await storedPlaces('conversions')).toMatchObject([{ country: 'DE' }]);
  });

  it('[CONV-102] are the same whichever of two creates of one time arrives first', async () => {
    for (const [index, order] of [
      ['DE', 'FR'],
      ['FR', 'DE'],
    ].entries()) {
      const clientUid = `c-${index}`;
      for (const country of order) {
        const uuid = `01936b0e-7c1e-7a52-9f0b-${country === 'DE' ? 'f' : '0'}0000000000${index}`;
        await events.insertEvents([sampleEvent({ uuid, occurred_at: testEpoch, client_uid: clientUid, country })]);
      }
      await deliveries.insertConversions([sampleConversion({ clientUid })]);
    }
    await checkUntil(1);
    expect((await storedPlaces('conversions')).map(({ country }) => country)).toEqual(['DE', 'DE']);
  });

  it('[CONV-103] follow a push whose time changes', async () => {
    await events.insertEvents(
      ['DE', 'FR'].map((country, index) => sampleEvent({ occurred_at: testEpoch + index * day, client_uid: 'c-1', country })),
    );
    const sent = samplePush({ clientUid: 'c-1' });
    await deliveries.insertPushes([sent]);
    await checkAll();
    expect(await storedPlaces('pushes')).toMatchObject([{ country: 'DE' }]);
    await deliveries.insertPushes([{ ...sent, sendAt: testEpoch + day, updatedAt: sent.updatedAt + 1 }]);
    await checkUntil(1);
    expect(await storedPlaces('pushes')).toMatchObject([{ country: 'FR' }]);
    await deliveries.insertPushes([{ ...sent, sendAt: testEpoch - day, updatedAt: sent.updatedAt + 2 }]);
    await checkUntil(1);
    expect(await storedPlaces('pushes')).toMatchObject([{ country: '' }]);
  });

  it('[CONV-103] are dropped with their deliveries', async () => {
    const [early, late] = [testEpoch - 5 * day, testEpoch];
    await events.insertEvents([sampleEvent({ occurred_at: early, client_uid: 'c-1', country: 'DE' })]);
    await deliveries.insertConversions([early, late].map((createdAt) => sampleConversion({ clientUid: 'c-1', createdAt })));
    await deliveries.insertPushes([early, late].map((sendAt) => samplePush({ clientUid: 'c-1', sendAt })));
    await checkUntil(1);
    await openStores({ retentionDays: 3 }).deliveries.maintain(testEpoch);
    const { ops } = stores.databases.pools;
    await expectCounts();
    for (const table of ['conversion_places', 'push_places']) {
      expect((await ops.query<{ id: number }>(`select id from ${table}`)).rows).toEqual([{ id: 2 }]);
    }
  });
});
