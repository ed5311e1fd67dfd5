import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import type pg from 'pg';
import type { EventColumns } from '@switchyard/traffic-store/event-fields';

/** Where events live. */
export const stores = ['postgres', 'clickhouse'] as const;
export type StoreName = (typeof stores)[number];

/** The questions of the lists, asked by the bare driver: what an application without a product between it and the store would use. */
export type RawEvents = {
  /** The newest 50 events. */
  newest(): Promise<unknown>;
  newestOf(appId: number): Promise<unknown>;
  /** The questions as prepared statements, which ClickHouse has not. */
  preparedQueries: { newest(): Promise<unknown>; newestOf(appId: number): Promise<unknown> } | null;
  /** The number of an app's events, counted one by one. */
  countOf(appId: number): Promise<number>;
  /** Events by app, type and flags, counted one by one. */
  countAll(): Promise<unknown>;
  /** Addresses and clients of some events, in no order. */
  someClients(): Promise<Pick<EventColumns, 'ip' | 'client_uid'>[]>;
};

/** Milliseconds of a list, page, total or histogram, of a search and of all counters; and how many times the first page any other page takes. */
export type StoreTargets = { list: number; search: number; statistics: number; pageRatio: number };

/** Limits of each store, in milliseconds and as ratios to the baseline of the same run. */
export const storeTargets = {
  postgres: { list: 25, search: 5, statistics: 20, pageRatio: 2 },
  clickhouse: { list: 60, search: 60, statistics: 60, pageRatio: 2.5 },
} as const satisfies Record<StoreName, StoreTargets>;

const rawColumns = `id, uuid, app_id, type, occurred_at, ip, country, client_uid, stream_uid, bot, postbacks_domain, user_agent,
  body_request, body_response, error, additional_data`;
/** The newest 50 events, with every column that the list shows. */
export const rawNewest = `select ${rawColumns} from events order by occurred_at desc, id desc limit 50`;
const rawOfApp = `select ${rawColumns} from events where app_id = $1 order by occurred_at desc, id desc limit 50`;
const someIds = (last: number) => Array.from({ length: 200 }, () => 1 + Math.floor(Math.random() * last));

/** The questions to PostgreSQL. Counting all of twenty million events takes longer than the statements of `ui` may. */
export function rawPostgres({ ui: pool, ops }: Record<'ui' | 'ops', pg.Pool>): RawEvents {
  return {
    newest: async () => pool.query(rawNewest),
    newestOf: async (appId) => pool.query(rawOfApp, [appId]),
    preparedQueries: {
      newest: async () => pool.query({ name: 'raw-newest', text: rawNewest }),
      newestOf: async (appId) => pool.query({ name: 'raw-of-app', text: rawOfApp, values: [appId] }),
    },
    async countOf(appId) {
      const { rows } = await pool.query<{ count: number }>('select count(*) as count from events where app_id = $1', [appId]);
      return rows[0]?.count ?? 0;
    },
    countAll: async () => ops.query('select app_id, type, flags, count(*) from events group by app_id, type, flags'),
    async someClients() {
      const { rows: newestRows } = await pool.query<{ last: number }>('select max(id) as last from events');
      const { rows } = await pool.query<Pick<EventColumns, 'ip' | 'client_uid'>>(
        'select host(ip) as ip, client_uid from events where id = any($1::bigint[])',
        [someIds(newestRows[0]?.last ?? 1)],
      );
      return rows;
    },
  };
}

/**
 * Rows of a statement by the official client: from the events, unless `settings` let it use projections. Nothing is remembered between
 * two questions.
 */
export async function askEngine<Row>(
  client: ClickHouseClient,
  query: string,
  values: Record<string, unknown> = {},
  settings: ClickHouseSettings = { optimize_use_projections: 0 },
): Promise<Row[]> {
  const result = await client.query({
    query,
    query_params: values,
    format: 'JSONEachRow',
    clickhouse_settings: { ...settings, use_query_condition_cache: 0, read_in_order_use_buffering: 0 },
  });
  return result.json<Row>();
}

/** The order of time as the key of the table has it, so that the engine stops reading after the first rows. */
const newestFirst = 'order by toStartOfHour(occurred_at) desc, occurred_at desc, id desc limit 50';

/** The questions to ClickHouse. */
export function rawClickHouse(client: ClickHouseClient): RawEvents {
  return {
    newest: async () => askEngine(client, `select row from events ${newestFirst}`),
    newestOf: async (appId) => askEngine(client, `select row from events where app_id = {appId:Int32} ${newestFirst}`, { appId }),
    preparedQueries: null,
    async countOf(appId) {
      const [row] = await askEngine<{ count: number }>(client, 'select count() as count from events where app_id = {appId:Int32}', {
        appId,
      });
      return row?.count ?? 0;
    },
    countAll: async () => askEngine(client, 'select app_id, type, flags, count() from events group by app_id, type, flags'),
    async someClients() {
      const [row] = await askEngine<{ last: number }>(client, 'select max(id) as last from events');
      return askEngine(
        client,
        `select replaceOne(toString(ip), '::ffff:', '') as ip, client_uid from events where id in {ids:Array(UInt64)}`,
        {
          ids: someIds(row?.last ?? 1),
        },
      );
    },
  };
}
