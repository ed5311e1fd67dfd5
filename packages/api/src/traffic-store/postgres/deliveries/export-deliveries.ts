import { conversionExportColumns, pushExportColumns } from '@switchyard/contract/delivery-exports';
import type { SortDirection } from '@switchyard/contract/listing';
import type { Readable } from 'node:stream';
import type { Databases } from '../../../database/connect.ts';
import type { ConversionExport, PushExport } from '../../delivery-store.ts';
import {
  conversionConditions,
  conversionSortKeys,
  countConversions,
  countPushes,
  pushConditions,
  pushSortKeys,
} from './list-deliveries.ts';
import { rowOrder, type SortKey } from './row-page.ts';
import { newParameters, type Parameters } from '../event-conditions.ts';
import { copyAsCsv, type ExportPart, plainCell, rowEndCell, textCell } from '../export/copy-as-csv.ts';
import type { ExportPlan } from '../export/export-events.ts';

/** The cells of `pushExportColumns`; ids and dates cannot begin a formula. */
const pushCells = `id, ${['push_id', 'push_name', 'push_message', 'uid', 'client_uid', 'push_campaign_uid'].map(textCell).join(', ')},
  to_char(send_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS'), ${textCell('status')}, ${textCell('error')}`;

/** All matching pushes as CSV, in the list's order, as many as the list counts at that moment. */
export async function exportPushes(pools: Databases['pools'], plan: ExportPlan, query: PushExport): Promise<Readable> {
  const { filter, orderBy, orderDirection: direction, signal } = query;
  return copyAsCsv(pools, {
    columns: pushExportColumns,
    signal,
    async plan(client) {
      const total = await countPushes(client, filter, plan.offset);
      const parameters = newParameters();
      const conditions = pushConditions(filter, parameters);
      const { sortable } = plan;
      return rowExport({
        table: 'pushes',
        cells: pushCells,
        conditions,
        parameters,
        sortKey: pushSortKeys[orderBy],
        direction,
        total,
        sortable,
      });
    },
  });
}

const texts = ['source', 'client_uid', 'stream_uid', 'click_id', 'receive_apf_uid', 'app_instance_id', 'status_conversion'];

/** The cells of `conversionExportColumns`; a payout below zero is a number, not a formula. */
const conversionCells = `id, ${texts.map(textCell).join(', ')}, ${plainCell('trim_scale(payout)')}, ${textCell('status')}, ${textCell('error')},
  case when is_send then 1 else 0 end, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')`;

/** All matching conversions as CSV, in the list's order, as many as the list counts at that moment. */
export async function exportConversions(pools: Databases['pools'], plan: ExportPlan, query: ConversionExport): Promise<Readable> {
  const { filter, orderBy, orderDirection: direction, signal } = query;
  return copyAsCsv(pools, {
    columns: conversionExportColumns,
    signal,
    async plan(client) {
      const total = await countConversions(client, filter, plan.offset);
      const parameters = newParameters();
      const conditions = conversionConditions(filter, parameters);
      const { sortable } = plan;
      const sortKey = conversionSortKeys[orderBy];
      return rowExport({ table: 'conversions', cells: conversionCells, conditions, parameters, sortKey, direction, total, sortable });
    },
  });
}

/** An export of one app's rows, in the order of their list. */
export type RowExport = {
  table: 'pushes' | 'conversions';
  /** SQL of the cells. */
  cells: string;
  conditions: readonly string[];
  parameters: Parameters;
  sortKey: SortKey | null;
  direction: SortDirection;
  /** How many rows there will be. */
  total: number;
  /** So many rows may be sorted at once; more come in the order of an index. */
  sortable: number;
};

/** An export as one statement: its order is that of an index, or its rows are few. */
function rowExport({ table, cells, conditions, parameters, total, sortable, sortKey, direction }: RowExport): ExportPart[] {
  const order = rowOrder({ key: sortKey?.sql ?? '', id: 'id', sortKey, direction, isBackwards: false });
  const text = `select ${cells}, ${rowEndCell} from ${table} where ${conditions.join(' and ')} order by ${order}`;
  return [{ text, values: parameters.values, isLarge: total > sortable }];
}
