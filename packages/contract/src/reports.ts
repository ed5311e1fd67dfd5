import { z } from 'zod';
import { anyPermission, csvFile, defineEndpoint } from './endpoint.ts';
import { verticalIds } from './apps.ts';
import { isPlainDay } from './dates.ts';
import { multiple, single } from './listing.ts';
import { allRequestFilters, filterDate, requestTypes } from './requests.ts';

/** Groupings of a report. `hour` is the hour of day; days follow the server offset. */
export const reportGroupings = ['app', 'vertical', 'buyer', 'country', 'stream', 'type', 'day', 'week', 'month', 'hour', 'server'] as const;
export type ReportGrouping = (typeof reportGroupings)[number];

/** The groupings that are stretches of time. */
export const timeGroupings = ['day', 'week', 'month', 'hour'] as const satisfies readonly ReportGrouping[];

/** Types whose requests can succeed: an error never does. */
const succeedingTypes = requestTypes.filter((type) => type !== 'error');
const typeMeasures = [...requestTypes, ...succeedingTypes.map((type) => `${type}_success` as const)];

/** Measures of requests. A success has neither error nor blocking bot label. */
const requestMeasures = ['requests', 'requests_success', 'success_share', 'bots', 'bot_share', ...typeMeasures] as const;
/** Measures of pushes and conversions. `…_by_status` has a column for each status. */
const pushMeasures = ['pushes', 'pushes_success', 'pushes_by_status'] as const;
const conversionMeasures = ['conversions', 'conversions_success', 'conversions_by_status', 'payout'] as const;

export const reportMeasures = [...requestMeasures, ...pushMeasures, ...conversionMeasures] as const;
export type ReportMeasure = (typeof reportMeasures)[number];

/** Where a measure is counted. */
export type ReportSubject = 'requests' | 'pushes' | 'conversions';

/** Where a measure is counted. */
export function subjectOf(measure: ReportMeasure): ReportSubject {
  if (pushMeasures.some((name) => name === measure)) return 'pushes';
  return conversionMeasures.some((name) => name === measure) ? 'conversions' : 'requests';
}

/** The type that a measure counts; null if it counts all of them. */
export function typeOfMeasure(measure: ReportMeasure): (typeof requestTypes)[number] | null {
  return requestTypes.find((type) => measure === type || measure === `${type}_success`) ?? null;
}

/** The measures of a report that names none. */
export const defaultMeasures = [
  'requests',
  'success_share',
  'bot_share',
  'pushes',
  'conversions',
  'payout',
] as const satisfies readonly ReportMeasure[];

/** The period that a report is compared with: as many days, directly before or beginning a week or a month earlier. */
export const reportComparisons = ['none', 'previous', 'week', 'month'] as const;
export type ReportComparison = (typeof reportComparisons)[number];

export const reportLimits = {
  groupings: 2,
  /** Groups that are returned, by default and at most. */
  shown: 100,
  mostShown: 1000,
  /** Groups that a report may have. */
  groups: 100_000,
  days: 1000,
  /** Days of a report that names none. */
  usualDays: 7,
  /** Columns of statuses, most frequent first. */
  statuses: 20,
} as const;

/** Messages of rejected reports, under the field that they name. */
export const reportMessages = {
  groupBy: `Group by at most ${reportLimits.groupings} fields.`,
  groups: 'This report has too many groups. Choose fewer days, set a filter or group by one field.',
  days: 'Choose at most 1,000 days.',
} as const;

const plainDay = filterDate.refine((text) => text === undefined || isPlainDay(text), { error: 'Invalid date string format' });
const ids = allRequestFilters.appId;

/** Filters of reports, as lists have them. A vertical and a buyer select their apps. */
const reportFilters = {
  appId: ids,
  vertical: multiple(z.enum(verticalIds)),
  buyerId: ids,
  geo: allRequestFilters.geo,
  geoNot: allRequestFilters.geoNot,
  streamUid: allRequestFilters.streamUid,
  streamUidNot: allRequestFilters.streamUidNot,
  type: allRequestFilters.type,
  typeNot: allRequestFilters.typeNot,
};

/** A whole number from 1 to `most`; anything else is the default, and more is reduced. */
function numberUpTo(most: number, usual: number) {
  return single(
    z
      .string()
      .optional()
      .transform((text) => {
        const number = text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : 0;
        return number < 1 ? usual : Math.min(number, most);
      }),
  ).meta({ type: 'integer', minimum: 1, maximum: most, default: usual });
}

const common = {
  ...reportFilters,
  groupBy: multiple(z.enum(reportGroupings)).refine((fields) => fields === undefined || fields.length <= reportLimits.groupings, {
    error: reportMessages.groupBy,
  }),
  measure: multiple(z.enum(reportMeasures)),
  startDate: plainDay,
  endDate: plainDay,
  /** How many days end with the last one, unless a first one is given. */
  days: numberUpTo(reportLimits.days, reportLimits.usualDays),
  compare: single(z.enum(reportComparisons).default('none')),
  /** A column of the report, or `key`; anything else is the default. */
  orderBy: single(z.string().max(64).optional()),
  orderDirection: single(z.enum(['asc', 'desc']).optional()),
};

export const reportQuery = z.object({ ...common, limit: numberUpTo(reportLimits.mostShown, reportLimits.shown) });
const downloadQuery = z.object(common);
export type ReportQuery = z.output<typeof downloadQuery>;

type AskedFilters = Pick<ReportQuery, 'groupBy' | 'measure' | keyof typeof reportFilters>;

/** The fields that a report groups by. */
export function groupingsOf({ groupBy }: Pick<ReportQuery, 'groupBy'>): readonly ReportGrouping[] {
  return groupBy ?? ['day'];
}

/** The measures of a report. */
export function measuresOf({ measure }: Pick<ReportQuery, 'measure'>): readonly ReportMeasure[] {
  return measure ?? defaultMeasures;
}

/** The order of a report's groups by one of its columns or by `key`: by time if it groups by time, otherwise by its first column. */
export function orderOf(
  query: Pick<ReportQuery, 'groupBy' | 'orderBy' | 'orderDirection'>,
  columns: readonly string[],
): { orderBy: string; orderDirection: 'asc' | 'desc' } {
  const isOfTime = timeGroupings.some((grouping) => grouping === groupingsOf(query)[0]);
  const usual = isOfTime ? 'key' : (columns[0] ?? 'key');
  const orderBy = ['key', ...columns].find((name) => name === query.orderBy) ?? usual;
  return { orderBy, orderDirection: query.orderDirection ?? (orderBy === 'key' ? 'asc' : 'desc') };
}

function isSet(...values: (readonly unknown[] | undefined)[]): boolean {
  return values.some((value) => value !== undefined);
}

/** Fields of requests that a report asks for, in its groups or its filters. */
function fieldsOf(query: AskedFilters): ReadonlySet<'app' | 'country' | 'stream' | 'type' | 'error' | 'hour' | 'server'> {
  const groups = groupingsOf(query);
  const types = [...(query.type ?? []), ...(query.typeNot ?? [])];
  const isGrouped = (...names: ReportGrouping[]): boolean => names.some((name) => groups.includes(name));
  return new Set([
    ...(isGrouped('app', 'vertical', 'buyer') || isSet(query.appId, query.vertical, query.buyerId) ? ['app' as const] : []),
    ...(isGrouped('country') || isSet(query.geo, query.geoNot) ? ['country' as const] : []),
    ...(isGrouped('stream') || isSet(query.streamUid, query.streamUidNot) ? ['stream' as const] : []),
    ...(isGrouped('type') || types.length > 0 ? ['type' as const] : []),
    ...(types.includes('error') ? ['error' as const] : []),
    ...(isGrouped('hour') ? ['hour' as const] : []),
    ...(isGrouped('server') ? ['server' as const] : []),
  ]);
}

/** Whether a subject has every field that a report asks for: pushes know only their app and time, conversions their stream too. */
export function subjectApplies(subject: ReportSubject, query: AskedFilters): boolean {
  if (subject === 'requests') return true;
  const fields = fieldsOf(query);
  return !fields.has('country') && !fields.has('type') && !fields.has('server') && (subject === 'conversions' || !fields.has('stream'));
}

/** Whether a measure has values in a report; otherwise they are null. */
export function measureApplies(measure: ReportMeasure, query: AskedFilters): boolean {
  return subjectApplies(subjectOf(measure), query);
}

/**
 * The source of a report: `roll-ups` costs the same at any number of requests; `events` reads single events, or counts nearly as many, and
 * may take seconds or reach the statement limit.
 */
export function reportSource(query: AskedFilters): 'roll-ups' | 'events' {
  const fields = fieldsOf(query);
  const measures = measuresOf(query).filter((measure) => measureApplies(measure, query));
  const countsTypes = fields.has('type') || measures.some((measure) => typeOfMeasure(measure) !== null);
  const isHourly = fields.has('hour');
  const asksRequests = measures.some((measure) => subjectOf(measure) === 'requests');
  if (isHourly && measures.some((measure) => subjectOf(measure) !== 'requests')) return 'events';
  if (!asksRequests) return 'roll-ups';
  if (fields.has('server')) return 'events';
  if (isHourly) return fields.has('app') || fields.has('country') || fields.has('stream') || fields.has('error') ? 'events' : 'roll-ups';
  if (fields.has('stream')) return fields.has('country') || countsTypes ? 'events' : 'roll-ups';
  if (fields.has('country')) return fields.has('app') || fields.has('error') ? 'events' : 'roll-ups';
  return 'roll-ups';
}

/** Values by column. Counts are whole numbers, shares lie between 0 and 1, a payout is decimal text; null: does not apply, or no share. */
const reportValues = z.record(z.string(), z.union([z.int(), z.number(), z.string()]).nullable());
export type ReportValues = z.output<typeof reportValues>;

const reportGroup = z.object({
  keys: z.array(z.object({ value: z.string(), name: z.string().nullable() })),
  current: reportValues,
  compared: reportValues.nullable(),
});
export type ReportGroup = z.output<typeof reportGroup>;

export const report = z.object({
  group_by: z.array(z.enum(reportGroupings)),
  columns: z.array(z.string()),
  groups: z.array(reportGroup),
  total_groups: z.int(),
  totals: reportGroup.omit({ keys: true }),
  from: z.string(),
  to: z.string(),
  compared_from: z.string().nullable(),
  compared_to: z.string().nullable(),
  /** The report holds the running day: the compared days are counted up to the same time of its day only, as UTC text. */
  compared_until: z.string().nullable(),
  /** The first day of which nothing was dropped by retention. */
  complete_from: z.string(),
  is_complete: z.boolean(),
  compared_is_complete: z.boolean().nullable(),
  source: z.enum(['roll-ups', 'events']),
});
export type Report = z.output<typeof report>;

const access = anyPermission('manager_app_statistics');

export const getReport = defineEndpoint({
  number: 150,
  method: 'GET',
  path: 'reports',
  summary: 'Traffic of the apps in scope, grouped and compared with an earlier period',
  access,
  query: reportQuery,
  answer: { kind: 'data', status: 200, schema: report },
});

/** Every group of a report as a file. A column of names follows each of apps, buyers and streams; then the columns, then those compared. */
export const downloadReport = defineEndpoint({
  number: 151,
  method: 'GET',
  path: 'reports/download',
  summary: 'A report as CSV',
  access,
  query: downloadQuery,
  answer: csvFile(['day', ...defaultMeasures]),
});
