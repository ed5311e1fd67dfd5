import type { ConversionRow, ConversionSortKey } from '@switchyard/contract/conversions';
import { formatDateTime, type Microseconds } from '@switchyard/contract/dates';
import type pg from 'pg';
import type { ConversionFilter, ConversionPage } from '../../conversion-store.ts';
import type { AppScope } from '../../traffic-store.ts';
import { countedIn, isWholeDays, rangeConditions } from './list-pushes.ts';
import { listRows } from './list-rows.ts';
import { newParameters, type Parameters } from '../event-conditions.ts';
import { contains, type SortKey } from './row-page.ts';
import type { Reader } from '../snapshot.ts';

const columns = `kept.id, source, client_uid, stream_uid, click_id, receive_apf_uid, app_instance_id, status_conversion,
  payout::float8 as payout, status, error, is_send, (extract(epoch from created_at) * 1000000)::bigint as created_at`;

/** What each sort goes by. */
export const conversionSortKeys = {
  keyId: null,
  keyClient: { sql: 'client_uid collate "C"', isNullable: true },
  keyStatus: { sql: 'status collate "C"', isNullable: false },
} as const satisfies Record<ConversionSortKey, SortKey | null>;

/** A page of an app's conversions with the exact number of matches (api [30]). */
export async function listConversions(
  pool: pg.Pool,
  query: ConversionPage,
  offset: string,
): Promise<{ rows: ConversionRow[]; total: number }> {
  return listRows(pool, {
    table: 'conversions',
    filter: query.filter,
    columns,
    sortKey: conversionSortKeys[query.orderBy],
    direction: query.orderDirection,
    page: query.page,
    limit: query.limit,
    count: (reader, filter) => countConversions(reader, filter, offset),
    conditions: conversionConditions,
    toRow: toConversionRow,
  });
}

type FoundConversion = Omit<ConversionRow, 'created_at'> & { created_at: Microseconds; total?: number };

function toConversionRow({ total: _total, ...row }: FoundConversion): ConversionRow {
  return { ...row, created_at: formatDateTime(row.created_at) };
}

/** How many conversions match; the roll-ups say it wherever they can. */
export async function countConversions(reader: Reader, filter: ConversionFilter, offset: string): Promise<number> {
  const parameters = newParameters();
  const isCounted = filter.clientUid === undefined && filter.streamUid === undefined && isWholeDays(filter, offset);
  const counted = () => [countedIn(filter, 'conversion', parameters, offset), ...exactConditions(filter, parameters)].join(' and ');
  const text = isCounted
    ? `select coalesce(sum(stored), 0)::bigint as total from ${counted()}`
    : `select count(*) as total from conversions where ${conversionConditions(filter, parameters).join(' and ')}`;
  const { rows } = await reader.query<{ total: number }>({ text, values: parameters.values });
  return rows[0]?.total ?? 0;
}

/** SQL of what a row has to fulfil. */
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
export async function conversionValues(pool: pg.Pool, column: 'status_conversion' | 'status', scope: AppScope): Promise<string[]> {
  const { rows } = await pool.query<{ value: string }>({
    name: `conversion-values-${column}`,
    text: `select ${column} as value from conversion_totals where stored > 0 and ($1::integer[] is null or app_id = any($1::integer[]))
      group by ${column} order by ${column} collate "C"`,
    values: [scope === 'all' ? null : scope],
  });
  return rows.map((row) => row.value);
}
