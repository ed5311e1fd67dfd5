import { measureOfColumn } from './report-texts.ts';
import {
  type AskedFilters,
  type Ratio,
  type ReportCell,
  type ReportGrouping,
  type ReportMeasure,
  type ReportQuery,
  type ReportSubject,
  countedMeasuresOf,
  isPayout,
  groupingsOf,
  isTimeGrouping,
  leastOf,
  type RatioQuery,
  ratioOf,
  reportFilters,
  type SeveralFilters,
  severalFiltersOf,
  subjectOf,
  sumsOf,
  typeOfMeasure,
} from './reports.ts';

/** Ways of ordering groups by how a column changed since the compared period. */
export const changeOrders = ['change', 'percent'] as const;
export type ChangeOrder = (typeof changeOrders)[number];

type Order = { by: ChangeOrder | 'value'; column: string };

/** Sort keys of `orderBy`: `key`, the values of a column, or their change. */
export function readOrder(orderBy: string): Order {
  const by = changeOrders.find((order) => orderBy.startsWith(`${order}:`));
  return by === undefined ? { by: 'value', column: orderBy } : { by, column: orderBy.slice(by.length + 1) };
}

/** A value as a number: a payout is decimal text. */
export function toNumber(value: number | string | null | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}

/** The figure that a group is ordered by. A change from nothing is larger than any other in percent, as is one to a negative sum smaller. */
function rankOf(by: Order['by'], { current, compared }: OrderedValue): number | null {
  if (by === 'value') return current;
  if (current === null || compared === null) return null;
  const change = current - compared;
  if (by === 'change' || change === 0) return change;
  return compared === 0 ? Math.sign(change) * Number.MAX_VALUE : change / Math.abs(compared);
}

/** Whether groups that are too small are last in an order. */
export function isOrderedByVolume(order: Order, query: RatioQuery): boolean {
  return ratioOf(order.column, query) !== null || isChangeOfCount(order);
}

/** Payouts are no counts, so their change always counts. */
function isChangeOfCount({ by, column }: Order): boolean {
  return by === 'percent' && !isPayout(column);
}

/** A column of a group as orders see it. `isFew`: it is a ratio of few in one of the periods. */
type OrderedValue = { current: number | null; compared: number | null; isFew: boolean };

/** What an order sees of a cell of a report. Values of a period alone do not depend on how many the other one has. */
export function orderedValue({ by, column }: Order, { current, compared, few, few_current: ofCurrent = few }: ReportCell): OrderedValue {
  return {
    current: toNumber(current[column]),
    compared: toNumber(compared?.[column]),
    isFew: (by === 'value' ? ofCurrent : few).includes(column),
  };
}

/** Gives whether a group is large enough for an order; otherwise it is last. */
export function createIsLarge(order: Order, query: RatioQuery & Pick<ReportQuery, 'least'>): (value: OrderedValue) => boolean {
  if (ratioOf(order.column, query) !== null) return ({ isFew }) => !isFew;
  if (!isChangeOfCount(order)) return () => true;
  const least = leastOf(query);
  return ({ current, compared }) => {
    const most = Math.max(current ?? 0, compared ?? 0);
    return most === 0 || most >= least;
  };
}

/**
 * Gives the figures that groups are ordered by; null puts a group last: one without a value, and one that is too small for the order unless
 * all of the report is.
 */
export function createRank(
  order: Order,
  query: RatioQuery & Pick<ReportQuery, 'least'>,
  totals: OrderedValue,
): (value: OrderedValue) => number | null {
  const isLarge = createIsLarge(order, query);
  const isWholeLarge = isLarge(totals);
  return (value) => (isWholeLarge && !isLarge(value) ? null : rankOf(order.by, value));
}

/** The first column of a report that has values. */
export function mainColumn(query: AskedFilters & RatioQuery, columns: readonly string[]): string | undefined {
  return columns.find((column) => {
    const measure = ratioOf(column, query) ?? measureOfColumn(column).measure;
    return measure === undefined || measureApplies(measure, query);
  });
}

/**
 * The order of a report's groups by one of its columns or by `key`: by time if it groups by time, otherwise by its first column with values.
 * Orders by change need a comparison.
 */
export function orderOf(
  query: AskedFilters & RatioQuery & Pick<ReportQuery, 'compare' | 'orderBy' | 'orderDirection'>,
  columns: readonly string[],
): { orderBy: string; orderDirection: 'asc' | 'desc' } {
  const usual = isTimeGrouping(groupingsOf(query)[0]) ? 'key' : (mainColumn(query, columns) ?? columns[0] ?? 'key');
  const { by, column } = readOrder(query.orderBy ?? '');
  const isKnown = by === 'value' ? ['key', ...columns].includes(column) : query.compare !== 'none' && columns.includes(column);
  const orderBy = query.orderBy !== undefined && isKnown ? query.orderBy : usual;
  return { orderBy, orderDirection: query.orderDirection ?? (orderBy === 'key' ? 'asc' : 'desc') };
}

function isSet(...values: (readonly unknown[] | undefined)[]): boolean {
  return values.some((value) => value !== undefined);
}

/** Fields of requests that a report asks for, in its groups or its filters. */
function fieldsOf(
  query: AskedFilters,
): ReadonlySet<'app' | 'country' | 'stream' | 'asn' | 'address' | 'bot' | 'type' | 'error' | 'hour' | 'server' | 'kind'> {
  const groups = groupingsOf(query);
  const several = severalFiltersOf(query);
  const types = [...several.flatMap(({ type = [] }) => type), ...(query.typeNot ?? [])];
  const isChosen = (name: keyof SeveralFilters): boolean => several.some((filters) => filters[name] !== undefined);
  const isGrouped = (...names: ReportGrouping[]): boolean => names.some((name) => groups.includes(name));
  return new Set([
    ...(isGrouped('app', 'vertical', 'buyer') || isSet(query.appId, query.vertical) || isChosen('buyerId') ? ['app' as const] : []),
    ...(isGrouped('country') || isSet(query.geo, query.geoNot) ? ['country' as const] : []),
    ...(isGrouped('stream') || isSet(query.streamUid, query.streamUidNot) ? ['stream' as const] : []),
    ...(isGrouped('asn') || isSet(query.asn, query.asnNot) ? ['asn' as const] : []),
    ...(isSet(query.ipNot) || query.search !== undefined ? ['address' as const] : []),
    ...(isChosen('bot') || isSet(query.botNot) ? ['bot' as const] : []),
    ...(isGrouped('type') || types.length > 0 ? ['type' as const] : []),
    ...(types.includes('error') ? ['error' as const] : []),
    ...(isGrouped('hour', 'date_hour') ? ['hour' as const] : []),
    ...(isGrouped('server') || isSet(query.serverId) ? ['server' as const] : []),
    ...(isGrouped('status_conversion') || isSet(query.statusConversion, query.statusConversionNot) ? ['kind' as const] : []),
  ]);
}

/**
 * Whether a subject has every field that a report asks for: pushes and conversions know their app, time and place but no address or type of
 * a request, and only conversions have a stream and a kind.
 */
export function subjectApplies(subject: ReportSubject, query: AskedFilters): boolean {
  const fields = fieldsOf(query);
  if (subject === 'requests') return !fields.has('kind');
  return !fields.has('address') && !fields.has('type') && (subject === 'conversions' || !(fields.has('stream') || fields.has('kind')));
}

/** Whether a measure or ratio has values in a report; otherwise they are null. */
export function measureApplies(measure: ReportMeasure | Ratio, query: AskedFilters): boolean {
  return sumsOf(measure).every((sum) => subjectApplies(subjectOf(sum), query));
}

/**
 * The source of a report: `roll-ups` costs the same at any number of requests; `events` reads single events, or counts nearly as many, and
 * may take seconds or reach the statement limit.
 */
export function reportSource(query: AskedFilters): 'roll-ups' | 'events' {
  const fields = fieldsOf(query);
  const measures = countedMeasuresOf(query).filter((measure) => measureApplies(measure, query));
  const countsTypes = fields.has('type') || measures.some((measure) => typeOfMeasure(measure) !== null);
  const isHourly = fields.has('hour');
  const asksRequests = measures.some((measure) => subjectOf(measure) === 'requests');
  if (isHourly && measures.some((measure) => subjectOf(measure) !== 'requests')) return 'events';
  if (!asksRequests) return 'roll-ups';
  if (fields.has('server') || fields.has('address') || fields.has('bot')) return 'events';
  if (fields.has('asn') && (isHourly || fields.has('country') || fields.has('stream') || fields.has('error'))) return 'events';
  if (isHourly) return fields.has('app') || fields.has('country') || fields.has('stream') || fields.has('error') ? 'events' : 'roll-ups';
  if (fields.has('stream')) return fields.has('country') || countsTypes ? 'events' : 'roll-ups';
  if (fields.has('country')) return fields.has('app') || fields.has('error') ? 'events' : 'roll-ups';
  return 'roll-ups';
}

/** Events that a report reads without asking first: in about a second. */
export const eventsReadAtOnce = 2_000_000;

/** The report whose requests are those that a report reads one by one: of its apps and days, by roll-ups. */
export function costQueryOf<Query extends ReportQuery>(query: Query): Query {
  const everything = Object.fromEntries(Object.keys(reportFilters).map((name) => [name, undefined]));
  const { appId, vertical, buyerId } = query;
  return {
    ...query,
    ...everything,
    top: undefined,
    pivot: undefined,
    appId,
    vertical,
    buyerId,
    groupBy: ['month'],
    measure: ['requests'],
    ratio: undefined,
    invalid: undefined,
    orderBy: undefined,
    least: undefined,
  };
}
