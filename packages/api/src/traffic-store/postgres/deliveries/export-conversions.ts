import { conversionExportColumns } from '@switchyard/contract/delivery-exports';
import type { Readable } from 'node:stream';
import type { Databases } from '../../../database/connect.ts';
import type { ConversionExport } from '../../conversion-store.ts';
import { copyAsCsv } from '../export/copy-as-csv.ts';
import { plainCell, textCell } from '../export/csv-cells.ts';
import type { ExportPlan } from '../export/plan-export.ts';
import { rowExport } from './export-rows.ts';
import { conversionConditions, conversionSortKeys, countConversions } from './list-conversions.ts';
import { newParameters } from '../event-conditions.ts';

const texts = ['source', 'client_uid', 'stream_uid', 'click_id', 'receive_apf_uid', 'app_instance_id', 'status_conversion'];

/** The cells of `conversionExportColumns`; a payout below zero is a number, not a formula. */
const cells = `id, ${texts.map(textCell).join(', ')}, ${plainCell('trim_scale(payout)')}, ${textCell('status')}, ${textCell('error')},
  case when is_send then 1 else 0 end, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')`;

/** All matching conversions as CSV, in the list's order, so that there are as many as the list counts then. */
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
      return rowExport({ table: 'conversions', cells, conditions, parameters, sortKey, direction, total, sortable });
    },
  });
}
