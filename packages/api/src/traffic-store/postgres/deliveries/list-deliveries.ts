import type { ConversionRow, ConversionSortKey } from '@switchyard/contract/conversions';
import { dayOf, dayRange, formatDateTime, type Microseconds } from '@switchyard/contract/dates';
import type { PushRow, PushSortKey } from '@switchyard/contract/pushes';
import type pg from 'pg';
import type { ConversionFilter, ConversionPage, PushFilter, PushPage } from '../../delivery-store.ts';
import { contains, listRows, type SortKey } from './row-page.ts';
import { newParameters, type Parameters, timestamp } from '../event-conditions.ts';
import type { Reader } from '../statements.ts';
import type { TimeRange } from '../../read-time-range.ts';
import type { AppScope } from '../../../app-scope.ts';

/** Columns that are read of a push; the table is called `kept`. */
export const pushColumns = `kept.id, push_id, push_name, push_message, uid, client_uid, push_campaign_uid,
  (extract(epoch from send_at) * 1000000)::bigint as send_at, status, error`;

/** SQL of each sort. */
export const pushSortKeys = {
  keyId: null,
  keyCampaign: { sql: 'push_campaign_uid collate "C"', isNullable: true },
  keySendAt: { sql: 'send_at', isNullable: false },
  keyStatus: { sql: 'status collate "C"', isNullable: false },
} as const satisfies Record<PushSortKey, SortKey | null>;

/** A page of an app's pushes with the exact number of matches. */
export async function listPushes(pool: pg.Pool, query: PushPage, offset: string): Promise<{ rows: PushRow[]; total: number }> {
  return listRows(pool, {
    table: 'pushes',
    filter: query.filter,
    columns: pushColumns,
    sortKey: pushSortKeys[query.orderBy],
    direction: query.orderDirection,
    page: query.page,
    limit: query.limit,
    count: (reader, filter) => countPushes(reader, filter, offset),
    conditions: pushConditions,
    toRow: toPushRow,
  });
}

/** A push as it is read. */
export type FoundPush = Omit<PushRow, 'send_at'> & { send_at: Microseconds; total?: number };

/** A push in the form of the wire. */
export function toPushRow({ total: _total, ...row }: FoundPush): PushRow {
  return { ...row, send_at: formatDateTime(row.send_at) };
}

/** How many pushes match, from the roll-ups where possible. */
export async function countPushes(reader: Reader, filter: PushFilter, offset: string): Promise<number> {
  const { uid, campaignUid, pushId } = filter;
  const parameters = newParameters();
  const isCounted = [uid, campaignUid, pushId].every((text) => text === undefined) && isWholeDays(filter, offset);
  const text = isCounted
    ? `select coalesce(sum(stored), 0)::bigint as total from ${countedIn(filter, 'push', parameters, offset)}`
    : `select count(*) as total from pushes where ${pushConditions(filter, parameters).join(' and ')}`;
  const { rows } = await reader.query<{ total: number }>({ text, values: parameters.values });
  return rows[0]?.total ?? 0;
}

/** SQL conditions of a filter. */
export function pushConditions({ appId, uid, campaignUid, pushId, ...range }: PushFilter, parameters: Parameters): string[] {
  return [
    `app_id = ${parameters.add(appId)}::integer`,
    ...(uid === undefined ? [] : [contains('uid', uid, parameters)]),
    ...(campaignUid === undefined ? [] : [contains('push_campaign_uid', campaignUid, parameters)]),
    ...(pushId === undefined ? [] : [pushIdCondition(pushId, parameters)]),
    ...rangeConditions('send_at', range, parameters),
  ];
}

/** Digits also match the id of a row, unless they are longer than any id. */
function pushIdCondition(pushId: string, parameters: Parameters): string {
  const text = contains('push_id', pushId, parameters);
  return /^\d{1,15}$/.test(pushId) ? `(${text} or id = ${parameters.add(pushId)}::bigint)` : text;
}

/** Whether a range of time begins and ends with a day, so that roll-ups by day can count it. */
function isWholeDays({ from, until }: TimeRange, offset: string): boolean {
  return [from, until].every((instant) => instant === undefined || dayRange(dayOf(instant, offset), offset).from === instant);
}

/** The roll-up of an app that counts what is stored in a range of whole days, up to its conditions. */
function countedIn(
  { appId, from, until }: TimeRange & { appId: number },
  kind: 'push' | 'conversion',
  parameters: Parameters,
  offset: string,
): string {
  const app = `app_id = ${parameters.add(appId)}::integer`;
  if (from === undefined && until === undefined) return `${kind}_totals where ${app}`;
  return `${kind}_days where ${[
    app,
    ...(from === undefined ? [] : [`day >= ${parameters.add(dayOf(from, offset))}::date`]),
    ...(until === undefined ? [] : [`day < ${parameters.add(dayOf(until, offset))}::date`]),
  ].join(' and ')}`;
}

/** Conditions on a column of time. */
function rangeConditions(column: string, { from, until }: TimeRange, parameters: Parameters): string[] {
  return [
    ...(from === undefined ? [] : [`${column} >= ${parameters.add(timestamp(from))}::timestamptz`]),
    ...(until === undefined ? [] : [`${column} < ${parameters.add(timestamp(until))}::timestamptz`]),
  ];
}

/** Columns that are read of a conversion. */
export const conversionColumns = `kept.id, source, client_uid, stream_uid, click_id, receive_apf_uid, app_instance_id, status_conversion,
  payout::float8 as payout, status, error, is_send, (extract(epoch from created_at) * 1000000)::bigint as created_at`;

/** SQL of each sort. */
export const conversionSortKeys = {
  keyId: null,
  keyClient: { sql: 'client_uid collate "C"', isNullable: true },
  keyStatus: { sql: 'status collate "C"', isNullable: false },
} as const satisfies Record<ConversionSortKey, SortKey | null>;

/** A page of an app's conversions with the exact number of matches. */
export async function listConversions(
  pool: pg.Pool,
  query: ConversionPage,
  offset: string,
): Promise<{ rows: ConversionRow[]; total: number }> {
  return listRows(pool, {
    table: 'conversions',
    filter: query.filter,
    columns: conversionColumns,
    sortKey: conversionSortKeys[query.orderBy],
    direction: query.orderDirection,
    page: query.page,
    limit: query.limit,
    count: (reader, filter) => countConversions(reader, filter, offset),
    conditions: conversionConditions,
    toRow: toConversionRow,
  });
}

/** A conversion as it is read. */
export type FoundConversion = Omit<ConversionRow, 'created_at'> & { created_at: Microseconds; total?: number };

/** A conversion in the form of the wire. */
export function toConversionRow({ total: _total, ...row }: FoundConversion): ConversionRow {
  return { ...row, created_at: formatDateTime(row.created_at) };
}

/** How many conversions match, from the roll-ups where possible. */
export async function countConversions(reader: Reader, filter: ConversionFilter, offset: string): Promise<number> {
  const parameters = newParameters();
  const isCounted = filter.clientUid === undefined && filter.streamUid === undefined && isWholeDays(filter, offset);
  const countConditions = () => [countedIn(filter, 'conversion', parameters, offset), ...exactConditions(filter, parameters)].join(' and ');
  const text = isCounted
    ? `select coalesce(sum(stored), 0)::bigint as total from ${countConditions()}`
    : `select count(*) as total from conversions where ${conversionConditions(filter, parameters).join(' and ')}`;
  const { rows } = await reader.query<{ total: number }>({ text, values: parameters.values });
  return rows[0]?.total ?? 0;
}

/** SQL conditions of a filter. */
export function conversionConditions(filter: ConversionFilter, parameters: Parameters): string[] {
  const { appId, streamUid, clientUid } = filter;
  return [
    `app_id = ${parameters.add(appId)}::integer`,
    ...(streamUid === undefined ? [] : [contains('stream_uid', streamUid, parameters)]),
    ...(clientUid === undefined ? [] : [contains('client_uid', clientUid, parameters)]),
    ...exactConditions(filter, parameters),
    ...rangeConditions('created_at', filter, parameters),
  ];
}

/** Conditions that rows and roll-ups share: their columns have the same names. */
function exactConditions({ statusConversion, status, isSend }: ConversionFilter, parameters: Parameters): string[] {
  return [
    ...(statusConversion === undefined ? [] : [`status_conversion collate "C" = ${parameters.add(statusConversion)}::text`]),
    ...(status === undefined ? [] : [`status collate "C" = ${parameters.add(status)}::text`]),
    ...(isSend === undefined ? [] : [`is_send = ${parameters.add(isSend)}::boolean`]),
  ];
}

/** Values of a column that are stored for an app in scope, by name; the roll-up holds each once or a few times an app. */
export async function findConversionValues(pool: pg.Pool, column: 'status_conversion' | 'status', scope: AppScope): Promise<string[]> {
  const { rows } = await pool.query<{ value: string }>({
    name: `conversion-values-${column}`,
    text: `select ${column} as value from conversion_totals where stored > 0 and ($1::integer[] is null or app_id = any($1::integer[]))
      group by ${column} order by ${column} collate "C"`,
    values: [scope === 'all' ? null : scope],
  });
  return rows.map((row) => row.value);
}
