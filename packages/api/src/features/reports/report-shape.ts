import { timeKeys } from '@switchyard/contract/report-keys';
import { isPivot, isTimeGrouping, type ReportGrouping, type ReportKey, reportLimits, type ReportQuery } from '@switchyard/contract/reports';
import { type CountedGroups, Keys, Pairs } from './report-groups.ts';
import { type Links, mergeGroups, type Tally } from './report-tally.ts';

export type Tallies = { current: Tally; compared: Tally };

/** The rank of a group by its number in tallies, null last; ties are in the order of keys. */
export type Rank = { sign: 1 | -1; of: (tallies: Tallies, group: number) => number | null };

export type ShownKey = Omit<ReportKey, 'name'>;

/** The groups of a report as they are shown. */
export type Shape = {
  tallies: Tallies;
  /** Groups, or rows of a pivot, with their numbers in the tallies. */
  groups: { keys: ShownKey[]; number: number }[];
  /** How many there would be without a limit. */
  size: number;
  pivot: Pivot | null;
};

/** The columns of a pivot with the numbers of their totals; `cellOf` gives the number of a cell by those of its row and column. */
type Pivot = { keys: ShownKey[]; totals: number[]; cellOf: (row: number, column: number) => number };

/** A group of which nothing was counted. */
export const noGroup = -1;

/** Shown keys have fewer numbers than this, so that the places of two make a number. */
const mostKeys = 2 ** 20;

/** The shown keys of a grouping, and those that each counted key belongs to: several where an app has several buyers. */
type Axis = { keys: readonly ShownKey[]; members: readonly (readonly number[])[]; isCounted: boolean };

/** The second grouping of a report by one. */
const noAxis: Axis = { keys: [{ value: '' }], members: [[0]], isCounted: true };

type ShapeInput = {
  query: ReportQuery;
  days: { from: string; to: string };
  /** By what groups are ordered; null: by their keys, whose order is `sign`. */
  rank: Rank | null;
  sign: 1 | -1;
  /** By what keys are chosen if not all are shown, and columns placed. */
  choice: Rank;
  limit: number;
};

/**
 * Puts the counted groups together as the report shows them: the buyers of apps, others in place of what is not among the first keys,
 * and the rows and columns of a pivot. Each is a sum of counted groups, so it counts no row twice.
 */
export function shapeReport(counted: CountedGroups, { query, days, rank, sign, choice, limit }: ShapeInput): Shape {
  const isTurned = isPivot(query);
  const axes = counted.axes.map(({ grouping, keys }, at): Axis => {
    const mostColumns = isTurned && at === 1 ? reportLimits.pivotColumns : Infinity;
    const axis = newAxis(grouping, keys);
    if (!isTimeGrouping(grouping)) {
      const most = Math.min(query.top ?? Infinity, mostColumns);
      return axis.keys.length <= most ? axis : mergeOthers(axis, rankKeys(counted, axis, { at, choice }).slice(0, most));
    }
    const latest = new Set(timeKeys(grouping, days)?.slice(-mostColumns));
    const kept = [...axis.keys.keys()].filter((key) => latest.has(axis.keys[key]?.value ?? ''));
    return mostColumns === Infinity || kept.length === axis.keys.length ? axis : mergeOthers(axis, kept);
  });
  const [first = noAxis, second = noAxis] = axes;

  // The totals of a pivot come after the pairs, which keep their numbers if they are the counted ones.
  const isCounted = first.isCounted && second.isCounted;
  const pairs = isCounted ? counted.pairs : new Pairs();
  const links: Links = { from: [], to: [], size: 0 };
  const link = (from: number, to: number): void => {
    links.from.push(from);
    links.to.push(to);
  };
  const linkAll = (visit: (from: number, rows: readonly number[], columns: readonly number[]) => void): void => {
    const { firsts, seconds, size } = counted.pairs;
    for (let index = 0; index < size; index += 1) {
      visit(index + 1, first.members[firsts[index] ?? 0] ?? [], second.members[seconds[index] ?? 0] ?? []);
    }
  };
  if (!isCounted) {
    linkAll((from, rows, columns) => {
      for (const row of rows) for (const column of columns) link(from, pairs.numberOf(row, column));
    });
  }
  const firstRow = 1 + pairs.size;
  const firstColumn = firstRow + first.keys.length;
  if (isTurned) {
    linkAll((from, rows, columns) => {
      for (const row of rows) link(from, firstRow + row);
      for (const column of columns) link(from, firstColumn + column);
    });
  }
  links.size = firstColumn + second.keys.length;
  const { current, compared } = counted.tallies;
  const merge = (tally: Tally): Tally => mergeGroups(tally, links, isCounted);
  const tallies = links.from.length === 0 ? counted.tallies : { current: merge(current), compared: merge(compared) };

  const rows = isTurned ? keysAsGroups(first) : pairs;
  const beforeGroups = isTurned ? pairs.size : 0;
  const order = sortGroups(rows, isTurned ? [first] : axes, {
    sign: rank?.sign ?? sign,
    rankOf: rank && ((number) => rank.of(tallies, beforeGroups + number)),
    limit,
  });
  const shownKeys = (number: number): ShownKey[] =>
    (isTurned ? [first] : axes).flatMap(({ keys }, at) => keys[(at === 0 ? rows.firsts : rows.seconds)[number - 1] ?? 0] ?? []);
  return {
    tallies,
    groups: order.map((number) => ({ keys: shownKeys(number), number: beforeGroups + number })),
    size: rows.firsts.length + counted.unlisted,
    pivot: isTurned ? pivotOf() : null,
  };

  function pivotOf(): Pivot {
    const columns = placeColumns();
    return {
      keys: columns.map(({ key }) => key),
      totals: columns.map(({ number }) => (number === undefined ? noGroup : firstColumn + number)),
      cellOf: (row, column) => pairs.find(row - firstRow, columns[column]?.number ?? noGroup) ?? noGroup,
    };
  }

  /** Columns in their order: every stretch of time, others last. */
  function placeColumns(): { key: ShownKey; number: number | undefined }[] {
    const numbers = new Map(second.keys.map(({ value, merged }, number) => [merged === undefined ? value : null, number]));
    const others = second.keys.flatMap((key, number) => (key.merged === undefined ? [] : [{ key, number }]));
    const grouping = counted.axes[1]?.grouping;
    const times = grouping === undefined ? null : timeKeys(grouping, days);
    if (times !== null) {
      const shown = times.slice(-reportLimits.pivotColumns).map((value) => ({ key: { value }, number: numbers.get(value) }));
      return [...shown, ...others];
    }
    const ranked = sortGroups(keysAsGroups(second), [second], {
      sign: choice.sign,
      rankOf: (number) => choice.of(tallies, firstColumn + number - 1),
      limit: Infinity,
    });
    return ranked.flatMap((number) => {
      const key = second.keys[number - 1];
      return key === undefined ? [] : [{ key, number: number - 1 }];
    });
  }
}

function newAxis(grouping: ReportGrouping, { names }: Keys): Axis {
  if (grouping !== 'buyer') {
    return { keys: names.map((value) => ({ value })), members: names.map((_, number) => [number]), isCounted: true };
  }
  const buyers = new Keys();
  const members = names.map((ofApp) => ofApp.split(',').map((buyer) => buyers.numberOf(buyer)));
  return { keys: buyers.names.map((value) => ({ value })), members, isCounted: false };
}

/** The axis with the kept keys, and the others as one. An app of several others counts once there. */
function mergeOthers({ keys, members }: Axis, kept: readonly number[]): Axis {
  const numbers = new Map(kept.map((key, number) => [key, number]));
  return {
    keys: [...kept.flatMap((key) => keys[key] ?? []), { value: '', merged: keys.length - kept.length }],
    members: members.map((ofKey) => [...new Set(ofKey.map((key) => numbers.get(key) ?? kept.length))]),
    isCounted: false,
  };
}

/** The keys of an axis in the order of their sums. */
function rankKeys({ pairs, tallies }: CountedGroups, axis: Axis, { at, choice }: { at: number; choice: Rank }): number[] {
  const links: Links = { from: [], to: [], size: axis.keys.length + 1 };
  for (const [index, counted] of (at === 0 ? pairs.firsts : pairs.seconds).entries()) {
    for (const key of axis.members[counted] ?? []) {
      links.from.push(index + 1);
      links.to.push(key + 1);
    }
  }
  const sums = { current: mergeGroups(tallies.current, links), compared: mergeGroups(tallies.compared, links) };
  const rankOf = (number: number): number | null => choice.of(sums, number);
  return sortGroups(keysAsGroups(axis), [axis], { sign: choice.sign, rankOf, limit: Infinity }).map((number) => number - 1);
}

/** Groups by the numbers of their keys. */
type GroupKeys = { firsts: readonly number[]; seconds: readonly number[] };

function keysAsGroups({ keys }: Axis): GroupKeys {
  return { firsts: [...keys.keys()], seconds: [] };
}

type SortInput = { sign: 1 | -1; rankOf: ((number: number) => number | null) | null; limit: number };

/** The numbers of the first groups, from 1 on, by their rank, null last, or by key; ties by key, others at the end. */
function sortGroups({ firsts, seconds }: GroupKeys, [first, second]: readonly Axis[], { sign, rankOf, limit }: SortInput): number[] {
  const [firstPlaces, secondPlaces] = [first, second].map((axis) => (axis === undefined ? [] : placesOf(axis)));
  const isOthers = (index: number): boolean =>
    first?.keys[firsts[index] ?? 0]?.merged !== undefined || second?.keys[seconds[index] ?? 0]?.merged !== undefined;
  const placeOf = (index: number): number =>
    (firstPlaces?.[firsts[index] ?? 0] ?? 0) * mostKeys + (secondPlaces?.[seconds[index] ?? 0] ?? 0);
  const hasOthers = [first, second].some((axis) => axis?.keys.at(-1)?.merged !== undefined);
  const ranks = new Float64Array(firsts.length);
  for (let index = 0; index < firsts.length; index += 1) {
    const own = hasOthers && isOthers(index) ? null : rankOf === null ? placeOf(index) : rankOf(index + 1);
    ranks[index] = own === null ? Infinity : sign * own;
  }
  // Only groups that may be among the first are put in order.
  const last = lastRank(ranks, limit);
  const shown: { index: number; rank: number; place: number; isLast: boolean }[] = [];
  for (let index = 0; index < firsts.length; index += 1) {
    const rank = ranks[index] ?? Infinity;
    if (rank <= last) shown.push({ index, rank, place: placeOf(index), isLast: hasOthers && isOthers(index) });
  }
  return shown
    .toSorted((a, b) => Number(a.isLast) - Number(b.isLast) || (a.rank === b.rank ? a.place - b.place : a.rank - b.rank))
    .slice(0, limit)
    .map(({ index }) => index + 1);
}

/** The rank of the last of the first `limit`. Sorts a part at a time: few of many groups are among the first. */
function lastRank(ranks: Float64Array, limit: number): number {
  if (ranks.length <= limit) return Infinity;
  const first = new Float64Array(2 * limit);
  let length = 0;
  let last = Infinity;
  for (const rank of ranks) {
    if (rank >= last) continue;
    first[length] = rank;
    length += 1;
    if (length < first.length) continue;
    last = first.sort()[limit - 1] ?? Infinity;
    length = limit;
  }
  return first.subarray(0, length).sort()[limit - 1] ?? Infinity;
}

/** The place of each key in their order, others last. */
function placesOf({ keys }: Axis): number[] {
  const places: number[] = [];
  const sortedKeys = keys.map(({ value, merged }, number) => ({ value, merged, number })).toSorted(compareKeys);
  for (const [place, { number }] of sortedKeys.entries()) places[number] = place;
  return places;
}

function compareKeys(one: ShownKey, other: ShownKey): number {
  if (one.merged !== other.merged) return one.merged === undefined ? -1 : 1;
  const isNumeric = /^\d+$/.test(one.value) && /^\d+$/.test(other.value);
  return isNumeric ? Number(one.value) - Number(other.value) : one.value < other.value ? -1 : 1;
}
