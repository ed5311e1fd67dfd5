import { dayOf, dayRange, formatDateTime, type Microseconds } from '@switchyard/contract/dates';
import type { PushRow, PushSortKey } from '@switchyard/contract/pushes';
import type pg from 'pg';
import type { PushFilter, PushPage } from '../../push-store.ts';
import type { TimeRange } from '../../read-time-range.ts';
import { listRows } from './list-rows.ts';
import { newParameters, type Parameters, timestamp } from '../event-conditions.ts';
import { contains, type SortKey } from './row-page.ts';
import type { Reader } from '../snapshot.ts';

const columns = `kept.id, push_id, push_name, push_message, uid, client_uid, push_campaign_uid,
  (extract(epoch from send_at) * 1000000)::bigint as send_at, status, error`;

/** What each sort goes by. */
export const pushSortKeys = {
  keyId: null,
  keyCampaign: { sql: 'push_campaign_uid collate "C"', isNullable: true },
  keySendAt: { sql: 'send_at', isNullable: false },
  keyStatus: { sql: 'status collate "C"', isNullable: false },
} as const satisfies Record<PushSortKey, SortKey | null>;

/** A page of an app's pushes with the exact number of matches (api [29]). */
export async function listPushes(pool: pg.Pool, query: PushPage, offset: string): Promise<{ rows: PushRow[]; total: number }> {
  return listRows(pool, {
    table: 'pushes',
    filter: query.filter,
    columns,
    sortKey: pushSortKeys[query.orderBy],
    direction: query.orderDirection,
    page: query.page,
    limit: query.limit,
    count: (reader, filter) => countPushes(reader, filter, offset),
    conditions: pushConditions,
    toRow: toPushRow,
  });
}

type FoundPush = Omit<PushRow, 'send_at'> & { send_at: Microseconds; total?: number };

function toPushRow({ total: _total, ...row }: FoundPush): PushRow {
  return { ...row, send_at: formatDateTime(row.send_at) };
}

/** How many pushes match; the roll-ups say it wherever they can. */
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

/** SQL of what a row has to fulfil. */
export function pushConditions({ appId, uid, campaignUid, pushId, ...range }: PushFilter, parameters: Parameters): string[] {
  return [
    `app_id = ${parameters.add(appId)}::integer`,
    ...(uid === undefined ? [] : [contains('uid', uid, parameters)]),
    ...(campaignUid === undefined ? [] : [contains('push_campaign_uid', campaignUid, parameters)]),
    ...(pushId === undefined ? [] : [pushIdCondition(pushId, parameters)]),
    ...rangeConditions('send_at', range, parameters),
  ];
}

/** Digits name a row as well (api [29]); longer ones than any id has do not. */
function pushIdCondition(pushId: string, parameters: Parameters): string {
  const text = contains('push_id', pushId, parameters);
  return /^\d{1,15}$/.test(pushId) ? `(${text} or id = ${parameters.add(pushId)}::bigint)` : text;
}

/** Whether a range of time begins and ends with a day, so that roll-ups by day can count it. */
export function isWholeDays({ from, until }: TimeRange, offset: string): boolean {
  return [from, until].every((instant) => instant === undefined || dayRange(dayOf(instant, offset), offset).from === instant);
}

/** The roll-up of an app that counts what is stored in a range of whole days, up to its conditions. */
export function countedIn(
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
export function rangeConditions(column: string, { from, until }: TimeRange, parameters: Parameters): string[] {
  return [
    ...(from === undefined ? [] : [`${column} >= ${parameters.add(timestamp(from))}::timestamptz`]),
    ...(until === undefined ? [] : [`${column} < ${parameters.add(timestamp(until))}::timestamptz`]),
  ];
}
