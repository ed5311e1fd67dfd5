import * as contract from '@switchyard/contract/conversions';
import { downloadConversions } from '@switchyard/contract/delivery-exports';
import { placeFilters } from '@switchyard/contract/delivery-place';
import { pageForm } from '@switchyard/contract/envelope';
import type { Databases } from '../../database/connect.ts';
import { scansWith } from '../../http/admission.ts';
import type { Feature } from '../../http/bind.ts';
import { Download } from '../../http/streamed-result.ts';
import type { ConversionFilter, DeliveryStore } from '@switchyard/traffic-store/delivery-store';
import { readPlaceFilter } from '../../traffic-queries/read-place-filter.ts';
import { readTimeRange } from '../../traffic-queries/read-time-range.ts';
import { appInScope } from '../apps/apps-lookup.ts';
import { recordAppExport } from '../audit/record-export-lookup.ts';
import { findPlaceNames } from '../subjects/places-lookup.ts';

type Deps = {
  db: Databases['db'];
  pools: Pick<Databases['pools'], 'ui'>;
  deliveryStore: Pick<DeliveryStore, 'listConversions' | 'exportConversions' | 'findConversionValues'>;
  serverOffset: string;
};
type Filters = Omit<contract.ConversionsQuery, 'page' | 'limit' | 'orderBy' | 'orderDirection'>;

/** The Conversion tab: conversions of one app, as a list and as a file, and what its two filters offer. */
export function createConversions({ db, pools, deliveryStore, serverOffset }: Deps): Feature {
  function filterOf(appId: number, query: Filters): ConversionFilter {
    const { streamUid, clientUid, statusConversion, status, isSend } = query;
    return {
      appId,
      streamUid,
      clientUid,
      statusConversion,
      status,
      isSend,
      ...readPlaceFilter(query),
      ...readTimeRange(query, serverOffset),
    };
  }

  return {
    bindRoutes(bind) {
      bind(
        contract.listConversions,
        async ({ params: { id }, query }) => {
          const { orderBy, orderDirection, page, limit, place } = query;
          const filter = filterOf(id, query);
          const { rows, total } = await deliveryStore.listConversions({ filter, orderBy, orderDirection, page, limit, place });
          return { rows: rows.map(await findPlaceNames(db, rows)), pagination: pageForm({ total, count: rows.length, limit, page }) };
        },
        { requireEntity: appInScope(pools), slots: scansWith('streamUid', 'clientUid', ...Object.keys(placeFilters)) },
      );

      bind(
        downloadConversions,
        async ({ params: { id }, query, caller, request }) => {
          const { orderBy, orderDirection, place } = query;
          const filter = filterOf(id, query);
          return new Download(`app_${id}_conversions.csv`, async (signal) => {
            await recordAppExport(db, { appId: id, caller, request });
            return deliveryStore.exportConversions({ filter, orderBy, orderDirection, place, signal });
          });
        },
        { requireEntity: appInScope(pools) },
      );

      bind(contract.listConversionKinds, async ({ caller }) =>
        asOptions(await deliveryStore.findConversionValues('status_conversion', caller.scope)),
      );
      bind(contract.listConversionStatuses, async ({ caller }) => {
        const storedStatuses = await deliveryStore.findConversionValues('status', caller.scope);
        return asOptions([...new Set([...contract.conversionStatuses, ...storedStatuses])]);
      });
    },
  };
}

function asOptions(values: readonly string[]): { name: string; uid: string }[] {
  return values.map((value) => ({ name: value, uid: value }));
}
