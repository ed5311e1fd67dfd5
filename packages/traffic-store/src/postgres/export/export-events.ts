import { requestExportColumns, requestTypes } from '@switchyard/contract/requests';
import type { Readable } from 'node:stream';
import type pg from 'pg';
import type { Pools } from '../../console-database.ts';
import { type CellKind, type EventColumn, eventFields, type EventNames, exportCells, mayBeNull, namesOf } from '../../event-fields.ts';
import { isUnstorableSql } from '../../unstorable-text.ts';
import { isCounted, narrows, type PartFilter } from '../../event-filter-rules.ts';
import { addressSql } from '../event-page.ts';
import { allConditions, newParameters } from '../event-conditions.ts';
import { copyAsCsv, type ExportPart, guardedSql, safeCell, rowEndCell, textCell } from './copy-as-csv.ts';
import { type Calendar, countByDay, eventsOfDays, groupDays, isOnDays, type MatchingDay, rangeOf } from '../list/plan-days.ts';
import { totalOf } from '../../list/slices.ts';
import type { EventFilter, EventSort } from '../../event-store.ts';

export type ExportQuery = { filter: EventFilter; sort: EventSort; signal: AbortSignal };

/** All matching events as CSV, in the list's order, as many as the list counts at that moment. */
export async function exportEvents(pools: Pools, plan: ExportPlan, query: ExportQuery): Promise<Readable> {
  return copyAsCsv(pools, {
    columns: requestExportColumns,
    plan: async (client) => planExport(client, plan, query),
    signal: query.signal,
  });
}

export type ExportPlan = {
  /** In which days are cut. */
  offset: string;
  /** So many rows may be sorted at once. */
  sortable: number;
};

type Direction = EventSort['orderDirection'];

/**
 * The statements of an export, one after the other, so that no large sort is needed: by time in groups of days, by type one type
 * after the other. Rare matches are read from the days that the roll-ups name, as in lists.
 * @param client in the transaction of the export: the roll-ups must be of the same moment as the rows.
 */
async function planExport(
  client: pg.ClientBase,
  plan: ExportPlan,
  { filter, sort }: { filter: EventFilter; sort: EventSort },
): Promise<ExportPart[]> {
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
  const calendar = { filter, offset: plan.offset };
  const days = await countByDay(client, calendar);
  if (direction === 'desc') days.reverse();
  return groupDays(days, plan.sortable).map((group) => byTime(plan, calendar, direction, group));
}

function byTime({ sortable }: ExportPlan, { filter, offset }: Calendar, direction: Direction, days: readonly MatchingDay[]): ExportPart {
  const within = { ...filter, ...rangeOf(days, { filter, offset }) };
  const isSliced = narrows(filter) && totalOf(days) <= sortable;
  return isSliced ? toSlices({ filter: within, offset }, timeOrder(direction), days) : straight(within, timeOrder(direction), false);
}

async function byArrival(client: pg.ClientBase, plan: ExportPlan, filter: PartFilter, direction: Direction): Promise<ExportPart[]> {
  const order = `event.id ${direction}`;
  if (!isCounted(filter)) return [straight(filter, order, false)];
  const calendar = { filter, offset: plan.offset };
  const days = await countByDay(client, calendar);
  if (days.length === 0) return [];
  const isLarge = totalOf(days) > plan.sortable;
  return [!isLarge && narrows(filter) ? toSlices(calendar, order, days) : straight(filter, order, isLarge)];
}

function timeOrder(direction: Direction): string {
  return `event.occurred_at ${direction}, event.id ${direction}`;
}

/** All matches, by the plan of the database. */
function straight(filter: PartFilter, order: string, isLarge: boolean): ExportPart {
  const parameters = newParameters();
  const conditions = ['true', ...allConditions(filter, parameters)];
  const events = `(select * from events where ${conditions.join(' and ')})`;
  return { text: exportedRows(events, order), values: parameters.values, isLarge };
}

/** Only from those apps and days that have matches, each by its own range of an index. */
function toSlices(calendar: Calendar, order: string, days: readonly MatchingDay[]): ExportPart {
  const parameters = newParameters();
  const events = `(${eventsOfDays(calendar, { onDays: isOnDays(days, parameters), order: 'offset 0' }, parameters)})`;
  return { text: exportedRows(events, order), values: parameters.values, isLarge: false };
}

/**
 * JSON as it is stored, which is compact; a string as its text if the database can hold that. Nearly all values are objects, which are
 * recognised by their brace.
 */
function jsonCell(column: string): string {
  return `case when ${column} is null then '' when ascii(${column}::text) = 123 then ${column}::text
    else case json_typeof(${column}) when 'string' then ${stringCell(column)}
      when 'number' then ${guardedSql(`${column}::text`)} else ${column}::text end end`;
}

function stringCell(column: string): string {
  return `case when ${isUnstorableSql(column)} then ${column}::text else ${textCell(`(${column} #>> '{}')`)} end`;
}

/**
 * An instant of UTC with all six digits. PostgreSQL's own form is faster than a format but omits trailing zeros. Needs the time zone
 * and date style that `copyAsCsv` sets.
 */
function instantCell(column: string): string {
  return `case when ${column} = ${column}::timestamptz(5) then to_char(${column}, 'YYYY-MM-DD HH24:MI:SS.US')
    else ${column}::timestamp::text end`;
}

const nameCells: Readonly<Record<keyof EventNames, string>> = { app_bundle: 'app.bundle', stream_name: 'stream.name' };

const optionalColumns: ReadonlySet<EventColumn> = new Set(eventFields.flatMap(({ name, kind }) => (mayBeNull[kind] ? [name] : [])));

/** How each kind of cell is written; ids, addresses, countries, labels and dates cannot begin a formula. */
const cellOf: Readonly<Record<CellKind, (column: EventColumn) => string>> = {
  // No cell may be null, see `ExportPart`.
  plain: (column) => (optionalColumns.has(column) ? `coalesce(event.${column}::text, '')` : `event.${column}`),
  address: (column) => addressSql(`event.${column}`),
  text: (column) => textCell(`event.${column}`),
  json: (column) => jsonCell(`event.${column}`),
  object: (column) => safeCell(`event.${column}`),
  instant: (column) => instantCell(`event.${column}`),
};

const cells = [
  ...namesOf(exportCells).map((name) => {
    const { from, kind } = exportCells[name];
    // The laterals below guard the names already, once for each app and stream.
    return from === 'app_bundle' || from === 'stream_name' ? safeCell(nameCells[from]) : cellOf[kind](from);
  }),
  rowEndCell,
].join(', ');

/**
 * The names of app and stream, as in lists. Laterals that cannot be flattened leave the planner only nested loops, which keep the
 * order of the events, and memoised lookups.
 */
const names = `left join lateral (select ${textCell('bundle')} as bundle from apps where apps.id = event.app_id offset 0) as app on true
  left join lateral (
    select ${textCell('name')} as name from streams where streams.uid = event.stream_uid and streams.app_id = event.app_id offset 0
  ) as stream on true`;

/** The rows of an export, from SQL that gives whole events. */
function exportedRows(events: string, order: string): string {
  return `select ${cells} from ${events} as event ${names} order by ${order}`;
}
