import { invalidConversionStatuses } from '@switchyard/contract/conversions';
import { pushSuccesses } from '@switchyard/contract/pushes';
import { measureApplies } from '@switchyard/contract/report-rules';
import { readKindMeasure } from '@switchyard/contract/kind-measures';
import {
  leastOf,
  measuresOf,
  ownRatiosOf,
  type Ratio,
  ratioColumn,
  ratioOf,
  reportLimits,
  type ReportQuery,
  type ReportValues,
  sumsOf,
  typeOfMeasure,
} from '@switchyard/contract/reports';
import type { DeliveryFigures } from '@switchyard/traffic-store/delivery-store';
import type { EventCounts, TypeFigure } from '@switchyard/traffic-store/event-store';
import type { Counts, KeyValue } from '@switchyard/traffic-store/group-columns';

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
  conversions: Conversions;
  /** Of these, those of kinds that some measure is about. */
  kinds: Map<string, Conversions>;
};

/** Payouts are in ten-thousandths, so that no digit is lost. */
type Conversions = { statuses: Map<string, Column>; payouts: bigint[]; validPayouts: bigint[] };

function noConversions(): Conversions {
  return { statuses: new Map(), payouts: [], validPayouts: [] };
}

export function emptyTally(): Tally {
  return {
    requests: new Column(),
    successes: new Column(),
    bots: new Column(),
    types: new Map(),
    pushes: new Map(),
    conversions: noConversions(),
    kinds: new Map(),
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

type Figures = Counts<DeliveryFigures>['figures'];

/** Adds counted pushes. */
export function addPushes(tally: Tally, places: Places, { status: statuses, stored }: Figures): void {
  for (const [row, group] of places.groups.entries()) addStatus(tally.pushes, places, group, statuses[row], stored[row]);
}

/** Adds counted conversions; `kinds`: the kinds of which some have their own sums, '' for others. */
export function addConversions(
  tally: Tally,
  places: Places,
  { status: statuses, stored, payout: payouts, kinds = [] }: Figures & { kinds?: readonly KeyValue[] | undefined },
): void {
  const amounts = payouts.map(tenThousandths);
  for (const [row, group] of places.groups.entries()) {
    const status = statuses[row] ?? '';
    const kind = String(kinds[row] ?? '');
    const ofKind = kind === '' ? null : (tally.kinds.get(kind) ?? noConversions());
    if (ofKind !== null) tally.kinds.set(kind, ofKind);
    for (const conversions of ofKind === null ? [tally.conversions] : [tally.conversions, ofKind]) {
      addStatus(conversions.statuses, places, group, status, stored[row]);
      addAmount(conversions.payouts, group, amounts[row]);
      if (!invalidConversionStatuses.includes(status)) addAmount(conversions.validPayouts, group, amounts[row]);
    }
  }
}

/** Adds a number of rows of a status to a group and the total. */
function addStatus(statuses: Map<string, Column>, { groupCount }: Places, group: number | undefined, status = '', rows = 0): void {
  const column = statuses.get(status) ?? new Column();
  statuses.set(status, column);
  const sums = column.upTo(groupCount);
  addTo(sums, 0, rows);
  if (group !== undefined) addTo(sums, group, rows);
}

function addAmount(amounts: bigint[], group: number | undefined, amount = 0n): void {
  amounts[0] = (amounts[0] ?? 0n) + amount;
  if (group !== undefined) amounts[group] = (amounts[group] ?? 0n) + amount;
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
  const mergeAmounts = (amounts: readonly bigint[]): bigint[] => {
    const merged = keepsGroups ? amounts.slice() : amounts.slice(0, 1);
    for (let index = 0; amounts.length > 0 && index < links.to.length; index += 1) {
      const [to, amount] = [links.to[index] ?? 0, amounts[links.from[index] ?? 0] ?? 0n];
      if (amount !== 0n) merged[to] = (merged[to] ?? 0n) + amount;
    }
    return merged;
  };
  const mergeConversions = ({ statuses, payouts, validPayouts }: Conversions): Conversions => ({
    statuses: mergeAll(statuses),
    payouts: mergeAmounts(payouts),
    validPayouts: mergeAmounts(validPayouts),
  });
  return {
    requests: merge(tally.requests),
    successes: merge(tally.successes),
    bots: merge(tally.bots),
    types: new Map(Array.from(tally.types, ([type, own]) => [type, { requests: merge(own.requests), successes: merge(own.successes) }])),
    pushes: mergeAll(tally.pushes),
    conversions: mergeConversions(tally.conversions),
    kinds: new Map(Array.from(tally.kinds, ([kind, conversions]) => [kind, mergeConversions(conversions)])),
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
    return sumsOf(measure).map((sum) => [measure, valueOf(sum)]);
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
  const statusesOf = (tally: Tally): ReadonlyMap<string, Column> => (kind === 'pushes' ? tally.pushes : tally.conversions.statuses);
  const counts = new Map<string, number>();
  for (const tally of tallies)
    for (const [status, column] of statusesOf(tally)) counts.set(status, (counts.get(status) ?? 0) + at(column, 0));
  const most = [...counts].toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1)).slice(0, reportLimits.statuses);
  return most.map(([status]) => [`${kind}:${status}`, (tally, group) => at(statusesOf(tally).get(status), group)]);
}

function sumOf(columns: ReadonlyMap<string, Column>, group: number, isCounted: (status: string) => boolean = () => true): number {
  let sum = 0;
  for (const [status, column] of columns) if (isCounted(status)) sum += at(column, group);
  return sum;
}

/** Sums of conversions, of all kinds or of one. */
const conversionValues = {
  conversions: ({ statuses }, group) => sumOf(statuses, group),
  conversions_success: ({ statuses }, group) => sumOf(statuses, group, (status) => status === 'success'),
  conversions_valid: ({ statuses }, group) => sumOf(statuses, group, (status) => !invalidConversionStatuses.includes(status)),
  payout: ({ payouts }, group) => decimalText(payouts[group] ?? 0n),
  payout_valid: ({ validPayouts }, group) => decimalText(validPayouts[group] ?? 0n),
} as const satisfies Readonly<Record<string, (conversions: Conversions, group: number) => number | string>>;

const values: Readonly<Record<string, ColumnValue>> = {
  requests: ({ requests }, group) => at(requests, group),
  requests_success: ({ successes }, group) => at(successes, group),
  bots: ({ bots }, group) => at(bots, group),
  pushes: ({ pushes }, group) => sumOf(pushes, group),
  pushes_success: ({ pushes }, group) => sumOf(pushes, group, (status) => pushSuccesses.includes(status)),
};

const none = noConversions();

function valueOf(sum: ReturnType<typeof sumsOf>[number]): ColumnValue {
  const { name, kind } = readKindMeasure(sum) ?? { name: sum, kind: null };
  const ofConversions = Object.entries(conversionValues).find(([own]) => own === name.replace(/_of$/, ''))?.[1];
  if (ofConversions !== undefined) {
    return (tally, group) => ofConversions(kind === null ? tally.conversions : (tally.kinds.get(kind) ?? none), group);
  }
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
