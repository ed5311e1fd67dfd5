import { dayRange } from '@switchyard/contract/dates';
import { timeKeys } from '@switchyard/contract/report-keys';
import {
  isTimeGrouping,
  ratioOf,
  type RatioQuery,
  type Report,
  type ReportCell,
  type ReportGroup,
  type ReportGrouping,
  type ReportKey,
} from '@switchyard/contract/reports';
import type { ChartData, Series } from '../../shared/charts/draw-chart.ts';
import type { TimeAxis } from '../../shared/marks/place-marks.ts';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { cutText, groupedNumber } from '../../shared/ui/text-format.ts';
import { daysOf } from './report-days.ts';
import { columnName, formOf } from '@switchyard/contract/report-texts';
import { groupingNames, keyText, rangeText, shareText, valueText } from './report-words.ts';
import { isPart } from './use-report.ts';

export const chartLimits = { series: 7, bars: 12, label: 28, heatRows: 62 } as const;

const hour = 3_600_000_000;

/** Ways of drawing a report: lines over time and bars otherwise, their sums, the shares of these, or a colour for each cell. */
export const chartModes = ['plain', 'stacked', 'share', 'heat'] as const;
export type ChartMode = (typeof chartModes)[number];

type ChartOptions = {
  /** The day up to which there can be traffic. */
  today: string;
  /** Offset of the days of the report. */
  offset: string;
  query: RatioQuery;
  /** How it is drawn, where the report can be drawn so. */
  mode?: string | null;
};

/** The ways in which a column can be drawn, the usual one first. Only sums are parts of a whole. */
export function modesOf({ group_by: [first, second] }: Report, column: string, query: RatioQuery): readonly ChartMode[] {
  if (second === undefined) return ['plain'];
  const isOfTime = isTimeGrouping(first) || isTimeGrouping(second);
  const usual = isTimeGrouping(first) && isTimeGrouping(second) ? (['heat', 'plain'] as const) : (['plain', 'heat'] as const);
  if (ratioOf(column, query) !== null) return usual;
  return isOfTime ? [...usual, 'stacked', 'share'] : [...usual, 'share'];
}

/** A cell of a report by two groupings, or a group by one. */
type Cell = ReportCell & { keys: readonly ReportKey[] };

/** The groups of a report; of a pivot those that its cells are. */
function cellsOf({ groups, pivot }: Report): readonly Cell[] {
  if (pivot === null) return groups;
  return groups.flatMap(({ keys: [row], cells = [] }) =>
    cells.flatMap((cell, at) => {
      const column = pivot.keys[at];
      return cell === null || row === undefined || column === undefined ? [] : [{ ...cell, keys: [row, column] }];
    }),
  );
}

/** The chart of a column; text says why there is none. */
export function chartOf(
  report: Report,
  column: string,
  { today, offset, query, mode: wantedMode = null }: ChartOptions,
): ChartData | string {
  const { group_by: groupings, pivot } = report;
  const groups = cellsOf(report);
  if (groups.every(({ current }) => (current[column] ?? null) === null)) return `There are no values of ${columnName(column)} to draw.`;
  const modes = modesOf(report, column, query);
  const mode = modes.find((one) => one === wantedMode) ?? modes[0] ?? 'plain';
  const isHeat = mode === 'heat';
  // A heat map has the rows and columns of a pivot.
  const axisAt = isHeat ? 1 : Math.max(0, groupings.findIndex(isTimeGrouping));
  const axis = groupings[axisAt] ?? 'day';
  const otherAt = groupings.length < 2 ? null : 1 - axisAt;
  const isOfTime = isTimeGrouping(axis);
  if (isPart(report) && (isOfTime || mode === 'share')) {
    const noun = pivot === null ? 'groups' : 'rows';
    return `This chart needs all ${groupedNumber(report.total_groups)} ${noun}. Choose fewer days, set a filter, or show the top groups.`;
  }
  const form = formOf(column, query);
  const isRatio = ratioOf(column, query) !== null;
  const isAdded = mode === 'stacked' || mode === 'share' || (mode === 'plain' && !isOfTime && !isRatio);
  const keysOf = (at: number, most: number, isWhole: boolean): Keys => {
    const times = timesOf(report, at);
    if (times !== null && (isHeat || times.length <= most)) return latest(times, most);
    return pickKeys(report, groups, column, { at, most, query, isWhole, times });
  };
  const axisKeys = keysOf(axisAt, isHeat || isOfTime ? Infinity : chartLimits.bars, false);
  const otherKeys = otherAt === null ? null : keysOf(otherAt, isHeat ? chartLimits.heatRows : chartLimits.series, isAdded);
  const sums = addUp(groups, column, [axisAt, axisKeys], [otherAt, otherKeys]);
  const valuesOf = (side: 'current' | 'compared', other: string): (number | null)[] =>
    axisKeys.shown.map((key) => {
      const value = sums[side].get(cellName(key, other));
      if (value !== undefined) return value;
      const isAhead = isOfTime && !isHeat && (daysOf(axis, key, report)?.from ?? '') > today;
      return isRatio || isAhead ? null : 0;
    });
  const title = `${columnName(column, report)}${mode === 'share' ? ', share' : ''} by ${groupings.map((grouping) => groupingNames[grouping].toLowerCase()).join(' and ')}`;
  const notes = [
    ...(axisKeys.note === null ? [] : [axisKeys.note]),
    ...(otherKeys === null || otherKeys.note === null || otherAt === null
      ? []
      : [`${otherKeys.note}: ${groupingNames[groupings[otherAt] ?? 'day'].toLowerCase()}`]),
    ...(otherKeys !== null && report.compared_from !== null ? ['the compared days are in the table only'] : []),
  ];
  const series =
    otherKeys === null || otherAt === null
      ? single(report, valuesOf)
      : otherKeys.shown.map((other): Series => {
          const isOthers = other === othersId;
          return {
            name: isOthers ? `Others (${groupedNumber(otherKeys.merged)})` : labelOf(report, groups, otherAt, other),
            values: valuesOf('current', other),
            kind: isOthers ? 'others' : 'current',
            ...(groupings[otherAt] === 'type' && !isOthers && { type: other }),
          };
        });
  return {
    kind: isHeat ? 'heat' : isOfTime && (axisKeys.shown.length > 1 || !isAdded) ? 'line' : 'bar',
    title: `${title}, ${rangeText(report.from, report.to)}`,
    form: mode === 'share' ? 'share' : form,
    labels: axisKeys.shown.map((key) =>
      key === othersId ? `Others (${groupedNumber(axisKeys.merged)})` : labelOf(report, groups, axisAt, key),
    ),
    series: mode === 'share' ? toShares(series, (value) => valueText(form, value)) : series,
    isStacked: isAdded && otherKeys !== null,
    ...axisOf(report, axis, { keys: axisKeys.shown, offset }),
    incomplete: isOfTime && !isHeat ? axisKeys.shown.filter((key) => isCut(report, axis, key)).length : 0,
    note: notes.length === 0 ? null : `Shown: ${notes.join('; ')}.`,
  };
}

/** The times of the keys of a chart, where they are stretches of time. */
function axisOf(
  report: Report,
  grouping: ReportGrouping,
  { keys, offset }: { keys: readonly string[]; offset: string },
): { axis?: TimeAxis } {
  const starts = keys.flatMap((key) => {
    const days = daysOf(grouping, key, report);
    if (days === null) return [];
    const hours = grouping === 'date_hour' ? Number(key.slice('YYYY-MM-DD '.length)) : 0;
    return [dayRange(days.from, offset).from + hours * hour];
  });
  return starts.length < keys.length ? {} : { axis: { starts, until: dayRange(report.to, offset).until } };
}

/** The values of series as shares of their sum, with the values themselves as text. Amounts of which some are negative make no whole. */
function toShares(series: readonly Series[], format: (value: number) => string): Series[] {
  const [first] = series;
  const wholes = (first?.values ?? []).map((_, at) => {
    const parts = series.map(({ values }) => values[at] ?? 0);
    return parts.some((part) => part < 0) ? 0 : sum(parts);
  });
  const shareOf = (value: number, at: number): number | null => (wholes[at] ? value / wholes[at] : null);
  return series.map((one) => ({
    ...one,
    values: one.values.map((value, at) => (value === null ? null : shareOf(value, at))),
    texts: one.values.map((value, at) => {
      const share = value === null ? null : shareOf(value, at);
      return value === null ? null : `${format(value)}${share === null ? '' : ` (${shareText(share)})`}`;
    }),
  }));
}

function single(report: Report, valuesOf: (side: 'current' | 'compared', other: string) => (number | null)[]): Series[] {
  const { from, to, compared_from: comparedFrom, compared_to: comparedTo } = report;
  const current: Series = { name: rangeText(from, to), values: valuesOf('current', ''), kind: 'current' };
  if (comparedFrom === null || comparedTo === null) return [current];
  return [current, { name: rangeText(comparedFrom, comparedTo), values: valuesOf('compared', ''), kind: 'compared' }];
}

/** The id of the key that adds up others, which has no value. */
const othersId = '\0';

function keyId(key: ReportKey | undefined): string {
  return key?.merged === undefined ? (key?.value ?? '') : othersId;
}

function cellName(axis: string, other: string): string {
  return JSON.stringify([axis, other]);
}

/** The keys of a grouping that are drawn, the last one for as many others as `merged`; `note` says what is left out. */
type Keys = { shown: string[]; merged: number; note: string | null; idOf: (key: string) => string | null };

/** Every key of time of a grouping, as far as the report has them; null for other groupings. */
function timesOf(report: Report, at: number): readonly string[] | null {
  const times = timeKeys(report.group_by[at] ?? 'day', report);
  if (times === null || report.pivot === null || at === 0) return times;
  return report.pivot.keys.flatMap(({ value, merged }) => (merged === undefined ? [value] : []));
}

function latest(times: readonly string[], most: number): Keys {
  const shown = times.slice(-most);
  const known = new Set(shown);
  const note = shown.length === times.length ? null : `the latest ${shown.length} of ${groupedNumber(times.length)}`;
  return { shown, merged: 0, note, idOf: (key) => (known.has(key) ? key : null) };
}

type PickOptions = { at: number; most: number; query: RatioQuery; isWhole: boolean; times: readonly string[] | null };

/** The column by which the largest keys of a chart are found: its own, or for a ratio a count beside it, where there is one. */
export function rankingColumn({ columns }: Report, column: string, query: RatioQuery): string {
  if (ratioOf(column, query) === null) return column;
  return columns.find((other) => ratioOf(other, query) === null) ?? column;
}

/** How many groups a report by one grouping has, those that did not arrive among them. */
function groupsOfOne({ group_by: groupings, total_groups: all }: Report): number {
  return groupings.length === 1 ? all : 0;
}

/**
 * The keys with the largest values; ratios by a count beside them, where there is one. The others are added up if the parts are to be whole:
 * ratios cannot be added, and buyers may have the same apps.
 */
function pickKeys(report: Report, groups: readonly Cell[], column: string, options: PickOptions): Keys {
  const { at, most, query, isWhole, times } = options;
  const rankedBy = rankingColumn(report, column, query);
  const sums = new Map<string, number>();
  let merged = 0;
  for (const { keys, current } of groups) {
    const key = keyId(keys[at]);
    merged = Math.max(merged, keys[at]?.merged ?? 0);
    if (key !== othersId) sums.set(key, (sums.get(key) ?? 0) + Number(current[rankedBy] ?? 0));
  }
  const ranked = [...sums].toSorted(([, a], [, b]) => b - a).map(([key]) => key);
  const first = new Set(ranked.slice(0, most));
  const shown = times === null ? [...first] : times.filter((time) => first.has(time));
  const rest = ranked.length - shown.length;
  const isAdded = rest > 0 && isWhole && report.group_by[at] !== 'buyer';
  return {
    shown: [...shown, ...(merged > 0 || isAdded ? [othersId] : [])],
    merged: merged + (isAdded ? rest : 0),
    note: rest === 0 || isAdded ? null : `the ${shown.length} largest of ${groupedNumber(Math.max(ranked.length, groupsOfOne(report)))}`,
    idOf: (key) => (first.has(key) || (key === othersId && merged > 0) ? key : isAdded ? othersId : null),
  };
}

/** The values of drawn cells. What several cells of others add up to is exact: amounts have four decimals at most. */
function addUp(groups: readonly Cell[], column: string, [axisAt, axis]: [number, Keys], [otherAt, other]: [number | null, Keys | null]) {
  const parts = { current: new Map<string, number[]>(), compared: new Map<string, number[]>() };
  for (const group of groups) {
    const axisId = axis.idOf(keyId(group.keys[axisAt]));
    const otherId = otherAt === null || other === null ? '' : other.idOf(keyId(group.keys[otherAt]));
    if (axisId === null || otherId === null) continue;
    const name = cellName(axisId, otherId);
    for (const side of ['current', 'compared'] as const) {
      const value = group[side]?.[column] ?? null;
      if (value === null) continue;
      const known = parts[side].get(name);
      if (known === undefined) parts[side].set(name, [Number(value)]);
      else known.push(Number(value));
    }
  }
  return { current: sumAll(parts.current), compared: sumAll(parts.compared) };
}

function sumAll(values: ReadonlyMap<string, readonly number[]>): ReadonlyMap<string, number> {
  return new Map(Array.from(values, ([name, parts]) => [name, parts.length === 1 ? (parts[0] ?? 0) : sum(parts)]));
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + Math.round(value * 10_000), 0) / 10_000;
}

function labelOf({ group_by: groupings }: Report, groups: readonly Cell[], at: number, value: string): string {
  const grouping = groupings[at];
  if (grouping === undefined) return value;
  const key = groups.find(({ keys }) => keyId(keys[at]) === value)?.keys[at] ?? { value, name: null };
  return cutText(withMarks(keyText(grouping, key)), chartLimits.label);
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
