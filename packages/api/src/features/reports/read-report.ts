import { formatDateTime, type Microseconds } from '@switchyard/contract/dates';
import { createRank, mainColumn, orderOf, readOrder, reportSource, toNumber } from '@switchyard/contract/report-rules';
import {
  countedMeasuresOf,
  groupingsOf,
  kindsOf,
  measuresOf,
  ownRatiosOf,
  ratioColumn,
  type Report,
  type ReportCell,
  type ReportGrouping,
  type ReportKey,
  reportLimits,
  reportMessages,
  type ReportQuery,
  type ReportSubject,
  severalFiltersOf,
  subjectOf,
  typeOfMeasure,
} from '@switchyard/contract/reports';
import { type AppScope, withinScope } from '@switchyard/contract/app-scope';
import type { Databases } from '../../database/connect.ts';
import { FieldErrors } from '../../errors.ts';
import type { DeliveryStore } from '@switchyard/traffic-store/delivery-store';
import type { EventStore, FirstGroups, TypeFigure } from '@switchyard/traffic-store/event-store';
import { namedValue, readValueParts } from '@switchyard/traffic-store/value-filters';
import { readBotLabels, readEventFilter } from '../../traffic-queries/read-event-filter.ts';
import { readPlaceFilter } from '../../traffic-queries/read-place-filter.ts';
import { findAppLabels } from '../apps/apps-lookup.ts';
import { findAsnNames } from '../asns/registry-lookup.ts';
import { findServerLabels } from '../traffic-servers/server-labels-lookup.ts';
import { findStreamNames } from '../streams/streams-lookup.ts';
import { distinguishStreams } from './stream-names.ts';
import { areGroupsCounted, CountedGroups, isCountedIn, keysOf, type PeriodCounts } from './report-groups.ts';
import { completeFrom, type Period, readPeriods, spanOf } from './report-period.ts';
import { noGroup, type Rank, shapeReport, type ShownKey, type Tallies } from './report-shape.ts';
import { columnsOf, type ColumnValue, findFew, type Tally, valuesOf } from './report-tally.ts';
import { findBuyerLabels, findReportedApps } from './reports-read-model.ts';

export type ReportDependencies = {
  db: Databases['db'];
  eventStore: Pick<EventStore, 'countGroups'>;
  deliveryStore: Pick<DeliveryStore, 'countPushGroups' | 'countConversionGroups'>;
  /** Offset `+HH:MM` in which the server cuts days. */
  serverOffset: string;
  retentionDays: number;
  /** The currency of payouts. */
  currency?: string | undefined;
  /** Whether both periods of a comparison of requests are counted at once, which takes no connection of PostgreSQL more. */
  countsPeriodsTogether?: boolean;
};

/**
 * `asOf`: the instant from which relative days count; default: now. `limit`: how many groups are wanted; without one it is all of them. `signal` cancels the
 * statements, which may take seconds.
 */
type ReportRequest = {
  query: ReportQuery;
  scope: AppScope;
  now: Microseconds;
  asOf?: Microseconds;
  limit?: number;
  signal?: AbortSignal | undefined;
};

/** The report that a query asks for, of the apps in a scope. */
export async function readReport(
  deps: ReportDependencies,
  { query, scope, now, asOf = now, limit, signal }: ReportRequest,
): Promise<Report> {
  const { serverOffset, retentionDays, currency } = deps;
  const clock = { now, serverOffset };
  const { current, comparison } = readPeriods(query, { ...clock, asOf });
  const { reported, apps } = await narrowScope(deps, query, scope);
  const counted = new CountedGroups(query, apps);
  const first = comparison === null && limit !== undefined ? firstGroups(query, limit) : undefined;
  const countPeriod = async (period: Period) => count(deps, query, { scope: reported, period, first, signal });
  if (comparison === null) counted.add('current', current, await countPeriod(current));
  else {
    const together = deps.countsPeriodsTogether === true && !countsDeliveries(query);
    const [counts, compared] = await (together
      ? Promise.all([countPeriod(current), countPeriod(comparison)])
      : [await countPeriod(current), await countPeriod(comparison)]);
    counted.add('current', current, counts);
    counted.add('compared', comparison, compared);
  }

  const columns = columnsOf(query, Object.values(counted.tallies));
  const shape = shapeReport(counted, { query, days: current, ...ranksOf(query, columns, counted.tallies), limit: limit ?? Infinity });
  const { tallies, pivot } = shape;
  if (shape.size > reportLimits.groups || shape.groups.length * (pivot?.keys.length ?? 0) > reportLimits.fileCells) throw tooManyGroups();
  const mostRows = limit === undefined || pivot === null ? Infinity : Math.floor(reportLimits.pivotCells / Math.max(1, pivot.keys.length));
  const groups = shape.groups.slice(0, mostRows);
  const fewOf = findFew(query, columns.keys());
  const sides = comparison === null ? [tallies.current] : [tallies.current, tallies.compared];
  const cellOf = (group: number): ReportCell => ({
    current: valuesOf(columns, tallies.current, group),
    compared: comparison === null ? null : valuesOf(columns, tallies.compared, group),
    few: fewOf(sides, group),
    ...(comparison !== null && { few_current: fewOf([tallies.current], group) }),
  });
  const cellsOf = (numbers: readonly number[]) => numbers.map((number) => (number === noGroup ? null : cellOf(number)));
  const keys = [...groups.map((group) => group.keys), ...(pivot?.keys ?? []).map((key) => [undefined, key])];
  // Files have a column of uids.
  const names = await findNames(deps.db, { groupings: groupingsOf(query), keys, scope, isFile: limit === undefined });
  const named = ({ value, merged }: ShownKey, at: number): ReportKey => ({
    value: merged === undefined ? namedValue(groupingsOf(query)[at], value) : value,
    ...(merged !== undefined && { merged }),
    name: names[at]?.get(value) ?? null,
  });
  const complete = completeFrom(clock, { retentionDays, hasDeliveries: countsDeliveries(query) });
  return {
    group_by: [...groupingsOf(query)],
    columns: [...columns.keys()],
    groups: groups.map(({ keys: ofGroup, number }) => ({
      keys: ofGroup.map(named),
      ...cellOf(number),
      ...(pivot !== null && { cells: cellsOf(pivot.keys.map((_, column) => pivot.cellOf(number, column))) }),
    })),
    total_groups: shape.size,
    totals: { ...cellOf(0), ...(pivot !== null && { cells: cellsOf(pivot.totals) }) },
    pivot: pivot && { keys: pivot.keys.map((key) => named(key, 1)), empty: cellOf(noGroup) },
    from: current.from,
    to: current.to,
    compared_from: comparison?.from ?? null,
    compared_to: comparison?.to ?? null,
    compared_until: comparison?.until === undefined ? null : formatDateTime(comparison.until),
    complete_from: complete,
    is_complete: current.from >= complete,
    compared_is_complete: comparison === null ? null : comparison.from >= complete,
    source: reportSource(query),
    ...(currency !== undefined && { currency }),
  };
}

/** The groups that the store has to return, if it alone counts them and one of its figures orders them. */
function firstGroups(query: ReportQuery, limit: number): FirstGroups | undefined {
  // Groups by one key are few.
  if (groupingsOf(query).length < 2) return undefined;
  if (!areGroupsCounted(query) || countsDeliveries(query)) return undefined;
  const { orderBy, orderDirection: direction } = orderOf(query, [
    ...measuresOf(query),
    ...ownRatiosOf(query).map(({ name }) => ratioColumn(name)),
  ]);
  const by = orderBy in orderFigures ? orderFigures[orderBy] : typeFiguresOf(query).findIndex(({ column }) => column === orderBy);
  return by === undefined || by === -1 ? undefined : { by, direction, count: limit };
}

const orderFigures: Readonly<Record<string, 'events' | 'successes' | 'bots'>> = {
  requests: 'events',
  requests_success: 'successes',
  bots: 'bots',
};

/** The figures of types that a report counts, with their columns. */
function typeFiguresOf(query: ReportQuery): (TypeFigure & { column: string })[] {
  return countedMeasuresOf(query).flatMap((column) => {
    const type = typeOfMeasure(column);
    return type === null ? [] : [{ type, succeeded: column !== type, column }];
  });
}

/** The order of a report, and by what its keys are chosen: by the same, but by the first column if the order is that of keys. */
function ranksOf(
  query: ReportQuery,
  columns: ReadonlyMap<string, ColumnValue>,
  totals: Tallies,
): { rank: Rank | null; sign: 1 | -1; choice: Rank } {
  const { orderBy, orderDirection } = orderOf(query, [...columns.keys()]);
  const sign = orderDirection === 'asc' ? 1 : -1;
  const rankBy = (text: string, ofRank: 1 | -1): Rank => {
    const order = readOrder(text);
    const valueOf = columns.get(order.column);
    const numberOf = (tally: Tally, group: number): number | null => toNumber(valueOf?.(tally, group));
    const fewOf = findFew(query, [order.column]);
    const valueIn = ({ current, compared }: Tallies, group: number) => ({
      current: numberOf(current, group),
      compared: query.compare === 'none' ? null : numberOf(compared, group),
      isFew: fewOf(query.compare === 'none' || order.by === 'value' ? [current] : [current, compared], group).length > 0,
    });
    const rank = createRank(order, query, valueIn(totals, 0));
    return { sign: ofRank, of: (tallies, group) => rank(valueIn(tallies, group)) };
  };
  if (orderBy !== 'key') return { rank: rankBy(orderBy, sign), sign, choice: rankBy(orderBy, sign) };
  const column = mainColumn(query, [...columns.keys()]) ?? '';
  return { rank: null, sign, choice: rankBy(column, -1) };
}

function tooManyGroups(): FieldErrors {
  return new FieldErrors({ groupBy: [reportMessages.groups] });
}

function countsDeliveries(query: ReportQuery): boolean {
  const subjects = subjectsOf(query);
  return isCountedIn(query, 'pushes', subjects) || isCountedIn(query, 'conversions', subjects);
}

function subjectsOf(query: ReportQuery): ReadonlySet<ReportSubject> {
  return new Set(countedMeasuresOf(query).map(subjectOf));
}

/** The scope of the counts, and the apps that determine verticals and buyers. */
async function narrowScope({ db }: ReportDependencies, query: ReportQuery, scope: AppScope) {
  const needsApps = groupingsOf(query).some((grouping) => grouping === 'vertical' || grouping === 'buyer');
  const isFiltered = query.vertical !== undefined || severalFiltersOf(query).some(({ buyerId }) => buyerId !== undefined);
  const reportedApps = needsApps || isFiltered ? await findReportedApps(db, scope, query) : [];
  const apps = new Map(reportedApps.map((app) => [app.id, app]));
  if (isFiltered) return { reported: [...apps.keys()], apps };
  return { reported: query.appId === undefined ? scope : withinScope(query.appId.map(Number), scope), apps };
}

/** The counts of a period. A report that is too large is rejected before it is assembled. */
async function count(
  { eventStore, deliveryStore, serverOffset }: ReportDependencies,
  query: ReportQuery,
  { scope, period, first, signal }: { scope: AppScope; period: Period; first?: FirstGroups | undefined; signal: AbortSignal | undefined },
): Promise<PeriodCounts> {
  const subjects = subjectsOf(query);
  const span = spanOf(period, serverOffset);
  const keys = keysOf(query);
  const chosenKinds = kindsOf(query);
  const requestKeys = keys.filter((key) => key !== 'kind');
  const typeFigures = typeFiguresOf(query);
  const placeKeys = keys.filter((key) => key !== 'type');
  const deliveryKeys = chosenKinds.length === 0 ? placeKeys : [...placeKeys, 'chosenKind' as const];
  const limit = reportLimits.groups + 1;
  // Apps and days are in the scope and the span already.
  const eventQuery = {
    ...query,
    appId: undefined,
    startDate: undefined,
    endDate: undefined,
    clientId: undefined,
    emptyPostbacksDomain: undefined,
  };
  const [, ...further] = severalFiltersOf(query);
  const furtherTypes = further.flatMap(({ type }) => (type === undefined ? [] : [type]));
  const furtherBots = further.flatMap(({ bot }) => (bot === undefined ? [] : [readBotLabels(bot)]));
  const filter = {
    ...readEventFilter(eventQuery, { scope, serverOffset }),
    ...(furtherTypes.length > 0 && { furtherTypes }),
    ...(furtherBots.length > 0 && { furtherBots }),
    servers: query.serverId?.map(Number),
    ...span,
  };
  const { streamUids, streamUidsNot } = readValueParts(query);
  const deliveryQuery = { scope, ...span, streamUids, streamUidsNot, ...readPlaceFilter(query), furtherBots, by: placeKeys, limit, signal };
  const { statusConversion: kinds, statusConversionNot: kindsNot } = query;
  const conversionQuery = { ...deliveryQuery, kinds, kindsNot, chosenKinds, by: deliveryKeys };
  const [requests, pushes, conversions] = await Promise.all([
    isCountedIn(query, 'requests', subjects)
      ? eventStore.countGroups({ filter, by: requestKeys, typeFigures, limit, first, signal })
      : null,
    isCountedIn(query, 'pushes', subjects) ? deliveryStore.countPushGroups(deliveryQuery) : null,
    isCountedIn(query, 'conversions', subjects) ? deliveryStore.countConversionGroups(conversionQuery) : null,
  ]);
  const isTooLong = (counts: { length: number } | null, more = 0): boolean => counts !== null && counts.length + more >= limit;
  if (isTooLong(requests, requests?.rest?.groups) || isTooLong(pushes) || isTooLong(conversions)) throw tooManyGroups();
  return { requestKeys, requests, typeFigures, deliveryKeys, pushes, conversions };
}

type FindLabels = (db: Databases['db'], ids: readonly number[]) => Promise<ReadonlyMap<number, { name: string }>>;
type NamedKeys = { groupings: readonly ReportGrouping[]; keys: readonly (ShownKey | undefined)[][]; scope: AppScope; isFile: boolean };

/** Present names of the keys of each grouping. */
async function findNames(db: Databases['db'], { groupings, keys, scope, isFile }: NamedKeys): Promise<ReadonlyMap<string, string>[]> {
  const names: ReadonlyMap<string, string>[] = [];
  for (const [index, grouping] of groupings.entries()) {
    const values = [...new Set(keys.map((key) => key[index]?.value ?? ''))].filter((value) => value !== '');
    const byId = async (find: FindLabels): Promise<ReadonlyMap<string, string>> =>
      new Map(Array.from(await find(db, values.map(Number)), ([id, { name }]) => [String(id), name]));
    if (grouping === 'app') names.push(await byId(findAppLabels));
    else if (grouping === 'buyer') names.push(await byId(findBuyerLabels));
    else if (grouping === 'asn') names.push(await findAsnNames(db, values));
    else if (grouping === 'server') names.push(await byId(findServerLabels));
    else if (grouping === 'stream') {
      const ofStreams = await findStreamNames(db, { uids: values, scope });
      names.push(isFile ? ofStreams : distinguishStreams(ofStreams));
    } else names.push(new Map());
  }
  return names;
}
