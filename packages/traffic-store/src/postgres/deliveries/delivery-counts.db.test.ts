import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { dayOf, dayRange } from '@switchyard/contract/dates';
import type { DeliveryFigures } from '../../delivery-store.ts';
import type { Counts } from '../../group-columns.ts';
import { createTrafficStore } from '../../open-traffic-store.ts';
import { bucketStart, hour, type Span } from '../../time-buckets.ts';
import type { AppScope } from '@switchyard/contract/app-scope';
import { arbitraryConversion, arbitraryPush } from '../../../../api/test/arbitrary-deliveries.ts';
import { countOutcomes } from '../../../../api/src/database/migrations/0018-traffic-counts.ts';
import type { Tables } from '../../../../api/src/database/tables.ts';
import { storeArbitraryEvents, testEpoch } from '../../../../api/test/arbitrary-events.ts';
import { createTestDatabase } from '../../../../api/test/test-database.ts';

const scopes = fc.constantFrom<AppScope>('all', [1], [1, 3], [2, 99], []);

describe.each(['+02:00', '-09:30'])('figures of spans of whole hours at %s', async (offset) => {
  const { databases } = await createTestDatabase();
  const { deliveries, events } = createTrafficStore({ pools: databases.pools, serverOffset: offset, retentionDays: 90 });
  const pushes = fc.sample(arbitraryPush('many'), { numRuns: 200, seed: 8 });
  const conversions = fc.sample(arbitraryConversion('many'), { numRuns: 200, seed: 9 });
  const spans = fc.array(
    fc.tuple(fc.integer({ min: -250, max: 250 }), fc.integer({ min: 0, max: 60 })).map(([start, hours]): Span => {
      const from = bucketStart(testEpoch, hour, offset) + start * hour;
      return { from, until: from + hours * hour };
    }),
    { maxLength: 3 },
  );
  const isVisible = (scope: AppScope, appId: number) => scope === 'all' || scope.includes(appId);
  const within = ({ from, until }: Span, at: number) => at >= from && at < until;

  beforeAll(async () => {
    await deliveries.insertPushes(pushes);
    await deliveries.insertConversions(conversions);
  });

  it('[HOME-005, ALERT-014] equal a direct count of the pushes and conversions', async () => {
    await fc.assert(
      fc.asyncProperty(scopes, spans, async (scope, askedSpans) => {
        const pushTimes = pushes.filter(({ appId }) => isVisible(scope, appId)).map(({ sendAt }) => sendAt);
        const conversionTimes = conversions.filter(({ appId }) => isVisible(scope, appId)).map(({ createdAt }) => createdAt);
        const counts = (times: readonly number[]) => askedSpans.map((span) => times.filter((at) => within(span, at)).length);
        expect(await deliveries.countPushesBySpan({ scope, spans: askedSpans })).toEqual(counts(pushTimes));
        expect(await deliveries.countConversionsBySpan({ scope, spans: askedSpans })).toEqual(counts(conversionTimes));
        for (const span of askedSpans) {
          const hours = await deliveries.countConversionHours({ scope, ...span });
          const found = conversions.filter((one) => isVisible(scope, one.appId) && within(span, one.createdAt));
          const expected = Map.groupBy(found, (one) => `${one.appId} ${bucketStart(one.createdAt, hour, offset)}`);
          expect(new Map(hours.map((one) => [`${one.appId} ${one.at}`, one.conversions]))).toEqual(
            new Map(Array.from(expected, ([key, { length }]) => [key, length])),
          );
        }
      }),
      { numRuns: 40, seed: 11 },
    );
  });

  it('[REP-001, REP-004] are counted by the migrations that add their tables and columns, from what was stored before', async () => {
    await storeArbitraryEvents(events, 31);
    // Notes the offset by which days are counted.
    await deliveries.maintain(testEpoch);
    const addedTables = ['traffic_country_days', 'traffic_stream_days', 'push_status_days', 'conversion_stream_days'];
    const outcomes = ['successes', 'bots', 'errors'];
    const widenedTables = {
      traffic_day_types: outcomes,
      traffic_all_hours: outcomes,
      traffic_all_days: outcomes,
      traffic_app_days: ['successes'],
    };
    const readCounts = async (): Promise<unknown[]> => {
      const counts: unknown[] = [];
      for (const table of [...addedTables, ...Object.keys(widenedTables)]) {
        const { rows } = await databases.pools.ops.query(`select to_jsonb(t) as row from ${table} as t order by to_jsonb(t)::text`);
        expect(rows.length).toBeGreaterThan(5);
        counts.push(rows);
      }
      return counts;
    };
    const before = await readCounts();
    await databases.pools.ops.query(`drop table ${addedTables.join(', ')};
      ${Object.entries(widenedTables)
        .map(([table, columns]) => `alter table ${table} ${columns.map((column) => `drop column ${column}`).join(', ')};`)
        .join('\n')}`);
    await databases.opsDb.transaction().execute(async (transaction) => countOutcomes<Tables>(transaction));
    expect(await readCounts()).toEqual(before);
  });

  it('[REP-004, CONV-115] count pushes and conversions by group, kind and status, with the exact sum of their payouts', async () => {
    const groupings = fc.uniqueArray(fc.constantFrom('app', 'stream', 'day', 'hour', 'kind', 'chosenKind'), { maxLength: 3 });
    const days = fc.tuple(
      fc.integer({ min: -7, max: 7 }),
      fc.integer({ min: 1, max: 14 }),
      fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 24 * hour - 1 })),
    );
    const kinds = fc.option(fc.subarray(['install', 'deposit', 'none']), { nil: undefined });
    const streams = fc.option(fc.subarray(['st_1', 'ST-2', 'st_9'], { minLength: 1 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(
        scopes,
        groupings,
        days,
        fc.tuple(streams, streams),
        fc.tuple(kinds, kinds, fc.subarray(['install', 'lead', 'none'])),
        async (scope, by, [first, length, cutMicroseconds], [streamUids, streamUidsNot], [ofKinds, kindsNot, chosenKinds]) => {
          const from = dayRange(dayOf(testEpoch + first * 24 * hour, offset), offset).from;
          // The last day may end early.
          const range = { from, until: from + length * 24 * hour - cutMicroseconds };
          const group = (appId: number, stream: string, at: number, kind = '') => {
            const keys = {
              kind,
              chosenKind: chosenKinds.some((one) => one === kind) ? kind : '',
              app: String(appId),
              stream,
              day: dayOf(at, offset),
              hour: String(Math.floor((at - dayRange(dayOf(at, offset), offset).from) / hour)),
            };
            return by.map((key) => keys[key]);
          };
          const sums = (rows: readonly { keys: string[]; status: string; payout: bigint }[]) =>
            new Map(
              Array.from(
                Map.groupBy(rows, ({ keys, status }) => JSON.stringify([keys, status])),
                ([name, rowsOfKey]) => [name, [rowsOfKey.length, rowsOfKey.reduce((sum, { payout }) => sum + payout, 0n)]] as const,
              ),
            );
          const toCounts = (rows: Counts<DeliveryFigures>) =>
            new Map(
              Array.from(rows, ({ keys, status, stored, payout }) => [JSON.stringify([keys, status]), [stored, tenThousandths(payout)]]),
            );
          const query = { scope, ...range, by, limit: 1000 };
          expect(toCounts(await deliveries.countPushGroups(query))).toEqual(
            sums(
              pushes
                .filter((row) => isVisible(scope, row.appId) && within(range, row.sendAt))
                .map((row) => ({ keys: group(row.appId, '', row.sendAt), status: row.status, payout: 0n })),
            ),
          );
          expect(
            toCounts(
              await deliveries.countConversionGroups({ ...query, streamUids, streamUidsNot, kinds: ofKinds, kindsNot, chosenKinds }),
            ),
          ).toEqual(
            sums(
              conversions
                .filter((row) => isVisible(scope, row.appId) && within(range, row.createdAt))
                .filter(
                  ({ streamUid }) => streamUids?.includes(streamUid ?? '') !== false && streamUidsNot?.includes(streamUid ?? '') !== true,
                )
                .filter(
                  ({ statusConversion: own }) =>
                    ofKinds?.some((one) => one === own) !== false && kindsNot?.some((one) => one === own) !== true,
                )
                .map((row) => ({
                  keys: group(row.appId, row.streamUid ?? '', row.createdAt, row.statusConversion),
                  status: row.status,
                  payout: tenThousandths(row.payout ?? '0'),
                })),
            ),
          );
        },
      ),
      { numRuns: 60, seed: 13 },
    );
  });
});

/** Decimal text with at most four decimals as a whole number, so that no digit is lost. */
function tenThousandths(text: string): bigint {
  const [whole = '', part = ''] = text.split('.');
  return BigInt(`${whole}${part.padEnd(4, '0')}`);
}
