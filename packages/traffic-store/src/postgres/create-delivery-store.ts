import type { DeliveryStore } from '../delivery-store.ts';
import { day } from '../time-buckets.ts';
import { insertConversions, insertPushes } from './deliveries/add-deliveries.ts';
import { countDeliveriesOfClient, listConversionsOfClient, listPushesOfClient } from './deliveries/client-deliveries.ts';
import { countBySpan, countConversionHours, countDeliveries, findAppsWithConversions } from './deliveries/delivery-counts.ts';
import { countDeliveryGroups } from './deliveries/delivery-groups.ts';
import { exportDeliveries } from './deliveries/export-deliveries.ts';
import { conversionList, findConversionValues, listDeliveries, pushList } from './deliveries/list-deliveries.ts';
import { inTransaction, type PostgresStoreOptions, sortableRows } from './statements.ts';
import { recountOnNewOffset } from './upkeep/calendar.ts';
import { updatePlaces, type FindPlaces } from './upkeep/update-places.ts';
import { createKindRecount } from './upkeep/kind-days.ts';
import { dropDeliveriesBefore, recountDeliveries } from './upkeep/delivery-upkeep.ts';

export type DeliveryStoreOptions = PostgresStoreOptions & {
  findPlaces: FindPlaces;
  /** Deliveries whose places are checked at once; the default is measured. */
  checkedRows?: number | undefined;
};

/** The delivery store on PostgreSQL (docs/decisions/0024-events-and-deliveries-apart.md). */
export function createPostgresDeliveryStore(options: DeliveryStoreOptions): DeliveryStore {
  const { pools, serverOffset, retentionDays, write, findPlaces, checkedRows } = options;
  const exportPlan = { offset: serverOffset, sortable: options.sortable ?? sortableRows };

  return {
    insertPushes: async (rows) =>
      write(rows, async () => inTransaction(pools.ingest, (client) => insertPushes(client, rows, serverOffset))),
    insertConversions: async (rows) => write(rows, async () => insertConversions(pools.ingest, rows, serverOffset)),
    updatePlaces: async (now) => updatePlaces(pools, findPlaces, { now, offset: serverOffset, rows: checkedRows }),
    listPushes: async (query) => listDeliveries(pools.ui, pushList, query, serverOffset),
    listConversions: async (query) => listDeliveries(pools.ui, conversionList, query, serverOffset),
    listPushesOfClient: async (query) => listPushesOfClient(pools.ui, query),
    listConversionsOfClient: async (query) => listConversionsOfClient(pools.ui, query),
    countDeliveriesOfClient: async (kind, query) => countDeliveriesOfClient(pools.ui, kind, query),
    exportPushes: async (query) => exportDeliveries(pools, pushList, exportPlan, query),
    exportConversions: async (query) => exportDeliveries(pools, conversionList, exportPlan, query),
    findConversionValues: async (column, scope) => findConversionValues(pools.ui, column, scope),
    countPushesBySpan: async (query) => countBySpan(pools.ui, 'push', query),
    countConversionHours: async (query) => countConversionHours(pools.ui, query),
    countConversionsBySpan: async (query) => countBySpan(pools.ui, 'conversion', query),
    countPushGroups: async (query) => countDeliveryGroups(pools, serverOffset, { ...query, kind: 'push' }),
    countConversionGroups: async (query) => countDeliveryGroups(pools, serverOffset, { ...query, kind: 'conversion' }),
    countDeliveriesByApp: async (appIds, now) => countDeliveries(pools.ui, serverOffset, appIds, now),
    findAppsWithConversions: async (appIds) => findAppsWithConversions(pools.ui, appIds),
    updateKindCounts: createKindRecount(pools, serverOffset),
    async maintain(now) {
      await recountOnNewOffset(pools.ops, {
        counts: 'deliveries',
        offset: serverOffset,
        recount: async (client) => recountDeliveries(client, serverOffset),
      });
      await dropDeliveriesBefore(pools.ops, now - retentionDays * day, serverOffset);
    },
  };
}
