import { addDays, mondayOf, weekdayOf } from '@switchyard/contract/dates';
import { dateHour } from '@switchyard/contract/report-keys';
import { subjectApplies } from '@switchyard/contract/report-rules';
import {
  groupingsOf,
  isPivot,
  isTimeGrouping,
  type ReportGrouping,
  type ReportQuery,
  type ReportSubject,
} from '@switchyard/contract/reports';
import type { DeliveryFigures, DeliveryGroupKey } from '@switchyard/traffic-store/delivery-store';
import type { EventCounts, GroupKey, TypeFigure } from '@switchyard/traffic-store/event-store';
import type { Counts, GroupColumns, KeyValue } from '@switchyard/traffic-store/group-columns';
import type { ReportedApp } from './reports-read-model.ts';
import type { Period } from './report-period.ts';
import { addConversions, addPushes, addRequests, emptyTally, type Places } from './report-tally.ts';

/** Keys of some subject that groups of reports are made of. */
type CountedKey = GroupKey | Exclude<DeliveryGroupKey, 'chosenKind'>;

/** Keys by which the stores group, for each grouping: apps for verticals and buyers, days for weeks, months and weekdays. */
const countedBy: Readonly<Record<ReportGrouping, readonly CountedKey[]>> = {
  app: ['app'],
  vertical: ['app'],
  buyer: ['app'],
  country: ['country'],
  stream: ['stream'],
  asn: ['asn'],
  type: ['type'],
  day: ['day'],
  week: ['day'],
  month: ['day'],
  weekday: ['day'],
  hour: ['hour'],
  date_hour: ['day', 'hour'],
  server: ['server'],
  status_conversion: ['kind'],
};

/** Keys by which the stores must group for the groups of a report. */
export function keysOf(query: ReportQuery): CountedKey[] {
  return [...new Set(groupingsOf(query).flatMap((grouping) => countedBy[grouping]))];
}

/** Groupings whose groups are put together of counted ones. */
const mergedGroupings: ReadonlySet<ReportGrouping> = new Set(['vertical', 'buyer', 'week', 'month', 'weekday']);

/** Whether each group of a report is one of the stores, so that they can leave out those that are not shown. */
export function areGroupsCounted(query: ReportQuery): boolean {
  const groupings = groupingsOf(query);
  return query.top === undefined && !isPivot(query) && groupings.every((grouping) => !mergedGroupings.has(grouping));
}

/** The counts of a period: groups of each subject; null: it is not counted. */
export type PeriodCounts = {
  requestKeys: readonly GroupKey[];
  requests: EventCounts | null;
  /** The figures of types in the counts of requests. */
  typeFigures: readonly TypeFigure[];
  deliveryKeys: readonly DeliveryGroupKey[];
  pushes: Counts<DeliveryFigures> | null;
  conversions: Counts<DeliveryFigures> | null;
};

type Side = 'current' | 'compared';

/** The number of the key that a group does not have. */
const noKey = 0;

/** Texts, numbered as they come. */
export class Keys {
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
}

/** Pairs of keys, numbered from 1 on as they come: the first one has the first numbers in `firsts` and `seconds`. */
export class Pairs {
  readonly firsts: number[] = [];
  readonly seconds: number[] = [];
  readonly #numbers: number[][] = [];

  get size(): number {
    return this.firsts.length;
  }

  numberOf(first: number, second: number): number {
    const ofFirst = (this.#numbers[first] ??= []);
    const known = ofFirst[second];
    if (known !== undefined) return known;
    this.firsts.push(first);
    return (ofFirst[second] = this.seconds.push(second));
  }

  find(first: number, second: number): number | undefined {
    return this.#numbers[first]?.[second];
  }
}

/**
 * Counts by the finest groups that each row falls in exactly once: all buyers of an app are one key, so that what is put
 * together of these groups counts no row twice. Group 0 is the total.
 */
export class CountedGroups {
  readonly tallies = { current: emptyTally(), compared: emptyTally() };
  readonly pairs = new Pairs();
  /** Groups that count in the total alone. */
  unlisted = 0;
  readonly axes: readonly { grouping: ReportGrouping; keys: Keys }[];
  readonly #apps: ReadonlyMap<number, ReportedApp>;

  constructor(query: ReportQuery, apps: ReadonlyMap<number, ReportedApp>) {
    this.axes = groupingsOf(query).map((grouping) => ({ grouping, keys: new Keys() }));
    this.#apps = apps;
  }

  /**
   * Adds the counts of a period. Its days are shifted to where they are shown; those of a longer month that none of the report stands
   * for count in the total alone.
   */
  add(side: Side, period: Period, { requestKeys, requests, typeFigures, deliveryKeys, ...deliveries }: PeriodCounts): void {
    const tally = this.tallies[side];
    if (requests !== null) addRequests(tally, this.#placesOf(requests, requestKeys, period), requests, typeFigures);
    if (requests?.rest !== undefined) {
      this.unlisted += requests.rest.groups;
      addRequests(tally, { groups: [], groupCount: 1 }, requests.rest.counts, typeFigures);
    }
    const { pushes, conversions } = deliveries;
    if (pushes !== null) addPushes(tally, this.#placesOf(pushes, deliveryKeys, period), pushes.figures);
    if (conversions === null) return;
    const kinds = conversions.keys[deliveryKeys.indexOf('chosenKind')];
    addConversions(tally, this.#placesOf(conversions, deliveryKeys, period), { ...conversions.figures, kinds });
  }

  /** The group that each row of counts belongs to. */
  #placesOf({ length, keys: keyColumns }: GroupColumns<object>, names: readonly (GroupKey | DeliveryGroupKey)[], period: Period): Places {
    const [firstOf = () => noKey, secondOf = () => noKey] = this.axes.map(({ grouping, keys }) => {
      const numbersByKey = new Map<KeyValue, number | undefined>();
      const [column = [], hours] = countedBy[grouping].map((name) => keyColumns[names.indexOf(name)] ?? []);
      const look = (counted: KeyValue, key: KeyValue, hour: string): number | undefined => {
        if (numbersByKey.has(counted)) return numbersByKey.get(counted);
        const text = this.#keyOf(grouping, { key: String(key), hour }, period);
        const number = text === null ? undefined : keys.numberOf(text);
        numbersByKey.set(counted, number);
        return number;
      };
      if (hours !== undefined) {
        return (row: number): number | undefined => {
          const [key, hour] = [column[row] ?? '', String(hours[row] ?? '')];
          return look(`${key} ${hour}`, key, hour);
        };
      }
      // Most rows have a key of the row before.
      let last: { key: KeyValue; number: number | undefined } | null = null;
      return (row: number): number | undefined => {
        const key = column[row] ?? '';
        if (last?.key !== key) last = { key, number: look(key, key, '') };
        return last.number;
      };
    });
    const groups: (number | undefined)[] = [];
    for (let row = 0; row < length; row += 1) {
      const [first, second] = [firstOf(row), secondOf(row)];
      groups.push(first === undefined || second === undefined ? undefined : this.pairs.numberOf(first, second));
    }
    return { groups, groupCount: this.pairs.size + 1 };
  }

  /**
   * The key of what is counted, null for a day that the report does not show. The buyers of an app are separated by commas. A weekday is
   * that on which it was counted.
   */
  #keyOf(grouping: ReportGrouping, { key, hour }: { key: string; hour: string }, { shift, last }: Period): string | null {
    if (grouping === 'vertical') return this.#apps.get(Number(key))?.vertical ?? '';
    if (grouping === 'buyer') return this.#apps.get(Number(key))?.buyers.join() ?? '';
    if (grouping === 'weekday') return String(weekdayOf(key));
    if (!isTimeGrouping(grouping) || grouping === 'hour') return key;
    const shown = addDays(key, shift);
    if (grouping === 'week') return mondayOf(shown < last ? shown : last);
    if (grouping === 'month') return (shown < last ? shown : last).slice(0, 'YYYY-MM'.length);
    if (shown > last) return null;
    return grouping === 'day' ? shown : dateHour(shown, hour);
  }
}

/** Whether a report counts a subject at all: some measure of it is asked for, and it has the fields. */
export function isCountedIn(query: ReportQuery, subject: ReportSubject, subjects: ReadonlySet<ReportSubject>): boolean {
  return subjects.has(subject) && subjectApplies(subject, query);
}
