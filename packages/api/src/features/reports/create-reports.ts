import { fromDate } from '@switchyard/contract/dates';
import { downloadReport, getReport, reportLimits } from '@switchyard/contract/reports';
import { Readable } from 'node:stream';
import type { Feature } from '../../http/bind.ts';
import { Download } from '../../http/streamed-result.ts';
import { recordExport } from '../audit/record-export-lookup.ts';
import { readReport, type ReportDependencies } from './read-report.ts';
import { toCsv } from './report-csv.ts';

/** Reports on the traffic of the apps in the caller's scope. */
export function createReports(deps: ReportDependencies & { now: () => Date }): Feature {
  const { db, now } = deps;
  return {
    bindRoutes(bind) {
      bind(
        getReport,
        async ({ query, caller }) => readReport(deps, { query, scope: caller.scope, now: fromDate(now()), limit: query.limit }),
        { slots: 'scans' },
      );

      bind(
        downloadReport,
        async ({ query, caller, request }) =>
          new Download('report.csv', async () => {
            const report = await readReport(deps, { query, scope: caller.scope, now: fromDate(now()), limit: reportLimits.groups });
            await recordExport(db, { entity: 'report', label: report.group_by.join(', '), caller, request });
            return Readable.from([toCsv(report)], { objectMode: false });
          }),
      );
    },
  };
}
