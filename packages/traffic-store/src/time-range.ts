import type { Microseconds } from '@switchyard/contract/dates';

/** A stretch of time; `until` is exclusive, an absent end is open. */
export type TimeRange = { from?: Microseconds | undefined; until?: Microseconds | undefined };
