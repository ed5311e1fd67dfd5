import { tileMessages } from '@switchyard/contract/dashboard';
import { messages } from '@switchyard/contract/envelope';
import { reportSource } from '@switchyard/contract/report-rules';
import type { Report } from '@switchyard/contract/reports';
import { LRUCache } from 'lru-cache';
import type { AppScope } from '@switchyard/contract/app-scope';
import { isDatabaseUnavailable, isPoolTimeout, isStatementTimeout } from '@switchyard/traffic-store/database-errors';
import { FieldErrors, rejectionOf } from '../../errors.ts';
import { createSteadyClock } from '../../steady-clock.ts';
import { createLimiter, type Limiter } from '../../overload/limiter.ts';
import { eventStoreFaults } from '@switchyard/traffic-store/event-store-faults';
import type { TileReport } from './tile-report.ts';

export type TileResult = { state: 'ready'; report: Report; message: null } | { state: 'failed'; report: null; message: string };

export type ResultDependencies = {
  readReport: (request: TileReport & { scope: AppScope }) => Promise<Report>;
  /** The slots of short calls and of scans (decision 19). */
  slots: Readonly<Record<'database' | 'scans', Pick<Limiter, 'run'>>>;
  now: () => Date;
  onFault: (fault: unknown) => void;
};

type Request = { of: TileReport; scope: AppScope; accountId: number };

/** Milliseconds for which a report answers equal tiles: short for one of roll-ups, longer for one that reads single events. */
const keptMilliseconds = { 'roll-ups': 10_000, events: 60_000, failed: 2000 } as const;
/** Results that are kept, and groups in all of them. */
const most = { results: 200, groups: 50_000 } as const;
const queue = { queue: 512, queuePerCaller: 64 } as const;

/**
 * Counts the reports of tiles. Equal reports of the same apps are counted once, and kept for a moment, so that a call that did not wait
 * for a slow one finds it later. Reports of roll-ups are counted two at once and one that reads single events beside them, over all
 * accounts, in slots of short calls and of scans: Home takes no connection that these limiters have not granted, and slow tiles wait
 * for each other alone.
 */
export function createTileResults({ readReport, slots, now, onFault }: ResultDependencies): (request: Request) => Promise<TileResult> {
  const results = new LRUCache<string, Promise<TileResult>>({
    max: most.results,
    maxSize: most.groups,
    ttlResolution: 0,
    perf: { now: createSteadyClock(now) },
  });
  const lanes = { 'roll-ups': createLimiter({ slots: 2, ...queue }), events: createLimiter({ slots: 1, ...queue }) } as const;

  async function count({ of, scope, accountId }: Request): Promise<Report> {
    const source = reportSource(of.query);
    const slot = source === 'events' ? slots.scans : slots.database;
    const read = async () => readReport({ ...of, scope });
    return lanes[source].run(async () => slot.run(read, accountId), accountId);
  }

  /** Counts a report and says how long its answer is kept. */
  async function settle(request: Request): Promise<{ result: TileResult; ttl: number }> {
    try {
      const report = await count(request);
      return { result: { state: 'ready', report, message: null }, ttl: keptMilliseconds[report.source] };
    } catch (error) {
      return { result: { state: 'failed', report: null, message: describeFailure(error, onFault) }, ttl: keptMilliseconds.failed };
    }
  }

  return async (request) => {
    const key = keyOf(request);
    const known = results.get(key);
    if (known !== undefined) return known;
    const result = settle(request).then(({ result: settled, ttl }) => {
      results.set(key, result, { ttl, size: 1 + (settled.report?.groups.length ?? 0) });
      return settled;
    });
    // Without an end while it is counted, however long that takes.
    results.set(key, result, { size: 1 });
    return result;
  };
}

/** Equal for tiles that show the same: the account itself plays no part in a report. */
function keyOf({ of, scope }: Request): string {
  return JSON.stringify([of.query, of.limit, scope === 'all' ? scope : scope.toSorted((a, b) => a - b)]);
}

function describeFailure(error: unknown, onFault: ResultDependencies['onFault']): string {
  if (error instanceof FieldErrors) return Object.values(error.errors).flat().join(' ');
  const rejection = rejectionOf(error);
  if (rejection !== null) return rejection.message;
  if (isPoolTimeout(error)) return messages.busy;
  if (isStatementTimeout(error) || eventStoreFaults.isTimeout(error)) return tileMessages.tooSlow;
  onFault(error);
  return isDatabaseUnavailable(error) ? messages.databaseUnavailable : messages.somethingWrong;
}
