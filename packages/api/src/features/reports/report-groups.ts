import { addDays, mondayOf } from '@switchyard/contract/dates';
import { groupingsOf, type ReportGrouping, type ReportQuery, subjectApplies, type ReportSubject } from '@switchyard/contract/reports';
import type { Counts, EventGroup, GroupKey } from '../../traffic-store/event-store.ts';
import type { ReportedApp } from './reports-read-model.ts';
import type { Period } from './report-period.ts';
import { addDeliveries, addRequests, emptyTally, type Tally } from './report-tally.ts';
import type { DeliveryGroup } from '../../traffic-store/delivery-store.ts';

/** What the stores group by for each grouping: apps stand for verticals and buyers, days for weeks and months. */
const countedBy: Readonly<Record<ReportGrouping, GroupKey>> = {
  app: 'app',
  vertical: 'app',
  buyer: 'app',
  country: 'country',
  stream: 'stream',
  type: 'type',
  day: 'day',
  week: 'day',
  month: 'day',
  hour: 'hour',
  server: 'server',
};

/** What the stores have to group by for the groups of a report. */
export function keysOf(query: ReportQuery): GroupKey[] {
  return [...new Set(groupingsOf(query).map((grouping) => countedBy[grouping]))];
}

/** What was counted in a period: rows of each subject by the same keys. */
export type Counted = {
  /** The keys of request rows; the type may be a further one. */
  requestKeys: readonly GroupKey[];
  requests: Counts<EventGroup>;
  deliveryKeys: readonly GroupKey[];
  pushes: Counts<DeliveryGroup>;
  conversions: Counts<DeliveryGroup>;
};

type Side = 'current' | 'compared';
export type Group = Readonly<Record<Side, Tally>> & { keys: string[] };

/** A group is known by one number, made of those of its keys, two at most; a grouping has fewer keys than this. */
const mostKeys = 2 ** 20;

type Keyed = { keys: readonly string[] };

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
    const sorted = this.names.map((name, number) => ({ name, number })).toSorted((a, b) => compareKeys(a.name, b.name));
    for (const [place, { number }] of sorted.entries()) places[number] = place;
    return places;
  }
}

/** Groups by their keys, and the totals, which count each row once though an app may have several buyers. */
export class Groups {
  readonly totals = { current: emptyTally(), compared: emptyTally() };
  readonly #tallies = { current: new Map<number, Tally>(), compared: new Map<number, Tally>() };
  readonly #columns: readonly { grouping: ReportGrouping; keys: Keys }[];
  readonly #apps: ReadonlyMap<number, ReportedApp>;

  constructor(query: ReportQuery, apps: ReadonlyMap<number, ReportedApp>) {
    this.#columns = groupingsOf(query).map((grouping) => ({ grouping, keys: new Keys() }));
    this.#apps = apps;
  }

  /** Adds what was counted in a period; its days stand where they are shown. */
  add(side: Side, { shift }: Period, { requestKeys, deliveryKeys, ...counted }: Counted): void {
    const typeAt = requestKeys.indexOf('type');
    const addRequest = this.#adder(side, this.#readers(requestKeys, shift), (tally, row: EventGroup) =>
      addRequests(tally, row, row.keys[typeAt]),
    );
    for (const row of counted.requests) addRequest(row);
    for (const kind of ['pushes', 'conversions'] as const) {
      const addDelivery = this.#adder(side, this.#readers(deliveryKeys, shift), (tally, row: DeliveryGroup) =>
        addDeliveries(tally, kind, row),
      );
      for (const row of counted[kind]) addDelivery(row);
    }
  }

  /** How many groups there are, and the first ones in an order: by value, null last, or by key; ties by key. */
  first(limit: number, sign: 1 | -1, value: ((tally: Tally) => number | string | null) | null): { groups: Group[]; total: number } {
    const { current, compared } = this.#tallies;
    const nothing = emptyTally();
    for (const group of compared.keys()) if (!current.has(group)) current.set(group, nothing);
    const places = this.#columns.map(({ keys }) => keys.places());
    const placeOf = (group: number): number =>
      places.reduce((begun, ofKeys, index) => begun * mostKeys + (ofKeys[this.#keyIn(group, index)] ?? 0), 0);
    const valueOf = (group: number): number => {
      const own = value === null ? placeOf(group) : value(current.get(group) ?? nothing);
      return own === null ? Infinity : sign * Number(own);
    };
    const all = [...current.keys()];
    const values = Float64Array.from(all, valueOf);
    // Only groups that may be among the first are put in order.
    const last = values.toSorted()[limit - 1] ?? Infinity;
    const first = all
      .filter((_, index) => (values[index] ?? last) <= last)
      .map((group) => ({ group, value: valueOf(group), place: placeOf(group) }))
      .toSorted((a, b) => (a.value === b.value ? a.place - b.place : a.value - b.value));
    return {
      total: current.size,
      groups: first.slice(0, limit).map(({ group }) => ({
        keys: this.#columns.map(({ keys }, index) => keys.names[this.#keyIn(group, index)] ?? ''),
        current: current.get(group) ?? nothing,
        compared: compared.get(group) ?? nothing,
      })),
    };
  }

  /** For each grouping, what gives the numbers of a row's keys: several where an app has several buyers. */
  #readers(names: readonly GroupKey[], shift: number): ((row: Keyed) => readonly number[])[] {
    return this.#columns.map(({ grouping, keys }) => {
      const known = new Map<string, readonly number[]>();
      const at = names.indexOf(countedBy[grouping]);
      return (row) => {
        const key = row.keys[at] ?? '';
        const found = known.get(key);
        if (found !== undefined) return found;
        const numbers = this.#valuesOf(grouping, key, shift).map((name) => keys.numberOf(name));
        known.set(key, numbers);
        return numbers;
      };
    });
  }

  /** What adds a row to the totals and to its groups. */
  #adder<Row extends Keyed>(
    side: Side,
    readers: readonly ((row: Keyed) => readonly number[])[],
    add: (tally: Tally, row: Row) => void,
  ): (row: Row) => void {
    const tallies = this.#tallies[side];
    const addToGroups = (row: Row, begun: number, index: number): void => {
      const read = readers[index];
      if (read !== undefined) {
        for (const number of read(row)) addToGroups(row, begun * mostKeys + number, index + 1);
        return;
      }
      let tally = tallies.get(begun);
      if (tally === undefined) {
        tally = emptyTally();
        tallies.set(begun, tally);
      }
      add(tally, row);
    };
    return (row) => {
      add(this.totals[side], row);
      addToGroups(row, 0, 0);
    };
  }

  #keyIn(group: number, index: number): number {
    return Math.floor(group / mostKeys ** (this.#columns.length - 1 - index)) % mostKeys;
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
export function isCountedIn(query: ReportQuery, subject: ReportSubject, asked: ReadonlySet<ReportSubject>): boolean {
  return asked.has(subject) && subjectApplies(subject, query);
}
