import { fromDate } from '@switchyard/contract/dates';
import { pageForm } from '@switchyard/contract/envelope';
import { countPostbacks, listPostbackFilters, listPostbacks } from '@switchyard/contract/postbacks';
import { downloadPostbacks } from '@switchyard/contract/request-exports';
import { streamPostbacks } from '@switchyard/contract/request-streams';
import type { Databases } from '../../database/connect.ts';
import { forbidden } from '../../errors.ts';
import { readTopValues } from '../all-requests/top-values-lookup.ts';
import { appInScope } from '../apps/apps-lookup.ts';
import { recordAppExport } from '../audit/record-export-lookup.ts';
import { addOrigin, createOriginOfFrames } from '../subjects/origin-lookup.ts';
import type { Bind, Feature } from '../../http/bind.ts';
import { Download, EventFeed } from '../../http/streamed-result.ts';
import { slotsOfSearch } from '@switchyard/traffic-store/event-search';
import { readHistogram } from '../../traffic-queries/read-histogram.ts';
import { topOfPostbacks } from '@switchyard/contract/top-values';
import { readEventFilter } from '../../traffic-queries/read-event-filter.ts';
import type { EventStore } from '@switchyard/traffic-store/event-store';
import { readFilterOptions } from './read-filter-options.ts';

type Dependencies = {
  db: Databases['db'];
  pools: Pick<Databases['pools'], 'ui'>;
  eventStore: Pick<
    EventStore,
    'listEventsByPage' | 'countByBucket' | 'countEvents' | 'findTopValues' | 'findSeenValues' | 'exportEvents' | 'followEvents'
  >;
  now: () => Date;
  /** Offset `+HH:MM` in which the server cuts days. */
  serverOffset: string;
};

/** Requests of one app: its list by page, its histogram and what it may be filtered by. */
export function createPostbacks(deps: Dependencies): Feature {
  const { pools, eventStore, serverOffset } = deps;
  return {
    bindRoutes(bind) {
      bind(
        listPostbacks,
        async ({ params: { id }, query }) => {
          const { page, limit, orderBy, orderDirection, origin } = query;
          const filter = readEventFilter(query, { scope: [id], serverOffset });
          const { rows, total } = await eventStore.listEventsByPage({ filter, sort: { orderBy, orderDirection }, page, limit, origin });
          const pagination = pageForm({ total, count: rows.length, limit, page });
          return { rows: origin === true ? await addOrigin(deps.db, rows) : rows, pagination };
        },
        { requireEntity: appInScope(pools), slots: slotsOfSearch },
      );

      bindPostbackStreams(bind, deps);

      bind(countPostbacks, async ({ params: { id }, query }) => readHistogram(deps, { query, scope: [id], now: fromDate(deps.now()) }), {
        requireEntity: appInScope(pools),
        slots: slotsOfSearch,
      });

      bind(topOfPostbacks, async ({ params: { id }, query }) => readTopValues(deps, { query, scope: [id] }), {
        requireEntity: appInScope(pools),
        slots: 'scans',
      });

      bind(listPostbackFilters, async ({ params: { id }, request }) => ({ ...(await readFilterOptions(deps, id)), ip: request.ip }), {
        requireEntity: appInScope(pools),
      });
    },
  };
}

/** Requests of one app as a file, and as they are stored. */
function bindPostbackStreams(bind: Bind, { db, pools, eventStore, serverOffset }: Dependencies): void {
  const originOfFrames = createOriginOfFrames(db);

  bind(
    downloadPostbacks,
    async ({ params: { id }, query, caller, request }) => {
      const filter = readEventFilter(query, { scope: [id], serverOffset });
      const sort = { orderBy: query.orderBy, orderDirection: query.orderDirection };
      return new Download(`app_${id}.csv`, async (signal) => {
        await recordAppExport(db, { appId: id, caller, request });
        return eventStore.exportEvents({ filter, sort, signal });
      });
    },
    { requireEntity: appInScope(pools) },
  );

  bind(
    streamPostbacks,
    async ({ params: { id }, query }) => {
      const filter = readEventFilter(query, { scope: [id], serverOffset });
      return new EventFeed({
        requireAccess(caller) {
          if (caller.scope !== 'all' && !caller.scope.includes(id)) throw forbidden();
        },
        open: async ({ lastEventId, signal }) => {
          const after = lastEventId ?? query.lastEventId;
          const frames = await eventStore.followEvents({ filter: () => filter, after, signal, origin: query.origin });
          return query.origin === true ? originOfFrames(frames) : frames;
        },
      });
    },
    { requireEntity: appInScope(pools) },
  );
}
