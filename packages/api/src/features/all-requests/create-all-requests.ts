import { countAllRequests, listAllRequests } from '@switchyard/contract/all-requests';
import { fromDate } from '@switchyard/contract/dates';
import { cursorForm } from '@switchyard/contract/envelope';
import { downloadAllRequests } from '@switchyard/contract/request-exports';
import { streamAllRequests } from '@switchyard/contract/request-streams';
import type { Databases } from '../../database/connect.ts';
import { recordExport } from '../audit/record-export-lookup.ts';
import { addOrigin, createOriginOfFrames } from '../subjects/origin-lookup.ts';
import type { Bind, Feature } from '../../http/bind.ts';
import { Download, EventFeed } from '../../http/streamed-result.ts';
import { slotsOfSearch } from '@switchyard/traffic-store/event-search';
import { readHistogram } from '../../traffic-queries/read-histogram.ts';
import { topOfAllRequests } from '@switchyard/contract/top-values';
import { readEventFilter } from '../../traffic-queries/read-event-filter.ts';
import { readTopValues } from './top-values-lookup.ts';
import type { EventStore } from '@switchyard/traffic-store/event-store';

type Dependencies = {
  db: Databases['db'];
  eventStore: Pick<EventStore, 'listEventsByCursor' | 'countByBucket' | 'countEvents' | 'findTopValues' | 'exportEvents' | 'followEvents'>;
  now: () => Date;
  /** Offset `+HH:MM` in which the server cuts days. */
  serverOffset: string;
};

/** Requests of every app in the caller's scope, by cursor, as file and live, and their histogram. */
export function createAllRequests(deps: Dependencies): Feature {
  return {
    bindRoutes(bind) {
      bind(
        listAllRequests,
        async ({ query, caller }) => {
          const filter = readEventFilter(query, { scope: caller.scope, serverOffset: deps.serverOffset });
          const { orderBy, orderDirection, cursor, limit, origin } = query;
          const sort = { orderBy, orderDirection };
          const { rows, previous, next } = await deps.eventStore.listEventsByCursor({ filter, sort, cursor, limit, origin });
          return {
            rows: origin === true ? await addOrigin(deps.db, rows) : rows,
            pagination: cursorForm({ count: rows.length, limit, previous, next }),
          };
        },
        { slots: slotsOfSearch },
      );

      bindRequestStreams(bind, deps);
      bind(countAllRequests, async ({ query, caller }) => readHistogram(deps, { query, scope: caller.scope, now: fromDate(deps.now()) }), {
        slots: slotsOfSearch,
      });
      bind(topOfAllRequests, async ({ query, caller }) => readTopValues(deps, { query, scope: caller.scope }), { slots: 'scans' });
    },
  };
}

/** Requests of every app in the caller's scope as a file, and as they are stored. */
function bindRequestStreams(bind: Bind, { db, eventStore, serverOffset }: Dependencies): void {
  bind(downloadAllRequests, async ({ query, caller, request }) => {
    const filter = readEventFilter(query, { scope: caller.scope, serverOffset });
    const sort = { orderBy: query.orderBy, orderDirection: query.orderDirection };
    return new Download('requests.csv', async (signal) => {
      await recordExport(db, { entity: 'request', caller, request });
      return eventStore.exportEvents({ filter, sort, signal });
    });
  });

  const originOfFrames = createOriginOfFrames(db);
  bind(
    streamAllRequests,
    async ({ query }) =>
      new EventFeed({
        requireAccess: () => undefined,
        open: async ({ lastEventId, caller, signal }) => {
          const frames = await eventStore.followEvents({
            // The caller's apps may change while the stream is open.
            filter: () => readEventFilter(query, { scope: caller().scope, serverOffset }),
            after: lastEventId ?? query.lastEventId,
            signal,
            origin: query.origin,
          });
          return query.origin === true ? originOfFrames(frames) : frames;
        },
      }),
  );
}
