import { pushSuccesses } from '@switchyard/contract/pushes';
import {
  measureApplies,
  measuresOf,
  reportLimits,
  type ReportMeasure,
  type ReportQuery,
  type ReportValues,
  typeOfMeasure,
} from '@switchyard/contract/reports';
import type { DeliveryGroup } from '../../traffic-store/delivery-store.ts';
import type { EventGroup } from '../../traffic-store/event-store.ts';

type Outcomes = { all: number; successes: number };

/**
 * What was counted for a group; payouts in ten-thousandths, so that no digit is lost. Types and statuses are null until there is one: a
 * report may have many groups.
 */
export type Tally = Outcomes & {
  bots: number;
  types: Map<string, Outcomes> | null;
  pushes: Map<string, number> | null;
  conversions: Map<string, number> | null;
  payout: bigint;
};

export function emptyTally(): Tally {
  return { all: 0, successes: 0, bots: 0, types: null, pushes: null, conversions: null, payout: 0n };
}

/** Adds counted requests, under their type if it is known. */
export function addRequests(tally: Tally, { requests, successes, bots }: EventGroup, type: string | undefined): void {
  tally.all += requests;
  tally.successes += successes;
  tally.bots += bots;
  if (type === undefined) return;
  tally.types ??= new Map();
  const own = tally.types.get(type) ?? { all: 0, successes: 0 };
  tally.types.set(type, { all: own.all + requests, successes: own.successes + successes });
}

/** Adds counted pushes or conversions. */
export function addDeliveries(tally: Tally, kind: 'pushes' | 'conversions', { status, stored, payout }: DeliveryGroup): void {
  const statuses = (tally[kind] ??= new Map());
  statuses.set(status, (statuses.get(status) ?? 0) + stored);
  if (kind === 'conversions') tally.payout += tenThousandths(payout);
}

function tenThousandths(text: string): bigint {
  const [whole = '', part = ''] = text.split('.');
  return BigInt(`${whole}${part.padEnd(4, '0').slice(0, 4)}`);
}

/** Decimal text without needless zeros. */
function decimalText(sum: bigint): string {
  const digits = String(sum < 0n ? -sum : sum).padStart(5, '0');
  const part = digits.slice(-4).replace(/0+$/, '');
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -4)}${part === '' ? '' : `.${part}`}`;
}

type ColumnValue = (tally: Tally) => number | string | null;

/** The columns of a report with the values of a group; null where a measure does not apply. `totals` name the statuses that there are. */
export function columnsOf(query: ReportQuery, totals: readonly Tally[]): ReadonlyMap<string, ColumnValue> {
  return new Map(
    measuresOf(query).flatMap((measure): (readonly [string, ColumnValue])[] => {
      if (!measureApplies(measure, query)) return [[measure, () => null]];
      if (measure === 'pushes_by_status') return statusColumns('pushes', totals);
      if (measure === 'conversions_by_status') return statusColumns('conversions', totals);
      return [[measure, valueOf(measure)]];
    }),
  );
}

function statusColumns(kind: 'pushes' | 'conversions', totals: readonly Tally[]): (readonly [string, ColumnValue])[] {
  const counts = new Map<string, number>();
  for (const tally of totals) for (const [status, count] of tally[kind] ?? []) counts.set(status, (counts.get(status) ?? 0) + count);
  const most = [...counts].toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1)).slice(0, reportLimits.statuses);
  return most.map(([status]) => [`${kind}:${status}`, (tally) => tally[kind]?.get(status) ?? 0]);
}

function sumOf(counts: ReadonlyMap<string, number> | null, isCounted: (status: string) => boolean = () => true): number {
  return Array.from(counts ?? []).reduce((all, [status, count]) => (isCounted(status) ? all + count : all), 0);
}

const values: Readonly<Partial<Record<ReportMeasure, ColumnValue>>> = {
  requests: (tally) => tally.all,
  requests_success: (tally) => tally.successes,
  success_share: (tally) => (tally.all === 0 ? null : tally.successes / tally.all),
  bots: (tally) => tally.bots,
  bot_share: (tally) => (tally.all === 0 ? null : tally.bots / tally.all),
  pushes: (tally) => sumOf(tally.pushes),
  pushes_success: (tally) => sumOf(tally.pushes, (status) => pushSuccesses.includes(status)),
  conversions: (tally) => sumOf(tally.conversions),
  conversions_success: (tally) => sumOf(tally.conversions, (status) => status === 'success'),
  payout: (tally) => decimalText(tally.payout),
};

function valueOf(measure: ReportMeasure): ColumnValue {
  const type = typeOfMeasure(measure);
  if (type === null) return values[measure] ?? (() => null);
  const figure = measure === type ? 'all' : 'successes';
  return (tally) => tally.types?.get(type)?.[figure] ?? 0;
}

/** The values of a group by column. */
export function valuesOf(columns: ReadonlyMap<string, ColumnValue>, tally: Tally): ReportValues {
  return Object.fromEntries(Array.from(columns, ([name, value]) => [name, value(tally)]));
}
