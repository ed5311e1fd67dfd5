import { noValue } from '@switchyard/contract/requests';
import type { Report, ReportCell, ReportGrouping, ReportKey } from '@switchyard/contract/reports';
import { csvLine, type WriteText } from '@switchyard/traffic-store/csv';

/** Groupings whose keys have names. */
const groupingsWithNames: readonly ReportGrouping[] = ['app', 'buyer', 'stream', 'asn', 'server'];

/** Lines that are written at once. */
const linesAtOnce = 500;

/**
 * The groups of a report as CSV with a header row, each with what it is compared with, and the totals at its end. A pivot has the totals of
 * its rows, then the columns of each key.
 */
export function* toCsv(report: Report, writeText: WriteText): Generator<string> {
  const { group_by: groupings, columns, groups, totals, pivot, compared_from: comparedFrom } = report;
  const rowGroupings = pivot === null ? groupings : groupings.slice(0, 1);
  const isNamed = (index: number): boolean => groupingsWithNames.some((name) => name === rowGroupings[index]);
  const valueColumns = [...columns, ...(comparedFrom === null ? [] : columns.map((column) => `${column}_compared`))];
  const valuesOf = ({ current, compared }: ReportCell): string[] =>
    [current, ...(compared === null ? [] : [compared])].flatMap((values) => columns.map((column) => String(values[column] ?? '')));
  const cellsOf = (cells: readonly (ReportCell | null)[] | undefined): string[] =>
    pivot === null ? [] : (cells ?? []).flatMap((cell) => valuesOf(cell ?? pivot.empty));
  const keyCells = (key: string, name: string | null, index: number): string[] =>
    isNamed(index) ? [writeText(key), writeText(name ?? '')] : [writeText(key)];
  const header = [
    ...rowGroupings.flatMap((grouping, index) => (isNamed(index) ? [grouping, `${grouping}_name`] : [grouping])),
    ...valueColumns,
    ...(pivot?.keys ?? []).flatMap((key) => valueColumns.map((column) => `${headerOf(key)}: ${column}`)),
  ];
  let lines = csvLine(header.map(writeText));
  for (const [at, { keys, cells, ...values }] of groups.entries()) {
    lines += csvLine([...keys.flatMap((key, index) => keyCells(keyText(key), key.name, index)), ...valuesOf(values), ...cellsOf(cells)]);
    if (at % linesAtOnce < linesAtOnce - 1) continue;
    yield lines;
    lines = '';
  }
  const totalKeys = rowGroupings.flatMap((_, index) => keyCells(index === 0 ? '(total)' : '', null, index));
  lines += csvLine([...totalKeys, ...valuesOf(totals), ...cellsOf(totals.cells)]);
  yield lines;
}

function keyText({ value, merged }: ReportKey): string {
  return merged === undefined ? value : '(others)';
}

/** A key of a pivot with its name, which says more, but may not be the only one of its kind. */
function headerOf(key: ReportKey): string {
  const text = keyText(key);
  if (text === '' || text === noValue) return '(none)';
  return key.name === null ? text : `${text} ${key.name}`;
}
