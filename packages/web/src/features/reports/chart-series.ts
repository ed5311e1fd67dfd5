import { dayOf, dayRange, parseDateTime } from '@switchyard/contract/dates';
import { timeKeys } from '@switchyard/contract/report-keys';
import { type ChangeOrder, createIsLarge, isOrderedByVolume, orderedValue, orderOf, readOrder } from '@switchyard/contract/report-rules';
import {
  isTimeGrouping,
  leastOf,
  ratioOf,
  type RatioQuery,
  type Report,
  type ReportCell,
  type ReportGroup,
  type ReportGrouping,
  type ReportKey,
  type ReportQuery,
} from '@switchyard/contract/reports';
import type { ChartData, Format, Series } from '../../shared/charts/chart-data.ts';
import type { TimeAxis } from '../../shared/marks/place-marks.ts';
import { withMarks } from '../../shared/ui/hidden-characters.ts';
import { groupedNumber } from '../../shared/ui/text-format.ts';
import { countDays, daysOf, type Until } from './report-days.ts';
import { columnName, formOf, type ValueForm } from '@switchyard/contract/report-texts';
import {
  changeOf,
  groupingNames,
  keyText,
  numberOf,
  percentChangeText,
  rangeText,
  shareText,
  signedText,
  exactSum,
  valueText,
} from './report-words.ts';

export const chartLimits = { series: 7, bars: 12, heatRows: 62 } as const;

const hour = 3_600_000_000;

/** Ways of drawing a report: lines over time and bars otherwise, their sums, the shares of these, a colour for each cell, or averages of a day. */
export const chartModes = ['plain', 'stacked', 'share', 'heat', 'average'] as const;
export type ChartMode = (typeof chartModes)[number];

/** What a chart reads of the query of its report. */
export type ChartQuery = Parameters<typeof orderOf>[0] & Pick<ReportQuery, 'least'>;

type ChartOptions = {
  /** The day up to which there can be traffic, and the hour of it that runs. */
  today: string;
  hour?: number;
  /** Offset of the days of the report. */
  offset: string;
  query: ChartQuery;
  /** How it is drawn, where the report can be drawn so. */
  mode?: string | null;
};

/** The ways in which a column can be drawn, the usual one first. Only sums are parts of a whole. */
export function modesOf(report: Report, column: string, query: RatioQuery): readonly ChartMode[] {
  const [first, second] = report.group_by;
  const isAveraged = isRecurring(report) && ratioOf(column, query) === null;
  if (second === undefined) return isAveraged ? ['plain', 'average'] : ['plain'];
  const isOfTime = isTimeGrouping(first) || isTimeGrouping(second);
  const usual = isTimeGrouping(first) && isTimeGrouping(second) ? (['heat', 'plain'] as const) : (['plain', 'heat'] as const);
  if (ratioOf(column, query) !== null) return usual;
  return [...usual, ...(isOfTime ? (['stacked', 'share'] as const) : (['share'] as const)), ...(isAveraged ? (['average'] as const) : [])];
}

/** Whether the times of a report come again and again, so that its sums grow with its days. */
function isRecurring({ group_by: groupings }: Report): boolean {
  const times = groupings.filter(isTimeGrouping);
  return times.length > 0 && times.every((grouping) => grouping === 'weekday' || grouping === 'hour');
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

/** The chart of a column, whose bars are in the order of the groups; text says why there is none. */
export function chartOf(
  report: Report,
  column: string,
  { today, hour: hourNow = 24, offset, query, mode: wantedMode = null }: ChartOptions,
): ChartData | string {
  const { group_by: groupings, pivot } = report;
  const groups = cellsOf(report);
  if (groups.every(({ current }) => (current[column] ?? null) === null)) return `There are no values of ${columnName(column)} to draw.`;
  const modes = modesOf(report, column, query);
  const mode = modes.find((one) => one === wantedMode) ?? modes[0] ?? 'plain';
  const isAverage = mode === 'average';
  const isHeat = mode === 'heat' || (isAverage && modes[0] === 'heat');
  // A heat map has the rows and columns of a pivot.
  const axisAt = isHeat ? 1 : Math.max(0, groupings.findIndex(isTimeGrouping));
  const axis = groupings[axisAt] ?? 'day';
  const otherAt = groupings.length < 2 ? null : 1 - axisAt;
  const isOfTime = isTimeGrouping(axis);
  const noun = pivot === null ? 'groups' : 'rows';
  if (isPart(report) && (isOfTime || mode === 'share')) {
    return `This chart needs all ${groupedNumber(report.total_groups)} ${noun}. Choose fewer days, set a filter, or show the top groups.`;
  }
  // The rows of a pivot are whole. Other groups say nothing of those that did not arrive, so nothing is added up to a whole.
  const isOfPart = isPart(report) && otherAt !== null && !(pivot !== null && isHeat);
  const form = formOf(column, query);
  const isRatio = ratioOf(column, query) !== null;
  const order = readOrder(orderOf(query, report.columns).orderBy);
  const isDrawnAsChange = order.column === column && otherAt === null && !isOfTime && report.compared_from !== null;
  const change = isDrawnAsChange && order.by !== 'value' ? order.by : null;
  const isAdded = mode === 'stacked' || mode === 'share' || (mode === 'plain' && !isOfTime && !isRatio);
  const keysOf = (at: number, most: number, isWhole: boolean): Keys => {
    const times = timesOf(report, at);
    if (times !== null && (isHeat || times.length <= most)) return latest(times, most);
    return pickKeys(report, groups, column, { at, most, query, isWhole, times });
  };
  const isBars = !isHeat && !isOfTime;
  const axisKeys = keysOf(axisAt, isBars ? chartLimits.bars : Infinity, isBars && !isRatio && !isOfPart);
  const otherKeys = otherAt === null ? null : keysOf(otherAt, isHeat ? chartLimits.heatRows : chartLimits.series, isAdded && !isOfPart);
  const sums = addUp(groups, column, [axisAt, axisKeys], [otherAt, otherKeys]);
  if (otherAt === null && isBars) addLateGroups(report, column, axisKeys, sums);
  const valuesOf = (side: 'current' | 'compared', other: string): (number | null)[] =>
    axisKeys.shown.map((key) => {
      const value = sums[side].get(cellName(key, other));
      const count = countOf(report, side, { keys: [key, other], axisAt, offset, until: { day: today, hour: hourNow } });
      // A sum of weekdays or hours as the average of these, to a digit behind the point.
      if (isAverage) return count === null || count === 0 ? null : Math.round(((value ?? 0) / count) * 10) / 10;
      if (value !== undefined) return value;
      const isHourAhead = axis === 'date_hour' && key > `${today} ${String(hourNow).padStart(2, '0')}`;
      const isAhead = isOfTime && !isHeat && (count === 0 || isHourAhead || (daysOf(axis, key, report)?.from ?? '') > today);
      return isRatio || isAhead || isOfPart ? null : 0;
    });
  const name = columnName(column, report);
  const title = `${change === null ? name : `Change of ${name}`}${mode === 'share' ? ', share' : isAverage ? ', average of a day' : ''} by ${groupings.map((grouping) => groupingNames[grouping].toLowerCase()).join(' and ')}`;
  const smallLast = isBars && otherAt === null ? smallLastText(report, query) : null;
  const notes = [
    ...(isOfPart ? [`only the first ${groupedNumber(report.groups.length)} of ${groupedNumber(report.total_groups)} ${noun}`] : []),
    ...(axisKeys.note === null ? [] : [axisKeys.note]),
    ...(otherKeys === null || otherKeys.note === null || otherAt === null
      ? []
      : [`${otherKeys.note}: ${groupingNames[groupings[otherAt] ?? 'day'].toLowerCase()}`]),
    ...(otherKeys !== null && report.compared_from !== null ? ['the compared days are in the table only'] : []),
    ...(smallLast === null ? [] : [smallLast]),
  ];
  const totalText = (cell: ReportCell, side: 'current' | 'compared'): string | undefined => {
    const total = numberOf(cell[side]?.[column]);
    return total === null ? undefined : valueText(form, total);
  };
  const isWhole = axisKeys.note === null && !isRatio && !isAverage && !isOfPart && axis !== 'buyer';
  const wholeSeries =
    otherKeys === null || otherAt === null
      ? single(report, valuesOf).map((one) => ({
          ...one,
          ...(!isAverage && { total: totalText(report.totals, one.kind === 'compared' ? 'compared' : 'current') }),
        }))
      : otherKeys.shown.map((other): Series => {
          const isOthers = other === othersId;
          const values = valuesOf('current', other);
          return {
            name: isOthers ? `Others (${groupedNumber(otherKeys.merged)})` : labelOf(report, groups, otherAt, other),
            values,
            kind: isOthers ? 'others' : 'current',
            ...(groupings[otherAt] === 'type' && !isOthers && { type: other }),
            ...(isWhole && { total: valueText(form, exactSum(values.map((value) => value ?? 0))) }),
          };
        });
  const series =
    change !== null
      ? toChanges(wholeSeries, { form, change, name: `Change of ${name}` })
      : mode === 'share'
        ? toShares(wholeSeries, (value) => valueText(form, value))
        : wholeSeries;
  return {
    kind: isHeat ? 'heat' : isOfTime && (axisKeys.shown.length > 1 || !isAdded) ? 'line' : 'bar',
    title: `${title}, ${periodOf(report, change !== null)}`,
    form: mode === 'share' ? 'share' : form,
    labels: axisKeys.shown.map((key) =>
      key === othersId ? `Others (${groupedNumber(axisKeys.merged)})` : labelOf(report, groups, axisAt, key),
    ),
    series,
    isStacked: isAdded && otherKeys !== null,
    ...(isBars && axisKeys.shown.at(-1) === othersId && { othersAt: axisKeys.shown.length - 1 }),
    ...(change !== null && { change }),
    ...axisOf(report, axis, { keys: axisKeys.shown, offset }),
    incomplete: isOfTime && !isHeat ? axisKeys.shown.filter((key) => isCut(report, axis, key)).length : 0,
    note: notes.length === 0 ? null : `Shown: ${notes.join('; ')}.`,
    total: totalOf(report, column, form),
  };
}

/** The days of a report, for changes with those that they are compared with. */
function periodOf({ from, to, compared_from: comparedFrom, compared_to: comparedTo }: Report, isCompared: boolean): string {
  const days = rangeText(from, to);
  return isCompared && comparedFrom !== null && comparedTo !== null ? `${days} compared with ${rangeText(comparedFrom, comparedTo)}` : days;
}

/** Says that an order puts small groups last; null if it does not. */
export function smallLastText(report: Report, query: ChartQuery): string | null {
  const order = readOrder(orderOf(query, report.columns).orderBy);
  const isSmallLast =
    leastOf(query) > 1 && isOrderedByVolume(order, query) && createIsLarge(order, query)(orderedValue(order, report.totals));
  return isSmallLast ? `groups with fewer than ${groupedNumber(leastOf(query))} are listed last` : null;
}

/** Writes the values of a chart, changes with their sign. */
export function formatOf({ form, change }: Pick<ChartData, 'form' | 'change'>): Format {
  if (change === 'percent') return percentChangeText;
  return change === undefined
    ? (value, isCompact) => valueText(form, value, isCompact)
    : (value, isCompact) => signedText(form, value, isCompact);
}

type CountInput = { keys: readonly [axis: string, other: string]; axisAt: number; offset: string; until: Until };

/** How many of the kept days that have begun count for a weekday, an hour of day, or one in a stretch of days; null stands for other keys. */
function countOf(report: Report, side: 'current' | 'compared', { keys: [axis, other], axisAt, offset, until }: CountInput): number | null {
  const { group_by: groupings, from, to, compared_from: comparedFrom, compared_to: comparedTo, compared_until: comparedUntil } = report;
  const keyOf = (grouping: ReportGrouping): string | null => {
    const at = groupings.indexOf(grouping);
    const key = at === axisAt ? axis : other;
    return at === -1 || key === othersId ? null : key;
  };
  const [weekday, hourOfDay] = [keyOf('weekday'), keyOf('hour')];
  if (weekday === null && hourOfDay === null) return null;
  const isCurrent = side === 'current';
  const days = isCurrent ? { from, to } : { from: comparedFrom ?? from, to: comparedTo ?? to };
  const stretch = isCurrent ? groupings.flatMap((grouping) => daysOf(grouping, keyOf(grouping) ?? '', days) ?? [])[0] : undefined;
  const { from: first, to: end } = stretch ?? days;
  // Days that retention dropped count nothing.
  const kept = { from: first < report.complete_from ? report.complete_from : first, to: end };
  const last = isCurrent ? until : comparedUntil === null ? { day: days.to, hour: 24 } : untilOf(parseDateTime(comparedUntil), offset);
  return countDays(kept, last, { weekday, hour: hourOfDay });
}

/** The day of an instant in an offset, and the hour of it that runs. */
function untilOf(at: number, offset: string): Until {
  const day = dayOf(at, offset);
  return { day, hour: Math.floor((at - dayRange(day, offset).from) / hour) };
}

/** The total of a column, in a comparison with its change. */
function totalOf({ totals }: Report, column: string, form: ValueForm): string | null {
  const value = numberOf(totals.current[column]);
  if (value === null) return null;
  const change = changeOf(form, value, numberOf(totals.compared?.[column]));
  return `Total: ${valueText(form, value)}${change === null ? '' : ` (${change.text})`}`;
}

/** The changes of values since the compared ones, in percent of these for the order `percent`. */
function toChanges(
  [current, compared]: readonly Series[],
  { form, change, name }: { form: ValueForm; change: ChangeOrder; name: string },
): Series[] {
  const pairs = (current?.values ?? []).map((value, at) => {
    const before = compared?.values[at] ?? null;
    return value === null || before === null ? null : { value, before, difference: exactSum([value, -before]) };
  });
  return [
    {
      name,
      kind: 'current',
      values: pairs.map((pair) => {
        if (pair === null || change === 'change' || pair.difference === 0) return pair && pair.difference;
        return pair.before === 0 ? null : pair.difference / Math.abs(pair.before);
      }),
      // A value that was 0 has no change in percent.
      ends: pairs.map(
        (pair) => pair && (change === 'percent' && pair.before === 0 ? (changeOf('count', pair.value, 0)?.text ?? null) : null),
      ),
      texts: pairs.map(
        (pair) =>
          pair &&
          `${signedText(form, pair.difference)} (${changeOf(form, pair.value, pair.before)?.text ?? ''}), ${valueText(form, pair.before)} → ${valueText(form, pair.value)}`,
      ),
    },
  ];
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
    return parts.some((part) => part < 0) ? 0 : exactSum(parts);
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

type PickOptions = { at: number; most: number; query: ChartQuery; isWhole: boolean; times: readonly string[] | null };

/** The column by which the largest keys of a chart are found: its own, or for a ratio a count beside it, where there is one. */
export function rankingColumn({ columns }: Report, column: string, query: RatioQuery): string {
  if (ratioOf(column, query) === null) return column;
  return columns.find((other) => ratioOf(other, query) === null) ?? column;
}

/**
 * The keys that are drawn: the first rows of the table, or where these are no rows of their own the largest ones, ratios by a count beside
 * them. The others are added up if the parts are to be whole: ratios cannot be added, and buyers may have the same apps.
 */
function pickKeys(report: Report, groups: readonly Cell[], column: string, options: PickOptions): Keys {
  const { at, most, query, isWhole, times } = options;
  const { group_by: groupings, pivot, total_groups: all } = report;
  const rankedBy = rankingColumn(report, column, query);
  const sums = new Map<string, number>();
  let merged = 0;
  for (const { keys, current } of groups) {
    const key = keyId(keys[at]);
    merged = Math.max(merged, keys[at]?.merged ?? 0);
    if (key !== othersId) sums.set(key, (sums.get(key) ?? 0) + Number(current[rankedBy] ?? 0));
  }
  const { orderBy } = orderOf(query, report.columns);
  const isInOrder = groupings.length === 1 || (at === 0 && (pivot !== null || (orderBy === 'key' && most !== chartLimits.series)));
  const ranked = (isInOrder ? [...sums] : [...sums].toSorted(([, a], [, b]) => b - a)).map(([key]) => key);
  const first = new Set(ranked.slice(0, most));
  const shown = times === null ? [...first] : times.filter((time) => first.has(time));
  const known = groupings.length === 1 && merged === 0 ? Math.max(all, ranked.length) : ranked.length;
  const rest = known - shown.length;
  const isAdded = rest > 0 && isWhole && groupings[at] !== 'buyer';
  return {
    shown: [...shown, ...(merged > 0 || isAdded ? [othersId] : [])],
    merged: merged + (isAdded ? rest : 0),
    note:
      rest === 0 || isAdded ? null : `the ${isInOrder ? `first ${shown.length}` : `${shown.length} largest`} of ${groupedNumber(known)}`,
    idOf: (key) => (first.has(key) || (key === othersId && merged > 0) ? key : isAdded ? othersId : null),
  };
}

/** The values of drawn cells. */
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

/** Whether a report has more groups than arrived. */
export function isPart({ groups, total_groups: all }: Pick<Report, 'groups' | 'total_groups'>): boolean {
  return groups.length < all;
}

/** Gives others what the totals have beyond the drawn groups: not all groups may have arrived. */
function addLateGroups(report: Report, column: string, keys: Keys, sums: ReturnType<typeof addUp>): void {
  if (!isPart(report) || keys.shown.at(-1) !== othersId) return;
  for (const side of ['current', 'compared'] as const) {
    const whole = numberOf(report.totals[side]?.[column]);
    if (whole === null) continue;
    const parts = keys.shown.slice(0, -1).map((key) => -(sums[side].get(cellName(key, '')) ?? 0));
    sums[side].set(cellName(othersId, ''), exactSum([whole, ...parts]));
  }
}

function sumAll(values: ReadonlyMap<string, readonly number[]>): Map<string, number> {
  return new Map(Array.from(values, ([name, parts]) => [name, parts.length === 1 ? (parts[0] ?? 0) : exactSum(parts)]));
}

function labelOf(report: Report, groups: readonly Cell[], at: number, value: string): string {
  const grouping = report.group_by[at];
  if (grouping === undefined) return value;
  const key = groups.find(({ keys }) => keyId(keys[at]) === value)?.keys[at] ?? { value, name: null };
  return withMarks(keyText(grouping, key, report));
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
