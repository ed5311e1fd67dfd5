import { addDays, mondayOf } from '@switchyard/contract/dates';
import { groupingsOf, type ReportGrouping, type ReportQuery, subjectApplies, type ReportSubject } from '@switchyard/contract/reports';
import type { Counts, EventGroup, GroupKey } from '../../traffic-store/event-store.ts';
import type { ReportedApp } from './reports-read-model.ts';
import type { Period } from './report-period.ts';
import { addDeliveries, addRequests, emptyTally } from './report-tally.ts';
import type { DeliveryGroup } from '../../traffic-store/delivery-store.ts';

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

/** The counts of a period: rows of each subject by the same keys. */
export type CountedRows = {
  /** The keys of request rows; the type may be a further one. */
  requestKeys: readonly GroupKey[];
  requests: Counts<EventGroup>;
  deliveryKeys: readonly GroupKey[];
  pushes: Counts<DeliveryGroup>;
  conversions: Counts<DeliveryGroup>;
};

type Side = 'current' | 'compared';
/** A group of a report: its keys, and its number in the tallies. */
export type Group = { keys: string[]; number: number };

/** The numbers of a group's keys. */
type GroupKeys = { first: number; second: number };

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
  /** The keys of each group. */
  readonly #keys: GroupKeys[] = [];
  readonly #columns: readonly { grouping: ReportGrouping; keys: Keys }[];
  readonly #apps: ReadonlyMap<number, ReportedApp>;

  constructor(query: ReportQuery, apps: ReadonlyMap<number, ReportedApp>) {
    this.#columns = groupingsOf(query).map((grouping) => ({ grouping, keys: new Keys() }));
    this.#apps = apps;
  }

  get size(): number {
    return this.#keys.length;
  }

  /** Adds the counts of a period. Its days are shifted to where they are shown. */
  add(side: Side, { shift }: Period, { requestKeys, deliveryKeys, ...countedRows }: CountedRows): void {
    const tally = this.tallies[side];
    const typeAt = requestKeys.indexOf('type');
    const eachRequest = this.#visitor(requestKeys, shift, (group, row: EventGroup) => addRequests(tally, group, row, row.keys[typeAt]));
    for (const row of countedRows.requests) eachRequest(row);
    for (const kind of ['pushes', 'conversions'] as const) {
      const eachDelivery = this.#visitor(deliveryKeys, shift, (group, row: DeliveryGroup) => addDeliveries(tally, group, kind, row));
      for (const row of countedRows[kind]) eachDelivery(row);
    }
  }

  /** The first groups in an order: by the rank of their number, null last, or by key; ties by key. */
  first(limit: number, sign: 1 | -1, rankOf: ((number: number) => number | null) | null): Group[] {
    const [firstPlaces = [], secondPlaces = []] = this.#columns.map(({ keys }) => keys.places());
    const placeOf = (keys: GroupKeys): number => (firstPlaces[keys.first] ?? 0) * mostKeys + (secondPlaces[keys.second] ?? 0);
    const ranks = Float64Array.from(this.#keys, (keys, index) => {
      const own = rankOf === null ? placeOf(keys) : rankOf(index + 1);
      return own === null ? Infinity : sign * own;
    });
    // Only groups that may be among the first are put in order.
    const last = ranks.toSorted()[limit - 1] ?? Infinity;
    const first: { keys: GroupKeys; number: number; rank: number; place: number }[] = [];
    for (const [index, keys] of this.#keys.entries()) {
      const rank = ranks[index] ?? Infinity;
      if (rank <= last) first.push({ keys, number: index + 1, rank, place: placeOf(keys) });
    }
    return first
      .toSorted((a, b) => (a.rank === b.rank ? a.place - b.place : a.rank - b.rank))
      .slice(0, limit)
      .map(({ keys: group, number }) => ({
        keys: this.#columns.map(({ keys }, index) => keys.names[index === 0 ? group.first : group.second] ?? ''),
        number,
      }));
  }

  /** Visits the totals and the groups of a row: several where an app has several buyers. */
  #visitor<Row extends { keys: readonly string[] }>(
    names: readonly GroupKey[],
    shift: number,
    visit: (group: number, row: Row) => void,
  ): (row: Row) => void {
    const [firstKeys = () => noKey, secondKeys = () => noKey] = this.#columns.map(({ grouping, keys }) => {
      const numbersByKey = new Map<string, readonly number[]>();
      const at = names.indexOf(countedBy[grouping]);
      return (row: Row): readonly number[] => {
        const key = row.keys[at] ?? '';
        const numbersOfKey = numbersByKey.get(key);
        if (numbersOfKey !== undefined) return numbersOfKey;
        const numbers = this.#valuesOf(grouping, key, shift).map((name) => keys.numberOf(name));
        numbersByKey.set(key, numbers);
        return numbers;
      };
    });
    return (row) => {
      visit(0, row);
      for (const first of firstKeys(row)) for (const second of secondKeys(row)) visit(this.#numberOf(first, second), row);
    };
  }

  #numberOf(first: number, second: number): number {
    const ofFirst = (this.#numbers[first] ??= []);
    return (ofFirst[second] ??= this.#keys.push({ first, second }));
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

function compareKeys(one: string, other: string): number {
  const isNumeric = /^\d+$/.test(one) && /^\d+$/.test(other);
  return isNumeric ? Number(one) - Number(other) : one < other ? -1 : 1;
}

/** Whether a report counts a subject at all: some measure of it is asked for, and it has the fields. */
export function isCountedIn(query: ReportQuery, subject: ReportSubject, subjects: ReadonlySet<ReportSubject>): boolean {
  return subjects.has(subject) && subjectApplies(subject, query);
}
