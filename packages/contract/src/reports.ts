import { z } from 'zod';
import { csvFormat } from './csv-format.ts';
import { anyPermission, csvFile, defineEndpoint } from './endpoint.ts';
import { verticalIds } from './apps.ts';
import { isPlainDay } from './dates.ts';
import {
  type KindMeasure,
  type KindRatio,
  kindRatios,
  type KindSum,
  kindSums,
  readKindMeasure,
  writeKindMeasure,
} from './kind-measures.ts';
import { multiple, queryBoolean, readQuery, single, unknownNames } from './listing.ts';
import { plainText } from './text-fields.ts';
import { allRequestFilters, filterDate, requestTypes } from './requests.ts';

/** Groupings of a report. `hour` is the hour of day, `date_hour` each hour of each day; days follow the server offset. */
export const reportGroupings = [
  'app',
  'vertical',
  'buyer',
  'country',
  'stream',
  'asn',
  'type',
  'day',
  'week',
  'month',
  'weekday',
  'hour',
  'date_hour',
  'server',
  'status_conversion',
] as const;
export type ReportGrouping = (typeof reportGroupings)[number];

/** The groupings that are stretches of time. */
export const timeGroupings = ['day', 'week', 'month', 'weekday', 'hour', 'date_hour'] as const satisfies readonly ReportGrouping[];

/** Whether the keys of a grouping are stretches of time. */
export function isTimeGrouping(grouping: ReportGrouping | undefined): boolean {
  return timeGroupings.some((time) => time === grouping);
}

/** Types whose requests can succeed: an error never does. */
const succeedingTypes = requestTypes.filter((type) => type !== 'error');
const typeMeasures = [...requestTypes, ...succeedingTypes.map((type) => `${type}_success` as const)];

/** Sums of requests. A success has neither error nor blocking bot label. */
const requestSums = ['requests', 'requests_success', 'bots', ...typeMeasures] as const;
const pushSums = ['pushes', 'pushes_success'] as const;
/** `…_valid`: of conversions that are neither duplicates nor errors. */
const conversionSums = ['conversions', 'conversions_success', 'conversions_valid', 'payout', 'payout_valid'] as const;

/** Sums that a ratio can be taken of. */
export const reportSums = [...requestSums, ...pushSums, ...conversionSums] as const;
export type ReportSum = (typeof reportSums)[number] | KindSum;

/** Whether a sum is an amount, by which nothing is divided. */
export function isPayout(sum: string): boolean {
  return /^payout(?:_valid)?(?:_of:|$)/.test(sum);
}

/** A ratio of two sums, never of averages. `times`: 1,000 for a ratio per thousand. */
export type Ratio = { readonly part: ReportSum; readonly whole: ReportSum; readonly times: 1 | 1_000 };

/** The measures that are ratios. */
export const ratioMeasures = {
  success_share: { part: 'requests_success', whole: 'requests', times: 1 },
  bot_share: { part: 'bots', whole: 'requests', times: 1 },
  error_share: { part: 'error', whole: 'requests', times: 1 },
  receive_to_create: { part: 'create', whole: 'receive', times: 1 },
  create_to_conversion: { part: 'conversions_valid', whole: 'create', times: 1 },
  push_to_conversion: { part: 'conversions_valid', whole: 'pushes', times: 1 },
  payout_per_create: { part: 'payout_valid', whole: 'create', times: 1 },
  payout_per_thousand: { part: 'payout_valid', whole: 'requests', times: 1_000 },
} as const satisfies Readonly<Record<string, Ratio>>;
type RatioMeasure = keyof typeof ratioMeasures | KindRatio;

/** `…_by_status` has a column for each status. */
export const reportMeasures = [
  'requests',
  'requests_success',
  'success_share',
  'bots',
  'bot_share',
  ...typeMeasures,
  'error_share',
  'receive_to_create',
  'pushes',
  'pushes_success',
  'pushes_by_status',
  'conversions',
  'conversions_success',
  'conversions_valid',
  'conversions_by_status',
  'create_to_conversion',
  'push_to_conversion',
  'payout',
  'payout_valid',
  'payout_per_create',
  'payout_per_thousand',
] as const satisfies readonly (ReportSum | RatioMeasure | 'pushes_by_status' | 'conversions_by_status')[];
export type ReportMeasure = (typeof reportMeasures)[number] | KindMeasure;
type CountedMeasure = Exclude<ReportMeasure, RatioMeasure>;

/** Whether a measure has a column for each status, and none of its own. */
export function isByStatus(measure: ReportMeasure): boolean {
  return measure === 'pushes_by_status' || measure === 'conversions_by_status';
}

function isPlainRatio(measure: string): measure is keyof typeof ratioMeasures {
  return Object.hasOwn(ratioMeasures, measure);
}

function isKindRatio(name: string): name is keyof typeof kindRatios {
  return Object.hasOwn(kindRatios, name);
}

function isRatioMeasure(measure: ReportMeasure): measure is RatioMeasure {
  return isPlainRatio(measure) || isKindRatio(measure.split(':', 1).join());
}

/** The ratio that a measure is; null for sums. */
function ratioOfMeasure(measure: string): Ratio | null {
  if (isPlainRatio(measure)) return ratioMeasures[measure];
  const ofKind = readKindMeasure(measure);
  if (ofKind === null || !isKindRatio(ofKind.name)) return null;
  const ratio = kindRatios[ofKind.name];
  return { ...ratio, part: writeKindMeasure(ratio.part, ofKind.kind) };
}

/** Where a measure is counted. */
export type ReportSubject = 'requests' | 'pushes' | 'conversions';

/** Where a sum is counted. */
export function subjectOf(measure: CountedMeasure): ReportSubject {
  if (measure === 'pushes_by_status' || pushSums.some((name) => name === measure)) return 'pushes';
  const isOfConversions = measure === 'conversions_by_status' || conversionSums.some((name) => name === measure);
  return isOfConversions || readKindMeasure(measure) !== null ? 'conversions' : 'requests';
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

/**
 * Stretches of days that move on with the clock. Those of `this_…` end today; all others ended yesterday or earlier, so what they count
 * is finished. Weeks begin on Monday.
 */
export const reportPeriods = ['yesterday', 'last_7_days', 'this_week', 'last_week', 'this_month', 'last_month'] as const;
export type ReportPeriod = (typeof reportPeriods)[number];

/**
 * The period that a report is compared with: as many days, directly before or beginning a week or a month earlier. A whole month is
 * compared with the whole month before.
 */
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
  /** Days of a report by each hour. */
  hourlyDays: 31,
  /** Days before and after cannot be compared, or have no date of four digits after them. */
  firstYear: '1000',
  lastYear: '9998',
  /** Columns of a pivot; of more, the last ones become others. */
  pivotColumns: 100,
  /** Cells of a pivot that are returned, and of one in a file. Rows beyond them are left out, or the file is rejected. */
  pivotCells: 20_000,
  fileCells: 1_000_000,
  /** Days of a report that names none. */
  usualDays: 7,
  /** Columns of statuses, most frequent first. */
  statuses: 20,
  /** Ratios of a report that the reader defined, and characters of their names. */
  ratios: 10,
  ratioName: 40,
  /** Further filters beside those of a report. */
  within: 20,
  /** Characters of a column: of its name, and a kind of 64 that is encoded. */
  column: 216,
  /** A ratio of fewer says little: it is marked, and last where groups are ordered by ratio or by change in percent. */
  fewest: 30,
  mostFewest: 1_000_000,
} as const;

/** Messages of rejected reports, under the field that they name. */
export const reportMessages = {
  groupBy: `Group by at most ${reportLimits.groupings} fields.`,
  groups: 'This report has too many groups. Choose fewer days, set a filter or group by one field.',
  days: 'Choose at most 1,000 days.',
  years: `Choose days of the years ${reportLimits.firstYear} to ${reportLimits.lastYear}.`,
  hourlyDays: `Choose at most ${reportLimits.hourlyDays} days, or group by hour of day.`,
  within: 'Write further filters as a query string of buyerId, bot and type.',
  measure: 'Choose measures of reports, for a kind of conversions as NAME:KIND.',
  ratio: `Define a ratio as name:part/whole, with *1000 at its end for a ratio per thousand, at most ${reportLimits.ratios} of different names.`,
} as const;

/** A ratio that the reader defined, with its name. */
export type OwnRatio = Ratio & { readonly name: string };

const ownRatioForm = new RegExp(`^([^,:\\p{Cc}]{1,${reportLimits.ratioName}}):(\\w+(?::[^/]+)?)/(\\w+(?::[^/]+?)?)(\\*1000)?$`, 'u');

function readSum(text: string): ReportSum | null {
  const ofKind = readKindMeasure(text);
  const name = kindSums.find((sum) => sum === ofKind?.name);
  if (ofKind !== null && name !== undefined) return writeKindMeasure(name, ofKind.kind);
  return reportSums.find((sum) => sum === text) ?? null;
}

/** Reads `name:part/whole` or `name:part/whole*1000`; null if the text is no ratio of two sums. */
export function readOwnRatio(text: string): OwnRatio | null {
  const [, name = '', partName = '', wholeName = '', thousand] = ownRatioForm.exec(text) ?? [];
  const [part, whole] = [readSum(partName), readSum(wholeName)];
  if (part === null || whole === null || isPayout(whole) || name.trim() === '') return null;
  return { name, part, whole, times: thousand === undefined ? 1 : 1_000 };
}

/** Writes a ratio as `readOwnRatio` reads it. */
export function writeOwnRatio({ name, part, whole, times }: OwnRatio): string {
  return `${name}:${part}/${whole}${times === 1 ? '' : '*1000'}`;
}

/** The ratios that the reader defined, in their order. */
export function ownRatiosOf({ ratio: texts = [] }: { ratio?: readonly string[] | undefined }): OwnRatio[] {
  return texts.flatMap((text) => readOwnRatio(text) ?? []);
}

function areOwnRatios(texts: readonly string[] | undefined): boolean {
  const ratios = ownRatiosOf({ ratio: texts });
  return ratios.length === (texts ?? []).length && new Set(ratios.map(({ name }) => name)).size === ratios.length;
}

const plainDay = filterDate.refine((text) => text === undefined || isPlainDay(text), { error: 'Invalid date string format' });
const ids = allRequestFilters.appId;

/** Filters of which a request may have several values, so that what fits two lists of them is no list of values. */
const severalFilters = { buyerId: ids, bot: allRequestFilters.bot, type: allRequestFilters.type };
const severalQuery = z.object(severalFilters);
export type SeveralFilters = z.output<typeof severalQuery>;

function readSeveral(text: string): SeveralFilters | null {
  return unknownNames(severalQuery, text).length > 0 ? null : (severalQuery.safeParse(readQuery(text)).data ?? null);
}

/** Writes filters as one value of `within`; no value where there are none. */
export function writeWithin(filters: SeveralFilters): string[] {
  const text = Object.entries(filters).flatMap(([name, values]) =>
    values === undefined ? [] : [`${name}=${values.map(encodeURIComponent).join()}`],
  );
  return text.length === 0 ? [] : [text.join('&')];
}

/** Every choice of a report in these filters: its own, and each value of `within`. All of them have to hold. */
export function severalFiltersOf({ within = [], ...own }: SeveralFilters & { within?: readonly string[] | undefined }): SeveralFilters[] {
  return [own, ...within.flatMap((text) => readSeveral(text) ?? [])];
}

/** Filters of reports, as lists have them. A vertical and a buyer select their apps; lists have no filter by traffic server. */
export const reportFilters = {
  appId: ids,
  vertical: multiple(z.enum(verticalIds)),
  buyerId: severalFilters.buyerId,
  geo: allRequestFilters.geo,
  geoNot: allRequestFilters.geoNot,
  streamUid: allRequestFilters.streamUid,
  streamUidNot: allRequestFilters.streamUidNot,
  asn: allRequestFilters.asn,
  asnNot: allRequestFilters.asnNot,
  search: allRequestFilters.search,
  bot: severalFilters.bot,
  botNot: allRequestFilters.botNot,
  ipNot: allRequestFilters.ipNot,
  type: severalFilters.type,
  typeNot: allRequestFilters.typeNot,
  serverId: ids,
  /** Kinds of conversions, which requests and pushes do not have. */
  statusConversion: multiple(plainText(64)),
  statusConversionNot: multiple(plainText(64)),
  /** Further filters by buyer, bot and type, which have to hold as well. */
  within: multiple(
    plainText(4_000).refine((text) => readSeveral(text) !== null, { error: reportMessages.within }),
    { max: reportLimits.within },
  ),
};

/** A template of zod would weigh on every page. */
const kindMeasure = z.string().transform((text, context) => {
  const ofKind = readKindMeasure(text);
  if (ofKind !== null) return ofKind.measure;
  context.addIssue(reportMessages.measure);
  return z.NEVER;
});
const measureName = z.union([z.enum(reportMeasures), kindMeasure], { error: reportMessages.measure });

/** A whole number from 1 to `most`; anything else is the default, and more is reduced. */
function numberUpTo<Usual extends number | undefined>(most: number, usual: Usual) {
  return single(
    z
      .string()
      .optional()
      .transform((text) => {
        const number = text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : 0;
        return number < 1 ? usual : Math.min(number, most);
      }),
  ).meta({ type: 'integer', minimum: 1, maximum: most, ...(usual !== undefined && { default: usual }) });
}

const common = {
  ...reportFilters,
  groupBy: multiple(z.enum(reportGroupings)).refine((fields) => fields === undefined || fields.length <= reportLimits.groupings, {
    error: reportMessages.groupBy,
  }),
  measure: multiple(measureName),
  /** Ratios of measures count duplicates and errors, too. */
  invalid: queryBoolean(),
  /** Ratios of two sums as `name:part/whole` or `name:part/whole*1000`, after the measures. */
  ratio: multiple(z.string(), { max: reportLimits.ratios }).refine(areOwnRatios, { error: reportMessages.ratio }),
  startDate: plainDay,
  endDate: plainDay,
  /** A stretch of days that moves on with the clock, unless a first or last day is given. */
  period: single(z.enum(reportPeriods).optional()),
  /** How many days end with the last one, unless a first one or a period is given. */
  days: numberUpTo(reportLimits.days, reportLimits.usualDays),
  compare: single(z.enum(reportComparisons).default('none')),
  /**
   * A column of the report, or `key`; in a comparison also `change:` or `percent:` and a column, for its change and its change in
   * percent. Anything else is the default.
   */
  orderBy: single(
    z
      .string()
      .max(reportLimits.column + 'percent:'.length)
      .optional(),
  ),
  orderDirection: single(z.enum(['asc', 'desc']).optional()),
  /**
   * How many keys of a grouping are shown, the first ones in the order of the report, or by its first column if that is `key`. The rest is
   * added up as others. Groupings of time are shown whole.
   */
  top: numberUpTo(reportLimits.mostShown, undefined),
  /**
   * Ratios of fewer are marked (30 unless given). Ordered by a ratio, groups with one of fewer are last; by change in percent, also those that had fewer in
   * both periods. 1: none are. A report that is itself so small has its usual order.
   */
  least: numberUpTo(reportLimits.mostFewest, undefined),
  /** The keys of the second grouping become columns. */
  pivot: queryBoolean(),
};

export const reportQuery = z.object({ ...common, limit: numberUpTo(reportLimits.mostShown, reportLimits.shown) });
const downloadQuery = z.object(common);

/** The query of a report as views and tiles keep it: with the column and the kind of its chart. */
export const keptReportQuery = reportQuery.extend({
  chart: single(plainText(reportLimits.column).optional()),
  mode: single(plainText(8).optional()),
});
export type ReportQuery = z.output<typeof downloadQuery>;

const { search: _search, within: _within, ...boardFilters } = reportFilters;
/** Period and filters that apply to several reports at once. */
export const boardQuery = z.object({
  ...boardFilters,
  startDate: common.startDate,
  endDate: common.endDate,
  period: common.period,
  days: numberUpTo(reportLimits.days, undefined),
});
export type BoardQuery = z.output<typeof boardQuery>;

/** Parameters that decide which measures apply and where a report is counted. */
export type AskedFilters = Pick<ReportQuery, 'groupBy' | 'measure' | 'ratio' | keyof typeof reportFilters>;

/** The fields that a report groups by. */
export function groupingsOf({ groupBy }: Pick<ReportQuery, 'groupBy'>): readonly ReportGrouping[] {
  return groupBy ?? ['day'];
}

/** How many a ratio or a change in percent needs to count in an order. */
export function leastOf({ least = reportLimits.fewest }: Pick<ReportQuery, 'least'>): number {
  return least;
}

/** Whether the keys of the second grouping become columns. */
export function isPivot({ groupBy, pivot }: Pick<ReportQuery, 'groupBy' | 'pivot'>): boolean {
  return pivot === true && groupingsOf({ groupBy }).length === 2;
}

/** The measures of a report. */
export function measuresOf({ measure }: Pick<ReportQuery, 'measure'>): readonly ReportMeasure[] {
  return measure ?? defaultMeasures;
}

/** The part of a query that decides what ratios divide. */
export type RatioQuery = Pick<ReportQuery, 'ratio' | 'invalid'>;

/** The ratio that a column shows; null for sums. Columns of own ratios are `ratio:` and the name. */
export function ratioOf(column: string, query: RatioQuery): Ratio | null {
  const ratio = ratioOfMeasure(column);
  if (ratio !== null) return query.invalid === true ? { ...ratio, part: withInvalid(ratio.part) } : ratio;
  return ownRatiosOf(query).find(({ name }) => column === ratioColumn(name)) ?? null;
}

/** The sum that includes duplicates and errors. */
function withInvalid(sum: ReportSum): ReportSum {
  return readSum(sum.replace('_valid', '')) ?? sum;
}

/** The column of an own ratio. */
export function ratioColumn(name: string): string {
  return `ratio:${name}`;
}

/** The sums that a measure consists of. */
export function sumsOf(measure: ReportMeasure | Ratio): CountedMeasure[] {
  if (typeof measure !== 'string') return [measure.part, measure.whole];
  if (!isRatioMeasure(measure)) return [measure];
  const ratio = ratioOfMeasure(measure);
  return ratio === null ? [] : sumsOf(ratio);
}

/** Everything that has to be counted for the measures and ratios of a report. */
export function countedMeasuresOf(query: Pick<ReportQuery, 'measure' | 'ratio'>): CountedMeasure[] {
  return [...new Set([...measuresOf(query), ...ownRatiosOf(query)].flatMap(sumsOf))];
}

/** Kinds of conversions that some measure or ratio is about. */
export function kindsOf(query: Pick<ReportQuery, 'measure' | 'ratio'>): string[] {
  return [...new Set(countedMeasuresOf(query).flatMap((sum) => readKindMeasure(sum)?.kind ?? []))];
}

/** Values by column. Counts are whole numbers, a payout is decimal text; null: does not apply, or a ratio of nothing. */
const reportValues = z.record(z.string(), z.union([z.int(), z.number(), z.string()]).nullable());
export type ReportValues = z.output<typeof reportValues>;

/** A key of a group. `merged`: how many keys it adds up, if it is that of the others. */
const reportKey = z.object({ value: z.string(), name: z.string().nullable(), merged: z.int().optional() });
export type ReportKey = z.output<typeof reportKey>;

const reportCell = z.object({
  current: reportValues,
  compared: reportValues.nullable(),
  /** Columns of ratios of fewer than `least`, in either period. */
  few: z.array(z.string()),
  /** In a comparison: those of fewer in the current period. */
  few_current: z.array(z.string()).optional(),
});
export type ReportCell = z.output<typeof reportCell>;

/** `cells`: in a pivot, the values by column of the pivot; null where nothing was counted. */
const reportRow = reportCell.extend({ cells: z.array(reportCell.nullable()).optional() });
const reportGroup = reportRow.extend({ keys: z.array(reportKey) });
export type ReportGroup = z.output<typeof reportGroup>;

export const report = z.object({
  group_by: z.array(z.enum(reportGroupings)),
  columns: z.array(z.string()),
  groups: z.array(reportGroup),
  total_groups: z.int(),
  totals: reportRow,
  /** The columns of a pivot, whose groups have the key of the first grouping alone and are the totals of their cells; `empty` has the values of a null cell. */
  pivot: z.object({ keys: z.array(reportKey), empty: reportCell }).nullable(),
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
  /** The currency of payouts, if one is set. */
  currency: z.string().optional(),
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
  query: downloadQuery.extend(csvFormat),
  answer: csvFile(['day', ...defaultMeasures]),
});
