import { requestExportColumns } from '@switchyard/contract/request-exports';
import type { Readable } from 'node:stream';
import type { Databases } from '../../../database/connect.ts';
import type { RequestFilter, RequestSort } from '../../traffic-store.ts';
import { copyAsCsv } from './copy-as-csv.ts';
import { type ExportPlan, planExport } from './plan-export.ts';

export type ExportQuery = { filter: RequestFilter; sort: RequestSort; signal: AbortSignal };

/** All matching requests as CSV (api [25]), in the list's order, so that there are as many as the list counts then. */
export async function exportRequests(pools: Databases['pools'], plan: ExportPlan, query: ExportQuery): Promise<Readable> {
  return copyAsCsv(pools, {
    columns: requestExportColumns,
    plan: async (client) => planExport(client, plan, query),
    signal: query.signal,
  });
}
