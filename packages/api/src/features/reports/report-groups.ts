import { addDays, mondayOf } from '@switchyard/contract/dates';
import { groupingsOf, type ReportGrouping, type ReportQuery, subjectApplies, type ReportSubject } from '@switchyard/contract/reports';
import type { DeliveryFigures } from '../../traffic-store/delivery-store.ts';
import type { EventCounts, GroupKey, TypeFigure } from '../../traffic-store/event-store.ts';
import type { Counts, GroupColumns, KeyValue } from '../../traffic-store/group-columns.ts';
import type { ReportedApp } from './reports-read-model.ts';
import type { Period } from './report-period.ts';
import { addDeliveries, addRequests, emptyTally, type Places } from './report-tally.ts';

/** Keys by which the stores group, for each grouping: apps for verticals and buyers, days for weeks and months. */
const countedBy: Readonly<Record<ReportGrouping, GroupKey>> = {
  app: 'app',
  vertical: 'app',
  buyer: 'app',
  country: 'country',
  stream: 'stream',
  asn: 'asn',
  type: 'type',
  day: 'day',
  week: 'day',
  month: 'day',
  hour: 'hour',
  server: 'server',
};

/** Keys by which the stores must group for the groups of a report. */
export function keysOf(query: ReportQuery): GroupKey[] {
  return [...new Set(groupingsOf(query).map((grouping) => countedBy[grouping]))];
}

/** The counts of a period: groups of each subject; null: it is not counted. */
export type PeriodCounts = {
  requestKeys: readonly GroupKey[];
  requests: EventCounts | null;
  /** The figures of types in the counts of requests. */
  typeFigures: readonly TypeFigure[];
  deliveryKeys: readonly GroupKey[];
  pushes: Counts<DeliveryFigures> | null;
  conversions: Counts<DeliveryFigures> | null;
};

type Side = 'current' | 'compared';
/** A group of a report: its keys, and its number in the tallies. */
export type Group = { keys: string[]; number: number };

/** A group has two keys at most, and a grouping fewer keys than this. */
const mostKeys = 2 ** 20;
/** The number of the key that a group does not have. */
const noKey: readonly number[] = [0];

/** The keys of a grouping, numbered as they come. */
class Keys {
  readonly names: string[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(name: string): number {
    const number = this.#numbers.get(name) ?? this.names.length;
    if (number === this.names.length) {
      this.names.push(name);
      this.#numbers.set(name, number);
    }
    return number;
  }

  /** The place of each number in the order of the keys. */
  places(): number[] {
    const places: number[] = [];
    const sortedNames = this.names.map((name, number) => ({ name, number })).toSorted((a, b) => compareKeys(a.name, b.name));
    for (const [place, { number }] of sortedNames.entries()) places[number] = place;
    return places;
  }
}

/** The groups of a report with what was counted; the totals count each row once though an app may have several buyers. */
export class Groups {
  readonly tallies = { current: emptyTally(), compared: emptyTally() };
  /** The numbers of the groups, from 1 on, by their first and second key; 0 are the totals. */
  readonly #numbers: number[][] = [];
  /** The numbers of the keys of each group, in the order of their numbers. */
  readonly #firsts: number[] = [];
  readonly #seconds: number[] = [];
  readonly #columns: readonly { grouping: ReportGrouping; keys: Keys }[];
  readonly #apps: ReadonlyMap<number, ReportedApp>;

  constructor(query: ReportQuery, apps: ReadonlyMap<number, ReportedApp>) {
    this.#columns = groupingsOf(query).map((grouping) => ({ grouping, keys: new Keys() }));
    this.#apps = apps;
  }

  get size(): number {
    return this.#firsts.length;
  }

  /** Adds the counts of a period. Its days are shifted to where they are shown. */
  add(side: Side, { shift }: Period, { requestKeys, requests, typeFigures, deliveryKeys, ...deliveries }: PeriodCounts): void {
    const tally = this.tallies[side];
    if (requests !== null) addRequests(tally, this.#placesOf(requests, requestKeys, shift), requests, typeFigures);
    for (const kind of ['pushes', 'conversions'] as const) {
      const counts = deliveries[kind];
      if (counts !== null) addDeliveries(tally, this.#placesOf(counts, deliveryKeys, shift), kind, counts.figures);
    }
  }

  /** The first groups in an order: by the rank of their number, null last, or by key; ties by key. */
  first(limit: number, sign: 1 | -1, rankOf: ((number: number) => number | null) | null): Group[] {
    const [firstPlaces = [], secondPlaces = []] = this.#columns.map(({ keys }) => keys.places());
    const placeOf = (index: number): number =>
      (firstPlaces[this.#firsts[index] ?? 0] ?? 0) * mostKeys + (secondPlaces[this.#seconds[index] ?? 0] ?? 0);
    const ranks = new Float64Array(this.size);
    for (let index = 0; index < this.size; index += 1) {
      const own = rankOf === null ? placeOf(index) : rankOf(index + 1);
      ranks[index] = own === null ? Infinity : sign * own;
    }
    // Only groups that may be among the first are put in order.
    const last = lastRank(ranks, limit);
    const first: { index: number; rank: number; place: number }[] = [];
    for (let index = 0; index < this.size; index += 1) {
      const rank = ranks[index] ?? Infinity;
      if (rank <= last) first.push({ index, rank, place: placeOf(index) });
    }
    return first
      .toSorted((a, b) => (a.rank === b.rank ? a.place - b.place : a.rank - b.rank))
      .slice(0, limit)
      .map(({ index }) => ({
        keys: this.#columns.map(({ keys }, at) => keys.names[(at === 0 ? this.#firsts : this.#seconds)[index] ?? 0] ?? ''),
        number: index + 1,
      }));
  }

  /** The groups that the rows of counts belong to: several where an app has several buyers. */
  #placesOf({ length, keys: keyColumns }: GroupColumns<object>, names: readonly GroupKey[], shift: number): Places {
    const [firstOf = () => noKey, secondOf = () => noKey] = this.#columns.map(({ grouping, keys }) => {
      const numbersByKey = new Map<KeyValue, readonly number[]>();
      const column = keyColumns[names.indexOf(countedBy[grouping])] ?? [];
      const look = (key: KeyValue): readonly number[] => {
        const known = numbersByKey.get(key);
        if (known !== undefined) return known;
        const numbers = this.#valuesOf(grouping, String(key), shift).map((name) => keys.numberOf(name));
        numbersByKey.set(key, numbers);
        return numbers;
      };
      // Most rows have a key of the row before.
      let last: { key: KeyValue; numbers: readonly number[] } | null = null;
      return (row: number): readonly number[] => {
        const key = column[row] ?? '';
        if (last?.key !== key) last = { key, numbers: look(key) };
        return last.numbers;
      };
    });
    const places: { rows: number[]; groups: number[] } = { rows: [], groups: [] };
    for (let row = 0; row < length; row += 1) {
      const seconds = secondOf(row);
      for (const first of firstOf(row)) {
        for (const second of seconds) {
          places.rows.push(row);
          places.groups.push(this.#numberOf(first, second));
        }
      }
    }
    return { ...places, groupCount: this.size + 1 };
  }

  #numberOf(first: number, second: number): number {
    const ofFirst = (this.#numbers[first] ??= []);
    const known = ofFirst[second];
    if (known !== undefined) return known;
    this.#firsts.push(first);
    return (ofFirst[second] = this.#seconds.push(second));
  }

  /** The groups that a key belongs to. */
  #valuesOf(grouping: ReportGrouping, key: string, shift: number): readonly string[] {
    if (grouping === 'vertical') return [this.#apps.get(Number(key))?.vertical ?? ''];
    if (grouping === 'buyer') {
      const buyers = this.#apps.get(Number(key))?.buyers ?? [];
      return buyers.length === 0 ? [''] : buyers.map(String);
    }
    if (grouping === 'day') return [addDays(key, shift)];
    if (grouping === 'week') return [mondayOf(addDays(key, shift))];
    return [grouping === 'month' ? addDays(key, shift).slice(0, 'YYYY-MM'.length) : key];
  }
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

function compareKeys(one: string, other: string): number {
  const isNumeric = /^\d+$/.test(one) && /^\d+$/.test(other);
  return isNumeric ? Number(one) - Number(other) : one < other ? -1 : 1;
}

/** Whether a report counts a subject at all: some measure of it is asked for, and it has the fields. */
export function isCountedIn(query: ReportQuery, subject: ReportSubject, subjects: ReadonlySet<ReportSubject>): boolean {
  return subjects.has(subject) && subjectApplies(subject, query);
}
