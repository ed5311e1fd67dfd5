import { addDays, dayOf, fromDate } from '@switchyard/contract/dates';
import { logSearchLimits, logSearchMessages, type LogSearchCall, type LogSearchLine } from '@switchyard/contract/log-search';
import { toFile } from '@switchyard/traffic-store/csv';
import type { LogReader } from '../../adapters/log-files/log-reader.ts';
import { searchLogDays } from '../../adapters/log-files/search-log-days.ts';
import { expressionProblem } from '../../adapters/log-files/sought-text.ts';
import { FieldErrors, HttpError } from '../../errors.ts';
import type { Feature } from '../../http/bind.ts';
import { personOf } from '../../http/request-context.ts';
import { createLimiter } from '../../overload/limiter.ts';
import type { LogSource, RecordShowing } from './log-commands.ts';

type SearchedLog = { dir: string; source: LogSource; call: LogSearchCall };
type Deps = {
  reader: Pick<LogReader, 'find'>;
  logs: readonly SearchedLog[];
  recordShowing: RecordShowing;
  now: () => Date;
  /** Duration after which a search ends with a cursor. */
  searchMilliseconds?: number;
};

/** Milliseconds for which a client may keep a search waiting, all in all. */
const stallMilliseconds = 30_000;

/** Interval at which the caller is read again, so that a search ends within a second after its session. */
const renewMilliseconds = 600;

/** Seconds after which a caller with too many searches may try again. */
const retrySeconds = 5;

/** Searches across the days of both logs, which share the limit of searches. */
export function createLogSearch({ reader, logs, recordShowing, now, searchMilliseconds = logSearchLimits.seconds * 1000 }: Deps): Feature {
  const searches = createLimiter({ slots: logSearchLimits.atOnce, slotsPerCaller: logSearchLimits.perAccount });

  return {
    bindRoutes(bind) {
      for (const { dir, source, call } of logs) {
        bind(
          call,
          async ({ query, caller, request, signal, renew }) => {
            const { query: text, regex: isRegex = false, level = null, secrets = false, startDate, endDate, cursor } = query;
            const problem = isRegex && text !== undefined ? expressionProblem(text) : null;
            if (problem !== null) throw new FieldErrors({ query: [problem] });
            const release = searches.tryAcquire(personOf(caller));
            if (release === null) throw new HttpError(429, logSearchMessages.tooMany, { retryAfter: retrySeconds });
            const closed = signal();
            closed.addEventListener('abort', release);
            if (closed.aborted) release();
            const lastDay = endDate ?? dayOf(fromDate(now()), '+00:00');
            const lines = searchLogDays(reader, {
              dir,
              startDate: startDate ?? addDays(lastDay, 1 - logSearchLimits.defaultDays),
              endDate,
              query: { term: text === undefined ? null : { query: text, isRegex }, levels: level, secrets },
              cursor,
              limits: { entries: logSearchLimits.entries, milliseconds: searchMilliseconds },
              signal: closed,
              beforeDay: async (date) => (secrets ? recordShowing({ date, source, caller, request }) : undefined),
            });
            const body = await toFile(toBytes(whileAllowed(lines, renew)));
            // A client that reads nothing does not keep its slot.
            const timer = setTimeout(() => body.destroy(), searchMilliseconds + stallMilliseconds);
            closed.addEventListener('abort', () => clearTimeout(timer));
            return { body, headers: { 'x-accel-buffering': 'no' } };
          },
          { slots: 'none' },
        );
      }
    },
  };
}

/** Ends the lines, without the last one, when the caller has lost access. */
async function* whileAllowed(lines: AsyncIterable<LogSearchLine>, renew: () => Promise<void>): AsyncGenerator<LogSearchLine> {
  let renewedAt = performance.now();
  for await (const line of lines) {
    if (performance.now() > renewedAt + renewMilliseconds) {
      try {
        await renew();
      } catch (error) {
        if (error instanceof HttpError) return;
        throw error;
      }
      renewedAt = performance.now();
    }
    yield line;
  }
}

async function* toBytes(lines: AsyncIterable<LogSearchLine>): AsyncGenerator<Buffer> {
  for await (const line of lines) yield Buffer.from(`${JSON.stringify(line)}\n`);
}
