import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTrafficStore } from '../../traffic-store.ts';
import { bucketStart, day, hour, type Span } from '../../time-buckets.ts';
import type { AppScope } from '../../../app-scope.ts';
import { arbitraryConversion, arbitraryPush } from '../../../../test/arbitrary-deliveries.ts';
import { arbitraryEvent, testEpoch } from '../../../../test/arbitrary-events.ts';
import { createTestDatabase } from '../../../../test/test-database.ts';

const scopes = fc.constantFrom<AppScope>('all', [1], [1, 3], [2, 99], []);

describe.each(['+02:00', '-09:30'])('figures of spans of whole hours at %s', async (offset) => {
  const { databases } = await createTestDatabase();
  const { events: store, deliveries } = createTrafficStore({ pools: databases.pools, serverOffset: offset, retentionDays: 90 });
  const events = fc.sample(arbitraryEvent, { numRuns: 500, seed: 7 });
  const pushes = fc.sample(arbitraryPush('many'), { numRuns: 200, seed: 8 });
  const conversions = fc.sample(arbitraryConversion('many'), { numRuns: 200, seed: 9 });
  const spans = fc.array(
    fc.tuple(fc.integer({ min: -250, max: 250 }), fc.integer({ min: 0, max: 60 })).map(([start, hours]): Span => {
      const from = bucketStart(testEpoch, hour, offset) + start * hour;
      return { from, until: from + hours * hour };
    }),
    { maxLength: 3 },
  );
  const seen = (scope: AppScope, appId: number) => scope === 'all' || scope.includes(appId);
  const within = ({ from, until }: Span, at: number) => at >= from && at < until;

  beforeAll(async () => {
    await store.addEvents(events);
    await deliveries.addPushes(pushes);
    await deliveries.addConversions(conversions);
  });

  it('[HOME-005] equal a direct count of the requests, pushes and conversions', async () => {
    await fc.assert(
      fc.asyncProperty(scopes, spans, async (scope, asked) => {
        const mine = events.filter((row) => seen(scope, row.app_id));
        const ofType = (span: Span, type: string) => mine.filter((row) => row.type === type && within(span, row.occurred_at)).length;
        expect(await store.sumEvents({ scope, spans: asked })).toEqual(
          asked.map((span) => ({ create: ofType(span, 'create'), receive: ofType(span, 'receive') })),
        );
        const pushTimes = pushes.filter(({ appId }) => seen(scope, appId)).map(({ sendAt }) => sendAt);
        const conversionTimes = conversions.filter(({ appId }) => seen(scope, appId)).map(({ createdAt }) => createdAt);
        const counts = (times: readonly number[]) => asked.map((span) => times.filter((at) => within(span, at)).length);
        expect(await deliveries.countPushesBySpan({ scope, spans: asked })).toEqual(counts(pushTimes));
        expect(await deliveries.countConversionsBySpan({ scope, spans: asked })).toEqual(counts(conversionTimes));
      }),
      { numRuns: 40, seed: 11 },
    );
  });

  it('[HOME-004] finds the apps that had requests a day before and have none since', async () => {
    await fc.assert(
      fc.asyncProperty(scopes, fc.integer({ min: -240, max: 260 }), fc.integer({ min: 1, max: 3 }), async (scope, start, atLeast) => {
        const from = bucketStart(testEpoch, hour, offset) + start * hour;
        const until = from + 3 * hour;
        const expected = [1, 2, 3]
          .filter((appId) => seen(scope, appId))
          .map((appId) => ({ appId, times: events.filter((row) => row.app_id === appId).map((row) => row.occurred_at) }))
          .filter(({ times }) => !times.some((at) => within({ from, until: until + day + hour }, at)))
          .map(({ appId, times }) => ({
            appId,
            eventsYesterday: times.filter((at) => within({ from: from - day, until: until - day }, at)).length,
          }))
          .filter(({ eventsYesterday }) => eventsYesterday >= atLeast)
          .toSorted((a, b) => b.eventsYesterday - a.eventsYesterday || a.appId - b.appId);
        expect(await store.findStoppedApps({ scope, from, until, atLeast })).toEqual(expected);
      }),
      { numRuns: 150, seed: 12 },
    );
  });
});
