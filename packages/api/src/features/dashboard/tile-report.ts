import { narrowReport } from '@switchyard/contract/boards';
import { countsOfColumn, type Tile, tileLimits } from '@switchyard/contract/dashboard';
import { readQuery } from '@switchyard/contract/listing';
import { measureApplies, readOrder } from '@switchyard/contract/report-rules';
import {
  type BoardQuery,
  downloadReport,
  measuresOf,
  ownRatiosOf,
  type ReportMeasure,
  type ReportQuery,
} from '@switchyard/contract/reports';

/** The report of a tile: a query, and how many of its groups are shown. */
export type TileReport = { query: ReportQuery; limit: number };

/** The query of a report as it is stored; null if its parameters no longer fit. */
export function readViewQuery(text: string): ReportQuery | null {
  return downloadReport.query.safeParse(readQuery(text)).data ?? null;
}

/**
 * The report that a tile needs within the period and filters of its board, which counts no more than the tile shows; null if its view no
 * longer fits, `excluded` if the filters leave nothing.
 */
export function reportOfTile(
  { shape, measure, rows }: Pick<Tile, 'shape' | 'measure' | 'rows'>,
  viewQuery: string,
  by: BoardQuery,
): TileReport | 'excluded' | null {
  const storedQuery = readViewQuery(viewQuery);
  if (storedQuery === null) return null;
  const wholeQuery = narrowReport(storedQuery, by);
  if (wholeQuery === null) return 'excluded';
  // A tile shows groups, and has no room for columns of their keys.
  const query = { ...wholeQuery, pivot: undefined };
  if (shape === 'table') return { query: { ...query, measure: tableMeasures(query) }, limit: rows };
  const counts = countsOfColumn(measure ?? '', query);
  if (counts === null) return null;
  // In the usual order, the largest groups come first; another one of the measure itself is that of the report.
  const isOwnOrder = shape === 'chart' && readOrder(query.orderBy ?? '').column === measure;
  const narrowed = { ...query, ...counts, ...(!isOwnOrder && { orderBy: undefined, orderDirection: undefined }) };
  if (shape === 'chart') return { query: narrowed, limit: tileLimits.groups };
  // The total is the same for every grouping that its measure applies to, and days are counted in advance.
  const applies = [...measuresOf(counts), ...ownRatiosOf(counts)].every((one) => measureApplies(one, query));
  return { query: applies ? { ...narrowed, groupBy: ['day'] } : narrowed, limit: 1 };
}

/** The first measures, and the one that the rows are ordered by. */
function tableMeasures(query: ReportQuery): ReportMeasure[] {
  const measures = measuresOf(query);
  const { column } = readOrder(query.orderBy ?? '');
  const [ordering = []] = [countsOfColumn(column, query)?.measure];
  const shown = measures.slice(0, tileLimits.columns);
  return [...shown, ...measures.filter((measure) => ordering.includes(measure) && !shown.includes(measure))];
}
