import type { Report, ReportGrouping, ReportValues } from '@switchyard/contract/reports';
import { csvLine, guardedText } from '../../traffic-store/csv.ts';

/** Groupings whose keys have names. */
const groupingsWithNames: readonly ReportGrouping[] = ['app', 'buyer', 'stream', 'asn', 'server'];

/** The groups of a report as CSV with a header row, each with what it is compared with. */
export function toCsv({ group_by: groupings, columns, groups, compared_from: comparedFrom }: Report): string {
  const isNamed = (index: number): boolean => groupingsWithNames.some((name) => name === groupings[index]);
  const header = [
    ...groupings.flatMap((grouping, index) => (isNamed(index) ? [grouping, `${grouping}_name`] : [grouping])),
    ...columns,
    ...(comparedFrom === null ? [] : columns.map((column) => `${column}_compared`)),
  ];
  const cells = (values: ReportValues): string[] => columns.map((column) => String(values[column] ?? ''));
  const rows = groups.map(({ keys, current, compared: earlier }) => [
    ...keys.flatMap(({ value, name }, index) => (isNamed(index) ? [guardedText(value), guardedText(name ?? '')] : [guardedText(value)])),
    ...cells(current),
    ...(earlier === null ? [] : cells(earlier)),
  ]);
  return [header.map(guardedText), ...rows].map(csvLine).join('');
}
