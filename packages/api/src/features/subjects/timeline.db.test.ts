import { formatDateTime, type Microseconds } from '@switchyard/contract/dates';
import { type TimelineKind, timelineKinds, type TimelineRow } from '@switchyard/contract/subjects';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { arbitraryConversion, arbitraryPush } from '../../../test/arbitrary-deliveries.ts';
import { storeArbitraryEvents, testEpoch } from '../../../test/arbitrary-events.ts';
import { type EventStoreUnderTest, eventStores } from '../../../test/event-stores.ts';
import { sampleEvent } from '../../../test/sample-event.ts';
import type { NewConversion, NewPush } from '@switchyard/traffic-store/delivery-store';
import type { NewEvent } from '@switchyard/traffic-store/event-fields';
import type { EventStore, EventSubject } from '@switchyard/traffic-store/event-store';
import { createTrafficStore } from '@switchyard/traffic-store/open-traffic-store';
import type { LogMentions, Mention } from './log-mentions.ts';
import { kindsOf, readNewer, readTimeline, type Timeline, type TimelineDeps } from './read-timeline.ts';

const day = 86_400_000_000;
const uids = ['c-1', 'C-1', 'c%1', 'Ünicode', 'x'.repeat(128)] as const;
/** CIDR blocks, and which addresses they contain. */
const blocks: Readonly<Record<string, (ip: string) => boolean>> = {
  '0.0.0.0/0': (ip) => !ip.includes(':'),
  '203.0.113.0/24': (ip) => ip.startsWith('203.0.113.'),
  '203.0.113.8/31': (ip) => ip === '203.0.113.8' || ip === '203.0.113.9',
  '2001:db8::/32': (ip) => ip.startsWith('2001:db8:'),
};
const subjects = fc.oneof(
  fc.record({ clientUid: fc.constantFrom(...uids, 'unseen') }),
  fc.record({ address: fc.constantFrom('203.0.113.9', '2001:db8::1', '198.51.100.200', ...Object.keys(blocks)) }),
);
const timelines = fc.record({
  subject: subjects,
  scope: fc.constantFrom<Timeline['scope']>('all', [1], [2, 3], []),
  asked: fc.subarray([...timelineKinds]),
});

/** Deliveries at the same times as events, so that kinds have ties. */
const sharedTimes = fc.constantFrom(testEpoch, testEpoch - 1, testEpoch + day, testEpoch - 9 * day);
const deliveries = <Row>(row: fc.Arbitrary<Row>, at: keyof Row) =>
  fc.sample(
    fc.tuple(row, sharedTimes, fc.boolean(), fc.constantFrom(...uids)).map(([values, time, isShared, clientUid]) => ({
      ...values,
      clientUid,
      ...(isShared ? { [at]: time } : {}),
    })),
    { numRuns: 60, seed: 41 },
  );

/** Log entries of each client, newest first, at whole seconds that other kinds have too. */
function mentionsOf(uid: string): Mention[] {
  const at = [testEpoch + day, testEpoch, testEpoch, testEpoch - 3 * day + 5_000_000, testEpoch - 9 * day];
  return at.map((time, index) => {
    const date = formatDateTime(time).slice(0, 10);
    return {
      at: time,
      place: { at: time, date, source: '', id: 9 - index },
      log: { date, level: 'info', message: `${uid} ${index}`, position: 9 - index },
    };
  });
}

/** A log whose search runs out of time at all but every fourth call, or never. */
function createLog({ isSlow = false } = {}): LogMentions {
  let queryCount = 0;
  return {
    async readBefore({ uid, place, notBefore, limit }) {
      queryCount += 1;
      const isPast = ({ place: own }: Mention) =>
        place === null || (place.date === '' ? own.at <= place.at : own.at < place.at || (own.at === place.at && own.id < place.id));
      const all = mentionsOf(uid).filter(isPast);
      if (isSlow && queryCount % 4 > 0) return { entries: all.slice(0, queryCount % 4 === 2 ? 1 : 0), stoppedIn: '2026-10-01' };
      return { entries: all.filter(({ at }) => at > notBefore - day).slice(0, limit), stoppedIn: null };
    },
    readAfter: async () => ({ entries: [], stoppedIn: null }),
  };
}

describe.each(eventStores)('subjects on $name', ({ open, runs }) => {
  let stores: EventStoreUnderTest;
  let events: EventStore;
  let rows: NewEvent[];
  let pushes: NewPush[];
  let conversions: NewConversion[];

  const timelineDeps = (logs: LogMentions): TimelineDeps => ({
    eventStore: events,
    deliveryStore: createTrafficStore({ pools: stores.databases.pools, serverOffset: '+02:00', retentionDays: 90 }).deliveries,
    logs,
    findAppLabels: async (ids) => new Map(ids.map((id) => [id, { name: `App ${id}` }])),
    findPlaceNames: async () => (row) => ({ ...row, place: null }),
    now: () => new Date(testEpoch / 1000),
  });

  beforeAll(async () => {
    stores = await open();
    events = stores.openStore('+02:00');
    rows = await storeArbitraryEvents(events, 37);
    pushes = deliveries(arbitraryPush('many'), 'sendAt');
    conversions = deliveries(arbitraryConversion('many'), 'createdAt');
    const { deliveries: store } = createTrafficStore({ pools: stores.databases.pools, serverOffset: '+02:00', retentionDays: 90 });
    await store.insertPushes(pushes);
    await store.insertConversions(conversions);
  });

  const isOf = (subject: EventSubject, row: NewEvent) =>
    'clientUid' in subject ? row.client_uid === subject.clientUid : (blocks[subject.address]?.(row.ip) ?? row.ip === subject.address);
  const sees = (scope: Timeline['scope'], appId: number) => scope === 'all' || scope.includes(appId);

  /** The expected entries of a timeline, newest first, computed without the store. */
  function expected({ subject, scope, kinds }: Timeline): { kind: TimelineKind; at: Microseconds }[] {
    const uid = 'clientUid' in subject ? subject.clientUid : null;
    const parts = {
      request: rows.filter((row) => isOf(subject, row) && sees(scope, row.app_id)).map((row) => row.occurred_at),
      push: pushes.filter((row) => row.clientUid === uid && sees(scope, row.appId)).map((row) => row.sendAt),
      conversion: conversions.filter((row) => row.clientUid === uid && sees(scope, row.appId)).map((row) => row.createdAt),
      log: uid === null ? [] : mentionsOf(uid).map(({ at }) => at),
    };
    return [...kinds]
      .flatMap((kind) => parts[kind].map((at) => ({ kind, at })))
      .toSorted((a, b) => b.at - a.at || timelineKinds.indexOf(a.kind) - timelineKinds.indexOf(b.kind));
  }

  const identity = (row: TimelineRow): string =>
    `${row.kind} ${row.kind === 'request' ? row.request.id : row.kind === 'push' ? row.push.id : row.kind === 'conversion' ? row.conversion.id : row.log.position}`;

  async function readAll(timeline: Timeline, logs: LogMentions, limit: number): Promise<TimelineRow[]> {
    const readRows: TimelineRow[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await readTimeline(timelineDeps(logs), timeline, { cursor, limit });
      readRows.push(...page.rows);
      if (page.next === null) return readRows;
      cursor = page.next;
    }
  }

  it('[INV-021] gives all kinds in one order, page by page, each entry once', async () => {
    await fc.assert(
      fc.asyncProperty(timelines, fc.integer({ min: 4, max: 40 }), async ({ asked, ...rest }, limit) => {
        const timeline: Timeline = { ...rest, kinds: new Set(kindsOf(rest).filter((kind) => asked.includes(kind))) };
        const readRows = await readAll(timeline, createLog(), limit);
        expect(readRows.map((row) => `${row.kind} ${row.at}`)).toEqual(
          expected(timeline).map(({ kind, at }) => `${kind} ${formatDateTime(at)}`),
        );
        expect(new Set(readRows.map(identity)).size).toBe(readRows.length);
        const whole = await readTimeline(timelineDeps(createLog()), timeline, { cursor: undefined, limit: Math.max(1, readRows.length) });
        expect([whole.rows.length, whole.next]).toEqual([readRows.length, null]);
      }),
      { numRuns: runs(60), seed: 43 },
    );
  });

  it('[INV-025] gives every log entry once, also where the search of the log runs out of time', async () => {
    for (const clientUid of uids.slice(0, runs(uids.length))) {
      const timeline: Timeline = { subject: { clientUid }, scope: 'all', kinds: new Set(timelineKinds) };
      const readRows = await readAll(timeline, createLog({ isSlow: true }), 9);
      const wantedRows = expected(timeline).map(({ kind, at }) => `${kind} ${formatDateTime(at)}`);
      expect(readRows.map((row) => `${row.kind} ${row.at}`).toSorted()).toEqual(wantedRows.toSorted());
      expect(new Set(readRows.map(identity)).size).toBe(readRows.length);
      const storedTimes = readRows.filter((row) => row.kind !== 'log').map((row) => row.at);
      expect(storedTimes).toEqual(storedTimes.toSorted().toReversed());
    }
  });

  it('[INV-020, INV-024] adds up what the apps in scope know of a client or an address', async () => {
    await fc.assert(
      fc.asyncProperty(subjects, timelines, fc.integer({ min: 1, max: 4 }), async (subject, { scope }, limit) => {
        const own = rows.filter((row) => isOf(subject, row) && sees(scope, row.app_id));
        const times = own.map((row) => row.occurred_at);
        const summary = await events.getEventSummary({ scope, subject, limit });
        expect(summary.all).toEqual(own.length === 0 ? null : { events: own.length, first: Math.min(...times), last: Math.max(...times) });
        const count = (values: readonly (string | number)[]) => Map.groupBy(values, (value) => value);
        const countValues = (values: readonly (string | number)[]) =>
          new Map(Array.from(count(values), ([value, all]) => [value, all.length]));
        expect(summary.types).toEqual(countValues(own.map((row) => row.type)));
        expect(new Map(summary.apps.map(({ appId, events: eventCount }) => [appId, eventCount]))).toEqual(
          countValues(own.map((row) => row.app_id)),
        );
        expect(new Map(summary.countries.map(({ code, events: eventCount }) => [code, eventCount]))).toEqual(
          countValues(own.map((row) => row.country)),
        );

        const other = (row: NewEvent) => ('clientUid' in subject ? row.ip : row.client_uid);
        const others = [
          ...Map.groupBy(
            own.filter((row) => other(row) !== ''),
            other,
          ),
        ].map(([value, all]) => ({
          value,
          events: all.length,
          first: Math.min(...all.map((row) => row.occurred_at)),
          last: Math.max(...all.map((row) => row.occurred_at)),
        }));
        expect(summary.total).toBe(others.length);
        const latest = others.toSorted((a, b) => b.last - a.last || (a.value < b.value ? -1 : 1)).slice(0, limit);
        expect(summary.latest.map(({ country: _country, ...span }) => span.last)).toEqual(latest.map(({ last }) => last));
        for (const { country, ...span } of summary.latest) {
          expect(others).toContainEqual(span);
          const at = own.filter((row) => other(row) === span.value && row.occurred_at === span.last).map((row) => row.country);
          expect(at).toContain(country);
        }
      }),
      { numRuns: runs(60), seed: 47 },
    );
  });

  // The last to run, because they add rows.
  it('[INV-022] gives what arrived since, however old it says it is, each entry once', async () => {
    const timeline: Timeline = { subject: { clientUid: 'c-1' }, scope: [1], kinds: new Set(['request', 'push', 'conversion']) };
    const deps = timelineDeps(createLog());
    const { newest } = await readTimeline(deps, timeline, { cursor: undefined, limit: 1 });
    const send = async (at: Microseconds) => {
      await events.insertEvents([1, 2].map((appId) => sampleEvent({ occurred_at: at, client_uid: 'c-1', app_id: appId })));
      const { deliveries: store } = createTrafficStore({ pools: stores.databases.pools, serverOffset: '+02:00', retentionDays: 90 });
      const [push] = fc.sample(arbitraryPush('many'), { numRuns: 1 });
      if (push) await store.insertPushes([{ ...push, appId: 1, clientUid: 'c-1', sendAt: at + 1 }]);
    };
    await send(testEpoch - 5 * day);
    const first = await readNewer(deps, timeline, { after: newest ?? '', limit: 50 });
    expect(first.rows.map((row) => row.kind)).toEqual(['push', 'request']);
    expect(first.has_gap).toBe(false);
    const none = await readNewer(deps, timeline, { after: first.newest ?? '', limit: 50 });
    expect(none).toMatchObject({ rows: [], has_gap: false });
    await send(testEpoch + 9 * day);
    const second = await readNewer(deps, timeline, { after: none.newest ?? '', limit: 50 });
    expect(second.rows.map((row) => row.kind)).toEqual(['push', 'request']);
    // The older one arrives last.
    await send(testEpoch + 20 * day);
    await send(testEpoch - 6 * day);
    const third = await readNewer(deps, timeline, { after: second.newest ?? '', limit: 4 });
    expect([third.rows.length, third.has_gap]).toEqual([4, false]);
    expect((await readNewer(deps, timeline, { after: third.newest ?? '', limit: 50 })).rows).toEqual([]);
    expect(await readNewer(deps, timeline, { after: newest ?? '', limit: 1 })).toMatchObject({ has_gap: true });
    expect(await readNewer(deps, timeline, { after: 'invalid', limit: 1 })).toMatchObject({ rows: [], has_gap: true });
  });
});
