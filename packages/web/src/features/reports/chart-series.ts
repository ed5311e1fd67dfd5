import { timeKeys } from '@switchyard/contract/report-keys';
import { isTimeGrouping, ratioOf, type Report, type ReportGroup, type ReportGrouping, type ReportKey } from '@switchyard/contract/reports';
import type { ChartData, Series } from '../../shared/charts/draw-chart.ts';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { cutText, groupedNumber } from '../../shared/ui/text-format.ts';
import { daysOf } from './report-days.ts';
import { columnName, formOf, groupingNames, keyText, rangeText, type RatioQuery } from './report-words.ts';
import { isPart } from './use-report.ts';

const limits = { series: 7, bars: 12, label: 28 } as const;

type ChartOptions = {
  /** The day up to which there can be traffic. */
  today: string;
  query: RatioQuery;
};

/** The chart of a column; text says why there is none. */
export function chartOf(report: Report, column: string, { today, query }: ChartOptions): ChartData | string {
  const { group_by: groupings, groups } = report;
  if (groups.every(({ current }) => (current[column] ?? null) === null)) return `There are no values of ${columnName(column)} to draw.`;
  const axisAt = Math.max(0, groupings.findIndex(isTimeGrouping));
  const axis = groupings[axisAt] ?? 'day';
  const otherAt = groupings.length < 2 ? null : 1 - axisAt;
  if (isTimeGrouping(axis) && isPart(report)) {
    return `A chart over time needs all ${groupedNumber(report.total_groups)} groups. Choose fewer days, set a filter or group by one field.`;
  }
  const keys = timeKeys(axis, report) ?? top(report, column, { at: axisAt, most: limits.bars, query });
  const others = otherAt === null ? null : top(report, column, { at: otherAt, most: limits.series, query });
  const cells = new Map(
    groups.map((group) => [cellName(keyId(group.keys[axisAt]), otherAt === null ? '' : keyId(group.keys[otherAt])), group]),
  );
  const form = formOf(column, query);
  const isRatio = ratioOf(column, query) !== null;
  const valuesOf = (side: 'current' | 'compared', other: string): (number | null)[] =>
    keys.map((key) => {
      const raw = cells.get(cellName(key, other))?.[side]?.[column] ?? null;
      if (raw !== null) return Number(raw);
      const isAhead = axis !== 'hour' && isTimeGrouping(axis) && (daysOf(axis, key, report)?.from ?? '') > today;
      return isRatio || isAhead ? null : 0;
    });
  const title = `${columnName(column)} by ${groupings.map((grouping) => groupingNames[grouping].toLowerCase()).join(' and ')}`;
  const count = (at: number): number => new Set(groups.map((group) => keyId(group.keys[at]))).size;
  const notes = [
    ...(isTimeGrouping(axis) || count(axisAt) <= keys.length ? [] : [`the ${keys.length} largest of ${groupedNumber(count(axisAt))}`]),
    ...(others === null || otherAt === null || count(otherAt) <= others.length
      ? []
      : [`the ${others.length} largest of ${groupedNumber(count(otherAt))}: ${groupingNames[groupings[otherAt] ?? 'day'].toLowerCase()}`]),
    ...(others !== null && report.compared_from !== null ? ['the compared days are in the table only'] : []),
  ];
  return {
    kind: isTimeGrouping(axis) ? 'line' : 'bar',
    title: `${title}, ${rangeText(report.from, report.to)}`,
    form,
    labels: keys.map((key) => labelOf(report, axisAt, key)),
    series:
      others === null || otherAt === null
        ? single(report, valuesOf)
        : others.map((other) => ({
            name: labelOf(report, otherAt, other),
            values: valuesOf('current', other),
            kind: 'current',
            ...(groupings[otherAt] === 'type' && { type: other }),
          })),
    isStacked: !isTimeGrouping(axis) && others !== null && !isRatio,
    incomplete: isTimeGrouping(axis) ? keys.filter((key) => isCut(report, axis, key)).length : 0,
    note: notes.length === 0 ? null : `Shown: ${notes.join('; ')}.`,
  };
}

function single(report: Report, valuesOf: (side: 'current' | 'compared', other: string) => (number | null)[]): Series[] {
  const { from, to, compared_from: comparedFrom, compared_to: comparedTo } = report;
  const current: Series = { name: rangeText(from, to), values: valuesOf('current', ''), kind: 'current' };
  if (comparedFrom === null || comparedTo === null) return [current];
  return [current, { name: rangeText(comparedFrom, comparedTo), values: valuesOf('compared', ''), kind: 'compared' }];
}

/** The id of the key that adds up others, which has no value. */
const othersId = '\0';

function isOthers(key: string): number {
  return Number(key === othersId);
}

function keyId(key: ReportKey | undefined): string {
  return key?.merged === undefined ? (key?.value ?? '') : othersId;
}

function cellName(axis: string, other: string): string {
  return JSON.stringify([axis, other]);
}

type TopOptions = { at: number; most: number; query: RatioQuery };

/** The keys of a grouping with the largest values; ratios by a count beside them, where there is one. */
function top({ groups, columns, group_by: groupings }: Report, column: string, { at, most, query }: TopOptions): string[] {
  const count = ratioOf(column, query) === null ? undefined : columns.find((other) => ratioOf(other, query) === null);
  const rankedColumn = count ?? column;
  const sums = new Map<string, number>();
  for (const { keys, current } of groups) {
    const key = keyId(keys[at]);
    sums.set(key, (sums.get(key) ?? 0) + Number(current[rankedColumn] ?? 0));
  }
  const largestNames = [...sums].toSorted(([one, a], [other, b]) => isOthers(one) - isOthers(other) || b - a).slice(0, most);
  const names = largestNames.map(([key]) => key);
  return isTimeGrouping(groupings[at]) ? names.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })) : names;
}

function labelOf({ group_by: groupings, groups }: Report, at: number, value: string): string {
  const grouping = groupings[at];
  if (grouping === undefined) return value;
  const key = groups.find(({ keys }) => keyId(keys[at]) === value)?.keys[at] ?? { value, name: null };
  return cutText(withMarks(keyText(grouping, key)), limits.label);
}

/** Whether retention has dropped some of the time of a key. */
export function isCut(report: Pick<Report, 'from' | 'to' | 'complete_from'>, grouping: ReportGrouping, key: string): boolean {
  const days = key === '' ? null : daysOf(grouping, key, report);
  return days !== null && days.from < report.complete_from;
}

/** Whether retention has dropped some of the time of a group. */
export function isGroupCut(report: Report, group: ReportGroup): boolean {
  return report.group_by.some((grouping, at) => isCut(report, grouping, group.keys[at]?.value ?? ''));
}
