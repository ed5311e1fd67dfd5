import { addDays, mondayOf } from '@switchyard/contract/dates';
import { groupingsOf, type ReportGrouping, type ReportQuery, subjectApplies, type ReportSubject } from '@switchyard/contract/reports';
import type { EventGroup, GroupKey } from '../../traffic-store/event-store.ts';
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
  requests: readonly EventGroup[];
  deliveryKeys: readonly GroupKey[];
  pushes: readonly DeliveryGroup[];
  conversions: readonly DeliveryGroup[];
};

export type Group = { keys: string[]; current: Tally; compared: Tally };

/** Groups by their keys, and the totals, which count each row once though an app may have several buyers. */
export class Groups {
  readonly all = new Map<string, Group>();
  readonly totals = { current: emptyTally(), compared: emptyTally() };
  readonly #groupings: readonly ReportGrouping[];
  readonly #apps: ReadonlyMap<number, ReportedApp>;

  constructor(query: ReportQuery, apps: ReadonlyMap<number, ReportedApp>) {
    this.#groupings = groupingsOf(query);
    this.#apps = apps;
  }

  /** Adds what was counted in a period; its days stand where they are shown. */
  add(side: 'current' | 'compared', { shift }: Period, counted: Counted): void {
    for (const row of counted.requests) {
      const keys = byName(counted.requestKeys, row.keys);
      for (const tally of this.#tallies(side, keys, shift)) addRequests(tally, row, keys.get('type'));
    }
    for (const kind of ['pushes', 'conversions'] as const) {
      for (const row of counted[kind]) {
        for (const tally of this.#tallies(side, byName(counted.deliveryKeys, row.keys), shift)) addDeliveries(tally, kind, row);
      }
    }
  }

  *#tallies(side: 'current' | 'compared', keys: Keys, shift: number): Generator<Tally> {
    yield this.totals[side];
    let combinations: string[][] = [[]];
    for (const grouping of this.#groupings) {
      const values = this.#valuesOf(grouping, keys, shift);
      combinations = combinations.flatMap((begun) => values.map((value) => [...begun, value]));
    }
    for (const values of combinations) {
      const name = JSON.stringify(values);
      const group = this.all.get(name) ?? { keys: values, current: emptyTally(), compared: emptyTally() };
      this.all.set(name, group);
      yield group[side];
    }
  }

  /** The groups that a row belongs to: several where an app has several buyers. */
  #valuesOf(grouping: ReportGrouping, keys: Keys, shift: number): readonly string[] {
    const key = keys.get(countedBy[grouping]) ?? '';
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

type Keys = ReadonlyMap<GroupKey, string>;

function byName(names: readonly GroupKey[], keys: readonly string[]): Keys {
  return new Map(names.map((name, index) => [name, keys[index] ?? '']));
}

/** Whether a report counts a subject at all: some measure of it is asked for, and it has the fields. */
export function isCountedIn(query: ReportQuery, subject: ReportSubject, asked: ReadonlySet<ReportSubject>): boolean {
  return asked.has(subject) && subjectApplies(subject, query);
}
