import { downloadPushes } from '@switchyard/contract/delivery-exports';
import { placeFilters } from '@switchyard/contract/delivery-place';
import { pageForm } from '@switchyard/contract/envelope';
import { listPushes, type PushesQuery } from '@switchyard/contract/pushes';
import type { Databases } from '../../database/connect.ts';
import { scansWith } from '../../http/admission.ts';
import type { Feature } from '../../http/bind.ts';
import { Download } from '../../http/streamed-result.ts';
import type { PushFilter, DeliveryStore } from '@switchyard/traffic-store/delivery-store';
import { readPlaceFilter } from '../../traffic-queries/read-place-filter.ts';
import { readTimeRange } from '../../traffic-queries/read-time-range.ts';
import { appInScope } from '../apps/apps-lookup.ts';
import { recordAppExport } from '../audit/record-export-lookup.ts';
import { findPlaceNames } from '../subjects/places-lookup.ts';

type Deps = {
  db: Databases['db'];
  pools: Pick<Databases['pools'], 'ui'>;
  deliveryStore: Pick<DeliveryStore, 'listPushes' | 'exportPushes'>;
  serverOffset: string;
};
type Filters = Omit<PushesQuery, 'page' | 'limit' | 'orderBy' | 'orderDirection'>;

/** The Push tab: pushes of one app, as a list and as a file. */
export function createPushes({ db, pools, deliveryStore, serverOffset }: Deps): Feature {
  function filterOf(appId: number, query: Filters): PushFilter {
    const { uid, pushCampaignUid: campaignUid, pushId } = query;
    return { appId, uid, campaignUid, pushId, ...readPlaceFilter(query), ...readTimeRange(query, serverOffset) };
  }

  return {
    bindRoutes(bind) {
      bind(
        listPushes,
        async ({ params: { id }, query }) => {
          const { orderBy, orderDirection, page, limit, place } = query;
          const { rows, total } = await deliveryStore.listPushes({
            filter: filterOf(id, query),
            orderBy,
            orderDirection,
            page,
            limit,
            place,
          });
          return { rows: rows.map(await findPlaceNames(db, rows)), pagination: pageForm({ total, count: rows.length, limit, page }) };
        },
        { requireEntity: appInScope(pools), slots: scansWith('uid', 'pushCampaignUid', 'pushId', ...Object.keys(placeFilters)) },
      );

      bind(
        downloadPushes,
        async ({ params: { id }, query, caller, request }) => {
          const { orderBy, orderDirection, place } = query;
          const filter = filterOf(id, query);
          return new Download(`app_${id}_pushes.csv`, async (signal) => {
            await recordAppExport(db, { appId: id, caller, request });
            return deliveryStore.exportPushes({ filter, orderBy, orderDirection, place, signal });
          });
        },
        { requireEntity: appInScope(pools) },
      );
    },
  };
}
