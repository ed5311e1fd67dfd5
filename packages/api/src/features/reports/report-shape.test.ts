import { timeKeys } from '@switchyard/contract/report-keys';
import { toNumber } from '@switchyard/contract/report-rules';
import { isTimeGrouping, reportLimits, reportQuery, type ReportValues } from '@switchyard/contract/reports';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeliveryFigures } from '@switchyard/traffic-store/delivery-store';
import type { EventFigures } from '@switchyard/traffic-store/event-store';
import { toCounts } from '@switchyard/traffic-store/group-columns';
import { CountedGroups } from './report-groups.ts';
import { type Rank, shapeReport } from './report-shape.ts';
import { columnsOf, valuesOf } from './report-tally.ts';

const days = { from: '2026-11-16', to: '2026-11-22', shift: 0, last: '2026-11-22' };
/** The buyers of each app. */
const buyers: Readonly<Record<string, number[]>> = { 1: [7], 2: [7, 8], 3: [], 4: [8, 9, 10], 5: [9] };
const apps = new Map(Object.entries(buyers).map(([id, own]) => [Number(id), { id: Number(id), vertical: 'bet', buyers: own }]));

/** A counted row: what it is of, and how many. */
const row = fc.record({
  app: fc.constantFrom(...Object.keys(buyers)),
  stream: fc.constantFrom('', 'a', 'b', 'c', '10', '9'),
  day: fc.integer({ min: 16, max: 22 }).map((day) => `2026-11-${day}`),
  events: fc.integer({ min: 0, max: 20 }),
  successes: fc.integer({ min: 0, max: 20 }),
  payout: fc.constantFrom('0', '1.25', '0.0001', '-3'),
});
type Row = { app: string; stream: string; day: string; events: number; successes: number; payout: string };

type Grouping = 'app' | 'buyer' | 'stream' | 'day' | 'weekday';
const keysOf: Readonly<Record<Grouping, (of: Row) => string[]>> = {
  app: ({ app }) => [app],
  buyer: ({ app }) => (buyers[app]?.length === 0 ? [''] : (buyers[app] ?? []).map(String)),
  stream: ({ stream }) => [stream],
  day: ({ day }) => [day],
  weekday: ({ day }) => [String(Number(day.slice(-2)) - 15)],
};
const storeKeys = ['app', 'stream', 'day'] as const;

/** The figures of rows, which are counted once each. */
function figures(rows: readonly Row[]): ReportValues {
  const sum = (of: (one: Row) => number) => rows.reduce((all, one) => all + of(one), 0);
  const [requests, successes] = [sum(({ events }) => events), sum((one) => one.successes)];
  return {
    requests,
    success_share: requests === 0 ? null : successes / requests,
    conversions: rows.length,
    payout: String(sum(({ payout }) => Number(payout) * 10_000) / 10_000),
  };
}

/** Reports read the columns of counts. */
function noRow(): never {
  throw new Error('Rows are not read');
}

const measure = ['requests', 'success_share', 'conversions', 'payout'];

function shape(rows: readonly Row[], { groupBy, top, pivot, orderBy }: Omit<Case, 'rows'>, { limit = Infinity } = {}) {
  const query = reportQuery.parse({ groupBy, measure, ...(top !== null && { top: [String(top)] }), ...(pivot && { pivot: ['1'] }) });
  const counted = new CountedGroups(query, apps);
  const keys = storeKeys.map((name) => rows.map((one) => one[name]));
  const column = (value: (one: Row) => number) => rows.map(value);
  const requests = { events: column(({ events }) => events), successes: column(({ successes }) => successes), bots: column(() => 0) };
  counted.add('current', days, {
    requestKeys: storeKeys,
    requests: Object.assign(toCounts<EventFigures>({ length: rows.length, keys, figures: requests }, noRow), { types: [] }),
    typeFigures: [],
    deliveryKeys: storeKeys,
    pushes: null,
    conversions: toCounts<DeliveryFigures>(
      {
        length: rows.length,
        keys,
        figures: {
          status: rows.map(() => 'success'),
          stored: column(() => 1),
          payout: rows.map(({ payout }) => payout),
        },
      },
      noRow,
    ),
  });
  const columns = columnsOf(query, Object.values(counted.tallies));
  const rank: Rank = { sign: -1, of: ({ current }, group) => toNumber(columns.get(orderBy)?.(current, group)) };
  const shaped = shapeReport(counted, { query, days, rank, sign: 1, choice: rank, limit });
  return { ...shaped, valuesOf: (group: number) => valuesOf(columns, shaped.tallies.current, group) };
}

type Case = { rows: Row[]; groupBy: Grouping[]; top: number | null; pivot: boolean; orderBy: string };
const cases: fc.Arbitrary<Case> = fc.record({
  rows: fc.array(row, { maxLength: 40 }),
  groupBy: fc.uniqueArray(fc.constantFrom<Grouping>('app', 'buyer', 'stream', 'day', 'weekday'), { minLength: 1, maxLength: 2 }),
  top: fc.option(fc.integer({ min: 1, max: 7 })),
  pivot: fc.boolean(),
  orderBy: fc.constantFrom('requests', 'conversions', 'payout'),
});

type ShownKey = { value: string; merged?: number | undefined };

/** Whether a row belongs to a shown key: to that of the others if one of its keys is not shown. */
function belongs(one: Row, grouping: Grouping, key: ShownKey, shown: readonly ShownKey[]): boolean {
  const own = keysOf[grouping](one);
  return key.merged === undefined
    ? own.includes(key.value)
    : own.some((value) => !shown.some((other) => other.merged === undefined && other.value === value));
}

function uniqueKeys(keys: readonly ShownKey[]): ShownKey[] {
  return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()];
}

describe('the shape of a report', () => {
  it('[REP-027, REP-029, REP-030] has in every group, cell and total what a plain sum of its rows has, at any number of keys', () => {
    fc.assert(
      fc.property(cases, (input) => {
        const { rows, groupBy, pivot, top } = input;
        const report = shape(rows, input);
        const isTurned = pivot && groupBy.length === 2;
        const [first = 'app', second] = groupBy;
        const shown = groupBy.map((_, at) =>
          uniqueKeys(at === 1 && report.pivot !== null ? report.pivot.keys : report.groups.flatMap(({ keys }) => keys[at] ?? [])),
        );
        const [rowKeys = [], columnKeys = []] = shown;
        const of = (rowKey: ShownKey | null, columnKey: ShownKey | null): Row[] =>
          rows.filter(
            (one) =>
              (rowKey === null || belongs(one, first, rowKey, rowKeys)) &&
              (columnKey === null || second === undefined || belongs(one, second, columnKey, columnKeys)),
          );
        expect(report.valuesOf(0)).toEqual(figures(rows));
        const has = (keys: readonly ShownKey[], rowOf: Row): boolean =>
          groupBy.every((grouping, at) => keys[at] === undefined || belongs(rowOf, grouping, keys[at], shown[at] ?? []));
        for (const { keys, number } of report.groups)
          expect(report.valuesOf(number)).toEqual(figures(rows.filter((one) => has(keys, one))));
        // Each row is in a group, and what belongs to no row is none.
        for (const one of rows) expect(report.groups.some(({ keys }) => has(keys, one))).toBe(true);
        expect(report.groups.every(({ keys }) => rows.some((one) => has(keys, one)))).toBe(true);
        expect(report.size).toBe(report.groups.length);
        // Where no app counts twice, the groups add up to the total.
        if (!groupBy.includes('buyer')) {
          const sum = (name: string) => report.groups.reduce((all, { number }) => all + Number(report.valuesOf(number)[name]), 0);
          expect([sum('requests'), sum('conversions')]).toEqual([figures(rows)['requests'], rows.length]);
        }
        expect(report.pivot !== null).toBe(isTurned);
        if (report.pivot !== null) {
          for (const [at, columnKey] of columnKeys.entries()) {
            expect(report.valuesOf(report.pivot.totals[at] ?? 0)).toEqual(figures(of(null, columnKey)));
            for (const { keys, number } of report.groups) {
              expect(report.valuesOf(report.pivot.cellOf(number, at))).toEqual(figures(of(keys[0] ?? null, columnKey)));
            }
          }
          if (second !== undefined && isTimeGrouping(second)) {
            expect(columnKeys.map(({ value }) => value)).toEqual(timeKeys(second, days));
          }
        }
        for (const [at, grouping] of groupBy.entries()) {
          const all = new Set(rows.flatMap(keysOf[grouping]));
          const kept = (shown[at] ?? []).filter(({ merged }) => merged === undefined);
          const others = (shown[at] ?? []).filter(({ merged }) => merged !== undefined);
          if (isTimeGrouping(grouping)) continue;
          expect(kept.length).toBe(Math.min(all.size, top ?? Infinity));
          expect(others.map(({ merged }) => merged)).toEqual(all.size > kept.length ? [all.size - kept.length] : []);
          // The first keys are those with the largest sums.
          const sumOf = (value: string) => Number(figures(rows.filter((one) => keysOf[grouping](one).includes(value)))[input.orderBy]);
          const hidden = [...all].filter((value) => kept.every((key) => key.value !== value));
          expect(Math.min(...kept.map(({ value }) => sumOf(value)))).toBeGreaterThanOrEqual(Math.max(-Infinity, ...hidden.map(sumOf)));
        }
      }),
      { numRuns: 400, seed: 9 },
    );
  });

  it('[REP-027, REP-030] puts others last, and makes others of columns beyond the limit, of time the oldest', () => {
    const many = Array.from({ length: reportLimits.pivotColumns + 20 }, (_, at) => ({
      app: '1',
      stream: `s${at}`,
      day: '2026-11-16',
      events: at === 3 ? 900 : 1,
      successes: 0,
      payout: '0',
    }));
    const turned = shape(many, { groupBy: ['app', 'stream'], top: null, pivot: true, orderBy: 'requests' });
    const { keys = [], totals = [] } = turned.pivot ?? {};
    expect([keys.length, keys[0]?.value, keys.at(-1)]).toEqual([reportLimits.pivotColumns + 1, 's3', { value: '', merged: 20 }]);
    expect(turned.valuesOf(totals.at(-1) ?? 0)['requests']).toBe(20);
    const flat = shape(many, { groupBy: ['stream'], top: 2, pivot: false, orderBy: 'requests' });
    const shown = [{ value: 's3' }, { value: 's0' }, { value: '', merged: 118 }];
    expect(flat.groups.map((group) => group.keys[0])).toEqual(shown);
    // Others may be larger, and groups without a value are before them.
    const first = shape(many, { groupBy: ['stream'], top: 2, pivot: false, orderBy: 'requests' }, { limit: 2 });
    expect(first.groups.map((group) => group.keys[0])).toEqual(shown.slice(0, 2));
    const unranked = shape(many, { groupBy: ['app', 'stream'], top: 2, pivot: false, orderBy: 'nothing' });
    expect(unranked.groups.map((group) => group.keys[1]?.merged)).toEqual([undefined, undefined, 118]);
  });
});
