import type { RequestHistogram } from '@switchyard/contract/request-histogram';

/** From before any request until after all: a histogram without a range would count a day (api [27]). */
export const wholeTime = { startDate: '2000-01-01', endDate: '2100-01-01' } as const;

/** How many requests a histogram counts, each once. */
export function countedRequests({ buckets }: Pick<RequestHistogram, 'buckets'>): number {
  return buckets.reduce((sum, { counts }) => sum + Object.values(counts).reduce((inBucket, count) => inBucket + count, 0), 0);
}
