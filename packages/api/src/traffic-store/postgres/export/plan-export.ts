import type { Microseconds } from '@switchyard/contract/dates';
import { requestTypes } from '@switchyard/contract/requests';
import type pg from 'pg';
import type { RequestFilter, RequestSort } from '../../traffic-store.ts';
import type { ExportPart } from './copy-as-csv.ts';
import { exportedRows } from './exported-event.ts';
import { dayRollupFor } from '../rollups.ts';
import { countByDay, type CountedDay, totalOf } from '../list/day-counts.ts';
import { clippedDay } from '../list/matching-days.ts';
import { type PartFilter, isCounted, narrows } from '../../event-filter-rules.ts';
import { indexedConditions, newParameters, sharedConditions, timeConditions } from '../event-conditions.ts';

export type ExportPlan = {
  /** In which days are cut. */
  offset: string;
  /** So many rows may be sorted at once. */
  sortable: number;
};

type Direction = RequestSort['orderDirection'];

/**
 * An export as statements one after the other, so that nothing large is ever sorted: by time in stretches of days, by
 * type one type after the other. Rare matches are read where the roll-ups say they are, as lists do.
 * @param client in the transaction of the export: the roll-ups must be of the same moment as the rows.
 */
export async function planExport(
  client: pg.ClientBase,
  plan: ExportPlan,
  { filter, sort }: { filter: RequestFilter; sort: RequestSort },
): Promise<ExportPart[]> {
  if (filter.scope !== 'all' && filter.scope.length === 0) return [];
  const { orderBy, orderDirection: direction } = sort;
  if (orderBy === 'type') {
    const types = requestTypes.toSorted();
    if (direction === 'desc') types.reverse();
    const parts: ExportPart[] = [];
    for (const ownType of types) parts.push(...(await byArrival(client, plan, { ...filter, ownType }, direction)));
    return parts;
  }
  if (orderBy === 'id') return byArrival(client, plan, filter, direction);
  if (!isCounted(filter)) return [straight(filter, timeOrder(direction), false)];
  const days = await countDays(client, plan, filter);
  if (direction === 'desc') days.reverse();
  return stretchesOf(days, plan.sortable).map((stretch) => byTime(plan, filter, direction, stretch));
}

function byTime(plan: ExportPlan, filter: PartFilter, direction: Direction, stretch: readonly CountedDay[]): ExportPart {
  const within = { ...filter, ...rangeOf(stretch, { filter, offset: plan.offset }) };
  const matches = totalOf(stretch);
  if (narrows(filter) && matches <= plan.sortable) return sliced(plan, within, timeOrder(direction), stretch);
  return straight(within, timeOrder(direction), false);
}

async function byArrival(client: pg.ClientBase, plan: ExportPlan, filter: PartFilter, direction: Direction): Promise<ExportPart[]> {
  const order = `event.id ${direction}`;
  if (!isCounted(filter)) return [straight(filter, order, false)];
  const days = await countDays(client, plan, filter);
  if (days.length === 0) return [];
  const matches = totalOf(days);
  const isLarge = matches > plan.sortable;
  return [!isLarge && narrows(filter) ? sliced(plan, filter, order, days) : straight(filter, order, isLarge)];
}

function timeOrder(direction: Direction): string {
  return `event.occurred_at ${direction}, event.id ${direction}`;
}

/** Neighbouring days together, as long as their rows may be sorted at once. */
function stretchesOf(days: readonly CountedDay[], sortable: number): CountedDay[][] {
  const stretches: CountedDay[][] = [];
  let room = 0;
  for (const day of days) {
    const last = stretches.at(-1);
    if (last && day.requests <= room) last.push(day);
    else {
      stretches.push([day]);
      room = sortable;
    }
    room -= day.requests;
  }
  return stretches;
}

/** From the first to the last day, within what the filter asks for. */
function rangeOf(
  days: readonly CountedDay[],
  calendar: { filter: PartFilter; offset: string },
): { from: Microseconds; until: Microseconds } {
  const ranges = days.map(({ day }) => clippedDay(day, calendar));
  return { from: Math.min(...ranges.map((range) => range.from)), until: Math.max(...ranges.map((range) => range.until)) };
}

/** Days with matches, oldest first. */
async function countDays(client: pg.ClientBase, { offset }: ExportPlan, filter: PartFilter): Promise<CountedDay[]> {
  return countByDay(client, { filter, offset, byType: false, leftOut: null });
}

/** Straight from the events, in the way the database chooses. */
function straight(filter: PartFilter, order: string, isLarge: boolean): ExportPart {
  const parameters = newParameters();
  const conditions = [
    'true',
    ...sharedConditions(filter, parameters),
    ...indexedConditions(filter, parameters),
    ...timeConditions(filter, parameters),
  ];
  const events = `(select * from events where ${conditions.join(' and ')})`;
  return { text: exportedRows(events, order), values: parameters.values, isLarge };
}

/** Only from those apps and days that have matches, each by its own range of an index. */
function sliced(plan: ExportPlan, filter: PartFilter, order: string, days: readonly CountedDay[]): ExportPart {
  const parameters = newParameters();
  const offset = `${parameters.add(plan.offset)}::interval`;
  const slices = `select distinct day, app_id as slice_app from ${dayRollupFor(filter, ['app_id'])}
    where day = any(${parameters.add(days.map(({ day }) => day))}::date[]) and ${['true', ...sharedConditions(filter, parameters)].join(' and ')}`;
  const conditions = [
    'app_id = slice_app',
    `occurred_at >= (day::timestamp - ${offset}) at time zone 'UTC'`,
    `occurred_at < (day::timestamp + interval '1 day' - ${offset}) at time zone 'UTC'`,
    ...sharedConditions({ ...filter, scope: 'all' }, parameters),
    ...timeConditions(filter, parameters),
  ];
  const events = `(select found.* from (${slices}) as slice
    cross join lateral (select * from events where ${conditions.join(' and ')} offset 0) as found)`;
  return { text: exportedRows(events, order), values: parameters.values, isLarge: false };
}
