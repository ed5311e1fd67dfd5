import { addDays, dayOf, fromDate } from '@switchyard/contract/dates';
import { logFollowMessages, type LogFollowCall } from '@switchyard/contract/log-search';
import { findLogDay } from '../../adapters/log-files/log-folder.ts';
import { followLogDays } from '../../adapters/log-files/follow-log-days.ts';
import type { LogReader } from '../../adapters/log-files/log-reader.ts';
import { FieldErrors, notFound } from '../../errors.ts';
import type { Feature } from '../../http/bind.ts';
import { EventFeed } from '../../http/streamed-result.ts';
import type { LogSource, RecordShowing } from './log-commands.ts';

type FollowedLog = { dir: string; source: LogSource; call: LogFollowCall };
type Deps = { reader: Pick<LogReader, 'news'>; logs: readonly FollowedLog[]; recordShowing: RecordShowing; now: () => Date };

/** Live streams of the entries that are written to both logs. They count among the streams of an account. */
export function createLogFollow({ reader, logs, recordShowing, now }: Deps): Feature {
  return {
    bindRoutes(bind) {
      for (const { dir, source, call } of logs) {
        bind(
          call,
          async ({ params: { date: firstDate }, query, request }) => {
            if ((await findLogDay(dir, firstDate)) === undefined) throw notFound();
            // Following reads every day after the first, and a position names all of their files.
            if (firstDate < addDays(dayOf(fromDate(now()), '+00:00'), -1)) throw new FieldErrors({ date: [logFollowMessages.tooOld] });
            const { query: text, level: levels = null, format, secrets = false } = query;
            return new EventFeed({
              requireAccess: () => undefined,
              open: async ({ lastEventId, caller, signal }) =>
                followLogDays(reader, {
                  dir,
                  date: firstDate,
                  query: { term: text === undefined ? null : { query: text, isRegex: false }, levels, format, secrets },
                  after: lastEventId ?? query.lastEventId,
                  signal,
                  beforeDay: async (date) => (secrets ? recordShowing({ date, source, caller: caller(), request }) : undefined),
                }),
            });
          },
          { slots: 'files' },
        );
      }
    },
  };
}
