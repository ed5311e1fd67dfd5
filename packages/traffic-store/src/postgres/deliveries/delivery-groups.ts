import { isEmptyScope } from '@switchyard/contract/app-scope';
import { dayOf, dayRange } from '@switchyard/contract/dates';
import type { Pools } from '../../console-database.ts';
import type { DeliveryFigures, DeliveryGroupKey, DeliveryGroups, DeliveryKind } from '../../delivery-store.ts';
import { type Counts, type GroupColumns, keyColumn, keysIn, type SelectedKeys, toCounts } from '../../group-columns.ts';
import { asksForPlace, countedPlaceConditions } from './place-conditions.ts';
import { placeTables } from './place-days.ts';
import { newParameters, type Parameters, countedConditions, timestamp } from '../event-conditions.ts';
import { queryUntil, readColumns } from '../statements.ts';

/** Where each kind of delivery is counted by day, and its rows, which alone know the hour. A push has no stream, kind and payout. */
const tables = {
  push: { days: 'push_status_days', rows: 'pushes', time: 'send_at', payout: '0', stream: `''`, countedStream: `''` },
  conversion: {
    days: 'conversion_stream_days',
    rows: 'conversions',
    time: 'created_at',
    payout: 'payout',
    stream: `coalesce(stream_uid, '')`,
    countedStream: 'stream_uid',
  },
} as const;

type SelectedColumns = GroupColumns<DeliveryFigures>['figures'] & SelectedKeys;

/** Pushes or conversions by group and status, from the beginning of a day on; at most `limit` rows, in no order. */
export async function countDeliveryGroups(
  pools: Pick<Pools, 'ui' | 'sessions'>,
  offset: string,
  {
    kind,
    scope,
    streamUids,
    streamUidsNot,
    kinds,
    kindsNot,
    chosenKinds = [],
    by,
    limit,
    signal,
    ...filter
  }: DeliveryGroups & { kind: DeliveryKind },
): Promise<Counts<DeliveryFigures>> {
  const range = { from: filter.from, until: filter.until };
  // At midnight, the hours that a running day is compared with are none.
  if (isEmptyScope(scope) || range.from >= range.until) return toDeliveryCounts({ status: [], stored: [], payout: [] }, by);
  const hasPlaces = asksForPlace(filter) || by.some((key) => placeKeys.has(key));
  const hasKinds = kind === 'conversion' && ((kinds ?? kindsNot) !== undefined || by.includes('kind') || by.includes('chosenKind'));
  const parameters = newParameters();
  const { rows, time, payout, stream, countedStream } = tables[kind];
  const days = hasKinds ? kindDays : tables[kind].days;
  const kindColumn = hasKinds ? 'status_conversion' : `''`;
  // Days are counted together; a day that is not whole is counted from its rows, as hours are.
  const lastDay = dayRange(dayOf(range.until - 1, offset), offset);
  const wholeUntil = by.includes('hour') ? range.from : range.until < lastDay.until ? Math.max(range.from, lastDay.from) : range.until;
  const inDays = (): string =>
    `day between ${dayParameter(range.from, offset, parameters)} and ${dayParameter(wholeUntil - 1, offset, parameters)}`;
  const ofDays = (): string[] => {
    const columns = `app_id, ${countedStream} as stream_uid, ${kindColumn} as kind, status, stored, ${payout} as payout, day::timestamp as local`;
    if (!hasPlaces) return [`select ${columns} from ${days} where ${inDays()}`];
    // What is left of all is unknown, so that the groups always add up to them.
    const unknown = (stored: string, ofPayout: string): string =>
      `select app_id, ${countedStream}, ${kindColumn}, status, ${stored}, ${ofPayout}, day::timestamp, ${noPlace}`;
    const placeDays = placeTables[kind].days;
    return [
      `select ${columns}, country, asn, server_id, bot from ${placeDays} where ${inDays()}`,
      `${unknown('stored', payout)} from ${days} where ${inDays()}`,
      `${unknown('-stored', `-${payout}`)} from ${placeDays} where ${inDays()}`,
    ];
  };
  const ofRows = (): string => {
    const columns = `app_id, ${stream} as stream_uid, ${kindColumn} as kind, status, 1 as stored, ${payout} as payout,
      ${time} at time zone 'UTC' + ${parameters.add(offset)}::interval as local`;
    const isIn = `${time} >= ${parameters.add(timestamp(wholeUntil))}::timestamptz and ${time} < ${parameters.add(timestamp(range.until))}::timestamptz`;
    if (!hasPlaces) return `select ${columns} from ${rows} where ${isIn}`;
    return `select ${columns}, coalesce(country, ''), coalesce(asn, ''), coalesce(server_id, 0), coalesce(bot, '')
      from ${rows} left join ${placeTables[kind].places} using (id) where ${isIn}`;
  };
  const source = [...(wholeUntil > range.from ? ofDays() : []), ...(wholeUntil < range.until ? [ofRows()] : [])].join(' union all ');
  const conditions = [
    'true',
    ...countedConditions({ scope, streamUids, streamUidsNot }, parameters),
    ...countedPlaceConditions(filter, parameters),
    ...(kinds === undefined ? [] : [`kind = any(${parameters.add(kinds)}::text[])`]),
    ...(kindsNot === undefined ? [] : [`kind <> all(${parameters.add(kindsNot)}::text[])`]),
  ].join(' and ');
  const keySql = keySqlOf(by.includes('chosenKind') ? parameters.add(chosenKinds) : '');
  const keys = by.map((_, index) => keyColumn(index));
  const keyColumns = by.map((key) => keySql[key]);
  const columns = [...keyColumns.map((key, index) => `${key} as ${keys[index]}`), 'status', 'sum(stored)::bigint as stored'];
  const text = `select ${columns.join(', ')}, coalesce(sum(payout), 0)::text as payout from (${source}) as place${hasPlaces ? ` (${placedColumns})` : ''} where ${conditions}
    group by ${[...keyColumns, 'status'].join(', ')} having sum(stored) > 0 limit ${Math.trunc(limit)}`;
  const query = { text, values: parameters.values };
  return toDeliveryCounts(
    await readColumns(async (statement) => queryUntil<SelectedColumns>(pools, statement, signal), query, [
      ...keys,
      'status',
      'stored',
      'payout',
    ]),
    by,
  );
}

/** The counts in selected columns. */
export function toDeliveryCounts(
  { status, stored, payout, ...keys }: SelectedColumns,
  by: readonly DeliveryGroupKey[],
): Counts<DeliveryFigures> {
  return toCounts({ length: stored.length, keys: keysIn(keys, by), figures: { status, stored, payout } }, (row) => ({
    status: status[row] ?? '',
    stored: stored[row] ?? 0,
    payout: payout[row] ?? '0',
  }));
}

/** The columns of rows with places, in their order. */
const placedColumns = 'app_id, stream_uid, kind, status, stored, payout, local, country, asn, server_id, bot';
/** Those of an unknown place. */
const noPlace = `'', '', 0, ''`;
const placeKeys: ReadonlySet<DeliveryGroupKey> = new Set(['country', 'asn', 'server']);
/** Conversions by kind, which the smaller table of streams does not know. */
const kindDays = 'conversion_kind_days';

/** `chosenKinds` is a placeholder. */
const keySqlOf = (chosenKinds: string): Readonly<Record<DeliveryGroupKey, string>> => ({
  app: 'app_id',
  stream: 'stream_uid',
  day: `local::date - date '1970-01-01'`,
  hour: 'extract(hour from local)::integer',
  country: 'country',
  asn: 'asn',
  server: `case server_id when 0 then '' else server_id::text end`,
  kind: 'kind',
  chosenKind: `case when kind = any(${chosenKinds}::text[]) then kind else '' end`,
});

function dayParameter(at: number, offset: string, parameters: Parameters): string {
  return `${parameters.add(dayOf(at, offset))}::date`;
}
