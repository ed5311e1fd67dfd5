import { pushExportColumns } from '@switchyard/contract/delivery-exports';
import type { Readable } from 'node:stream';
import type { Databases } from '../../../database/connect.ts';
import type { PushExport } from '../../push-store.ts';
import { copyAsCsv } from '../export/copy-as-csv.ts';
import { textCell } from '../export/csv-cells.ts';
import type { ExportPlan } from '../export/plan-export.ts';
import { rowExport } from './export-rows.ts';
import { countPushes, pushConditions, pushSortKeys } from './list-pushes.ts';
import { newParameters } from '../event-conditions.ts';

/** The cells of `pushExportColumns`; ids and dates cannot begin a formula. */
const cells = `id, ${['push_id', 'push_name', 'push_message', 'uid', 'client_uid', 'push_campaign_uid'].map(textCell).join(', ')},
  to_char(send_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS'), ${textCell('status')}, ${textCell('error')}`;

/** All matching pushes as CSV, in the list's order, so that there are as many as the list counts then. */
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
      return rowExport({ table: 'pushes', cells, conditions, parameters, sortKey: pushSortKeys[orderBy], direction, total, sortable });
    },
  });
}
