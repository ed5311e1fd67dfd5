import { formatDateTime, parseDateTime } from '@switchyard/contract/dates';
import type { RequestHistogram } from '@switchyard/contract/requests';
import type { Counts } from '../histogram/histogram-view.ts';

const none: Counts = { create: 0, receive: 0, token: 0, track: 0, proxy: 0, static: 0, error: 0 };

/** Four quarters of an hour from 10:00 on; the range begins within the first and ends within the last. */
export function sampleHistogram(
  counts: readonly Partial<Counts>[] = [{ create: 4 }, {}, { create: 1, error: 2 }, { track: 1 }],
): RequestHistogram {
  const start = parseDateTime('2026-11-20 10:00:00');
  return {
    bucketSeconds: 900,
    from: '2026-11-20 10:05:00',
    to: '2026-11-20 10:58:30',
    buckets: counts.map((own, index) => ({ at: formatDateTime(start + index * 900_000_000), counts: { ...none, ...own } })),
  };
}
