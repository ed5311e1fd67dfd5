import { fromDate } from '@switchyard/contract/dates';
import { downloadReport, getReport, type Report, type ReportQuery } from '@switchyard/contract/reports';
import { Readable } from 'node:stream';
import { figuresOf, type ReportFigure } from '@switchyard/contract/report-figures';
import type { AppScope } from '@switchyard/contract/app-scope';
import { guardedText, type WriteText } from '@switchyard/traffic-store/csv';
import type { AccountCall, Feature, Reader } from '../../http/bind.ts';
import { Download } from '../../http/streamed-result.ts';
import { recordExport } from '../audit/record-export-lookup.ts';
import { readReport, type ReportDependencies } from './read-report.ts';
import { toCsv } from './report-csv.ts';

/** `asOf`: the instant from which the relative days of the query count; default: now. */
export type ReportFile = { query: ReportQuery; caller: Reader; request: AccountCall['request'] | null; asOf?: Date; writeText?: WriteText };

export type WrittenReport = { body: Readable; period: Pick<Report, 'from' | 'to'>; figures: ReportFigure[] };

export type Reports = Feature & {
  /** Counts a report of the apps in a scope, with its first `limit` groups, or all of them. */
  read: (request: { query: ReportQuery; scope: AppScope; asOf?: Date; limit?: number; signal?: AbortSignal }) => Promise<Report>;
  /**
   * Opens a report as a file, recorded in the audit trail, and gives its days and totals; `request` is null for a schedule. The signal
   * cancels the statement on events.
   */
  writeFile: (file: ReportFile, signal: AbortSignal) => Promise<WrittenReport>;
};

/** Reports on the traffic of the apps in the caller's scope. */
export function createReports(deps: ReportDependencies & { now: () => Date }): Reports {
  const { db, now } = deps;

  const read: Reports['read'] = async ({ asOf, ...request }) =>
    readReport(deps, { ...request, now: fromDate(now()), ...(asOf && { asOf: fromDate(asOf) }) });

  async function writeFile(
    { query, caller, request, writeText = guardedText, ...time }: ReportFile,
    signal: AbortSignal,
  ): Promise<WrittenReport> {
    const report = await read({ query, scope: caller.scope, ...time, signal });
    await recordExport(db, { entity: 'report', label: report.group_by.join(', '), caller, request });
    const { from, to } = report;
    return {
      body: Readable.from(toCsv(report, writeText), { objectMode: false }),
      period: { from, to },
      figures: figuresOf(report, query),
    };
  }

  return {
    read,
    writeFile,
    bindRoutes(bind) {
      bind(getReport, async ({ query, caller, signal }) => read({ query, scope: caller.scope, limit: query.limit, signal: signal() }), {
        slots: 'scans',
      });
      bind(downloadReport, async (call) => new Download('report.csv', async (signal) => (await writeFile(call, signal)).body));
    },
  };
}
