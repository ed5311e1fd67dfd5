import { DroppedWeek, isEngineFull, isEngineTimeout } from './clickhouse/engine-errors.ts';

/** Meanings of errors of the event store, beside those of the console's database. */
export const eventStoreFaults = {
  isFull: isEngineFull,
  /** Weeks that a process with a faster clock has dropped are past retention here, too, before long. */
  isTimeout: (error: unknown): boolean => isEngineTimeout(error) || error instanceof DroppedWeek,
};
