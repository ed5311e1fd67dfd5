import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTrafficStore } from '../../traffic-store.ts';
import { bucketStart, hour, type Span } from '../../time-buckets.ts';
import type { AppScope } from '../../../app-scope.ts';
import { arbitraryConversion, arbitraryPush } from '../../../../test/arbitrary-deliveries.ts';
import { testEpoch } from '../../../../test/arbitrary-events.ts';
import { createTestDatabase } from '../../../../test/test-database.ts';

const scopes = fc.constantFrom<AppScope>('all', [1], [1, 3], [2, 99], []);

describe.each(['+02:00', '-09:30'])('figures of spans of whole hours at %s', async (offset) => {
  const { databases } = await createTestDatabase();
  const { deliveries } = createTrafficStore({ pools: databases.pools, serverOffset: offset, retentionDays: 90 });
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
    await deliveries.addPushes(pushes);
    await deliveries.addConversions(conversions);
  });

  it('[HOME-005] equal a direct count of the pushes and conversions', async () => {
    await fc.assert(
      fc.asyncProperty(scopes, spans, async (scope, asked) => {
        const pushTimes = pushes.filter(({ appId }) => seen(scope, appId)).map(({ sendAt }) => sendAt);
        const conversionTimes = conversions.filter(({ appId }) => seen(scope, appId)).map(({ createdAt }) => createdAt);
        const counts = (times: readonly number[]) => asked.map((span) => times.filter((at) => within(span, at)).length);
        expect(await deliveries.countPushesBySpan({ scope, spans: asked })).toEqual(counts(pushTimes));
        expect(await deliveries.countConversionsBySpan({ scope, spans: asked })).toEqual(counts(conversionTimes));
      }),
      { numRuns: 40, seed: 11 },
    );
  });
});
