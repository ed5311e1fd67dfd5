import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { arbitraryConversion, arbitraryPush } from '../../../../test/arbitrary-deliveries.ts';
import { arbitraryRequest, testEpoch } from '../../../../test/arbitrary-requests.ts';
import { createTestDatabase } from '../../../../test/test-database.ts';
import { bucketStart, day, hour, type Span } from '../../time-buckets.ts';
import type { AppScope } from '../../traffic-store.ts';
import { createPostgresTrafficStore } from '../create-postgres-traffic-store.ts';

const scopes = fc.constantFrom<AppScope>('all', [1], [1, 3], [2, 99], []);

describe.each(['+02:00', '-09:30'])('figures of spans of whole hours at %s', async (offset) => {
  const { databases } = await createTestDatabase();
  const store = createPostgresTrafficStore({ pools: databases.pools, serverOffset: offset, retentionDays: 90 });
  const requests = fc.sample(arbitraryRequest, { numRuns: 500, seed: 7 });
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
    await store.addRequests(requests);
    await store.addPushes(pushes);
    await store.addConversions(conversions);
  });

  it('[HOME-005] equal a direct count of the requests, pushes and conversions', async () => {
    await fc.assert(
      fc.asyncProperty(scopes, spans, async (scope, asked) => {
        const mine = requests.filter(({ appId }) => seen(scope, appId));
        const ofType = (span: Span, type: string) => mine.filter((row) => row.type === type && within(span, row.occurredAt)).length;
        expect(await store.sumRequests({ scope, spans: asked })).toEqual(
          asked.map((span) => ({ create: ofType(span, 'create'), receive: ofType(span, 'receive') })),
        );
        const pushTimes = pushes.filter(({ appId }) => seen(scope, appId)).map(({ sendAt }) => sendAt);
        const conversionTimes = conversions.filter(({ appId }) => seen(scope, appId)).map(({ createdAt }) => createdAt);
        const counts = (times: readonly number[]) => asked.map((span) => times.filter((at) => within(span, at)).length);
        expect(await store.countPushesBySpan({ scope, spans: asked, most: 1000 })).toEqual(counts(pushTimes));
        expect(await store.countConversionsBySpan({ scope, spans: asked, most: 1000 })).toEqual(counts(conversionTimes));
      }),
      { numRuns: 40, seed: 11 },
    );
  });

  it('[HOME-005] gives no figures where the days hold more rows than asked for', async () => {
    const span = { from: bucketStart(testEpoch, day, offset), until: bucketStart(testEpoch, day, offset) + hour };
    const ofDay = pushes.filter(({ sendAt }) => within({ from: span.from, until: span.from + day }, sendAt)).length;
    expect(ofDay).toBeGreaterThan(1);
    expect(await store.countPushesBySpan({ scope: 'all', spans: [span], most: ofDay - 1 })).toBeNull();
    expect(await store.countPushesBySpan({ scope: 'all', spans: [span], most: ofDay })).toHaveLength(1);
  });

  it('[HOME-004] finds the apps that had requests a day before and have none since', async () => {
    await fc.assert(
      fc.asyncProperty(scopes, fc.integer({ min: -240, max: 260 }), fc.integer({ min: 1, max: 3 }), async (scope, start, atLeast) => {
        const from = bucketStart(testEpoch, hour, offset) + start * hour;
        const until = from + 3 * hour;
        const expected = [1, 2, 3]
          .filter((appId) => seen(scope, appId))
          .map((appId) => ({ appId, times: requests.filter((row) => row.appId === appId).map((row) => row.occurredAt) }))
          .filter(({ times }) => !times.some((at) => within({ from, until: until + day + hour }, at)))
          .map(({ appId, times }) => ({
            appId,
            requestsYesterday: times.filter((at) => within({ from: from - day, until: until - day }, at)).length,
          }))
          .filter(({ requestsYesterday }) => requestsYesterday >= atLeast)
          .toSorted((a, b) => b.requestsYesterday - a.requestsYesterday || a.appId - b.appId);
        expect(await store.findStoppedApps({ scope, from, until, atLeast })).toEqual(expected);
      }),
      { numRuns: 150, seed: 12 },
    );
  });
});
