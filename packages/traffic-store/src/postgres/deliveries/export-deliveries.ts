import { conversionExportColumns, pushExportColumns } from '@switchyard/contract/delivery-exports';
import type { SortDirection } from '@switchyard/contract/listing';
import type { Readable } from 'node:stream';
import { placeExportColumns } from '@switchyard/contract/delivery-place';
import type { Pools } from '../../console-database.ts';
import type { TimeRange } from '../../time-range.ts';
import { countMatches, type DeliveryList } from './list-deliveries.ts';
import type { AskedPlace, DeliveryKind } from '../../delivery-store.ts';
import { placeTables } from './place-days.ts';
import { rowOrder } from './row-page.ts';
import { newParameters } from '../event-conditions.ts';
import { copyAsCsv, safeCell, rowEndCell, textCell } from '../export/copy-as-csv.ts';
import type { ExportPlan } from '../export/export-events.ts';

const texts = ['source', 'client_uid', 'stream_uid', 'click_id', 'receive_apf_uid', 'app_instance_id', 'status_conversion'];

/** The files of exports: their columns, and SQL of their cells. Ids and dates cannot begin a formula; a payout below zero is a number. */
const files = {
  pushes: {
    columns: pushExportColumns,
    cells: `id, ${['push_id', 'push_name', 'push_message', 'uid', 'client_uid', 'push_campaign_uid'].map(textCell).join(', ')},
  to_char(send_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS'), ${textCell('status')}, ${textCell('error')}`,
  },
  conversions: {
    columns: conversionExportColumns,
    cells: `id, ${texts.map(textCell).join(', ')}, ${safeCell('trim_scale(payout)')}, ${textCell('status')}, ${textCell('error')},
  case when is_send then 1 else 0 end, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')`,
  },
} as const;

/** SQL of the cells of a place, empty where it is unknown. */
function placeCells(kind: DeliveryKind): string {
  const { deliveries, places } = placeTables[kind];
  return placeExportColumns
    .map((column) => `coalesce((select ${column}::text from ${places} as place where place.id = ${deliveries}.id), '')`)
    .join(', ');
}

type DeliveryExport<Filter, Key> = AskedPlace & { filter: Filter; orderBy: Key; orderDirection: SortDirection; signal: AbortSignal };

/**
 * All matching deliveries as CSV, in the list's order, as many as the list counts at that moment. One statement: its order is that of an
 * index, or its rows are few.
 */
export async function exportDeliveries<Filter extends TimeRange & { appId: number }, Key extends string, Found extends object, Row>(
  pools: Pools,
  list: DeliveryList<Filter, Key, Found, Row>,
  { offset, sortable }: ExportPlan,
  { filter, orderBy, orderDirection: direction, place = false, signal }: DeliveryExport<Filter, Key>,
): Promise<Readable> {
  const { columns, cells } = files[list.table];
  return copyAsCsv(pools, {
    columns: place ? [...columns, ...placeExportColumns] : columns,
    signal,
    async plan(client) {
      const narrowedFilter = await list.narrow(client, filter);
      const total = await countMatches(client, list, narrowedFilter, offset);
      const parameters = newParameters();
      const conditions = list.conditions(narrowedFilter, parameters).join(' and ');
      const sortKey = list.sortKeys[orderBy];
      const order = rowOrder({ key: sortKey?.sql ?? '', id: 'id', sortKey, direction, isBackwards: false });
      const text = `select ${place ? `${cells}, ${placeCells(list.kind)}` : cells}, ${rowEndCell} from ${list.table} where ${conditions} order by ${order}`;
      return [{ text, values: parameters.values, isLarge: total > sortable }];
    },
  });
}
