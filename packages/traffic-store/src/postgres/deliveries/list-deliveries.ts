import type { ConversionRow, ConversionSortKey } from '@switchyard/contract/conversions';
import { dayOf, dayRange, formatDateTime, type Microseconds } from '@switchyard/contract/dates';
import type { SortDirection } from '@switchyard/contract/listing';
import type { PushRow, PushSortKey } from '@switchyard/contract/pushes';
import type pg from 'pg';
import type { AskedPlace, ConversionFilter, DeliveryKind, PushFilter, WithPlace } from '../../delivery-store.ts';
import { asksForPlace, placeColumn, placeConditions } from './place-conditions.ts';
import { contains, listRows, patternOf, type SortKey } from './row-page.ts';
import { newParameters, type Parameters, timestamp } from '../event-conditions.ts';
import type { Reader } from '../statements.ts';
import type { TimeRange } from '../../time-range.ts';
import type { AppScope } from '@switchyard/contract/app-scope';

type AppRange = TimeRange & { appId: number };

/** How deliveries of a kind are read, filtered, sorted and counted. */
export type DeliveryList<Filter extends AppRange, Key extends string, Found extends object, Row> = {
  table: 'pushes' | 'conversions';
  kind: DeliveryKind;
  /** Columns that are read; the table is called `kept`. */
  columns: string;
  /** SQL of each sort; null: by id. */
  sortKeys: Readonly<Record<Key, SortKey | null>>;
  /** Replaces what a filter asks for by values that an index finds. */
  narrow: (reader: Reader, filter: Filter) => Promise<Filter>;
  conditions: (filter: Filter, parameters: Parameters) => string[];
  /** Whether roll-ups know everything that a filter asks for beside its time. */
  isCounted: (filter: Filter) => boolean;
  /** Conditions that rows and roll-ups share: their columns have the same names. */
  exactConditions: (filter: Filter, parameters: Parameters) => string[];
  toRow: (row: Found & { total?: number }) => Row;
};

/** A push as it is read. */
export type FoundPush = Omit<WithPlace<PushRow>, 'send_at'> & { send_at: Microseconds };

/** `campaignUids`: the campaigns that contain `campaignUid`, if they are known. */
type NarrowedPushFilter = PushFilter & { campaignUids?: readonly string[] | undefined };

export const pushList: DeliveryList<NarrowedPushFilter, PushSortKey, FoundPush, WithPlace<PushRow>> = {
  table: 'pushes',
  kind: 'push',
  columns: `kept.id, push_id, push_name, push_message, uid, client_uid, push_campaign_uid,
  (extract(epoch from send_at) * 1000000)::bigint as send_at, status, error`,
  sortKeys: {
    keyId: null,
    keyCampaign: { sql: 'push_campaign_uid collate "C"', isNullable: true },
    keySendAt: { sql: 'send_at', isNullable: false },
    keyStatus: { sql: 'status collate "C"', isNullable: false },
  },
  narrow: narrowToCampaigns,
  conditions: pushConditions,
  isCounted: ({ uid, campaignUid, pushId, ...filter }) =>
    [uid, campaignUid, pushId].every((text) => text === undefined) && !asksForPlace(filter),
  exactConditions: () => [],
  toRow: ({ total: _total, ...row }) => ({ ...row, send_at: formatDateTime(row.send_at) }),
};

/** A conversion as it is read. */
export type FoundConversion = Omit<WithPlace<ConversionRow>, 'created_at'> & { created_at: Microseconds };

export const conversionList: DeliveryList<ConversionFilter, ConversionSortKey, FoundConversion, WithPlace<ConversionRow>> = {
  table: 'conversions',
  kind: 'conversion',
  columns: `kept.id, source, client_uid, stream_uid, click_id, receive_apf_uid, app_instance_id, status_conversion,
  payout::float8 as payout, status, error, is_send, (extract(epoch from created_at) * 1000000)::bigint as created_at`,
  sortKeys: {
    keyId: null,
    keyClient: { sql: 'client_uid collate "C"', isNullable: true },
    keyStatus: { sql: 'status collate "C"', isNullable: false },
  },
  narrow: async (_reader, filter) => filter,
  conditions: conversionConditions,
  isCounted: ({ clientUid, streamUid, ...filter }) => clientUid === undefined && streamUid === undefined && !asksForPlace(filter),
  exactConditions,
  toRow: ({ total: _total, ...row }) => ({ ...row, created_at: formatDateTime(row.created_at) }),
};

type DeliveryQuery<Filter, Key> = AskedPlace & { filter: Filter; orderBy: Key; orderDirection: SortDirection; page: number; limit: number };

/** The columns that are read, and the place if it is asked for. */
export function columnsOf({ kind, columns }: { kind: DeliveryKind; columns: string }, place = false): string {
  return place ? `${columns}, ${placeColumn(kind)}` : columns;
}

/** A page of an app's deliveries with the exact number of matches. */
export async function listDeliveries<Filter extends AppRange, Key extends string, Found extends object, Row>(
  pool: pg.Pool,
  list: DeliveryList<Filter, Key, Found, Row>,
  { orderBy, orderDirection: direction, place, ...query }: DeliveryQuery<Filter, Key>,
  offset: string,
): Promise<{ rows: Row[]; total: number }> {
  const { table, sortKeys, narrow, conditions, toRow } = list;
  const columns = columnsOf(list, place);
  const count = async (reader: Reader, filter: Filter) => countMatches(reader, list, filter, offset);
  return listRows(pool, { ...query, table, columns, sortKey: sortKeys[orderBy], direction, narrow, count, conditions, toRow });
}

/** How many deliveries match, from the roll-ups where possible. */
export async function countMatches<Filter extends AppRange, Key extends string, Found extends object, Row>(
  reader: Reader,
  { table, kind, conditions, isCounted, exactConditions: exact }: DeliveryList<Filter, Key, Found, Row>,
  filter: Filter,
  offset: string,
): Promise<number> {
  const parameters = newParameters();
  const text =
    isCounted(filter) && isWholeDays(filter, offset)
      ? `select coalesce(sum(stored), 0)::bigint as total from ${[countedIn(filter, kind, parameters, offset), ...exact(filter, parameters)].join(' and ')}`
      : `select count(*) as total from ${table} where ${conditions(filter, parameters).join(' and ')}`;
  const { rows } = await reader.query<{ total: number }>({ text, values: parameters.values });
  return rows[0]?.total ?? 0;
}

/** An app with more campaigns than this has its pushes compared one by one. */
const mostCampaigns = 500;

/** The campaigns of an app are few beside its pushes: the index is read at the first push of each. */
const campaignsQuery = `with recursive known as (
    (select push_campaign_uid collate "C" as uid, 1 as place from pushes where app_id = $1::integer and push_campaign_uid is not null
      order by push_campaign_uid collate "C" limit 1)
    union all
    select (select push_campaign_uid collate "C" from pushes where app_id = $1::integer and push_campaign_uid collate "C" > known.uid
      order by push_campaign_uid collate "C" limit 1), place + 1
    from known where uid is not null and place <= ${mostCampaigns}
  )
  select coalesce(array_agg(uid) filter (where lower(uid collate "default") like lower($2::text)), '{}') as uids, coalesce(max(place), 0) as campaigns
  from known where uid is not null`;

async function narrowToCampaigns(reader: Reader, filter: NarrowedPushFilter): Promise<NarrowedPushFilter> {
  const { appId, campaignUid } = filter;
  if (campaignUid === undefined) return filter;
  const { rows } = await reader.query<{ uids: string[]; campaigns: number }>({
    name: 'push-campaigns',
    text: campaignsQuery,
    values: [appId, patternOf(campaignUid)],
  });
  const [known = { uids: [], campaigns: 0 }] = rows;
  return known.campaigns > mostCampaigns ? filter : { ...filter, campaignUids: known.uids };
}

/** SQL conditions of a filter. */
function pushConditions({ appId, uid, campaignUid, campaignUids, pushId, ...range }: NarrowedPushFilter, parameters: Parameters): string[] {
  const ofCampaigns = (): string[] => {
    if (campaignUids !== undefined) return [`push_campaign_uid collate "C" = any(${parameters.add(campaignUids)}::text[])`];
    return campaignUid === undefined ? [] : [contains('push_campaign_uid', campaignUid, parameters)];
  };
  return [
    `app_id = ${parameters.add(appId)}::integer`,
    ...(uid === undefined ? [] : [contains('uid', uid, parameters)]),
    ...ofCampaigns(),
    ...(pushId === undefined ? [] : [pushIdCondition(pushId, parameters)]),
    ...placeConditions('push', range, parameters),
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
function countedIn({ appId, from, until }: AppRange, kind: DeliveryKind, parameters: Parameters, offset: string): string {
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

/** SQL conditions of a filter. */
function conversionConditions(filter: ConversionFilter, parameters: Parameters): string[] {
  const { appId, streamUid, clientUid } = filter;
  return [
    `app_id = ${parameters.add(appId)}::integer`,
    ...(streamUid === undefined ? [] : [contains('stream_uid', streamUid, parameters)]),
    ...(clientUid === undefined ? [] : [contains('client_uid', clientUid, parameters)]),
    ...exactConditions(filter, parameters),
    ...placeConditions('conversion', filter, parameters),
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
