import { pushSuccesses } from '@switchyard/contract/pushes';
import { measureApplies } from '@switchyard/contract/report-rules';
import {
  leastOf,
  measuresOf,
  ownRatiosOf,
  type Ratio,
  ratioColumn,
  ratioOf,
  reportLimits,
  reportSums,
  type ReportQuery,
  type ReportSum,
  type ReportValues,
  typeOfMeasure,
} from '@switchyard/contract/reports';
import type { DeliveryFigures } from '@switchyard/traffic-store/delivery-store';
import type { EventCounts, TypeFigure } from '@switchyard/traffic-store/event-store';
import type { Counts } from '@switchyard/traffic-store/group-columns';

/** A number for each group, in one block of memory. */
class Column {
  #values = new Float64Array();

  at(group: number): number {
    return this.#values[group] ?? 0;
  }

  /** The numbers of groups below `length`, to be changed. */
  upTo(length: number): Float64Array {
    if (this.#values.length < length) {
      const longer = new Float64Array(length);
      longer.set(this.#values);
      this.#values = longer;
    }
    return this.#values;
  }

  /** The numbers of groups put together of these; `keepsGroups`: beside these. */
  merge({ from, to, size }: Links, keepsGroups: boolean): Column {
    const merged = new Column();
    if (this.#values.length === 0) return merged;
    const sums = merged.upTo(size);
    sums.set(keepsGroups ? this.#values : this.#values.subarray(0, 1));
    for (let index = 0; index < to.length; index += 1) addTo(sums, to[index] ?? 0, this.at(from[index] ?? 0));
    return merged;
  }
}

/**
 * The counts of a period, by group. Group 0 is the total. There is a column for each figure, because an object for each of a
 * hundred thousand groups takes longer to make than the database takes to count them.
 */
export type Tally = {
  requests: Column;
  successes: Column;
  bots: Column;
  types: Map<string, { requests: Column; successes: Column }>;
  pushes: Map<string, Column>;
  conversions: Map<string, Column>;
  /** In ten-thousandths, so that no digit is lost. */
  payouts: bigint[];
};

export function emptyTally(): Tally {
  return {
    requests: new Column(),
    successes: new Column(),
    bots: new Column(),
    types: new Map(),
    pushes: new Map(),
    conversions: new Map(),
    payouts: [],
  };
}

/** The group that each row of counts belongs to, beside the total, 0; rows without one belong to the total alone. */
export type Places = { groups: readonly (number | undefined)[]; groupCount: number };

/** Adds counted events, and those of types. */
export function addRequests(tally: Tally, places: Places, { figures, types }: EventCounts, typeFigures: readonly TypeFigure[]): void {
  addColumn(tally.requests, places, figures.events);
  addColumn(tally.successes, places, figures.successes);
  addColumn(tally.bots, places, figures.bots);
  for (const [index, { type, succeeded }] of typeFigures.entries()) {
    const own = tally.types.get(type) ?? { requests: new Column(), successes: new Column() };
    tally.types.set(type, own);
    addColumn(succeeded ? own.successes : own.requests, places, types[index] ?? []);
  }
}

/** Adds counted pushes or conversions. */
export function addDeliveries(
  tally: Tally,
  { groups, groupCount }: Places,
  kind: 'pushes' | 'conversions',
  { status: statuses, stored, payout: payouts }: Counts<DeliveryFigures>['figures'],
): void {
  const amounts = kind === 'conversions' ? payouts.map(tenThousandths) : [];
  const addRow = (row: number, group: number): void => {
    const status = statuses[row] ?? '';
    const column = tally[kind].get(status) ?? new Column();
    tally[kind].set(status, column);
    addTo(column.upTo(groupCount), group, stored[row] ?? 0);
    if (kind === 'conversions') tally.payouts[group] = (tally.payouts[group] ?? 0n) + (amounts[row] ?? 0n);
  };
  for (const [row, group] of groups.entries()) {
    addRow(row, 0);
    if (group !== undefined) addRow(row, group);
  }
}

/** Adds the values of rows to their groups and to the total. */
function addColumn(column: Column, { groups, groupCount }: Places, values: readonly number[]): void {
  const sums = column.upTo(groupCount);
  for (let row = 0; row < values.length; row += 1) {
    const group = groups[row];
    addTo(sums, 0, values[row] ?? 0);
    if (group !== undefined) addTo(sums, group, values[row] ?? 0);
  }
}

/** Which groups are added to which: `from[i]` to `to[i]`, which is less than `size`. */
export type Links = { from: number[]; to: number[]; size: number };

/** A tally of groups put together of those of another one, whose total they have; `keepsGroups`: beside these. */
export function mergeGroups(tally: Tally, links: Links, keepsGroups = false): Tally {
  const merge = (column: Column): Column => column.merge(links, keepsGroups);
  const mergeAll = (columns: ReadonlyMap<string, Column>) => new Map(Array.from(columns, ([name, column]) => [name, merge(column)]));
  const payouts = keepsGroups ? tally.payouts.slice() : tally.payouts.slice(0, 1);
  for (let index = 0; tally.payouts.length > 0 && index < links.to.length; index += 1) {
    const [to, payout] = [links.to[index] ?? 0, tally.payouts[links.from[index] ?? 0] ?? 0n];
    if (payout !== 0n) payouts[to] = (payouts[to] ?? 0n) + payout;
  }
  return {
    requests: merge(tally.requests),
    successes: merge(tally.successes),
    bots: merge(tally.bots),
    types: new Map(Array.from(tally.types, ([type, own]) => [type, { requests: merge(own.requests), successes: merge(own.successes) }])),
    pushes: mergeAll(tally.pushes),
    conversions: mergeAll(tally.conversions),
    payouts,
  };
}

function addTo(sums: Float64Array, group: number, value: number): void {
  sums[group] = (sums[group] ?? 0) + value;
}

function at(column: Column | undefined, group: number): number {
  return column?.at(group) ?? 0;
}

function tenThousandths(text: string): bigint {
  // So few digits are exact as a number, and much faster.
  if (text.length <= 11) return BigInt(Math.round(Number(text) * 10_000));
  const [whole = '', part = ''] = text.split('.');
  return BigInt(`${whole}${part.padEnd(4, '0').slice(0, 4)}`);
}

/** Decimal text without needless zeros. */
function decimalText(sum: bigint): string {
  const digits = String(sum < 0n ? -sum : sum).padStart(5, '0');
  const part = digits.slice(-4).replace(/0+$/, '');
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -4)}${part === '' ? '' : `.${part}`}`;
}

export type ColumnValue = (tally: Tally, group: number) => number | string | null;

/**
 * The columns of a report with the values of a group; null where a measure does not apply. Statuses are those that were counted; own
 * ratios come last.
 */
export function columnsOf(query: ReportQuery, tallies: readonly Tally[]): ReadonlyMap<string, ColumnValue> {
  const measures = measuresOf(query).flatMap((measure): (readonly [string, ColumnValue])[] => {
    if (!measureApplies(measure, query)) return [[measure, () => null]];
    if (measure === 'pushes_by_status') return statusColumns('pushes', tallies);
    if (measure === 'conversions_by_status') return statusColumns('conversions', tallies);
    const ratio = ratioOf(measure, query);
    if (ratio !== null) return [[measure, valueOfRatio(ratio)]];
    const sum = reportSums.find((name) => name === measure);
    return sum === undefined ? [] : [[measure, valueOf(sum)]];
  });
  const ratios = ownRatiosOf(query).map(
    (ratio) => [ratioColumn(ratio.name), measureApplies(ratio, query) ? valueOfRatio(ratio) : () => null] as const,
  );
  return new Map([...measures, ...ratios]);
}

/** Finds the columns of ratios whose divisors are below the least of the report, in one of the tallies. */
export function findFew(query: ReportQuery, columns: Iterable<string>): (tallies: readonly Tally[], group: number) => string[] {
  const divisors = [...columns].flatMap((column) => {
    const ratio = ratioOf(column, query);
    return ratio === null || !measureApplies(ratio, query) ? [] : [{ column, divisorOf: valueOf(ratio.whole) }];
  });
  const isFew = (divisor: number): boolean => divisor !== 0 && divisor < leastOf(query);
  return (tallies, group) =>
    divisors.flatMap(({ column, divisorOf }) => (tallies.some((tally) => isFew(Number(divisorOf(tally, group)))) ? [column] : []));
}

function statusColumns(kind: 'pushes' | 'conversions', tallies: readonly Tally[]): (readonly [string, ColumnValue])[] {
  const counts = new Map<string, number>();
  for (const tally of tallies) for (const [status, column] of tally[kind]) counts.set(status, (counts.get(status) ?? 0) + at(column, 0));
  const most = [...counts].toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1)).slice(0, reportLimits.statuses);
  return most.map(([status]) => [`${kind}:${status}`, (tally, group) => at(tally[kind].get(status), group)]);
}

function sumOf(columns: ReadonlyMap<string, Column>, group: number, isCounted: (status: string) => boolean = () => true): number {
  let sum = 0;
  for (const [status, column] of columns) if (isCounted(status)) sum += at(column, group);
  return sum;
}

const values: Readonly<Partial<Record<ReportSum, ColumnValue>>> = {
  requests: ({ requests }, group) => at(requests, group),
  requests_success: ({ successes }, group) => at(successes, group),
  bots: ({ bots }, group) => at(bots, group),
  pushes: ({ pushes }, group) => sumOf(pushes, group),
  pushes_success: ({ pushes }, group) => sumOf(pushes, group, (status) => pushSuccesses.includes(status)),
  conversions: ({ conversions }, group) => sumOf(conversions, group),
  conversions_success: ({ conversions }, group) => sumOf(conversions, group, (status) => status === 'success'),
  payout: ({ payouts }, group) => decimalText(payouts[group] ?? 0n),
};

function valueOf(sum: ReportSum): ColumnValue {
  const type = typeOfMeasure(sum);
  if (type === null) return values[sum] ?? (() => null);
  const figure = sum === type ? 'requests' : 'successes';
  return ({ types }, group) => at(types.get(type)?.[figure], group);
}

/** A ratio of the sums of a group; null where the divisor is 0. */
function valueOfRatio({ part, whole, times }: Ratio): ColumnValue {
  const [partOf, wholeOf] = [valueOf(part), valueOf(whole)];
  return (tally, group) => {
    const divisor = Number(wholeOf(tally, group));
    return divisor === 0 ? null : (Number(partOf(tally, group)) * times) / divisor;
  };
}

/** The values of a group by column. */
export function valuesOf(columns: ReadonlyMap<string, ColumnValue>, tally: Tally, group: number): ReportValues {
  return Object.fromEntries(Array.from(columns, ([name, value]) => [name, value(tally, group)]));
}
