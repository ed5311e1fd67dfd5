import { z } from 'zod';
import { requestTypes } from './requests.ts';

/** Lengths that a histogram's buckets may have, in seconds: a minute to a week (api [27]). */
export const bucketLengths = [60, 300, 900, 3600, 10_800, 21_600, 86_400, 604_800] as const;
/** Most buckets a histogram has; the smallest length that needs no more is taken. */
export const mostBuckets = 120;

/**
 * Requests over time by type. `from` and `to` are the range that was counted, in UTC; a bucket begins `at`, its first
 * and last one may reach beyond the range and hold only rows inside it. Empty buckets are among them, oldest first.
 */
export const requestHistogram = z.object({
  bucketSeconds: z.int(),
  from: z.string(),
  to: z.string(),
  buckets: z.array(z.object({ at: z.string(), counts: z.record(z.enum(requestTypes), z.int()) })),
});
export type RequestHistogram = z.output<typeof requestHistogram>;
