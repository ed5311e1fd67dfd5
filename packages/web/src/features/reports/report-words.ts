import { verticals } from '@switchyard/contract/apps';
import { noValue, ownTypeName } from '@switchyard/contract/requests';
import { countryName } from '@switchyard/contract/countries';
import { addDays, displayDay } from '@switchyard/contract/dates';
import { subjectApplies } from '@switchyard/contract/report-rules';
import type { Days } from '@switchyard/contract/report-keys';
import { measureName, measureOfColumn, type ValueForm } from '@switchyard/contract/report-texts';
import {
  groupingsOf,
  type ReportComparison,
  type ReportGrouping,
  type ReportKey,
  type ReportMeasure,
  type ReportPeriod,
  type Ratio,
  isPayout,
  ratioOf,
  type RatioQuery,
  type ReportQuery,
  type ReportSubject,
  subjectOf,
  sumsOf,
} from '@switchyard/contract/reports';
import { daysOf } from './report-days.ts';
import { asnText } from '../../traffic/asn-text.ts';
import { compactNumber, groupedNumber } from '../../shared/ui/text-format.ts';

/** Names of the groupings. */
export const groupingNames: Readonly<Record<ReportGrouping, string>> = {
  app: 'App',
  vertical: 'Vertical',
  buyer: 'Buyer',
  country: 'Country',
  stream: 'Stream',
  asn: 'ASN',
  type: 'Type',
  day: 'Day',
  week: 'Week',
  month: 'Month',
  weekday: 'Weekday',
  hour: 'Hour of day',
  date_hour: 'Hour',
  server: 'Server',
  status_conversion: 'Kind of conversion',
};

export const comparisonNames: Readonly<Record<ReportComparison, string>> = {
  none: 'Nothing',
  previous: 'Previous period',
  week: 'A week earlier',
  month: 'A month earlier',
};

/** Names of the periods that move on with the clock. */
export const periodNames: Readonly<Record<ReportPeriod, string>> = {
  yesterday: 'Yesterday',
  last_7_days: 'Last 7 whole days',
  this_week: 'This week',
  last_week: 'Last week',
  this_month: 'This month',
  last_month: 'Last month',
};

const meanings: Partial<Record<ReportMeasure, string>> = {
  requests_success: 'Requests without an error and without a label of a blocked bot',
  success_share: 'Successes of all requests',
  bots: 'Requests with a bot label',
  bot_share: 'Requests with a bot label, of all requests',
  pushes_success: 'Pushes with the status sent or success',
  conversions_success: 'Conversions with the status success',
  conversions_valid: 'Conversions that are neither duplicates nor errors',
  payout_valid: 'Payout of conversions that are neither duplicates nor errors',
};

/** Descriptions of columns whose header does not say what they count. */
export function columnMeaning(column: string, query: RatioQuery): string | undefined {
  const { measure } = measureOfColumn(column);
  const ratio = ratioOf(column, query);
  const own = measure === undefined ? undefined : meanings[measure];
  if (own !== undefined || ratio === null) return own;
  return `${ratioText(ratio)}${leavesOutInvalid(ratio) ? ', without duplicates and errors' : ''}${isPayout(ratio.part) ? '' : '. A ratio of events, which may exceed 100%'}`;
}

/** Whether a ratio leaves out duplicates and errors. */
export function leavesOutInvalid(ratio: Ratio | null): boolean {
  return ratio !== null && [ratio.part, ratio.whole].some((sum) => /^(?:conversions|payout)_valid(?:_of:|$)/.test(sum));
}

/** A ratio in words. */
function ratioText({ part, whole, times }: Ratio): string {
  return `${measureName(part)} / ${measureName(whole)}${times === 1 ? '' : ' × 1,000'}`;
}

const percent = new Intl.NumberFormat(undefined, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 });
const amount = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export function shareText(share: number): string {
  return percent.format(share);
}

/** A value as a cell shows it, in compact form (1.52M) where the table is short of room. */
export function valueText(form: ValueForm, value: number, isCompact = false): string {
  if (form === 'share') return shareText(value);
  if (isCompact) return compactNumber(value);
  return form === 'amount' ? amount.format(value) : groupedNumber(value);
}

/** A change of values with its sign; of shares in percentage points. */
export function signedText(form: ValueForm, change: number, isCompact = false): string {
  if (form === 'share') return `${points.format(change * 100)} pp`;
  return `${change > 0 ? '+' : ''}${valueText(form, change, isCompact)}`;
}

const points = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
const change = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' });

/** A change in percent with its sign. */
export function percentChangeText(times: number): string {
  return change.format(times);
}

/** A change since an earlier period: its direction, and how much in words. Shares change by percentage points. */
export type Change = { direction: 'up' | 'down' | 'same'; text: string };

/** The value of a cell, whose amounts are texts; null where there is none. */
export function numberOf(value: number | string | null | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}

/** What values add up to, which is exact: amounts have four decimals at most. */
export function exactSum(values: readonly number[]): number {
  return values.reduce((all, value) => all + Math.round(value * 10_000), 0) / 10_000;
}

/** The change from an earlier value; null without an earlier one. */
export function changeOf(form: ValueForm, value: number | null, earlier: number | null): Change | null {
  if (value === null || earlier === null) return null;
  if (form !== 'share' && earlier === 0 && value !== 0) return { direction: value > 0 ? 'up' : 'down', text: 'new' };
  const times = earlier === 0 ? 1 : 1 + (value - earlier) / Math.abs(earlier);
  // Rounded as it is written, so that there is no arrow before a zero.
  const roundedValue = Math.round((form === 'share' ? value - earlier : times - 1) * 1000) / 1000;
  const direction = roundedValue > 0 ? 'up' : roundedValue < 0 ? 'down' : 'same';
  if (form === 'share') return { direction, text: `${points.format(roundedValue * 100)} pp` };
  return { direction, text: times >= 100 && earlier > 0 ? `×${compactNumber(Math.round(times))}` : change.format(roundedValue) };
}

/** Why a column has no value: one of its subjects does not know a group or filter, or there is nothing to divide by. */
export function absenceOf(column: string, query: ReportQuery): string {
  const { measure } = measureOfColumn(column);
  const ratio = ratioOf(column, query);
  const subjects = sumsOf(ratio ?? measure ?? 'requests').map(subjectOf);
  const subject = subjects.find((one) => !subjectApplies(one, query));
  if (subject === undefined) return `No ${measureName(ratio?.whole ?? 'requests').toLowerCase()} to divide by`;
  const name = { requests: 'Requests', pushes: 'Pushes', conversions: 'Conversions' }[subject];
  return `${name} are not known by ${unknownFields(query, subject).join(' or ')}`;
}

const unknownGroupings: Readonly<Record<ReportSubject, readonly ReportGrouping[]>> = {
  requests: ['status_conversion'],
  pushes: ['stream', 'type', 'status_conversion'],
  conversions: ['type'],
};

/** Fields that a report asks for and the subject does not know. */
function unknownFields(query: ReportQuery, subject: ReportSubject): string[] {
  const fields: Partial<Record<ReportGrouping, readonly (readonly unknown[] | undefined)[]>> = {
    stream: [query.streamUid, query.streamUidNot],
    type: [query.type, query.typeNot],
    status_conversion: [query.statusConversion, query.statusConversionNot],
  };
  return unknownGroupings[subject]
    .filter((name) => groupingsOf(query).includes(name) || fields[name]?.some((values) => values !== undefined))
    .map((name): string => groupingNames[name].toLowerCase())
    .concat(subject === 'requests' || (query.search === undefined && query.ipNot === undefined) ? [] : 'address');
}

const weekday = new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' });
/** A day of each weekday, from Monday on. */
const someMonday = '2024-01-01';
const monthName = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** A range of days in words. */
export function rangeText(from: string, to: string): string {
  return from === to ? displayDay(from) : `${displayDay(from)} – ${displayDay(to)}`;
}

const unknown: Partial<Record<ReportGrouping, string>> = {
  app: 'No app',
  vertical: 'No vertical',
  buyer: 'No buyer',
  country: 'No country',
  stream: 'No stream',
  server: 'Unknown server',
};

/** A key of a group in words; weeks and months that reach beyond the days of the report are named by what they have of them. */
export function keyText(grouping: ReportGrouping, { value, name, merged }: ReportKey, days: Days): string {
  if (merged !== undefined) return `Others (${groupedNumber(merged)})`;
  if (value === '' || (value === noValue && grouping !== 'asn')) return unknown[grouping] ?? '-';
  switch (grouping) {
    case 'vertical':
      return verticals.find(({ id }) => id === value)?.name ?? value;
    case 'country':
      return countryName(value);
    case 'day':
      return `${displayDay(value)} ${weekday.format(new Date(`${value}T00:00:00Z`))}`;
    case 'week':
    case 'month': {
      const { from, to } = daysOf(grouping, value, days) ?? days;
      const isWholeMonth = grouping === 'month' && from.endsWith('-01') && addDays(to, 1).endsWith('-01');
      return isWholeMonth ? monthName.format(new Date(`${value}-01T00:00:00Z`)) : rangeText(from, to);
    }
    case 'weekday':
      return weekday.format(new Date(`${addDays(someMonday, Number(value) - 1)}T00:00:00Z`));
    case 'date_hour':
      return `${displayDay(value.slice(0, 10))} ${value.slice(-2)}:00`;
    case 'hour':
      return `${value.padStart(2, '0')}:00`;
    case 'type':
      return value === 'error' ? ownTypeName(value) : value;
    case 'asn':
      return asnText(value, name);
    default:
      return name ?? (grouping === 'stream' || grouping === 'status_conversion' ? value : `#${value}`);
  }
}
