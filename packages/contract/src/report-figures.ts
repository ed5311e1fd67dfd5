import { toNumber } from './report-rules.ts';
import { columnName, formOf } from './report-texts.ts';
import type { RatioQuery, Report } from './reports.ts';

/** A total of a report, in words and as its value. */
export type ReportFigure = { column: string; name: string; text: string; value: number | null; compared: number | null };

/** Totals of statuses would fill a mail. */
const mostFigures = 12;

/** The totals of a report in the order of its columns, as messages name them. */
export function figuresOf(report: Pick<Report, 'columns' | 'totals' | 'currency'>, query: RatioQuery): ReportFigure[] {
  const { columns, totals } = report;
  return columns.slice(0, mostFigures).map((column) => {
    const [value, compared] = [toNumber(totals.current[column]), toNumber(totals.compared?.[column])];
    const textOf = (number: number | null): string => (number === null ? '–' : formats[formOf(column, query)].format(number));
    const before = totals.compared === null ? '' : ` (before: ${textOf(compared)})`;
    return { column, name: columnName(column, report), text: `${textOf(value)}${before}`, value, compared };
  });
}

const formats = {
  count: new Intl.NumberFormat('en-US'),
  share: new Intl.NumberFormat('en-US', { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 }),
  amount: new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
} as const;
