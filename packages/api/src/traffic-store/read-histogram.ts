import { formatDateTime, type Microseconds } from '@switchyard/contract/dates';
import type { RequestHistogram } from '@switchyard/contract/request-histogram';
import type { RequestFilters } from '@switchyard/contract/requests';
import { bucketStarts, readHistogramRange } from './histogram-range.ts';
import { readRequestFilter } from './read-request-filter.ts';
import type { AppScope, BucketCount, TrafficStore } from './traffic-store.ts';

/** The histogram that a query asks for, of the apps in a scope (api [27], [36]). Throws FieldErrors when the range ends before it starts. */
export async function readHistogram(
  { trafficStore, serverOffset }: { trafficStore: Pick<TrafficStore, 'countByBucket'>; serverOffset: string },
  { query, scope, now }: { query: RequestFilters; scope: AppScope; now: Microseconds },
): Promise<RequestHistogram> {
  const range = readHistogramRange(query, { now, serverOffset });
  const { from, until, bucketSeconds } = range;
  const filter = readRequestFilter(query, { scope, serverOffset });
  const counts = from < until ? await trafficStore.countByBucket({ filter, from, until, bucketSeconds }) : [];
  const byStart = Map.groupBy(counts, (count) => count.at);
  // A bucket that begins at the very end is shown only when something lies on that instant.
  const starts = new Set([...bucketStarts(range, serverOffset), ...byStart.keys()]);
  return {
    bucketSeconds,
    from: formatDateTime(from),
    to: formatDateTime(range.to),
    buckets: [...starts].map((at) => ({ at: formatDateTime(at), counts: byType(byStart.get(at) ?? []) })),
  };
}

function byType(found: readonly BucketCount[]): RequestHistogram['buckets'][number]['counts'] {
  const counts = { create: 0, receive: 0, token: 0, track: 0, proxy: 0, static: 0, error: 0 };
  for (const { type, requests } of found) counts[type] = requests;
  return counts;
}
